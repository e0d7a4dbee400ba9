/* SPDX-License-Identifier: MIT */
#include "metered.h"

#include "reelpipe/decode_h264.h"
#include "tests/test.h"

#include <time.h>

struct rp_decoder {
    struct rp_decoder *inner; /* the real one */
    bool has_output;
};

static double decoding_s;

static double
cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double
metered_s(void)
{
    return decoding_s;
}

struct rp_decoder *
metered_open(uint32_t thread_count, bool has_output)
{
    enum rp_codec_status status;
    struct rp_decoder *dec = malloc(sizeof(*dec));
    REQUIRE(dec);
    dec->inner = rp_codec_h264_decode()->create(thread_count, &status);
    dec->has_output = has_output;
    REQUIRE(dec->inner);
    return dec;
}

void
metered_close(struct rp_decoder *dec)
{
    rp_codec_h264_decode()->destroy(dec->inner);
    free(dec);
}

static enum rp_codec_status
metered_decode(struct rp_decoder *dec, const struct rp_decode_job *job)
{
    struct rp_h264_decode_job inner = *rp_h264_decode_job_of(job);
    if (!dec->has_output) {
        inner.common.dst.plane[0].data = NULL;
        inner.common.target.memory = NULL;
    }
    const double begin_s = cpu_s();
    const enum rp_codec_status status = rp_codec_h264_decode()->decode(dec->inner, &inner.common);
    decoding_s += cpu_s() - begin_s;
    REQUIRE_EQ(status, RP_CODEC_OK);
    return status;
}

static void
metered_reset(struct rp_decoder *dec)
{
    rp_codec_h264_decode()->reset(dec->inner);
}

const struct rp_decode_codec metered_codec = {
    .name = "metered",
    .reset = metered_reset,
    .decode = metered_decode,
};
