/* SPDX-License-Identifier: MIT */
/* Driving libavcodec: no frame threads, no output, our own pictures.
 */
#include "codecs/avcodec/h264/context.h"

#include "codecs/avcodec/library/copy.h"
#include "util/alloc.h"
#include "util/log.h"

#include <errno.h>
#include <string.h>

/* Motion compensation reads one row past the macroblocks. */
#define EXTRA_ROWS 2

void
rp_h264dec_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out)
{
    *out = (struct rp_decode_layout){
        .stride_B = rp_avcodec_stride((width_px + 15) / 16 * 16),
        .rows = (height_px + 31) / 32 * 32 + EXTRA_ROWS,
    };
}

static int *
error_flags(const struct rp_h264dec_context *ctx)
{
    return rp_av_field(ctx->current_frame, ctx->instance.lib->layout->frame_error_flags_offset_B);
}

static int
get_buffer(struct AVCodecContext *avctx, struct AVFrame *avframe, int flags)
{
    struct rp_h264dec_context *ctx = rp_avcodec_opaque(avctx);
    const struct rp_av_frame *frame = (const struct rp_av_frame *)avframe;

    ctx->allocation_count++;
    if (frame->format != RP_AV_PIX_FMT_YUV420P ||
        (uint32_t)frame->width_px > ctx->planes.width_px ||
        (uint32_t)frame->height_px > ctx->planes.height_px)
        return -EINVAL;

    struct rp_avcodec_planes *planes =
        rp_avcodec_planes_give(&ctx->planes, ctx->instance.lib, avframe);
    if (!planes) {
        ctx->is_out_of_memory = true;
        return -ENOMEM;
    }
    ctx->current = planes;
    ctx->current_frame = avframe;
    return 0;
}

static struct rp_avcodec_lines
lines_of(uint32_t fields)
{
    return (struct rp_avcodec_lines){
        .first = fields == RP_H264DEC_BOTTOM,
        .step = fields == RP_H264DEC_FRAME ? 1 : 2,
    };
}

static void
copy_rows(const struct rp_h264dec_context *ctx, const struct rp_h264_decode_job *job,
          uint32_t fields, uint32_t first_row, uint32_t end_row)
{
    rp_avcodec_copy_rows(ctx->current, &job->common.dst, lines_of(fields), first_row, end_row);
    rp_avcodec_copy_rows(ctx->current, &job->common.dst_setup, lines_of(fields), first_row,
                         end_row);
}

/* Rows will not change any more, unless an error is found. */
static void
draw_horiz_band(struct AVCodecContext *avctx, const struct AVFrame *avframe,
                int offset_B[RP_AV_PLANES], int y_px, int type, int height_px)
{
    struct rp_h264dec_context *ctx = rp_avcodec_opaque(avctx);
    const struct rp_av_frame *frame = (const struct rp_av_frame *)avframe;

    if (ctx->allocation_count != 1 || frame->data[1] != ctx->current->data[1] || y_px < 0 ||
        height_px <= 0 || (uint32_t)y_px > ctx->rows_done)
        return;
    const uint32_t end_row = ((uint32_t)y_px + (uint32_t)height_px) & ~1u;
    if (end_row <= ctx->rows_done)
        return;
    copy_rows(ctx, ctx->follower, RP_H264DEC_FRAME, ctx->rows_done, end_row);
    ctx->rows_done = end_row;
}

/* job: NULL for nobody, so that slice threads do not call. */
static void
follower_set(struct rp_h264dec_context *ctx, const struct rp_h264_decode_job *job)
{
    rp_av_draw_horiz_band **hook =
        rp_av_field(ctx->instance.avctx, ctx->instance.lib->layout->band_offset_B);
    *hook = job ? draw_horiz_band : NULL;
    ctx->follower = job;
}

void
rp_h264dec_context_follow(struct rp_h264dec_context *ctx, const struct rp_h264_decode_job *job)
{
    follower_set(ctx, job);
}

void
rp_h264dec_context_copy_out(struct rp_h264dec_context *ctx, const struct rp_h264_decode_job *job,
                            uint32_t fields, bool is_damaged)
{
    copy_rows(ctx, job, fields, is_damaged ? 0 : ctx->rows_done, UINT32_MAX);
}

static enum rp_codec_status
decoder_open(struct rp_h264dec_context *ctx, const struct rp_avcodec_library *lib,
             uint32_t thread_count)
{
    /* Errors are only noticed with both of these. */
    static const char *const options[][2] = {{"enable_er", "1"}, {"ec", "favor_inter"}};
    return rp_avcodec_instance_init(&ctx->instance, lib,
                                    &(struct rp_avcodec_settings){
                                        .decoder = "h264",
                                        .thread_count = thread_count,
                                        .options = options,
                                        .option_count = RP_ARRAY_SIZE(options),
                                        .get_buffer = get_buffer,
                                        .opaque = ctx,
                                    });
}

struct rp_h264dec_context *
rp_h264dec_context_create(const struct rp_avcodec_library *lib,
                          const struct rp_h264dec_format *format, uint32_t thread_count,
                          uint32_t frame_num_bits, enum rp_codec_status *status_out)
{
    struct rp_h264dec_context *ctx =
        rp_zalloc(NULL, sizeof(*ctx), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!ctx) {
        *status_out = RP_CODEC_NO_MEMORY;
        return NULL;
    }
    ctx->format = *format;
    rp_h264dec_dpb_init(&ctx->dpb, frame_num_bits);
    rp_avcodec_plane_pool_init(&ctx->planes, format->width_mb * 16, format->height_mb * 16, 8,
                               EXTRA_ROWS);

    const enum rp_codec_status status = decoder_open(ctx, lib, thread_count);
    if (status != RP_CODEC_OK) {
        rp_h264dec_context_destroy(ctx);
        *status_out = status;
        return NULL;
    }
    return ctx;
}

