/* SPDX-License-Identifier: MIT */
/* vkCmdEncodeVideoKHR: resolves views and buffers when it is replayed and leaves the picture to a
 * worker. Whatever goes wrong with a picture is the business of its query.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "cmd/video_picture.h"
#include "object/buffer.h"
#include "object/image.h"
#include "object/query_pool.h"
#include "object/sync.h"
#include "object/video_session.h"
#include "util/pnext.h"
#include "util/struct_copy.h"
#include "video/encode/engine.h"
#include "video/encode/standard.h"
#include "video/standard.h"

#include "rp_entrypoints.h"

#define MAX_PRECEDING_B (1u << 24) /* more is nonsense, and would overflow sums of bits */

struct encode_video {
    struct rp_cmd cmd;
    const VkVideoEncodeInfoKHR *info; /* copied */
};

/* The query that a picture answers; pool NULL: none. */
struct encode_query {
    struct rp_query_pool *pool; /* borrowed */
    uint32_t query;
};

/* Borrowed: where a picture comes from, and where its reconstruction goes (or NULL). */
struct encode_images {
    struct rp_image *source;
    struct rp_image *setup;
};

/* A job with its picture, in the room that the picture has for its caller. */
struct encode_job {
    struct rp_queue_job job;
    struct rp_encode_picture *pic;
    struct encode_images images;
    struct encode_query query;
    const uint8_t *dst; /* of the bitstream: borrowed */
};

static_assert(sizeof(struct encode_job) <= RP_ENCODE_PICTURE_CALLER_B, "the job has its room");

static VkQueryResultStatusKHR
query_status(enum rp_codec_status status)
{
    switch (status) {
    case RP_CODEC_OK:
        return VK_QUERY_RESULT_STATUS_COMPLETE_KHR;
    case RP_CODEC_NO_SPACE:
        return VK_QUERY_RESULT_STATUS_INSUFFICIENT_BITSTREAM_BUFFER_RANGE_KHR;
    case RP_CODEC_NO_MEMORY:
    case RP_CODEC_UNSUPPORTED:
    case RP_CODEC_DAMAGED:
    case RP_CODEC_FAILED:
    case RP_CODEC_BUSY:
        break;
    }
    return VK_QUERY_RESULT_STATUS_ERROR_KHR;
}

/* The slices or tiles, one after the other from the first byte on. */
static void
query_set_partitions(const struct encode_query *query, const struct rp_encode_feedback *result)
{
    struct rp_query_partition partitions[RP_ENCODE_PARTITION_LIMIT];
    const uint32_t count = RP_MIN(result->partition_count, RP_ENCODE_PARTITION_LIMIT);
    uint32_t offset_B = 0;
    for (uint32_t i = 0; i < count; i++) {
        partitions[i] = (struct rp_query_partition){
            .status = VK_QUERY_RESULT_STATUS_COMPLETE_KHR,
            .offset_B = offset_B,
            .size_B = result->partition_size_B[i],
        };
        offset_B += result->partition_size_B[i];
    }
    rp_query_set_partitions(query->pool, query->query, partitions, count);
}

/* Values in the order of the bits of the pool's flags. A picture always starts at the offset it was
 * given, because GStreamer does not read BITSTREAM_BUFFER_OFFSET. */
static void
query_complete(const struct encode_query *query, const struct rp_encode_feedback *result)
{
    if (!query->pool)
        return;
    const bool is_good = result->status == RP_CODEC_OK;
    const uint64_t values[] = {
        [0] = 0, /* BITSTREAM_BUFFER_OFFSET */
        [1] = is_good ? result->codec.size_B : 0,
        [2] = result->has_overrides,
        [3] = result->codec.average_qp,
        [4] = result->codec.min_qp,
        [5] = result->codec.max_qp,
        [6] = result->codec.intra_px,
        [7] = result->codec.inter_px,
        [8] = result->codec.skipped_px,
        [9] = result->partition_count,
    };
    static_assert(RP_ARRAY_SIZE(values) <= RP_QUERY_MAX_VALUES, "queries have room");
    uint64_t wanted[RP_QUERY_MAX_VALUES] = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(values); i++) {
        if (query->pool->feedback_flags >> i & 1)
            wanted[count++] = values[i];
    }
    if (is_good && query->pool->partition_capacity > 0)
        query_set_partitions(query, result);
    rp_query_complete(query->pool, query->query, wanted, count, query_status(result->status));
}

