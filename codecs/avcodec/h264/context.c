/* SPDX-License-Identifier: MIT */
/* Driving libavcodec: no frame threads, no output, our own pictures.
 */
#include "codecs/avcodec/h264/context.h"

#include "codecs/avcodec/h264/copy.h"
#include "platform/signal_mask.h"
#include "util/alloc.h"
#include "util/log.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define PLANE_ALIGN_B 64
#define PLANES_HEADER_B 128 /* struct rp_h264dec_planes */
/* Motion compensation reads one row past the macroblocks. */
#define EXTRA_ROWS 2

static size_t
stride_for(uint32_t width_px)
{
    const size_t stride_B = (width_px + PLANE_ALIGN_B - 1) / PLANE_ALIGN_B * PLANE_ALIGN_B;
    /* Rows a multiple of 1 KiB apart would fight for the same cache sets. */
    return stride_B % 1024 ? stride_B : stride_B + PLANE_ALIGN_B;
}

static size_t
plane_rows(const struct rp_h264dec_context *ctx, uint32_t plane)
{
    const uint32_t rows = ctx->format.height_mb * (plane ? 8 : 16);
    return rows + EXTRA_ROWS;
}

void
rp_h264dec_layout(uint32_t width_px, uint32_t height_px, struct rp_decode_layout *out)
{
    *out = (struct rp_decode_layout){
        .stride_B = stride_for((width_px + 15) / 16 * 16),
        .rows = (height_px + 31) / 32 * 32 + EXTRA_ROWS,
    };
}

static void
planes_layout(struct rp_h264dec_context *ctx)
{
    ctx->stride_B[0] = stride_for(ctx->format.width_mb * 16);
    ctx->stride_B[1] = stride_for(ctx->format.width_mb * 8);
    ctx->stride_B[2] = ctx->stride_B[1];
    ctx->luma_B = ctx->stride_B[0] * plane_rows(ctx, 0);
    ctx->chroma_B = PLANES_HEADER_B + 2 * ctx->stride_B[1] * plane_rows(ctx, 1);
}

/* What a damaged stream leaves undecoded must not be somebody else's memory. */
static uint8_t *
samples_alloc(struct rp_h264dec_context *ctx, size_t size_B)
{
    uint8_t *memory = rp_alloc(NULL, size_B, PLANE_ALIGN_B, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!memory)
        return NULL;
    memset(memory, 128, size_B);
    ctx->memory_B += size_B;
    return memory;
}

static struct rp_h264dec_planes *
planes_create(struct rp_h264dec_context *ctx)
{
    static_assert(sizeof(struct rp_h264dec_planes) <= PLANES_HEADER_B, "samples come behind");
    uint8_t *memory = samples_alloc(ctx, ctx->chroma_B);
    if (!memory)
        return NULL;

    struct rp_h264dec_planes *planes = (struct rp_h264dec_planes *)memory;
    *planes = (struct rp_h264dec_planes){.ctx = ctx};
    planes->data[1] = memory + PLANES_HEADER_B;
    planes->data[2] = planes->data[1] + ctx->stride_B[1] * plane_rows(ctx, 1);
    return planes;
}

static void
planes_destroy(struct rp_h264dec_planes *planes)
{
    rp_free(NULL, planes->luma);
    rp_free(NULL, planes);
}

/* libavcodec's last reference is gone. */
static void
planes_release(void *opaque, uint8_t *data)
{
    struct rp_h264dec_planes *planes = opaque;
    struct rp_h264dec_context *ctx = planes->ctx;

    if (planes->target.memory)
        planes->target.release(planes->target.memory);
    planes->target.memory = NULL;
    planes->next_free = ctx->free_planes;
    ctx->free_planes = planes;
}

/* At the target that is offered, once, or in memory of ours. */
static bool
planes_find_luma(struct rp_h264dec_planes *planes)
{
    struct rp_h264dec_context *ctx = planes->ctx;

    if (ctx->target.memory) {
        planes->target = ctx->target;
        planes->target.retain(planes->target.memory);
        planes->data[0] = ctx->target_luma;
        ctx->target.memory = NULL;
        return true;
    }
    if (!planes->luma)
        planes->luma = samples_alloc(ctx, ctx->luma_B);
    planes->data[0] = planes->luma;
    return planes->luma;
}

