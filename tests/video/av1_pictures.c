/* SPDX-License-Identifier: MIT */
#include "av1_application_state.h"

#include "content.h"

#include "tests/codec_aom/judge.h"

#include <stdlib.h>
#include <string.h>

static size_t
planar_B(const struct av1_application *app)
{
    const struct av1_application_options *o = &app->options;
    const size_t chroma = (size_t)((o->width_px + 1) / 2) * ((o->height_px + 1) / 2);
    return ((size_t)o->width_px * o->height_px + 2 * chroma) * (o->bit_depth > 8 ? 2 : 1);
}

void
av1_picture_init(struct av1_picture *pic, StdVideoAV1FrameType type, uint32_t order_hint,
                 bool is_shown)
{
    const bool is_intra =
        type == STD_VIDEO_AV1_FRAME_TYPE_KEY || type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
    const bool is_shown_key = type == STD_VIDEO_AV1_FRAME_TYPE_KEY && is_shown;
    const bool is_whole = is_shown_key || type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH;
    *pic = (struct av1_picture){
        .info =
            {
                .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PICTURE_INFO_KHR,
                .predictionMode = is_intra
                                      ? VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR
                                      : VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR,
                .rateControlGroup = is_intra
                                        ? VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_INTRA_KHR
                                        : VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_PREDICTIVE_KHR,
                .constantQIndex = 120,
                .referenceNameSlotIndices = {-1, -1, -1, -1, -1, -1, -1},
            },
        .std = {.flags = {.error_resilient_mode = is_whole,
                          .show_frame = is_shown,
                          .showable_frame = is_shown ? type != STD_VIDEO_AV1_FRAME_TYPE_KEY : 1,
                          .is_filter_switchable = 1},
                .frame_type = type,
                .order_hint = (uint8_t)order_hint,
                .primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE,
                .refresh_frame_flags = is_whole ? 0xff : 0,
                .interpolation_filter = STD_VIDEO_AV1_INTERPOLATION_FILTER_SWITCHABLE,
                .TxMode = STD_VIDEO_AV1_TX_MODE_SELECT},
    };
}

void
av1_picture_name(const struct av1_application *app, struct av1_picture *pic, uint32_t name,
                 uint32_t index)
{
    pic->std.ref_frame_idx[name] = (int8_t)index;
    pic->info.referenceNameSlotIndices[name] = app->references[index].slot;
}

int32_t
av1_free_slot(const struct av1_application *app, uint32_t refresh_frame_flags)
{
    bool is_taken[AV1_SLOTS] = {false};
    for (uint32_t i = 0; i < AV1_REFERENCES; i++) {
        if (app->references[i].slot >= 0)
            is_taken[app->references[i].slot] = true;
    }
    (void)refresh_frame_flags; /* a picture may still refer to what it replaces */
    int32_t slot = 0;
    while (is_taken[slot])
        slot++;
    return slot; /* eight references, nine slots */
}

/* NV12 or P010 of content, into the staging buffer. */
static void
draw(struct av1_application *app, uint32_t time)
{
    const uint32_t width = app->image_width_px, height = app->image_height_px;
    const size_t luma = (size_t)width * height;
    uint8_t *pixels = malloc(luma * 3 / 2);
    REQUIRE(pixels);
    content_fill(pixels, width, height, app->options.content, time);
    const uint32_t is_deep = app->options.bit_depth > 8;
    for (size_t i = 0; i < luma * 3 / 2; i++) {
        const size_t at = i - luma;
        const uint8_t sample =
            i < luma ? pixels[i] : pixels[luma + (at & 1 ? luma / 4 : 0) + at / 2];
        if (is_deep)
            ((uint16_t *)(void *)app->staging.data)[i] = (uint16_t)(sample << 8);
        else
            app->staging.data[i] = sample;
    }
    free(pixels);
}