/* The image layer and what is there of it from the coded offset on, but not its pixels. False when
 * there is no picture to be had: no view, outside of the image. */
static bool
resolve_place(const VkVideoPictureResourceInfoKHR *info, struct rp_image **img_out,
              struct rp_encode_resource *out)
{
    uint32_t layer;
    struct rp_image *img = rp_video_picture_image(info, &layer);
    if (!img)
        return false;

    *out = (struct rp_encode_resource){
        .key = {.image_id = img->id,
                .layer = layer,
                .x_px = info->codedOffset.x,
                .y_px = info->codedOffset.y},
        .is_padded = img->is_dpb_padded && info->codedOffset.x == 0 && info->codedOffset.y == 0,
    };
    out->pixels.width_px = img->extent_px.width - (uint32_t)info->codedOffset.x;
    out->pixels.height_px = img->extent_px.height - (uint32_t)info->codedOffset.y;
    *img_out = img;
    return true;
}

/* What coding the picture writes; the codec cuts it off where the image ends. */
static struct rp_image_place
place_of(const struct rp_video_session *vs, const struct rp_image *img,
         const VkVideoPictureResourceInfoKHR *info)
{
    const uint32_t block_px = vs->profile.standard->encode->coding_block_px;
    const uint32_t width_px = RP_MIN(info->codedExtent.width, img->extent_px.width);
    const uint32_t height_px = RP_MIN(info->codedExtent.height, img->extent_px.height);
    return (struct rp_image_place){
        .x_px = (uint32_t)info->codedOffset.x,
        .y_px = (uint32_t)info->codedOffset.y,
        .width_px = (width_px + block_px - 1) / block_px * block_px,
        .height_px = (height_px + block_px - 1) / block_px * block_px,
    };
}

static bool
resolve_resource(const struct rp_video_session *vs, const VkVideoPictureResourceInfoKHR *info,
                 struct rp_encode_resource *out)
{
    struct rp_image *img;
    if (!resolve_place(info, &img, out))
        return false;
    const struct rp_image_place place = place_of(vs, img, info);
    out->generation = rp_image_generation(img, out->key.layer, &place);
    return rp_video_picture_planes(img, out->key.layer, info->codedOffset, &out->pixels);
}

struct rgb_format {
    VkFormat format;
    bool is_bgra;
    enum rp_rgb_bits bits;
};

/* NULL: it is no input of a conversion. */
static const struct rgb_format *
rgb_format_of(VkFormat format)
{
    static const struct rgb_format formats[] = {
        {VK_FORMAT_B8G8R8A8_UNORM, true, RP_RGB_8_BITS},
        {VK_FORMAT_R8G8B8A8_UNORM, false, RP_RGB_8_BITS},
        {VK_FORMAT_A2R10G10B10_UNORM_PACK32, true, RP_RGB_10_BITS},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, false, RP_RGB_10_BITS},
    };
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(formats); i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

static bool
resolve_rgb(const struct rp_image *img, const struct rgb_format *format,
            const struct rp_encode_resource *place, struct rp_rgb_source *out)
{
    const struct rp_image_plane *plane = &img->plane[0];
    if (!plane->host)
        return false;
    out->stride_B = plane->level[0].row_stride_B;
    out->texels = rp_image_texels(plane, 0, place->key.layer, 0) +
                  (uint32_t)place->key.y_px * out->stride_B + 4 * (uint32_t)place->key.x_px;
    out->width_px = place->pixels.width_px;
    out->height_px = place->pixels.height_px;
    out->is_bgra = format->is_bgra;
    out->bits = format->bits;
    return true;
}