void
rp_h264dec_context_destroy(struct rp_h264dec_context *ctx)
{
    if (!ctx)
        return;
    rp_avcodec_instance_finish(&ctx->instance);
    rp_avcodec_plane_pool_finish(&ctx->planes);
    rp_free(NULL, ctx);
}

void
rp_h264dec_context_reset(struct rp_h264dec_context *ctx)
{
    ctx->instance.lib->avcodec_flush_buffers(ctx->instance.avctx);
    rp_h264dec_dpb_init(&ctx->dpb, ctx->dpb.frame_num_bits);
    ctx->sps_B = 0;
    ctx->pps_B = 0;
    ctx->current = NULL;
    ctx->current_frame = NULL;
    rp_avcodec_plane_pool_withdraw(&ctx->planes);
    follower_set(ctx, NULL);
}

void
rp_h264dec_context_offer_target(struct rp_h264dec_context *ctx,
                                const struct rp_h264_decode_job *job)
{
    /* A field that stays alone is doubled by libavcodec when it likes, maybe with a later packet:
     * the image may be something else by then. */
    /* Whole macroblocks are written, and no more than those that dst is part of: the application
     * may keep something else below it. */
    const bool is_covered = job->common.dst.width_px + 15 >= ctx->planes.width_px &&
                            job->common.dst.height_px + 15 >= ctx->planes.height_px;
    if (is_covered && !job->is_field)
        rp_avcodec_plane_pool_offer(&ctx->planes, &job->common);
}

static bool
put_pps(struct rp_h264dec_context *ctx, const StdVideoH264SequenceParameterSet *sps,
        const StdVideoH264PictureParameterSet *pps, struct rp_avcodec_buffer *packet)
{
    uint8_t nal[RP_H264DEC_PARAMS_NAL_B];
    for (uint32_t i = 0; i < RP_H264DEC_CLONE_COUNT; i++) {
        const size_t nal_B = rp_h264dec_pps_write(sps, pps, &rp_h264dec_clones[i], nal);
        if (!rp_avcodec_buffer_append(packet, nal, nal_B))
            return false;
    }
    return rp_avcodec_buffer_append(packet, nal, rp_h264dec_control_pps_write(nal));
}

bool
rp_h264dec_context_put_params(struct rp_h264dec_context *ctx,
                              const StdVideoH264SequenceParameterSet *sps,
                              const StdVideoH264PictureParameterSet *pps,
                              struct rp_avcodec_buffer *packet)
{
    uint8_t nal[RP_H264DEC_PARAMS_NAL_B];
    size_t nal_B = rp_h264dec_sps_write(sps, ctx->dpb.frame_num_bits, nal);
    if (nal_B != ctx->sps_B || memcmp(nal, ctx->sps, nal_B) != 0) {
        ctx->sps_B = 0;
        ctx->pps_B = 0; /* a PPS is read with its SPS */
        if (!rp_avcodec_buffer_append(packet, nal, nal_B))
            return false;
        memcpy(ctx->sps, nal, nal_B);
        ctx->sps_B = nal_B;
    }
    nal_B = rp_h264dec_pps_write(sps, pps, &rp_h264dec_clones[0], nal);
    if (nal_B != ctx->pps_B || memcmp(nal, ctx->pps, nal_B) != 0) {
        ctx->pps_B = 0;
        if (!put_pps(ctx, sps, pps, packet))
            return false;
        memcpy(ctx->pps, nal, nal_B);
        ctx->pps_B = nal_B;
    }
    return true;
}

enum rp_codec_status
rp_h264dec_context_begin(struct rp_h264dec_context *ctx, struct rp_avcodec_buffer *packet,
                         bool is_second_field)
{
    ctx->allocation_count = 0;
    ctx->is_out_of_memory = false;
    if (packet->size_B > INT32_MAX - RP_AV_PADDING_B ||
        !rp_avcodec_buffer_reserve(packet, RP_AV_PADDING_B)) {
        rp_h264dec_context_reset(ctx);
        return RP_CODEC_NO_MEMORY;
    }

    if (is_second_field)
        *error_flags(ctx) = 0; /* those of the first field are reported */
    ctx->rows_done = 0;
    ctx->error = rp_avcodec_instance_decode(&ctx->instance, packet);
    rp_avcodec_plane_pool_withdraw(&ctx->planes);
    follower_set(ctx, NULL);
    if (ctx->is_out_of_memory || ctx->error == -ENOMEM) {
        rp_h264dec_context_reset(ctx);
        return RP_CODEC_NO_MEMORY;
    }
    if (ctx->allocation_count == 0 && !is_second_field) {
        ctx->sps_B = 0; /* it may be what was refused */
        return RP_CODEC_FAILED;
    }
    if (ctx->allocation_count != !is_second_field) {
        rp_log(RP_LOG_WARNING, "libavcodec began %u pictures in one packet (error %d)",
               ctx->allocation_count, ctx->error);
        rp_h264dec_context_reset(ctx);
        return RP_CODEC_FAILED;
    }
    return RP_CODEC_OK;
}

enum rp_codec_status
rp_h264dec_context_complete(struct rp_h264dec_context *ctx)
{
    return ctx->error < 0 || *error_flags(ctx) ? RP_CODEC_DAMAGED : RP_CODEC_OK;
}
