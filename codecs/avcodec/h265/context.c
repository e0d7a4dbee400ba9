/* SPDX-License-Identifier: MIT */
/* A packet in, a picture in our planes: without frame threads libavcodec has decoded the one
 * picture of a packet when it has taken the packet.
 */
#include "codecs/avcodec/h265/context.h"

#include "codecs/avcodec/library/copy.h"
#include "util/alloc.h"
#include "util/checked.h"

#include <errno.h>
#include <string.h>

/* Motion compensation reads rows past the picture. */
#define EXTRA_ROWS 8

void
rp_h265dec_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out)
{
    *out = (struct rp_decode_layout){
        .stride_B = rp_avcodec_stride((width_px + 15) / 16 * 16),
        .rows = (height_px + 15) / 16 * 16 + EXTRA_ROWS,
    };
}

static int
get_buffer(struct AVCodecContext *avctx, struct AVFrame *avframe, int flags)
{
    struct rp_h265dec_context *ctx = rp_avcodec_opaque(avctx);
    const struct rp_av_frame *frame = (const struct rp_av_frame *)avframe;
    const int format =
        ctx->planes.bit_depth == 8 ? RP_AV_PIX_FMT_YUV420P : ctx->instance.lib->format_420_10;
    if (frame->format != format || (uint32_t)frame->width_px > ctx->planes.width_px ||
        (uint32_t)frame->height_px > ctx->planes.height_px)
        return -EINVAL;

    struct rp_avcodec_planes *planes =
        rp_avcodec_planes_give(&ctx->planes, ctx->instance.lib, avframe);
    if (!planes) {
        ctx->is_out_of_memory = true;
        return -ENOMEM;
    }
    if (ctx->allocation_count++ == 0) {
        ctx->current = planes;
        rp_h265dec_marks_set(&ctx->marks, planes->data[0], ctx->planes.stride_B[0]);
    }
    return 0;
}

struct rp_h265dec_context *
rp_h265dec_context_create(const struct rp_avcodec_library *lib,
                          const struct rp_h265_decode_job *job, uint32_t thread_count,
                          enum rp_codec_status *status_out)
{
    struct rp_h265dec_context *ctx =
        rp_zalloc(NULL, sizeof(*ctx), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!ctx) {
        *status_out = RP_CODEC_NO_MEMORY;
        return NULL;
    }
    rp_avcodec_plane_pool_init(&ctx->planes, job->width_px, job->height_px, job->bit_depth,
                               EXTRA_ROWS);
    ctx->marks =
        (struct rp_h265dec_marks){job->width_px, job->height_px, job->ctb_px, job->bit_depth, 1};
    const struct rp_avcodec_settings settings = {
        .decoder = "hevc",
        /* More than one would find nothing to do; and with more than one libavcodec leaves pictures
         * undecoded whose slice segments depend on each other. */
        .thread_count = job->has_parallel_rows ? thread_count : 1,
        .get_buffer = get_buffer,
        .opaque = ctx,
    };
    *status_out = rp_avcodec_instance_init(&ctx->instance, lib, &settings);
    if (*status_out != RP_CODEC_OK) {
        rp_h265dec_context_destroy(ctx);
        return NULL;
    }
    return ctx;
}

void
rp_h265dec_context_destroy(struct rp_h265dec_context *ctx)
{
    if (!ctx)
        return;
    rp_avcodec_instance_finish(&ctx->instance);
    rp_avcodec_plane_pool_finish(&ctx->planes);
    rp_avcodec_buffer_finish(&ctx->parameter_sets);
    rp_free(NULL, ctx);
}

void
rp_h265dec_context_reset(struct rp_h265dec_context *ctx)
{
    ctx->instance.lib->avcodec_flush_buffers(ctx->instance.avctx);
    ctx->parameter_sets.size_B = 0;
    rp_avcodec_plane_pool_withdraw(&ctx->planes);
}