static bool
resolve_source(const VkVideoPictureResourceInfoKHR *info, struct rp_encode_request *request)
{
    struct rp_image *img;
    if (!resolve_place(info, &img, &request->src))
        return false;
    const struct rgb_format *rgb = rgb_format_of(img->vk_format);
    if (rgb)
        return resolve_rgb(img, rgb, &request->src, &request->rgb);
    return rp_video_picture_planes(img, request->src.key.layer, info->codedOffset,
                                   &request->src.pixels);
}

/* Slots without a picture or without its numbers are left out: a list that names one fails. */
static uint32_t
resolve_references(const struct rp_replay *rp, const VkVideoEncodeInfoKHR *info,
                   struct rp_encode_reference *refs)
{
    const struct rp_encode_standard *standard = rp->video.session->profile.standard->encode;
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->referenceSlotCount && count < RP_ENCODE_MAX_REFERENCES; i++) {
        const VkVideoReferenceSlotInfoKHR *slot = &info->pReferenceSlots[i];
        struct rp_encode_reference *ref = &refs[count];
        ref->info = rp_find_struct(slot->pNext, standard->reference_info_type);
        if (!ref->info ||
            !resolve_resource(rp->video.session, rp_video_slot_resource(rp->video.begin, slot),
                              &ref->resource))
            continue;
        ref->slot_index = slot->slotIndex;
        const VkVideoReferenceIntraRefreshInfoKHR *refresh =
            rp_find_struct(slot->pNext, VK_STRUCTURE_TYPE_VIDEO_REFERENCE_INTRA_REFRESH_INFO_KHR);
        ref->dirty_region_count = refresh ? refresh->dirtyIntraRefreshRegions : 0;
        count++;
    }
    return count;
}

/* Finds the setup slot's picture. Others that know a picture there learn that the session writes
 * it. */
static bool
resolve_setup(const struct rp_replay *rp, const VkVideoReferenceSlotInfoKHR *slot,
              struct rp_encode_resource *out)
{
    const VkVideoPictureResourceInfoKHR *resource = rp_video_slot_resource(rp->video.begin, slot);
    uint32_t layer;
    struct rp_image *img = rp_video_picture_image(resource, &layer);
    if (!img)
        return false;
    const struct rp_image_place place = place_of(rp->video.session, img, resource);
    rp_image_mark_coded(img, layer, &place, rp->video.session->id);
    return resolve_resource(rp->video.session, resource, out);
}

/* A dstBufferRange of 0 is the rest of the buffer: Khronos' Vulkan-Video-Samples and CTS pass
 * it. */
static bool
resolve_dst(const VkVideoEncodeInfoKHR *info, struct rp_encode_request *request)
{
    const struct rp_buffer *buf = rp_buffer_from_handle(info->dstBuffer);
    if (!buf || !buf->host || info->dstBufferOffset > buf->size_B)
        return false;
    request->dst = buf->host + info->dstBufferOffset;
    request->dst_capacity_B = rp_buffer_range_B(
        buf, info->dstBufferOffset, info->dstBufferRange ? info->dstBufferRange : VK_WHOLE_SIZE);
    request->dst_buffer = buf->host;
    return true;
}

