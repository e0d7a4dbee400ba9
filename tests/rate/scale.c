/* SPDX-License-Identifier: MIT */
/* The laws know quantisers by their steps alone: a codec whose steps have another unit gets
 * the same bits.
 */
#include "stream.h"

#include "test.h"

#define UNIT 64.0 /* a power of two: products are exact */

struct codec {
    struct rp_rate_law law;
    struct rp_rate_scale scale;
    double unit;
};

static void
codec_open(struct codec *codec, enum rp_rate_mode mode, int gop, int b_run, double unit)
{
    codec->unit = unit;
    codec->scale = stream_scale;
    codec->scale.default_step *= unit;
    codec->scale.least_step *= unit;
    codec->scale.finest_step *= unit;
    codec->scale.usual_block_cost *= unit;
    codec->law = stream_law(mode, 25, gop, b_run);
    codec->law.aim.block_count = 400;
    rp_rate_law_init(&codec->law, &codec->scale, gop, b_run);
}

static double
codec_code(struct codec *codec, enum rp_rate_type type, double cost)
{
    return stream_code(&codec->law, type, cost * codec->unit);
}

static void
another_unit_of_steps_gives_the_same_bits(enum rp_rate_mode mode, int gop, int b_run)
{
    struct codec one, other;
    unsigned random = 1;

    codec_open(&one, mode, gop, b_run, 1);
    codec_open(&other, mode, gop, b_run, UNIT);
    for (int i = 0; i < 500; i++) {
        const int place = i % gop;
        const enum rp_rate_type type = place == 0                       ? RP_RATE_I
                                       : (place - 1) % (1 + b_run) == 0 ? RP_RATE_P
                                                                        : RP_RATE_B;
        static const double usual[] = {[RP_RATE_P] = 1e5, [RP_RATE_B] = 4e4, [RP_RATE_I] = 1e6};
        const double cost = usual[type] * stream_noise(&random, 0.4);
        const double bits = codec_code(&one, type, cost);
        const double other_bits = codec_code(&other, type, cost);
        stream_require(bits == other_bits, "bits of a picture", other_bits, bits);
    }
}

int
main(void)
{
    RUN(another_unit_of_steps_gives_the_same_bits, RP_RATE_CBR, 60, 0);
    RUN(another_unit_of_steps_gives_the_same_bits, RP_RATE_CBR, 12, 0);
    RUN(another_unit_of_steps_gives_the_same_bits, RP_RATE_CBR, 60, 2);
    RUN(another_unit_of_steps_gives_the_same_bits, RP_RATE_CBR, 60, 7);
    RUN(another_unit_of_steps_gives_the_same_bits, RP_RATE_VBR, 60, 1);
    return 0;
}