static bool
has_parameter_sets(const struct rp_h265dec_context *ctx, const struct rp_h265_decode_job *job)
{
    return ctx->parameter_sets.size_B == job->parameter_sets_B &&
           memcmp(ctx->parameter_sets.data, job->parameter_sets, job->parameter_sets_B) == 0;
}

/* False when memory is short. */
static bool
put_parameter_sets(struct rp_h265dec_context *ctx, struct rp_avcodec_buffer *packet,
                   const struct rp_h265_decode_job *job)
{
    if (has_parameter_sets(ctx, job))
        return true;
    ctx->parameter_sets.size_B = 0;
    return rp_avcodec_buffer_append(packet, job->parameter_sets, job->parameter_sets_B) &&
           rp_avcodec_buffer_append(&ctx->parameter_sets, job->parameter_sets,
                                    job->parameter_sets_B);
}

static enum rp_codec_status
packet_make(struct rp_h265dec_context *ctx, struct rp_avcodec_buffer *packet,
            const struct rp_h265_decode_job *job)
{
    packet->size_B = 0;
    if (!put_parameter_sets(ctx, packet, job))
        return RP_CODEC_NO_MEMORY;
    for (uint32_t i = 0; i < job->slice_count; i++) {
        const struct rp_h265_decode_slice *slice = &job->slices[i];
        if (!rp_range_fits(slice->data_offset_B, slice->data_B, job->common.data_B))
            return RP_CODEC_FAILED;
        if (!rp_avcodec_buffer_append(packet, slice->header, slice->header_B) ||
            !rp_avcodec_buffer_reserve(packet, slice->data_B))
            return RP_CODEC_NO_MEMORY;
        if (slice->data_B > 0)
            rp_avcodec_nal_copy(packet, job->common.data + slice->data_offset_B, slice->data_B);
    }
    if (packet->size_B > INT32_MAX - RP_AV_PADDING_B ||
        !rp_avcodec_buffer_reserve(packet, RP_AV_PADDING_B))
        return RP_CODEC_NO_MEMORY;
    return RP_CODEC_OK;
}

/* Whole coding blocks are written, and no more than those that dst is part of: the application may
 * keep something else beside it. */
static void
offer_target(struct rp_h265dec_context *ctx, const struct rp_decode_job *job)
{
    if (job->dst.width_px + 15 >= ctx->planes.width_px &&
        job->dst.height_px + 15 >= ctx->planes.height_px)
        rp_avcodec_plane_pool_offer(&ctx->planes, job);
}

enum rp_codec_status
rp_h265dec_context_decode(struct rp_h265dec_context *ctx, struct rp_avcodec_buffer *packet,
                          const struct rp_h265_decode_job *job)
{
    const enum rp_codec_status status = packet_make(ctx, packet, job);
    if (status != RP_CODEC_OK) {
        ctx->parameter_sets.size_B = 0; /* written, but never sent */
        return status;
    }

    ctx->allocation_count = 0;
    ctx->is_out_of_memory = false;
    offer_target(ctx, &job->common);
    const int error = rp_avcodec_instance_decode(&ctx->instance, packet);
    rp_avcodec_plane_pool_withdraw(&ctx->planes);
    if (ctx->is_out_of_memory || error == -ENOMEM) {
        rp_h265dec_context_reset(ctx);
        return RP_CODEC_NO_MEMORY;
    }
    if (ctx->allocation_count == 0) {
        ctx->parameter_sets.size_B = 0; /* they may be what was refused */
        return RP_CODEC_FAILED;
    }

    const uint32_t missing =
        rp_h265dec_marks_clear(&ctx->marks, ctx->current->data, ctx->planes.stride_B);
    const struct rp_avcodec_lines all = {.first = 0, .step = 1};
    rp_avcodec_copy_rows(ctx->current, &job->common.dst, all, 0, UINT32_MAX);
    rp_avcodec_copy_rows(ctx->current, &job->common.dst_setup, all, 0, UINT32_MAX);
    return error < 0 || missing > 0 || ctx->allocation_count > 1 ? RP_CODEC_DAMAGED : RP_CODEC_OK;
}