/* The map that the picture is encoded with, if any; false when there should be one. */
static bool
resolve_map(const VkVideoEncodeInfoKHR *info, struct rp_quantization_map *out)
{
    const VkVideoEncodeFlagsKHR map_flags = VK_VIDEO_ENCODE_WITH_QUANTIZATION_DELTA_MAP_BIT_KHR |
                                            VK_VIDEO_ENCODE_WITH_EMPHASIS_MAP_BIT_KHR;
    if (!(info->flags & map_flags))
        return true;
    const VkVideoEncodeQuantizationMapInfoKHR *map =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR);
    const struct rp_image_view *view = map ? rp_image_view_from_handle(map->quantizationMap) : NULL;
    if (!view || !view->img->plane[0].host)
        return false;

    const struct rp_image_plane *plane = &view->img->plane[0];
    const struct rp_image_level *level = &plane->level[view->base_level];
    *out = (struct rp_quantization_map){
        .texels = rp_image_texels(plane, view->base_level, view->base_layer, 0),
        .stride_B = level->row_stride_B,
        .format = view->vk_format,
        .width_tx = RP_MIN(map->quantizationMapExtent.width, level->extent_px.width),
        .height_tx = RP_MIN(map->quantizationMapExtent.height, level->extent_px.height),
    };
    return true;
}

/* Without its structure the cycle has no pictures, and the picture fails. */
static struct rp_intra_refresh
resolve_refresh(const struct rp_video_session *vs, const VkVideoEncodeInfoKHR *info)
{
    struct rp_intra_refresh refresh = {0};
    if (!(info->flags & VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR))
        return refresh;
    const VkVideoEncodeIntraRefreshInfoKHR *chained =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR);
    refresh.mode = vs->intra_refresh_mode;
    refresh.cycle_duration = chained ? chained->intraRefreshCycleDuration : 0;
    refresh.index = chained ? chained->intraRefreshIndex : 0;
    return refresh;
}

static struct encode_images
encode_images_of(const struct rp_replay *rp, const VkVideoEncodeInfoKHR *info)
{
    const VkVideoReferenceSlotInfoKHR *slot = rp->video.begin ? info->pSetupReferenceSlot : NULL;
    uint32_t layer;
    return (struct encode_images){
        .source = rp_video_picture_image(&info->srcPictureResource, &layer),
        .setup = slot
                     ? rp_video_picture_image(rp_video_slot_resource(rp->video.begin, slot), &layer)
                     : NULL,
    };
}

static void
encode_images_add(const struct encode_images *images, int count)
{
    atomic_fetch_add(&images->source->source_count, (unsigned)count);
    if (images->setup)
        atomic_fetch_add(&images->setup->setup_count, (unsigned)count);
}

static bool
encode_images_are_free(const void *ctx)
{
    const struct encode_images *images = ctx;

    return (!images->source || atomic_load(&images->source->setup_count) == 0) &&
           (!images->setup || atomic_load(&images->setup->source_count) == 0);
}

static void
capture_output(struct rp_capture *capture, const struct encode_job *run)
{
    const struct rp_encode_feedback *result = rp_encode_picture_feedback(run->pic);
    if (result->status == RP_CODEC_OK)
        rp_capture_output(capture, run->dst, result->codec.size_B);
}

static void
encode_job_run(struct rp_queue_job *job)
{
    struct encode_job *run = rp_container_of(job, struct encode_job, job);
    const struct rp_device *dev = run->images.source->base.dev;
    rp_encode_picture_run(run->pic);
    if (RP_UNLIKELY(dev->capture))
        capture_output(dev->capture, run);
    encode_images_add(&run->images, -1);
    if (!run->query.pool)
        rp_sync_announce(run->images.source->base.dev);
    query_complete(&run->query, rp_encode_picture_feedback(run->pic)); /* announces */
}

static void
encode_job_retire(struct rp_queue_job *job)
{
    rp_encode_picture_finish(rp_container_of(job, struct encode_job, job)->pic);
}

/* The replay, and the query of the picture that it comes to. */
struct encode_start {
    struct rp_replay *rp;
    struct encode_images images;
    struct encode_query query;
    const uint8_t *dst;
};