static struct rp_h264dec_planes *
planes_get(struct rp_h264dec_context *ctx)
{
    struct rp_h264dec_planes *planes = ctx->free_planes;
    if (planes)
        ctx->free_planes = planes->next_free;
    else
        planes = planes_create(ctx);
    if (planes && !planes_find_luma(planes)) {
        planes_release(planes, NULL);
        return NULL;
    }
    return planes;
}

/* A field at an offset of one of libavcodec's structs. */
static void *
field(void *base, size_t offset_B)
{
    return (char *)base + offset_B;
}

static int *
error_flags(const struct rp_h264dec_context *ctx)
{
    return field(ctx->current_frame, ctx->lib->layout->frame_error_flags_offset_B);
}

static int
get_buffer(struct AVCodecContext *avctx, struct AVFrame *avframe, int flags)
{
    struct rp_h264dec_context *ctx = *(void **)field(avctx, RP_AV_OPAQUE_OFFSET_B);
    struct rp_av_frame *frame = (struct rp_av_frame *)avframe;

    ctx->allocation_count++;
    if (frame->format != RP_AV_PIX_FMT_YUV420P ||
        (uint32_t)frame->width_px > ctx->format.width_mb * 16 ||
        (uint32_t)frame->height_px > ctx->format.height_mb * 16)
        return -EINVAL;

    struct AVBufferRef *buf = NULL;
    struct rp_h264dec_planes *planes = planes_get(ctx);
    if (planes) {
        /* A new AVBuffer every time: libavcodec tells pictures apart by it. */
        buf = ctx->lib->av_buffer_create(planes->data[0], 1, planes_release, planes, 0);
        if (!buf)
            planes_release(planes, NULL);
    }
    if (!buf) {
        ctx->is_out_of_memory = true;
        return -ENOMEM;
    }
    *(struct AVBufferRef **)field(avframe, ctx->lib->layout->frame_buf_offset_B) = buf;
    for (uint32_t i = 0; i < 3; i++) {
        frame->data[i] = planes->data[i];
        frame->stride_B[i] = (int)ctx->stride_B[i];
    }
    frame->extended_data = frame->data;
    ctx->current = planes;
    ctx->current_frame = avframe;
    return 0;
}

static void
copy_rows(const struct rp_h264dec_context *ctx, const struct rp_h264_decode_job *job,
          uint32_t fields, uint32_t first_row, uint32_t end_row)
{
    rp_h264dec_copy_rows(ctx, &job->common.dst, fields, first_row, end_row);
    rp_h264dec_copy_rows(ctx, &job->common.dst_setup, fields, first_row, end_row);
}

