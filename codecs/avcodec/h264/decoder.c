/* SPDX-License-Identifier: MIT */
/* Sessions, and the codec that the rest of the driver sees.
 */
#include "codecs/avcodec/h264/decoder.h"

#include "reelpipe/decode_h264.h"
#include "util/alloc.h"

#include <string.h>

struct rp_decoder *
rp_h264_decoder_create(uint32_t thread_count, uint32_t frame_num_bits,
                       enum rp_codec_status *status_out)
{
    const struct rp_avcodec_library *lib = rp_avcodec_library_open();
    if (!lib) {
        *status_out = RP_CODEC_FAILED;
        return NULL;
    }
    struct rp_decoder *dec =
        rp_zalloc(NULL, sizeof(*dec), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!dec) {
        *status_out = RP_CODEC_NO_MEMORY;
        return NULL;
    }
    dec->lib = lib;
    dec->thread_count = thread_count ? thread_count : 1;
    dec->frame_num_bits = frame_num_bits;
    return dec;
}

void
rp_h264_decoder_destroy(struct rp_decoder *dec)
{
    if (!dec)
        return;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++)
        rp_h264dec_context_destroy(dec->contexts[i]);
    rp_avcodec_buffer_finish(&dec->nals);
    rp_avcodec_buffer_finish(&dec->units);
    rp_avcodec_buffer_finish(&dec->packet);
    rp_free(NULL, dec);
}

void
rp_h264_decoder_reset(struct rp_decoder *dec)
{
    dec->first_field.ctx = NULL;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++) {
        if (dec->contexts[i])
            rp_h264dec_context_reset(dec->contexts[i]);
    }
}

static void
context_drop(struct rp_decoder *dec, uint32_t index)
{
    if (dec->first_field.ctx == dec->contexts[index])
        dec->first_field.ctx = NULL;
    rp_h264dec_context_destroy(dec->contexts[index]);
    dec->contexts[index] = NULL;
}

/* The least recently used one but keep, or -1. */
static int32_t
oldest_context(const struct rp_decoder *dec, const struct rp_h264dec_context *keep)
{
    int32_t oldest = -1;
    for (int32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++) {
        const struct rp_h264dec_context *ctx = dec->contexts[i];
        if (ctx && ctx != keep && (oldest < 0 || ctx->last_use < dec->contexts[oldest]->last_use))
            oldest = i;
    }
    return oldest;
}

static void
limit_idle_memory(struct rp_decoder *dec, const struct rp_h264dec_context *in_use)
{
    size_t idle_B = 0;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++) {
        if (dec->contexts[i] && dec->contexts[i] != in_use)
            idle_B += dec->contexts[i]->planes.memory_B;
    }
    while (idle_B > RP_H264DEC_IDLE_MEMORY_B) {
        const int32_t oldest = oldest_context(dec, in_use);
        idle_B -= dec->contexts[oldest]->planes.memory_B;
        context_drop(dec, (uint32_t)oldest);
    }
}

static uint32_t
free_context_index(struct rp_decoder *dec)
{
    for (uint32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++) {
        if (!dec->contexts[i])
            return i;
    }
    const uint32_t oldest = (uint32_t)oldest_context(dec, NULL);
    context_drop(dec, oldest);
    return oldest;
}

struct rp_h264dec_context *
rp_h264_decoder_context(struct rp_decoder *dec, const struct rp_h264dec_format *format,
                        enum rp_codec_status *status_out)
{
    struct rp_h264dec_context *ctx = NULL;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++) {
        if (dec->contexts[i] && memcmp(&dec->contexts[i]->format, format, sizeof(*format)) == 0)
            ctx = dec->contexts[i];
    }
    if (!ctx) {
        const uint32_t index = free_context_index(dec);
        ctx = rp_h264dec_context_create(dec->lib, format, dec->thread_count, dec->frame_num_bits,
                                        status_out);
        if (!ctx)
            return NULL;
        dec->contexts[index] = ctx;
    }
    ctx->last_use = ++dec->use_count;
    limit_idle_memory(dec, ctx);
    return ctx;
}

static struct rp_decoder *
codec_create(uint32_t thread_count, enum rp_codec_status *status_out)
{
    return rp_h264_decoder_create(thread_count, RP_H264DEC_FRAME_NUM_BITS, status_out);
}

static enum rp_codec_status
codec_decode(struct rp_decoder *dec, const struct rp_decode_job *job)
{
    return rp_h264_decoder_decode(dec, rp_h264_decode_job_of(job));
}

static const struct rp_decode_codec codec = {
    .name = "libavcodec",
    .layout = rp_h264dec_layout,
    .create = codec_create,
    .destroy = rp_h264_decoder_destroy,
    .reset = rp_h264_decoder_reset,
    .decode = codec_decode,
};

const struct rp_decode_codec *
rp_codec_h264_decode(void)
{
    return rp_avcodec_library_is_present() ? &codec : NULL;
}