static void
encode_job_queue(void *ctx, struct rp_encode_picture *pic)
{
    const struct encode_start *start = ctx;
    struct encode_job *run = rp_encode_picture_caller(pic);

    run->job.run = encode_job_run;
    run->job.retire = encode_job_retire;
    run->job.series = &start->rp->video.session->pictures;
    run->pic = pic;
    run->images = start->images;
    encode_images_add(&run->images, 1);
    run->query = start->query;
    run->dst = start->dst;
    if (run->query.pool)
        rp_query_start(run->query.pool, run->query.query);
    rp_replay_queue_job(start->rp, &run->job);
}

static enum rp_codec_status
encode_video_try_begin(struct encode_start *start, const VkVideoEncodeInfoKHR *info, bool may_wait,
                       struct rp_encode_picture **out)
{
    const struct rp_replay *rp = start->rp;
    const struct rp_video_session *vs = rp->video.session;
    if (!vs || !vs->encode || !rp->video.parameters)
        return RP_CODEC_FAILED;

    struct rp_encode_reference refs[RP_ENCODE_MAX_REFERENCES];
    struct rp_encode_request request = {
        .sequence = rp->sequence,
        .parameters = rp->video.parameters,
        .picture = rp_find_struct(info->pNext, vs->profile.standard->encode->picture_info_type),
        .coded_extent_px = info->srcPictureResource.codedExtent,
        .refs = refs,
        .ref_count = resolve_references(rp, info, refs),
        .refresh = resolve_refresh(vs, info),
        .preceding_B = RP_MIN(info->precedingExternallyEncodedBytes, MAX_PRECEDING_B),
        .queue = encode_job_queue,
        .queue_ctx = start,
    };
    if (!resolve_source(&info->srcPictureResource, &request) || !resolve_dst(info, &request) ||
        !resolve_map(info, &request.map))
        return RP_CODEC_FAILED;
    start->dst = request.dst;
    if (info->pSetupReferenceSlot) {
        request.has_setup = resolve_setup(rp, info->pSetupReferenceSlot, &request.setup);
        if (!request.has_setup)
            return RP_CODEC_FAILED;
    }
    return rp_encode_picture_begin(vs->encode, &request, may_wait, out);
}

/* Pictures of this queue that are in the way are waited for here, where they can retire. */
static enum rp_codec_status
encode_video_begin(struct encode_start *start, const VkVideoEncodeInfoKHR *info,
                   struct rp_encode_picture **out)
{
    bool has_jobs = true;
    for (;;) {
        const enum rp_codec_status status = encode_video_try_begin(start, info, !has_jobs, out);
        if (status != RP_CODEC_BUSY)
            return status;
        has_jobs = rp_replay_retire_job(start->rp);
    }
}

/* An inline query wins over one that is active in the scope. */
static struct encode_query
take_query(struct rp_replay *rp, const VkVideoEncodeInfoKHR *info)
{
    const VkVideoInlineQueryInfoKHR *inlined =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR);
    if (inlined && inlined->queryPool)
        return (struct encode_query){rp_query_pool_from_handle(inlined->queryPool),
                                     inlined->firstQuery};
    if (rp->video.is_query_taken)
        return (struct encode_query){0};
    rp->video.is_query_taken = true;
    return (struct encode_query){rp->video.query_pool, rp->video.query};
}

static VkResult
encode_video_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct encode_video *c = (const struct encode_video *)cmd;
    struct encode_start start = {
        .rp = rp,
        .images = encode_images_of(rp, c->info),
        .query = take_query(rp, c->info),
    };
    /* The codec sees to references alone: with pictures under way the rest is seen to here. */
    if (!encode_images_are_free(&start.images)) {
        const VkResult result = rp_replay_wait(rp, encode_images_are_free, &start.images);
        if (result != VK_SUCCESS)
            return result;
    }

    struct rp_encode_picture *pic = NULL;
    const enum rp_codec_status status = encode_video_begin(&start, c->info, &pic);
    if (status == RP_CODEC_OK) {
        struct encode_job *run = rp_encode_picture_caller(pic);
        rp_replay_start_job(rp, &run->job, cmd->next);
    } else {
        query_complete(&start.query, &(struct rp_encode_feedback){.status = status});
    }
    return VK_SUCCESS;
}