static void
plane_copies(const struct av1_application *app, VkBufferImageCopy *out)
{
    const VkDeviceSize luma_B = (VkDeviceSize)app->image_width_px * app->image_height_px *
                                (app->options.bit_depth > 8 ? 2 : 1);
    for (uint32_t i = 0; i < 2; i++)
        out[i] = (VkBufferImageCopy){
            .bufferOffset = i * luma_B,
            .imageSubresource = {VK_IMAGE_ASPECT_PLANE_0_BIT << i, 0, 0, 1},
            .imageExtent = {app->image_width_px >> i, app->image_height_px >> i, 1},
        };
}

static void
upload(struct av1_application *app, const struct av1_picture *pic, uint32_t time)
{
    VkBufferImageCopy copies[2] = {{
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {app->image_width_px, app->image_height_px, 1},
    }};
    if (app->options.rgb) {
        app->options.fill(app->staging.data, app->image_width_px, app->image_height_px);
    } else {
        plane_copies(app, copies);
        draw(app, time);
    }
    vk_begin(app->vk);
    vkCmdCopyBufferToImage(app->vk->cb, app->staging.handle, app->source.handle,
                           VK_IMAGE_LAYOUT_GENERAL, app->options.rgb ? 1 : 2, copies);
    vk_finish(app->vk);
    if (!pic->map)
        return;
    const uint32_t texel_B = app->options.map_format == VK_FORMAT_R8_SINT    ? 1
                             : app->options.map_format == VK_FORMAT_R16_SINT ? 2
                                                                             : 4;
    memcpy(app->staging.data, pic->map, (size_t)app->map.width_px * app->map.height_px * texel_B);
    vk_begin(app->vk);
    vkCmdCopyBufferToImage(
        app->vk->cb, app->staging.handle, app->map.handle, VK_IMAGE_LAYOUT_GENERAL, 1,
        &(VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .imageExtent = {app->map.width_px, app->map.height_px, 1}});
    vk_finish(app->vk);
}

/* The reconstruction in a slot, as the judge wants it. */
static uint8_t *
read_slot(struct av1_application *app, int32_t slot)
{
    const uint32_t width = app->options.width_px, height = app->options.height_px;
    const uint32_t is_deep = app->options.bit_depth > 8;
    VkBufferImageCopy copies[2];
    if (app->options.has_private_references) {
        uint8_t *nothing = calloc(1, planar_B(app));
        REQUIRE(nothing);
        return nothing;
    }
    plane_copies(app, copies);
    vk_begin(app->vk);
    vkCmdCopyImageToBuffer(app->vk->cb, app->dpb[slot].handle, VK_IMAGE_LAYOUT_GENERAL,
                           app->staging.handle, 2, copies);
    vk_finish(app->vk);

    uint8_t *shown = malloc(planar_B(app));
    REQUIRE(shown);
    size_t at = 0;
    for (uint32_t plane = 0; plane < 3; plane++) {
        const uint32_t columns = plane ? (width + 1) / 2 : width;
        const uint32_t rows = plane ? (height + 1) / 2 : height;
        const size_t first = plane ? (size_t)app->image_width_px * app->image_height_px : 0;
        for (uint32_t y = 0; y < rows; y++) {
            for (uint32_t x = 0; x < columns; x++, at++) {
                const size_t i =
                    first + (size_t)y * app->image_width_px + (plane ? 2 * x + (plane - 1) : x);
                if (is_deep)
                    ((uint16_t *)(void *)shown)[at] =
                        ((const uint16_t *)(const void *)app->staging.data)[i] >> 6;
                else
                    shown[at] = app->staging.data[i];
            }
        }
    }
    return shown;
}

void
av1_copy_slot(struct av1_application *app, int32_t from, int32_t to)
{
    VkBufferImageCopy copies[2];
    plane_copies(app, copies);
    vk_begin(app->vk);
    vkCmdCopyImageToBuffer(app->vk->cb, app->dpb[from].handle, VK_IMAGE_LAYOUT_GENERAL,
                           app->staging.handle, 2, copies);
    vk_finish(app->vk);
    vk_begin(app->vk);
    vkCmdCopyBufferToImage(app->vk->cb, app->staging.handle, app->dpb[to].handle,
                           VK_IMAGE_LAYOUT_GENERAL, 2, copies);
    vk_finish(app->vk);
}

