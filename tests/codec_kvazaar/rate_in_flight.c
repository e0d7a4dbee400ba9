/* SPDX-License-Identifier: MIT */
/* The bytes of streams with rate control depend on the pictures alone: not on how many are begun
 * before the first one has ended. Settings count from the picture on that begins after them, be
 * pictures before it still on their way.
 */
#include "app.h"

#include "reelpipe/rate.h"

#include "tests/test.h"

#include <pthread.h>

#define WIDTH 176
#define HEIGHT 144
#define PICTURES 36
#define MOST_IN_FLIGHT 6
#define MOST_B 65536
#define CONSTANT 20   /* the picture whose QP is given */
#define OTHER_RATE 24 /* the first one with another rate */

struct flight {
    struct rp_h265_encode_job job;
    uint8_t source[WIDTH * HEIGHT * 3 / 2];
    pthread_t thread;
};

struct session {
    struct app app;
    struct rp_encoder_rate *rate;
    struct flight flights[MOST_IN_FLIGHT];
    uint8_t bytes[PICTURES][MOST_B];
    size_t sizes_B[PICTURES];
    uint32_t qps[PICTURES];
};

/* No decoder sees them. */
static void
write_slice_header(const void *ctx, const struct rp_h265_slice_state *slice, struct rp_bits *bits)
{
    (void)ctx;
    rp_bits_put(bits, 8, (uint32_t)slice->slice_qp);
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
    app_draw(app, number < 14 ? number : 9 * number);
    memcpy(flight->source, app->source, sizeof(flight->source));
    app_picture_init(app, number == 0, (int32_t)number);
    if (number > 0) {
        app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
        app_refer(app, 0, 0, 0, (number - 1) % APP_SLOTS);
    }
    struct app_slot *slot = &app->slots[number % APP_SLOTS];
    slot->poc = (int32_t)number;
    flight->job = app->job;
    flight->job.slice_size_B = NULL;
    flight->job.write_slice_header = write_slice_header;
    flight->job.qp = 35;
    struct rp_encode_job *common = &flight->job.common;
    common->rate = number == CONSTANT ? NULL : s->rate;
    common->src = app_image(app, flight->source);
    common->dst = s->bytes[number];
    common->dst_capacity_B = MOST_B;
    common->recon =
        (struct rp_dpb_picture){.slot = slot->codec_slot, .pixels = app_image(app, slot->planes)};
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
    app_init(&s->app, WIDTH, HEIGHT, 8);
    s->rate = s->app.codec->rate_create(s->app.enc);
    REQUIRE(s->rate);
    for (uint32_t first = 0; first < PICTURES; first += in_flight) {
        const uint32_t count = PICTURES - first < in_flight ? PICTURES - first : in_flight;
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
            const struct rp_encode_result *result = &s->flights[i].job.common.result;
            REQUIRE(pthread_join(s->flights[i].thread, NULL) == 0);
            REQUIRE(result->status == RP_CODEC_OK);
            s->sizes_B[first + i] = result->size_B;
            s->qps[first + i] = result->average_qp;
        }
    }
    return s;
}

static void
session_end(struct session *s)
{
    s->app.codec->rate_destroy(s->app.enc, s->rate);
    app_finish(&s->app);
    free(s);
}

static void
bytes_are_the_same_with_so_many_in_flight(enum rp_rate_mode mode, uint32_t in_flight)
{
    struct session *expected = code(mode, 1);
    struct session *found = code(mode, in_flight);
    for (uint32_t i = 0; i < PICTURES; i++) {
        REQUIRE(found->sizes_B[i] == expected->sizes_B[i]);
        REQUIRE(memcmp(found->bytes[i], expected->bytes[i], expected->sizes_B[i]) == 0);
    }
    /* The constant one is as asked, and the rate another from where it was set. */
    REQUIRE_EQ(expected->qps[CONSTANT], 35u);
    session_end(expected);
    session_end(found);
}

int
main(void)
{
    RUN(bytes_are_the_same_with_so_many_in_flight, RP_RATE_CBR, 4);
    RUN(bytes_are_the_same_with_so_many_in_flight, RP_RATE_VBR, MOST_IN_FLIGHT);
    return 0;
}
