/* SPDX-License-Identifier: MIT */
/* Sessions, and the codec that the rest of the driver sees.
 *
 * The folder: library (libdav1d itself) with layout (its structs); packet (what it gets), buffers
 * (where its pictures are) and copy (how they leave); context, which decodes one stream with them;
 * decoder, the streams of a session.
 */
#include "codecs/dav1d/context.h"
#include "codecs/dav1d/library.h"
#include "codecs/library/decoder_alloc.h"
#include "reelpipe/decode_av1.h"
#include "util/alloc.h"

struct rp_decoder {
    const struct rp_dav1d_library *lib;
    uint32_t thread_count;
    struct rp_dav1d_context *streams[RP_AV1_DECODE_STREAMS];
    struct rp_dav1d_packet packet;
};

static struct rp_decoder *
create(uint32_t thread_count, enum rp_codec_status *status_out)
{
    const struct rp_dav1d_library *lib = rp_dav1d_library_open();
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
    for (uint32_t i = 0; i < RP_AV1_DECODE_STREAMS; i++)
        rp_dav1d_context_destroy(dec->streams[i]);
    rp_dav1d_packet_finish(&dec->packet);
    rp_free(NULL, dec);
}

static void
reset(struct rp_decoder *dec)
{
    for (uint32_t i = 0; i < RP_AV1_DECODE_STREAMS; i++) {
        if (dec->streams[i])
            rp_dav1d_context_reset(dec->streams[i]);
    }
}

static bool
output_is_supported(const struct rp_picture *output)
{
    return rp_picture_is_8_bit_420(output) || rp_picture_is_p010(output);
}

static bool
outputs_are_supported(const struct rp_decode_job *job)
{
    const bool has_dst = job->dst.plane[0].data;
    const bool has_setup = job->dst_setup.plane[0].data;
    return (!has_dst || output_is_supported(&job->dst)) &&
           (!has_setup || output_is_supported(&job->dst_setup)) &&
           (!has_dst || !has_setup || job->dst.bit_depth == job->dst_setup.bit_depth);
}

static enum rp_codec_status
decode(struct rp_decoder *dec, const struct rp_decode_job *common)
{
    const struct rp_av1_decode_job *job = rp_av1_decode_job_of(common);
    struct rp_dav1d_context **stream = &dec->streams[job->stream];
    if (!outputs_are_supported(common))
        return RP_CODEC_UNSUPPORTED;
    if (job->starts_stream && *stream)
        rp_dav1d_context_reset(*stream);
    if (!*stream)
        *stream = rp_dav1d_context_create(dec->lib, dec->thread_count);
    if (!*stream)
        return RP_CODEC_NO_MEMORY;
    return rp_dav1d_context_decode(*stream, &dec->packet, job);
}

static const struct rp_decode_codec codec = {
    .name = "libdav1d",
    .layout = rp_dav1d_image_layout,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .decode = decode,
};

const struct rp_decode_codec *
rp_codec_av1_decode(void)
{
    return rp_dav1d_library_is_present() ? &codec : NULL;
}