static void
append(struct av1_application *app, const void *data, size_t size_B)
{
    REQUIRE(app->stream_B + size_B <= AV1_STREAM_B);
    memcpy(app->stream + app->stream_B, data, size_B);
    app->stream_B += size_B;
}

static void
begin_unit(struct av1_application *app, bool has_sequence)
{
    static const uint8_t delimiter[] = {0x12, 0x00};
    if (app->unit_at == app->stream_B)
        append(app, delimiter, sizeof(delimiter));
    if (has_sequence)
        append(app, app->sequence, app->sequence_B);
}

static void
end_unit(struct av1_application *app, const uint8_t *shown)
{
    if (!app->options.has_private_references)
        judge_unit(app->judge, app->stream + app->unit_at, app->stream_B - app->unit_at, shown,
                   app->options.width_px, app->options.height_px, app->options.bit_depth);
    app->unit_at = app->stream_B;
}

static void
keep_references(struct av1_application *app, const struct av1_picture *pic, int32_t slot,
                const uint8_t *shown)
{
    for (uint32_t i = 0; i < AV1_REFERENCES; i++) {
        struct av1_reference *ref = &app->references[i];
        if (!(pic->std.refresh_frame_flags >> i & 1))
            continue;
        free(ref->shown);
        *ref = (struct av1_reference){
            .slot = slot,
            .shown = malloc(planar_B(app)),
            .type = pic->std.frame_type,
            .is_showable = !pic->std.flags.show_frame && pic->std.flags.showable_frame,
            .order_hint = pic->std.order_hint,
        };
        REQUIRE(ref->shown);
        memcpy(ref->shown, shown, planar_B(app));
    }
}

/* The feedback as vkGetQueryPoolResults() writes it. */
struct feedback {
    uint32_t offset_B;
    uint32_t size_B;
    uint32_t has_overrides;
    int32_t average_q;
    int32_t min_q;
    int32_t max_q;
    uint32_t intra_px;
    uint32_t inter_px;
    uint32_t skipped_px;
    uint32_t tile_count;
    int32_t status;
    struct {
        int32_t status;
        uint32_t offset_B;
        uint32_t size_B;
    } tiles[AV1_MAX_TILES];
};

