/* SPDX-License-Identifier: MIT */
/* The bytes of streams with rate control depend on the pictures alone: not on how many are begun
 * before the first one has ended, nor on how many threads code them. Settings count from the
 * picture on that begins after them, be pictures before it still on their way.
 *
 * usage: codec_aom_rate_in_flight [brief]
 *   brief   fewer pictures, and those of CBR in flight alone
 */
#include "app.h"

#include "reelpipe/rate.h"

#include "tests/test.h"

#include <pthread.h>

#define PICTURES 36
#define BRIEF_PICTURES 30
#define MOST_IN_FLIGHT 6
#define MOST_B 65536
#define CONSTANT 20   /* the picture whose q index is given */
#define OTHER_RATE 24 /* the first one with another rate */

static uint32_t picture_count = PICTURES;

struct flight {
    struct rp_av1_encode_job job;
    StdVideoEncodeAV1PictureInfo std;
    uint8_t *source;
    pthread_t thread;
};

struct session {
    struct app app;
    struct rp_encoder_rate *rate;
    struct flight flights[MOST_IN_FLIGHT];
    uint8_t bytes[PICTURES][MOST_B];
    size_t sizes_B[PICTURES];
};

/* No decoder sees them. */
static void
write_headers(const void *ctx, const struct rp_av1_coded_picture *coded, size_t tile_group_B,
              struct rp_bits *bits)
{
    (void)ctx;
    rp_bits_put(bits, 8, coded->info.pQuantization->base_q_idx);
    rp_bits_put(bits, 32, (uint32_t)tile_group_B);
}

static struct rp_rate_settings
settings(enum rp_rate_mode mode, uint64_t bps)
{
    struct rp_rate_settings s = {.mode = mode, .layer_count = 1, .virtual_buffer_ms = 400};
    s.layer[0] = (struct rp_rate_layer){
        .average_bps = bps,
        .max_bps = bps * (mode == RP_RATE_VBR ? 2 : 1),
        .frame_rate_numerator = 30,
        .frame_rate_denominator = 1,
        .max_frame_size_B = {[RP_RATE_P] = 900}, /* some are coded again */
    };
    return s;
}

/* The picture from the one before. */
static void
prepare(struct session *s, struct flight *flight, uint32_t number)
{
    struct app *app = &s->app;
    const size_t source_B = app->job.common.src.plane[0].stride_B * app->height_px * 3 / 2;

    app_draw(app, number < 14 ? number : 9 * number);
    memcpy(flight->source, app->source, source_B);
    app_picture_init(app,
                     number == 0 ? STD_VIDEO_AV1_FRAME_TYPE_KEY : STD_VIDEO_AV1_FRAME_TYPE_INTER,
                     number, true);
    app->std.refresh_frame_flags = number == 0 ? 0xff : 1;
    if (number > 0) {
        app_name(app, 0, 0);
        app->std.primary_ref_frame = 0;
    }
    flight->std = app->std;
    flight->job = app->job;
    flight->job.picture = &flight->std;
    flight->job.tile_size_B = NULL;
    flight->job.write_headers = write_headers;
    flight->job.q_index = number == CONSTANT ? 150 : -1;
    struct rp_encode_job *common = &flight->job.common;
    common->rate = number == CONSTANT ? NULL : s->rate;
    for (uint32_t i = 0; i < 2; i++)
        common->src.plane[i].data = flight->source + (app->job.common.src.plane[i].data -
                                                      app->job.common.src.plane[0].data);
    common->dst = s->bytes[number];
    common->dst_capacity_B = MOST_B;
    const int32_t slot = (int32_t)(number % APP_SLOTS);
    common->recon.slot = app->slots[slot].codec_slot;
    common->recon.pixels = common->src;
    for (uint32_t i = 0; i < 2; i++)
        common->recon.pixels.plane[i].data =
            app->slots[slot].planes +
            (app->job.common.src.plane[i].data - app->job.common.src.plane[0].data);
    for (uint32_t i = 0; i < STD_VIDEO_AV1_NUM_REF_FRAMES; i++)
        app->references[i].slot = slot;
}

