/* SPDX-License-Identifier: MIT */
/* What resolving a picture has in common for all standards: maps, RGB input, slots, intra refresh.
 */
#include "util/alloc.h"
#include "util/checked.h"
#include "util/compiler.h"
#include "video/encode/session.h"

static uint32_t
blocks_of(uint32_t size_px, uint32_t block_px)
{
    return (size_px + block_px - 1) / block_px;
}

static uint32_t
round_up(uint32_t size_px, uint32_t block_px)
{
    return blocks_of(size_px, block_px) * block_px;
}

/* Room for maps and intra refresh alike: as many blocks as the finer of the two has. */
static bool
picture_reserve_blocks(struct rp_encode_picture *pic)
{
    const struct rp_encode_standard *standard = pic->enc->standard;
    const uint32_t block_px = RP_MIN(standard->map_texel_px, standard->refresh_block_px);
    const uint32_t count =
        blocks_of(pic->job->width_px, block_px) * blocks_of(pic->job->height_px, block_px);
    if (count <= pic->block_capacity)
        return true;
    rp_free(NULL, pic->qp_deltas);
    rp_free(NULL, pic->emphasis);
    rp_free(NULL, pic->force_intra);
    rp_free(NULL, pic->intra_clean);
    pic->qp_deltas =
        rp_alloc(NULL, count * sizeof(*pic->qp_deltas), 2, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    pic->force_intra = rp_alloc(NULL, count, 1, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    pic->intra_clean = rp_alloc(NULL, count, 1, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    pic->emphasis =
        rp_alloc(NULL, count * sizeof(*pic->emphasis), 4, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    const bool has_all = pic->qp_deltas && pic->emphasis && pic->force_intra && pic->intra_clean;
    pic->block_capacity = has_all ? count : 0;
    return pic->block_capacity > 0;
}

enum rp_codec_status
rp_encode_read_map(const struct rp_encode_request *request, struct rp_encode_picture *pic)
{
    const struct rp_encode_standard *standard = pic->enc->standard;
    const struct rp_quantization_map *map = &request->map;
    if (!map->texels)
        return RP_CODEC_OK;
    const uint32_t width = blocks_of(pic->job->width_px, standard->map_texel_px);
    const uint32_t height = blocks_of(pic->job->height_px, standard->map_texel_px);
    if (!picture_reserve_blocks(pic))
        return RP_CODEC_NO_MEMORY;

    if (rp_quantization_map_is_emphasis(map)) {
        pic->job->emphasis = pic->emphasis;
        return rp_emphasis_map_read(map, width, height, pic->emphasis) ? RP_CODEC_OK
                                                                       : RP_CODEC_FAILED;
    }
    pic->job->qp_delta = pic->qp_deltas;
    return rp_quantization_map_read(map, width, height, standard->max_qp, pic->qp_deltas)
               ? RP_CODEC_OK
               : RP_CODEC_FAILED;
}

enum rp_codec_status
rp_encode_convert_source(const struct rp_encode_request *request, struct rp_encode_picture *pic)
{
    struct rp_encode_job *job = pic->job;
    if (pic->enc->has_rgb_input != (request->rgb.texels != NULL))
        return RP_CODEC_FAILED;
    if (!pic->enc->has_rgb_input)
        return RP_CODEC_OK;

    const uint32_t width_px = round_up(job->width_px, 2);
    const uint32_t height_px = round_up(job->height_px, 2);
    const uint32_t bit_depth = pic->enc->rgb.bit_depth;
    const size_t stride_B = rp_align_u64((uint64_t)width_px * (bit_depth > 8 ? 2 : 1), 64);
    const size_t pixels_B = stride_B * height_px * 3 / 2;
    const size_t needed_B = pixels_B + rp_rgb_scratch_B(width_px);
    if (pic->converted_capacity_B < needed_B) {
        rp_free(NULL, pic->converted);
        pic->converted = rp_alloc(NULL, needed_B, 64, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
        pic->converted_capacity_B = pic->converted ? needed_B : 0;
    }
    if (!pic->converted)
        return RP_CODEC_NO_MEMORY;

    pic->rgb = request->rgb;
    pic->convert_scratch = pic->converted + pixels_B;
    job->src = (struct rp_picture){
        .layout = RP_PICTURE_NV12,
        .bit_depth = bit_depth,
        .width_px = width_px,
        .height_px = height_px,
        .plane = {{pic->converted, stride_B}, {pic->converted + stride_B * height_px, stride_B}},
    };
    return RP_CODEC_OK;
}

/* How the codec shall see the pixels of a DPB picture. In place only when the memory has the
 * layout of a picture of this size: of a smaller picture in a larger image, strides may differ. */
static void
dpb_picture_init(const struct rp_encode_picture *pic, const struct rp_encode_resource *resource,
                 struct rp_encoder_slot *slot, struct rp_dpb_picture *out)
{
    const struct rp_encode_codec *codec = pic->enc->codec;
    const uint32_t block_px = pic->enc->standard->coding_block_px;
    const uint32_t width_px = round_up(pic->job->width_px, block_px);
    const uint32_t height_px = round_up(pic->job->height_px, block_px);

    *out = (struct rp_dpb_picture){.slot = slot, .pixels = resource->pixels};
    if (resource->is_padded && codec->dpb_layout) {
        struct rp_dpb_layout layout;
        codec->dpb_layout(width_px, height_px, &layout);
        out->is_padded = resource->pixels.plane[0].stride_B == layout.stride_B &&
                         round_up(resource->pixels.width_px, block_px) >= width_px &&
                         round_up(resource->pixels.height_px, block_px) >= height_px;
    }
    if (out->is_padded) {
        out->pixels.width_px = width_px;
        out->pixels.height_px = height_px;
    } else {
        out->pixels.width_px = RP_MIN(out->pixels.width_px, width_px);
        out->pixels.height_px = RP_MIN(out->pixels.height_px, height_px);
    }
}

enum rp_codec_status
rp_encode_use_slot(struct rp_encode_picture *pic, const struct rp_encode_resource *resource,
                   struct rp_dpb_picture *out, bool *is_foreign_out)
{
    struct rp_video_encode *enc = pic->enc;
    const uint32_t block_px = enc->standard->coding_block_px;
    struct rp_encode_slot *slot =
        rp_encode_slots_use(&enc->slots, &resource->key, enc->picture_number);
    if (!slot)
        return RP_CODEC_NO_MEMORY;
    if (pic->use_count == RP_ARRAY_SIZE(pic->uses))
        return RP_CODEC_FAILED;

    dpb_picture_init(pic, resource, slot->codec_slot, out);
    if (is_foreign_out)
        *is_foreign_out = slot->generation != resource->generation ||
                          slot->width_px != round_up(pic->job->width_px, block_px) ||
                          slot->height_px != round_up(pic->job->height_px, block_px);
    /* The codec adopts what is foreign with this picture, so that the next one knows it. */
    pic->uses[pic->use_count++] = (struct rp_encode_use){
        .slot = slot,
        .generation = resource->generation,
        .has_motion = !is_foreign_out || (slot->has_motion && !*is_foreign_out),
    };
    return RP_CODEC_OK;
}

void
rp_encode_know_slots(const struct rp_encode_picture *pic)
{
    const uint32_t block_px = pic->enc->standard->coding_block_px;
    for (uint32_t i = 0; i < pic->use_count; i++) {
        struct rp_encode_slot *slot = pic->uses[i].slot;
        slot->generation = pic->uses[i].generation;
        slot->has_motion = pic->uses[i].has_motion;
        slot->width_px = round_up(pic->job->width_px, block_px);
        slot->height_px = round_up(pic->job->height_px, block_px);
    }
}

void
rp_encode_note_dirty_regions(const struct rp_encode_request *request,
                             const struct rp_encode_reference *ref, struct rp_encode_picture *pic)
{
    const uint32_t cycle = request->refresh.cycle_duration;
    pic->clean_region_count =
        RP_MIN(pic->clean_region_count, cycle - RP_MIN(cycle, ref->dirty_region_count));
}

/* blocks: with its partitions. */
static enum rp_codec_status
fill_refresh(const struct rp_encode_request *request, struct rp_intra_refresh_blocks *blocks,
             struct rp_encode_picture *pic)
{
    const uint32_t block_px = pic->enc->standard->refresh_block_px;
    blocks->width = blocks_of(pic->job->width_px, block_px);
    blocks->height = blocks_of(pic->job->height_px, block_px);
    if (!picture_reserve_blocks(pic))
        return RP_CODEC_NO_MEMORY;
    if (!rp_intra_refresh_fill(&request->refresh, blocks, pic->clean_region_count, pic->force_intra,
                               pic->intra_clean))
        return RP_CODEC_FAILED;
    pic->job->force_intra = pic->force_intra;
    pic->job->intra_clean = pic->intra_clean;
    return RP_CODEC_OK;
}

enum rp_codec_status
rp_encode_fill_refresh(const struct rp_encode_request *request, const uint32_t *first_blocks,
                       uint32_t partition_count, struct rp_encode_picture *pic)
{
    struct rp_intra_refresh_blocks blocks = {.partition_first = first_blocks,
                                             .partition_count = partition_count};
    return fill_refresh(request, &blocks, pic);
}

enum rp_codec_status
rp_encode_fill_refresh_tiles(const struct rp_encode_request *request,
                             const struct rp_intra_refresh_tiles *tiles,
                             struct rp_encode_picture *pic)
{
    struct rp_intra_refresh_blocks blocks = {.tiles = tiles};
    return fill_refresh(request, &blocks, pic);
}