static void
check_feedback(const struct av1_application *app, const struct av1_picture *pic,
               const struct feedback *f)
{
    const struct av1_application_options *o = &app->options;
    const bool is_intra =
        pic->info.predictionMode == VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR;
    /* Blocks have multiples of 8 samples. */
    REQUIRE_EQ(f->intra_px + f->inter_px, ((o->width_px + 7) & ~7u) * ((o->height_px + 7) & ~7u));
    REQUIRE(f->skipped_px <= f->inter_px);
    REQUIRE(!is_intra || f->inter_px == 0);
    REQUIRE(f->min_q <= f->average_q && f->average_q <= f->max_q);
    REQUIRE(f->min_q >= 0 && f->max_q <= 255);
    if (o->average_bps == 0 && !pic->map && pic->info.constantQIndex > 0)
        REQUIRE(f->min_q == (int32_t)pic->info.constantQIndex && f->max_q == f->min_q);
    REQUIRE(f->tile_count > 0 && f->tile_count <= AV1_MAX_TILES);
    uint32_t end_B = 0;
    for (uint32_t i = 0; i < f->tile_count; i++) {
        REQUIRE_EQ(f->tiles[i].status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        REQUIRE_EQ(f->tiles[i].offset_B, end_B);
        end_B += f->tiles[i].size_B;
    }
    REQUIRE_EQ(end_B, f->size_B);
}

struct av1_result
av1_encode_picture(struct av1_application *app, const struct av1_picture *pic, int32_t slot,
                   uint32_t time)
{
    struct feedback feedback;
    upload(app, pic, time);
    av1_record(app, pic, slot);
    CHECK(vkGetQueryPoolResults(app->vk->dev, app->queries, 0, 1, sizeof(feedback), &feedback,
                                sizeof(feedback), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    const struct av1_result result = {
        .status = feedback.status,
        .offset_B = feedback.offset_B,
        .size_B = feedback.size_B,
        .has_overrides = feedback.has_overrides,
        .min_q = feedback.min_q,
        .max_q = feedback.max_q,
        .intra_px = feedback.intra_px,
        .inter_px = feedback.inter_px,
        .tile_count = feedback.tile_count,
        .data = app->bitstream.data,
    };
    if (result.status != VK_QUERY_RESULT_STATUS_COMPLETE_KHR)
        return result;

    check_feedback(app, pic, &feedback);
    REQUIRE(result.offset_B == 0 && result.size_B <= AV1_BITSTREAM_B);
    begin_unit(app,
               pic->std.frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY && pic->std.flags.show_frame);
    append(app, result.data, result.size_B);
    if (slot < 0)
        return result;
    uint8_t *shown = read_slot(app, slot);
    keep_references(app, pic, slot, shown);
    if (pic->std.flags.show_frame)
        end_unit(app, shown);
    free(shown);
    return result;
}

const uint8_t *
av1_planes(const struct av1_application *app, uint32_t index)
{
    return app->references[index].shown;
}

int32_t
av1_psnr(const struct av1_application *app, uint32_t index, uint32_t time, uint32_t first_px,
         uint32_t width_px)
{
    const uint32_t stride_B = app->options.width_px;
    uint8_t *wanted = malloc(planar_B(app));
    REQUIRE(wanted && stride_B % 2 == 0 && app->options.height_px % 2 == 0);
    content_fill(wanted, stride_B, app->options.height_px, app->options.content, time);
    const int32_t psnr = content_psnr(wanted + first_px, app->references[index].shown + first_px,
                                      stride_B, width_px, app->options.height_px);
    free(wanted);
    return psnr;
}

int32_t
av1_try(struct av1_application *app, const struct av1_picture *pic, int32_t slot)
{
    enum { GUARD = 0xa5 };
    struct feedback feedback;
    upload(app, pic, 0);
    memset(app->bitstream.data, GUARD, AV1_BITSTREAM_B);
    av1_record(app, pic, slot);
    CHECK(vkGetQueryPoolResults(app->vk->dev, app->queries, 0, 1, sizeof(feedback), &feedback,
                                sizeof(feedback), VK_QUERY_RESULT_WITH_STATUS_BIT_KHR));
    for (size_t i = app->range_B; i < AV1_BITSTREAM_B; i++)
        REQUIRE_EQ(app->bitstream.data[i], GUARD);
    return feedback.status;
}

bool
av1_is_showable(const struct av1_application *app, uint32_t index)
{
    return app->references[index].slot >= 0 && app->references[index].is_showable;
}

/* Shows an existing frame of a sequence without ids and times (5.9.2). */
void
av1_show(struct av1_application *app, uint32_t index)
{
    const struct av1_reference shown = app->references[index];
    const uint8_t header[] = {0x1a, 0x01, (uint8_t)(0x88 | index << 4)};
    begin_unit(app, false);
    append(app, header, sizeof(header));
    end_unit(app, shown.shown);
    for (uint32_t i = 0; i < AV1_REFERENCES; i++) {
        struct av1_reference *ref = &app->references[i];
        if (shown.type == STD_VIDEO_AV1_FRAME_TYPE_KEY && i != index) {
            free(ref->shown);
            *ref = shown;
            ref->shown = malloc(planar_B(app));
            REQUIRE(ref->shown);
            memcpy(ref->shown, shown.shown, planar_B(app));
        }
        if (ref->slot == shown.slot)
            ref->is_showable = false;
    }
}