static void
encode_video_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const VkVideoEncodeInfoKHR *info = ((const struct encode_video *)cmd)->info;
    const uint32_t setup_count = info->pSetupReferenceSlot != NULL;
    void *copy = NULL;

    if (rp_struct_copy(&d->arena, info, &copy)) {
        const VkVideoEncodeInfoKHR *named = copy;
        rp_video_picture_name(&named->srcPictureResource);
        rp_video_slots_name(named->pSetupReferenceSlot, setup_count);
        rp_video_slots_name(named->pReferenceSlots, named->referenceSlotCount);
    }
    rp_describe_info(d, copy);
    rp_capture_touch_buffer(d->capture, rp_buffer_from_handle(info->dstBuffer),
                            info->dstBufferOffset,
                            info->dstBufferRange ? info->dstBufferRange : VK_WHOLE_SIZE,
                            RP_CAPTURE_WRITE | RP_CAPTURE_OUTPUT);
    rp_video_picture_touch(d, &info->srcPictureResource, RP_CAPTURE_READ);
    const VkVideoEncodeQuantizationMapInfoKHR *map =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_INFO_KHR);
    const struct rp_image_view *view = map ? rp_image_view_from_handle(map->quantizationMap) : NULL;
    if (view)
        rp_capture_touch_image(d->capture, view->img, RP_CAPTURE_READ);
    rp_video_slots_touch(d, info->pReferenceSlots, info->referenceSlotCount, RP_CAPTURE_READ);
    rp_video_slots_touch(d, info->pSetupReferenceSlot, setup_count, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops encode_video_ops = {
    .name = "EncodeVideo",
    .goes_with_pictures = true,
    .replay = encode_video_replay,
    .describe = encode_video_describe,
};

/* What the standard has to copy itself: it knows the parameters that are bound. */
static bool
picture_keep(struct rp_cmd_buffer *cb, const VkVideoEncodeInfoKHR *info, VkVideoEncodeInfoKHR *copy)
{
    const struct rp_video_session *vs = cb->scope_session;
    if (!vs || !vs->encode || !vs->profile.standard->encode->keep_picture)
        return true;
    const struct rp_encode_standard *standard = vs->profile.standard->encode;
    const void *from = rp_find_struct(info->pNext, standard->picture_info_type);
    void *to = rp_find_struct_mut((void *)copy->pNext, standard->picture_info_type);
    return !from || !to || standard->keep_picture(&cb->arena, cb->scope_parameters, from, to);
}

/* NULL when memory is short. */
static const VkVideoEncodeInfoKHR *
encode_copy(struct rp_cmd_buffer *cb, const VkVideoEncodeInfoKHR *info)
{
    struct rp_arena *arena = &cb->arena;
    void *copy;
    if (!rp_struct_copy(arena, info, &copy) || !picture_keep(cb, info, copy))
        return NULL;
    const VkVideoEncodeInfoKHR *encode = copy;
    const uint32_t setup_count = encode->pSetupReferenceSlot != NULL;
    if (!rp_video_picture_keep(arena, &encode->srcPictureResource) ||
        !rp_video_slots_keep(arena, encode->pSetupReferenceSlot, setup_count) ||
        !rp_video_slots_keep(arena, encode->pReferenceSlots, encode->referenceSlotCount))
        return NULL;
    return encode;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdEncodeVideoKHR(VkCommandBuffer commandBuffer, const VkVideoEncodeInfoKHR *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    const VkVideoEncodeInfoKHR *copy = encode_copy(cb, info);
    if (!copy) {
        rp_cmd_fail(cb, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    struct encode_video *c = rp_cmd_record(cb, &encode_video_ops, sizeof(*c));
    if (c)
        c->info = copy;
}
