/* SPDX-License-Identifier: MIT */
/* Sessions, and the codec that the rest of the driver sees.
 */
#include "codecs/avcodec/h264/decoder.h"

#include "codecs/library/decoder_alloc.h"
#include "reelpipe/decode_h264.h"
#include "util/alloc.h"
#include "util/compiler.h"

#include <string.h>

struct rp_decoder *
rp_h264_decoder_create(uint32_t thread_count, uint32_t frame_num_bits,
                       enum rp_codec_status *status_out)
{
    const struct rp_avcodec_library *lib = rp_avcodec_library_open();
    struct rp_decoder *dec = rp_library_decoder_zalloc(lib, sizeof(*dec), status_out);
    if (!dec)
        return NULL;
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

static bool
is_of_format(const struct rp_h264dec_context *ctx, const struct rp_h264dec_format *format)
{
    return ctx && memcmp(&ctx->format, format, sizeof(*format)) == 0;
}

static uint32_t
references_there(const struct rp_h264dec_context *ctx, const struct rp_h264_decode_job *job)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->ref_count; i++)
        count += job->refs[i].slot >= 0 && rp_h264dec_dpb_find(&ctx->dpb, job->refs[i].slot) >= 0;
    return count;
}

/* Where most references are, else the one used last; NULL when there is none. */
static struct rp_h264dec_context *
context_with_references(const struct rp_decoder *dec, const struct rp_h264dec_format *format,
                        const struct rp_h264_decode_job *job)
{
    struct rp_h264dec_context *best = NULL;
    uint32_t best_count = 0;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++) {
        struct rp_h264dec_context *ctx = dec->contexts[i];
        if (!is_of_format(ctx, format))
            continue;
        const uint32_t count = references_there(ctx, job);
        if (best && (count < best_count || (count == best_count && ctx->last_use < best->last_use)))
            continue;
        best = ctx;
        best_count = count;
    }
    return best;
}

/* Of its pictures, those that are in slots; but no more than what one of its pictures may refer to:
 * applications drop the others without a word. */
static uint32_t
needed_count(const struct rp_h264dec_context *ctx)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_HELD; i++)
        count += ctx->dpb.held[i].is_used && ctx->dpb.held[i].slot >= 0;
    return RP_MIN(count, ctx->max_num_ref_frames);
}

/* The one with the fewest pictures that are needed. NULL: another one is to be made. */
static struct rp_h264dec_context *
context_with_room(const struct rp_decoder *dec, const struct rp_h264dec_format *format,
                  uint32_t max_num_ref_frames, bool may_make)
{
    struct rp_h264dec_context *best = NULL;
    uint32_t context_count = 0;
    for (uint32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++) {
        struct rp_h264dec_context *ctx = dec->contexts[i];
        if (!is_of_format(ctx, format))
            continue;
        context_count++;
        if (!best || needed_count(ctx) < needed_count(best))
            best = ctx;
    }
    const bool is_full = best && needed_count(best) + max_num_ref_frames > RP_H264DEC_MAX_HELD;
    return is_full && may_make && context_count < RP_H264DEC_CONTEXTS_OF_FORMAT ? NULL : best;
}

static struct rp_h264dec_context *
context_make(struct rp_decoder *dec, const struct rp_h264dec_format *format,
             enum rp_codec_status *status_out)
{
    struct rp_h264dec_context *ctx = rp_h264dec_context_create(dec->lib, format, dec->thread_count,
                                                               dec->frame_num_bits, status_out);
    if (ctx)
        dec->contexts[free_context_index(dec)] = ctx;
    return ctx;
}

struct rp_h264dec_context *
rp_h264_decoder_context(struct rp_decoder *dec, const struct rp_h264dec_format *format,
                        const struct rp_h264_decode_job *job, enum rp_codec_status *status_out)
{
    const uint32_t max_num_ref_frames = job->sps->max_num_ref_frames;
    struct rp_h264dec_context *ctx = job->is_idr
                                         ? context_with_room(dec, format, max_num_ref_frames, true)
                                         : context_with_references(dec, format, job);
    if (!ctx)
        ctx = context_make(dec, format, status_out);
    if (!ctx && job->is_idr) /* the other one will do */
        ctx = context_with_room(dec, format, max_num_ref_frames, false);
    if (!ctx)
        return NULL;
    ctx->max_num_ref_frames = max_num_ref_frames;
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