struct task {
    struct session *session;
    struct flight *flight;
};

static void *
encode(void *arg)
{
    const struct task *task = arg;
    task->session->app.codec->encode(task->session->app.enc, &task->flight->job.common);
    return NULL;
}

/* Groups of pictures that are on their way together. */
static struct session *
code(enum rp_rate_mode mode, uint32_t in_flight)
{
    struct session *s = calloc(1, sizeof(*s));
    struct task tasks[MOST_IN_FLIGHT];
    REQUIRE(s);
    s->app.seq.flags.enable_order_hint = 1;
    s->app.seq.order_hint_bits_minus_1 = 7;
    app_init(&s->app, 176, 144, 1);
    app_picture_init(&s->app, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    s->rate = s->app.codec->rate_create(s->app.enc);
    REQUIRE(s->rate);
    for (uint32_t i = 0; i < in_flight; i++) {
        s->flights[i].source = malloc((size_t)176 * 144 * 3 / 2);
        REQUIRE(s->flights[i].source);
    }
    for (uint32_t first = 0; first < picture_count; first += in_flight) {
        const uint32_t left = picture_count - first;
        const uint32_t count = left < in_flight ? left : in_flight;
        for (uint32_t i = 0; i < count; i++) {
            struct flight *flight = &s->flights[i];
            const struct rp_rate_settings rate =
                settings(mode, first + i < OTHER_RATE ? 200000 : 90000);
            prepare(s, flight, first + i);
            s->app.codec->rate_set(s->rate, &rate);
            REQUIRE(s->app.codec->begin(s->app.enc, &flight->job.common, false) == RP_CODEC_OK);
            tasks[i] = (struct task){s, flight};
        }
        for (uint32_t i = count; i-- > 0;) /* the last one first: they see to their order */
            REQUIRE(pthread_create(&s->flights[i].thread, NULL, encode, &tasks[i]) == 0);
        for (uint32_t i = 0; i < count; i++) {
            REQUIRE(pthread_join(s->flights[i].thread, NULL) == 0);
            REQUIRE(s->flights[i].job.common.result.status == RP_CODEC_OK);
            s->sizes_B[first + i] = s->flights[i].job.common.result.size_B;
        }
    }
    return s;
}

static void
session_end(struct session *s)
{
    for (uint32_t i = 0; i < MOST_IN_FLIGHT; i++)
        free(s->flights[i].source);
    s->app.codec->rate_destroy(s->app.enc, s->rate);
    app_finish(&s->app);
    free(s);
}

static void
bytes_are_the_same_with_so_many_in_flight(enum rp_rate_mode mode, uint32_t in_flight)
{
    struct session *expected = code(mode, 1);
    struct session *found = code(mode, in_flight);
    for (uint32_t i = 0; i < picture_count; i++) {
        REQUIRE(found->sizes_B[i] == expected->sizes_B[i]);
        REQUIRE(memcmp(found->bytes[i], expected->bytes[i], expected->sizes_B[i]) == 0);
    }
    /* The constant one is as asked, and the rate another from where it was set. */
    REQUIRE(expected->bytes[CONSTANT][0] == 150);
    session_end(expected);
    session_end(found);
}

static void
so_many_may_be_in_flight(enum rp_rate_mode mode, uint32_t in_flight)
{
    session_end(code(mode, in_flight));
}

int
main(int argc, char **argv)
{
    const bool is_brief = argc > 1 && strcmp(argv[1], "brief") == 0;

    picture_count = is_brief ? BRIEF_PICTURES : PICTURES;
    if (is_brief)
        RUN(so_many_may_be_in_flight, RP_RATE_CBR, 4);
    else
        RUN(bytes_are_the_same_with_so_many_in_flight, RP_RATE_CBR, 4);
    RUN(bytes_are_the_same_with_so_many_in_flight, RP_RATE_VBR, MOST_IN_FLIGHT);
    return 0;
}
