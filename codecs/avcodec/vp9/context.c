/* SPDX-License-Identifier: MIT */
/* A packet in, a picture in our planes. There is one thread: with several, libavcodec says nothing
 * of damage in other tiles than those of the first column.
 */
#include "codecs/avcodec/vp9/context.h"

#include "codecs/avcodec/library/copy.h"
#include "util/alloc.h"
#include "util/checked.h"

#include <errno.h>
#include <string.h>

/* libavcodec writes whole blocks of 8x8, and what of larger blocks a stride has room for. */
#define BLOCK_PX 8u

/* Motion compensation reads rows past the picture. */
#define EXTRA_ROWS 8

/* libavcodec would take some last bytes for the index of a superframe (annex B). */
#define END_B 1

struct rp_vp9dec_pool {
    struct rp_avcodec_plane_pool planes;
    struct rp_vp9dec_pool *next;
};

void
rp_vp9dec_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out)
{
    *out = (struct rp_decode_layout){
        .stride_B = rp_avcodec_stride((width_px + 15) / 16 * 16),
        .rows = (height_px + 15) / 16 * 16 + EXTRA_ROWS,
    };
}

static int
get_buffer(struct AVCodecContext *avctx, struct AVFrame *avframe, int flags)
{
    struct rp_vp9dec_context *ctx = rp_avcodec_opaque(avctx);
    const struct rp_av_frame *frame = (const struct rp_av_frame *)avframe;
    struct rp_avcodec_plane_pool *planes = &ctx->pool->planes;
    const int format = planes->bit_depth == 8 ? RP_AV_PIX_FMT_YUV420P : ctx->lib->format_420_10;
    if (ctx->current || frame->format != format || (uint32_t)frame->width_px > planes->width_px ||
        (uint32_t)frame->height_px > planes->height_px)
        return -EINVAL;

    ctx->current = rp_avcodec_planes_give(planes, ctx->lib, avframe);
    ctx->is_out_of_memory = !ctx->current;
    return ctx->current ? 0 : -ENOMEM;
}

static enum rp_codec_status
instance_open(struct rp_vp9dec_context *ctx)
{
    const struct rp_avcodec_settings settings = {
        .decoder = "vp9",
        .thread_count = 1,
        .get_buffer = get_buffer,
        .opaque = ctx,
    };
    const enum rp_codec_status status =
        rp_avcodec_instance_init(&ctx->instance, ctx->lib, &settings);
    ctx->is_open = status == RP_CODEC_OK;
    if (!ctx->is_open)
        rp_avcodec_instance_finish(&ctx->instance);
    return status;
}

enum rp_codec_status
rp_vp9dec_context_init(struct rp_vp9dec_context *ctx, const struct rp_avcodec_library *lib)
{
    ctx->lib = lib;
    return instance_open(ctx);
}

/* All that have no pictures, but for the one that is kept. */
static void
pools_free(struct rp_vp9dec_context *ctx, const struct rp_vp9dec_pool *kept)
{
    for (struct rp_vp9dec_pool **at = &ctx->pools; *at;) {
        struct rp_vp9dec_pool *pool = *at;
        if (pool == kept || pool->planes.given_count > 0) {
            at = &pool->next;
            continue;
        }
        *at = pool->next;
        rp_avcodec_plane_pool_finish(&pool->planes);
        rp_free(NULL, pool);
    }
}

void
rp_vp9dec_context_finish(struct rp_vp9dec_context *ctx)
{
    rp_avcodec_instance_finish(&ctx->instance);
    pools_free(ctx, NULL);
    rp_avcodec_buffer_finish(&ctx->packet);
}

void
rp_vp9dec_context_reset(struct rp_vp9dec_context *ctx)
{
    if (ctx->is_open)
        ctx->lib->avcodec_flush_buffers(ctx->instance.avctx);
}

/* That of the job's pictures. NULL when memory is short. */
static struct rp_vp9dec_pool *
pool_find(struct rp_vp9dec_context *ctx, const struct rp_vp9_decode_job *job)
{
    const uint32_t width_px = (uint32_t)rp_align_u64(job->width_px, 2 * BLOCK_PX);
    const uint32_t height_px = (uint32_t)rp_align_u64(job->height_px, 2 * BLOCK_PX);
    for (struct rp_vp9dec_pool *pool = ctx->pools; pool; pool = pool->next) {
        if (pool->planes.width_px == width_px && pool->planes.height_px == height_px &&
            pool->planes.bit_depth == job->bit_depth)
            return pool;
    }
    pools_free(ctx, NULL);
    struct rp_vp9dec_pool *pool =
        rp_zalloc(NULL, sizeof(*pool), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!pool)
        return NULL;
    rp_avcodec_plane_pool_init(&pool->planes, width_px, height_px, job->bit_depth, EXTRA_ROWS);
    pool->next = ctx->pools;
    ctx->pools = pool;
    return pool;
}

