/* SPDX-License-Identifier: MIT */
/* Rate control of pictures whose references the application has moved to other images.
 */
#include "app.h"

#include "tests/test.h"

#define PICTURES 10u

/* The content of a reference that is moved decides on the quantiser as where it was. */
static uint64_t
encode_stream(bool has_moves)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->seq.flags.enable_order_hint = 1;
    app->seq.order_hint_bits_minus_1 = 7;
    app_init(app, 176, 144, 1);
    struct rp_encoder_rate *rate = app->codec->rate_create(app->enc);
    REQUIRE(rate);
    app->codec->rate_set(
        rate,
        &(struct rp_rate_settings){
            .mode = RP_RATE_CBR,
            .layer_count = 1,
            .virtual_buffer_ms = 1000,
            .layer = {{.average_bps = 200000,
                       .max_bps = 200000,
                       .frame_rate_numerator = 30,
                       .frame_rate_denominator = 1,
                       .max_qp = {RP_AV1_MAX_Q_INDEX, RP_AV1_MAX_Q_INDEX, RP_AV1_MAX_Q_INDEX}}},
        });
    for (uint32_t i = 0; i < PICTURES; i++) {
        for (uint32_t k = 0; k < 2 && has_moves && i >= 2; k++)
            app_move(app, k);
        app_picture_init(app, i ? STD_VIDEO_AV1_FRAME_TYPE_INTER : STD_VIDEO_AV1_FRAME_TYPE_KEY, i,
                         true);
        if (i) {
            app_name(app, 0, (i + 1) % 2);
            app_name(app, 3, i % 2);
            app->std.refresh_frame_flags = (uint8_t)(1u << i % 2);
        }
        app->job.q_index = -1;
        app->job.common.rate = rate;
        app_draw(app, i * (1 + i / 4));
        app_encode(app, app_free_slot(app, app->std.refresh_frame_flags));
    }
    const uint64_t hash = app->stream_hash;
    app->codec->rate_destroy(app->enc, rate);
    app_finish(app);
    free(app);
    return hash;
}

static void
moved_references_are_rated_as_where_they_were(void)
{
    REQUIRE_EQ(encode_stream(true), encode_stream(false));
}

int
main(void)
{
    RUN(moved_references_are_rated_as_where_they_were);
    return 0;
}
