/* SPDX-License-Identifier: MIT */
/* Sessions, and the codec that the rest of the driver sees.
 *
 * The folder: context decodes one stream; marks tells what of a picture was decoded; decoder, the
 * streams of a session.
 */
#include "codecs/avcodec/h265/context.h"
#include "codecs/avcodec/library/copy.h"
#include "codecs/library/decoder_alloc.h"
#include "reelpipe/decode_h265.h"
#include "util/alloc.h"

/* What streams that are not in use may keep in pictures. The least recently used one goes first;
 * what refers to its pictures then is damaged. */
#define IDLE_MEMORY_B ((size_t)512 << 20)

struct rp_decoder {
    const struct rp_avcodec_library *lib;
    uint32_t thread_count;
    uint64_t use_count;
    struct rp_h265dec_context *streams[RP_H265_DECODE_STREAMS];
    struct rp_avcodec_buffer packet; /* what libavcodec gets */
};

static struct rp_decoder *
create(uint32_t thread_count, enum rp_codec_status *status_out)
{
    const struct rp_avcodec_library *lib = rp_avcodec_library_open();
    struct rp_decoder *dec = rp_library_decoder_zalloc(lib, sizeof(*dec), status_out);
    if (!dec)
        return NULL;
    dec->lib = lib;
    dec->thread_count = thread_count ? thread_count : 1;
    return dec;
}

static void
destroy(struct rp_decoder *dec)
{
    if (!dec)
        return;
    for (uint32_t i = 0; i < RP_H265_DECODE_STREAMS; i++)
        rp_h265dec_context_destroy(dec->streams[i]);
    rp_avcodec_buffer_finish(&dec->packet);
    rp_free(NULL, dec);
}

static void
reset(struct rp_decoder *dec)
{
    for (uint32_t i = 0; i < RP_H265_DECODE_STREAMS; i++) {
        if (dec->streams[i])
            rp_h265dec_context_reset(dec->streams[i]);
    }
}

static void
limit_idle_memory(struct rp_decoder *dec, const struct rp_h265dec_context *in_use)
{
    for (;;) {
        struct rp_h265dec_context **oldest = NULL;
        size_t idle_B = 0;
        for (uint32_t i = 0; i < RP_H265_DECODE_STREAMS; i++) {
            struct rp_h265dec_context **ctx = &dec->streams[i];
            if (!*ctx || *ctx == in_use)
                continue;
            idle_B += (*ctx)->planes.memory_B;
            if (!oldest || (*ctx)->last_use < (*oldest)->last_use)
                oldest = ctx;
        }
        if (idle_B <= IDLE_MEMORY_B)
            return;
        rp_h265dec_context_destroy(*oldest);
        *oldest = NULL;
    }
}

static enum rp_codec_status
decode(struct rp_decoder *dec, const struct rp_decode_job *common)
{
    const struct rp_h265_decode_job *job = rp_h265_decode_job_of(common);
    struct rp_h265dec_context **ctx = &dec->streams[job->stream];
    if ((job->bit_depth != 8 && job->bit_depth != 10) ||
        !rp_avcodec_output_is_supported(&common->dst, job->bit_depth) ||
        !rp_avcodec_output_is_supported(&common->dst_setup, job->bit_depth))
        return RP_CODEC_UNSUPPORTED;

    enum rp_codec_status status;
    if (job->starts_stream) {
        rp_h265dec_context_destroy(*ctx);
        *ctx = NULL;
    }
    if (!*ctx)
        *ctx = rp_h265dec_context_create(dec->lib, job, dec->thread_count, &status);
    if (!*ctx)
        return status;
    (*ctx)->last_use = ++dec->use_count;
    limit_idle_memory(dec, *ctx);
    return rp_h265dec_context_decode(*ctx, &dec->packet, job);
}

static const struct rp_decode_codec codec = {
    .name = "libavcodec",
    .layout = rp_h265dec_layout,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .decode = decode,
};

const struct rp_decode_codec *
rp_codec_h265_decode(void)
{
    return rp_avcodec_library_is_present() ? &codec : NULL;
}