/* Headers of key frames of 8x8 and 16x16, without data. */
static const uint8_t frames_without_data[2][20] = {
    {0x82, 0x49, 0x83, 0x42, 0x00, 0x00, 0x70, 0x00, 0x70},
    {0x82, 0x49, 0x83, 0x42, 0x00, 0x00, 0xf0, 0x00, 0xf0},
};

static enum rp_codec_status
packet_make(struct rp_avcodec_buffer *packet, const struct rp_vp9_decode_job *job)
{
    static const uint8_t end[END_B] = {0};
    packet->size_B = 0;
    if (!rp_range_fits(job->data_offset_B, job->data_B, job->common.data_B) ||
        job->data_B > INT32_MAX / 2)
        return RP_CODEC_FAILED;
    if (!rp_avcodec_buffer_append(packet, job->header, job->header_B) ||
        !rp_avcodec_buffer_append(packet, job->common.data + job->data_offset_B, job->data_B) ||
        !rp_avcodec_buffer_append(packet, end, sizeof(end)) ||
        !rp_avcodec_buffer_reserve(packet, RP_AV_PADDING_B + sizeof(frames_without_data)))
        return RP_CODEC_NO_MEMORY;
    return RP_CODEC_OK;
}

/* What is right of or below the picture may be something else of the application's. */
static void
offer_target(struct rp_avcodec_plane_pool *planes, const struct rp_vp9_decode_job *job)
{
    if (job->common.dst.width_px >= job->width_px && job->common.dst.height_px >= job->height_px)
        rp_avcodec_plane_pool_offer(planes, &job->common);
}

/* What libavcodec could not make when it was short of memory it takes to be there, also when it is
 * closed: its tiles. It makes them for each new size. Then it is closed, for a fresh start. */
static enum rp_codec_status
close_after_failure(struct rp_vp9dec_context *ctx)
{
    for (uint32_t i = 0; i < 2; i++) {
        ctx->packet.size_B = sizeof(frames_without_data[i]);
        memcpy(ctx->packet.data, frames_without_data[i], sizeof(frames_without_data[i]));
        (void)rp_avcodec_instance_decode(&ctx->instance, &ctx->packet);
    }
    rp_avcodec_instance_finish(&ctx->instance);
    ctx->is_open = false;
    return RP_CODEC_NO_MEMORY;
}

enum rp_codec_status
rp_vp9dec_context_decode(struct rp_vp9dec_context *ctx, const struct rp_vp9_decode_job *job)
{
    const enum rp_codec_status status = packet_make(&ctx->packet, job);
    if (status == RP_CODEC_OK)
        ctx->pool = pool_find(ctx, job);
    if (status == RP_CODEC_FAILED)
        return status;
    if (status != RP_CODEC_OK || !ctx->pool ||
        (!ctx->is_open && instance_open(ctx) != RP_CODEC_OK)) {
        rp_vp9dec_context_reset(ctx);
        return RP_CODEC_NO_MEMORY;
    }

    ctx->current = NULL;
    ctx->is_out_of_memory = false;
    offer_target(&ctx->pool->planes, job);
    const int error = rp_avcodec_instance_decode(&ctx->instance, &ctx->packet);
    rp_avcodec_plane_pool_withdraw(&ctx->pool->planes);
    if (ctx->is_out_of_memory || error == -ENOMEM)
        return close_after_failure(ctx);
    if (!ctx->current)
        return RP_CODEC_FAILED;

    const struct rp_avcodec_lines all = {.first = 0, .step = 1};
    rp_avcodec_copy_rows(ctx->current, &job->common.dst, all, 0, UINT32_MAX);
    rp_avcodec_copy_rows(ctx->current, &job->common.dst_setup, all, 0, UINT32_MAX);
    return error < 0 ? RP_CODEC_DAMAGED : RP_CODEC_OK;
}
