/* SPDX-License-Identifier: MIT */
/* Sessions of VP9, and the codec that the rest of the driver sees.
 */
#include "codecs/avcodec/library/copy.h"
#include "codecs/avcodec/vp9/context.h"
#include "codecs/library/decoder_alloc.h"
#include "reelpipe/decode_vp9.h"
#include "util/alloc.h"

struct rp_decoder {
    struct rp_vp9dec_context ctx;
};

static void
destroy(struct rp_decoder *dec)
{
    if (!dec)
        return;
    rp_vp9dec_context_finish(&dec->ctx);
    rp_free(NULL, dec);
}

static struct rp_decoder *
create(uint32_t thread_count, enum rp_codec_status *status_out)
{
    const struct rp_avcodec_library *lib = rp_avcodec_library_open();
    struct rp_decoder *dec = rp_library_decoder_zalloc(lib, sizeof(*dec), status_out);
    if (!dec)
        return NULL;
    *status_out = rp_vp9dec_context_init(&dec->ctx, lib);
    if (*status_out == RP_CODEC_OK)
        return dec;
    destroy(dec);
    return NULL;
}

static void
reset(struct rp_decoder *dec)
{
    rp_vp9dec_context_reset(&dec->ctx);
}

static enum rp_codec_status
decode(struct rp_decoder *dec, const struct rp_decode_job *common)
{
    const struct rp_vp9_decode_job *job = rp_vp9_decode_job_of(common);
    if (!rp_avcodec_output_is_supported(&common->dst, job->bit_depth) ||
        !rp_avcodec_output_is_supported(&common->dst_setup, job->bit_depth))
        return RP_CODEC_UNSUPPORTED;
    return rp_vp9dec_context_decode(&dec->ctx, job);
}

static const struct rp_decode_codec codec = {
    .name = "libavcodec",
    .layout = rp_vp9dec_layout,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .decode = decode,
};

const struct rp_decode_codec *
rp_codec_vp9_decode(void)
{
    return rp_avcodec_library_is_present() ? &codec : NULL;
}
