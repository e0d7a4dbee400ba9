/* SPDX-License-Identifier: MIT */
/* From settings to what a layer has to hold, and the buffer of all layers.
 */
#include "codecs/rate/target.h"

#include "stream.h"

#include "test.h"

static const struct rp_rate_settings two_layers = {
    .mode = RP_RATE_CBR,
    .layer_count = 2,
    .layer = {{.average_bps = 600000, .frame_rate_numerator = 15, .frame_rate_denominator = 1},
              {.average_bps = 400000, .frame_rate_numerator = 15, .frame_rate_denominator = 1}},
    .virtual_buffer_ms = 500,
    .gop_frame_count = 60,
    .idr_period = 120,
};

static struct rp_rate_target
target_of(const struct rp_rate_settings *settings, uint32_t layer,
          const struct rp_rate_scale *scale)
{
    struct rp_rate_target target;

    rp_rate_target_init(&target, settings, layer, scale);
    return target;
}

static void
layers_share_rate_and_period(void)
{
    const struct rp_rate_target first = target_of(&two_layers, 0, &stream_scale);
    const struct rp_rate_target second = target_of(&two_layers, 1, &stream_scale);

    REQUIRE_EQ(first.gop_pictures, 30); /* of its own pictures, half of the stream's */
    REQUIRE_EQ(second.gop_pictures, 0); /* I pictures are the first layer's */
    REQUIRE(first.slack > 1 && second.slack < 1);
    REQUIRE_EQ(first.buffer_bits, 500000); /* half a second of all layers */
    REQUIRE_EQ(second.buffer_bits, 500000);
    REQUIRE_EQ(first.initial_bits, 375000); /* three quarters when nothing is said */
}

/* The limits of a codec with 256 quantisers are no QPs. */
static void
limits_are_of_the_codecs_range(void)
{
    struct rp_rate_scale scale = stream_scale;
    struct rp_rate_settings settings = two_layers;
    scale.greatest_index = scale.unlimited_index = 255;
    settings.layer[0].max_qp[RP_RATE_I] = 200;
    settings.layer[0].max_qp[RP_RATE_P] = 1000;

    REQUIRE_EQ(target_of(&settings, 0, &scale).max_index[RP_RATE_I], 255);
    settings.layer[0].has_max_qp = true;
    REQUIRE_EQ(target_of(&settings, 0, &scale).max_index[RP_RATE_I], 200);
    REQUIRE_EQ(target_of(&settings, 0, &scale).max_index[RP_RATE_P], 255);
    REQUIRE_EQ(target_of(&settings, 0, &stream_scale).max_index[RP_RATE_I], 51);
}

static void
an_hrd_below_the_rate_is_left_alone(void)
{
    struct rp_rate_settings settings = two_layers;

    settings.hrd_bps = 1000000;
    settings.hrd_buffer_bits = 200000;
    REQUIRE_EQ(target_of(&settings, 0, &stream_scale).buffer_bits, 200000);
    settings.hrd_bps = 900000;
    REQUIRE_EQ(target_of(&settings, 0, &stream_scale).buffer_bits, 500000);
}

static void
all_layers_fill_one_buffer(void)
{
    struct rp_rate_virtual_buffer buffer = {0};

    rp_rate_settings_set_buffer(&two_layers, &stream_scale, &buffer);
    REQUIRE_EQ(buffer.size_bits, 500000);
    REQUIRE_EQ(buffer.fill_bits, 375000);
    rp_rate_virtual_buffer_take(&buffer, 300000, 0);
    REQUIRE_EQ(buffer.fill_bits + 0.5, 108333); /* and a picture's time: a thirtieth of 10^6 */
    rp_rate_virtual_buffer_take(&buffer, 10000000, 0);
    REQUIRE_EQ(buffer.fill_bits + 0.5, 33333); /* the decoder has waited */
    rp_rate_settings_set_buffer(&two_layers, &stream_scale, &buffer);
    REQUIRE_EQ(buffer.fill_bits + 0.5, 33333); /* new settings leave it as full as it is */
    REQUIRE_EQ(rp_rate_virtual_buffer_overflow(&buffer, 0), 0);
    buffer.fill_bits = buffer.size_bits;
    REQUIRE_EQ(rp_rate_virtual_buffer_overflow(&buffer, 30000) + 0.5, 3333);
}

int
main(void)
{
    RUN(layers_share_rate_and_period);
    RUN(limits_are_of_the_codecs_range);
    RUN(an_hrd_below_the_rate_is_left_alone);
    RUN(all_layers_fill_one_buffer);
    return 0;
}