/* Rows will not change any more, unless an error is found. */
static void
draw_horiz_band(struct AVCodecContext *avctx, const struct AVFrame *avframe,
                int offset_B[RP_AV_PLANES], int y_px, int type, int height_px)
{
    struct rp_h264dec_context *ctx = *(void **)field(avctx, RP_AV_OPAQUE_OFFSET_B);
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
    rp_av_draw_horiz_band **hook = field(ctx->avctx, ctx->lib->layout->band_offset_B);
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

/* Slice threads start here and inherit the signal mask. */
static int
open_without_signals(struct rp_h264dec_context *ctx, const struct AVCodec *codec,
                     struct AVDictionary **options)
{
    const sigset_t mask = rp_signals_block();
    const int error = ctx->lib->avcodec_open2(ctx->avctx, codec, options);
    rp_signals_restore(&mask);
    return error;
}

static enum rp_codec_status
status_from_averror(int error)
{
    return error == -ENOMEM ? RP_CODEC_NO_MEMORY : RP_CODEC_FAILED;
}

/* Fills options. */
static int
settings_make(const struct rp_h264dec_context *ctx, struct AVDictionary **options)
{
    static const char *const settings[][2] = {
        {"thread_type", "slice"}, /* frame threads delay pictures */
        {"flags", "+output_corrupt"},
        {"apply_cropping", "0"},
        /* Errors are only noticed with both of these; err_detect=explode would keep damaged
         * pictures out of libavcodec's DPB. */
        {"enable_er", "1"},
        {"ec", "favor_inter"},
        {"err_detect", "0"},
    };
    int error = ctx->lib->av_dict_set_int(options, "threads", ctx->thread_count, 0);
    for (size_t i = 0; i < RP_ARRAY_SIZE(settings) && error >= 0; i++)
        error = ctx->lib->av_dict_set(options, settings[i][0], settings[i][1], 0);
    return error;
}

/* False when the decoder is not laid out as we know it. */
static bool
hooks_set(struct rp_h264dec_context *ctx)
{
    rp_av_get_buffer2 **hook = field(ctx->avctx, RP_AV_GET_BUFFER2_OFFSET_B);
    rp_av_draw_horiz_band *const *band = field(ctx->avctx, ctx->lib->layout->band_offset_B);
    void *const *get_format = (void *const *)band + 1;
    if (*hook != ctx->lib->avcodec_default_get_buffer2 || *band ||
        *get_format != (void *)ctx->lib->avcodec_default_get_format)
        return false;
    *hook = get_buffer;
    *(void **)field(ctx->avctx, RP_AV_OPAQUE_OFFSET_B) = ctx;
    /* Silent, whatever the application's level. */
    *(int *)field(ctx->avctx, RP_AV_LOG_LEVEL_OFFSET_B) = 64;
    return true;
}

static enum rp_codec_status
decoder_open(struct rp_h264dec_context *ctx)
{
    const struct rp_avcodec_library *lib = ctx->lib;
    const struct AVCodec *codec = lib->avcodec_find_decoder_by_name("h264");
    if (!codec)
        return RP_CODEC_FAILED;

    ctx->avctx = lib->avcodec_alloc_context3(codec);
    ctx->packet = lib->av_packet_alloc();
    ctx->output = lib->av_frame_alloc();
    if (!ctx->avctx || !ctx->packet || !ctx->output)
        return RP_CODEC_NO_MEMORY;
    if (!hooks_set(ctx))
        return RP_CODEC_FAILED;

    struct AVDictionary *options = NULL;
    int error = settings_make(ctx, &options);
    if (error >= 0)
        error = open_without_signals(ctx, codec, &options);
    const bool is_complete = lib->av_dict_count(options) == 0; /* what it did not know is left */
    lib->av_dict_free(&options);
    if (error < 0)
        return status_from_averror(error);
    return is_complete ? RP_CODEC_OK : RP_CODEC_FAILED;
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
    ctx->lib = lib;
    ctx->format = *format;
    ctx->thread_count = thread_count;
    rp_h264dec_dpb_init(&ctx->dpb, frame_num_bits);
    planes_layout(ctx);

    const enum rp_codec_status status = decoder_open(ctx);
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
    /* These accept pointers to NULL, and release all planes. */
    ctx->lib->avcodec_free_context(&ctx->avctx);
    ctx->lib->av_packet_free(&ctx->packet);
    ctx->lib->av_frame_free(&ctx->output);
    while (ctx->free_planes) {
        struct rp_h264dec_planes *planes = ctx->free_planes;
        ctx->free_planes = planes->next_free;
        planes_destroy(planes);
    }
    rp_free(NULL, ctx);
}

void
rp_h264dec_context_reset(struct rp_h264dec_context *ctx)
{
    ctx->lib->avcodec_flush_buffers(ctx->avctx);
    rp_h264dec_dpb_init(&ctx->dpb, ctx->dpb.frame_num_bits);
    ctx->sps_B = 0;
    ctx->pps_B = 0;
    ctx->current = NULL;
    ctx->current_frame = NULL;
    ctx->target.memory = NULL;
    follower_set(ctx, NULL);
}

void
rp_h264dec_context_offer_target(struct rp_h264dec_context *ctx,
                                const struct rp_h264_decode_job *job)
{
    /* A field that stays alone is doubled by libavcodec when it likes, maybe with a later packet:
     * the image may be something else by then. */
    const struct rp_plane *luma = &job->common.dst.plane[0];
    /* Whole macroblocks are written, and no more than those that dst is part of: the application
     * may keep something else below it. */
    const bool is_covered = job->common.dst.width_px + 15 >= ctx->format.width_mb * 16 &&
                            job->common.dst.height_px + 15 >= ctx->format.height_mb * 16;
    const bool is_suitable = is_covered && job->common.target.memory && !job->is_field &&
                             luma->data && luma->stride_B == ctx->stride_B[0] &&
                             ((uintptr_t)luma->data & (PLANE_ALIGN_B - 1)) == 0 &&
                             job->common.target.rows >= plane_rows(ctx, 0);
    ctx->target = is_suitable ? job->common.target : (struct rp_decode_target){.memory = NULL};
    ctx->target_luma = luma->data;
}

static bool
packet_append(struct rp_h264dec_buffer *packet, const uint8_t *nal, size_t nal_B)
{
    if (!rp_h264dec_buffer_reserve(packet, nal_B))
        return false;
    memcpy(packet->data + packet->size_B, nal, nal_B);
    packet->size_B += nal_B;
    return true;
}

static bool
put_pps(struct rp_h264dec_context *ctx, const StdVideoH264SequenceParameterSet *sps,
        const StdVideoH264PictureParameterSet *pps, struct rp_h264dec_buffer *packet)
{
    uint8_t nal[RP_H264DEC_PARAMS_NAL_B];
    for (uint32_t i = 0; i < RP_H264DEC_CLONE_COUNT; i++) {
        const size_t nal_B = rp_h264dec_pps_write(sps, pps, &rp_h264dec_clones[i], nal);
        if (!packet_append(packet, nal, nal_B))
            return false;
    }
    return packet_append(packet, nal, rp_h264dec_control_pps_write(nal));
}

bool
rp_h264dec_context_put_params(struct rp_h264dec_context *ctx,
                              const StdVideoH264SequenceParameterSet *sps,
                              const StdVideoH264PictureParameterSet *pps,
                              struct rp_h264dec_buffer *packet)
{
    uint8_t nal[RP_H264DEC_PARAMS_NAL_B];
    size_t nal_B = rp_h264dec_sps_write(sps, ctx->dpb.frame_num_bits, nal);
    if (nal_B != ctx->sps_B || memcmp(nal, ctx->sps, nal_B) != 0) {
        ctx->sps_B = 0;
        ctx->pps_B = 0; /* a PPS is read with its SPS */
        if (!packet_append(packet, nal, nal_B))
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

static void
buffer_keep(void *opaque, uint8_t *data)
{
}

/* Sends the packet and throws away what comes out. Negative: an error, but not EAGAIN. */
static int
decode_packet(struct rp_h264dec_context *ctx, struct rp_h264dec_buffer *packet)
{
    memset(packet->data + packet->size_B, 0, RP_AV_PADDING_B);
    struct rp_av_packet *av_packet = (struct rp_av_packet *)ctx->packet;
    av_packet->buf = ctx->lib->av_buffer_create(packet->data, packet->size_B + RP_AV_PADDING_B,
                                                buffer_keep, NULL, 0);
    if (!av_packet->buf)
        return -ENOMEM;
    av_packet->data = packet->data;
    av_packet->size_B = (int)packet->size_B;

    const int sent = ctx->lib->avcodec_send_packet(ctx->avctx, ctx->packet);
    ctx->lib->av_packet_unref(ctx->packet);
    int received;
    while ((received = ctx->lib->avcodec_receive_frame(ctx->avctx, ctx->output)) >= 0)
        ctx->lib->av_frame_unref(ctx->output);
    if (sent < 0)
        return sent;
    return received == -EAGAIN ? 0 : received;
}

enum rp_codec_status
rp_h264dec_context_begin(struct rp_h264dec_context *ctx, struct rp_h264dec_buffer *packet,
                         bool is_second_field)
{
    ctx->allocation_count = 0;
    ctx->is_out_of_memory = false;
    if (packet->size_B > INT32_MAX - RP_AV_PADDING_B ||
        !rp_h264dec_buffer_reserve(packet, RP_AV_PADDING_B)) {
        rp_h264dec_context_reset(ctx);
        return RP_CODEC_NO_MEMORY;
    }

    if (is_second_field)
        *error_flags(ctx) = 0; /* those of the first field are reported */
    ctx->rows_done = 0;
    ctx->error = decode_packet(ctx, packet);
    ctx->target.memory = NULL;
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
