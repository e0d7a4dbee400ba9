/* SPDX-License-Identifier: MIT */
/* The bytes of streams with rate control depend on the pictures alone: not on how many are begun
 * before the first one has ended, nor on the threads that code them. Settings count from the
 * picture on that begins after them, be pictures before it still on their way.
 */
#include "app.h"

#include "reelpipe/rate.h"
#include "reelpipe/workers.h"

#include "tests/test.h"

#include <pthread.h>

#define WIDTH 176
#define HEIGHT 144
#define PICTURES 36
#define MOST_IN_FLIGHT 6
#define MOST_B 65536
#define RATED_MOST 2  /* with rate control that are on their way together */
#define OTHER_RATE 24 /* the first one with another rate */

struct flight {
    struct rp_task task;
    struct session *session;
    struct rp_h265_encode_job job;
    uint8_t source[WIDTH * HEIGHT * 3 / 2];
    pthread_t thread;
};

struct session {
    struct app app;
    pthread_mutex_t mutex; /* of way_count */
    pthread_cond_t has_ended;
    uint32_t way_count;
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

/* The QP of some pictures is given. */
static bool
is_constant(uint32_t number)
{
    return number % 5 == 3;
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
    common->rate = is_constant(number) ? NULL : s->rate;
    common->src = app_image(app, flight->source);
    common->dst = s->bytes[number];
    common->dst_capacity_B = MOST_B;
    common->recon =
        (struct rp_dpb_picture){.slot = slot->codec_slot, .pixels = app_image(app, slot->planes)};
}

static void *
encode(void *arg)
{
    struct flight *flight = arg;
    struct app *app = &flight->session->app;
    app->codec->encode(app->enc, &flight->job.common);
    return NULL;
}

static void
run_task(struct rp_task *task)
{
    struct session *s = ((struct flight *)task)->session;
    (void)encode(task);
    pthread_mutex_lock(&s->mutex);
    s->way_count--;
    pthread_cond_broadcast(&s->has_ended);
    pthread_mutex_unlock(&s->mutex);
}

/* Threads of their own, the last one first: they see to their order. */
static void
run_on_threads(struct session *s, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;)
        REQUIRE(pthread_create(&s->flights[i].thread, NULL, encode, &s->flights[i]) == 0);
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(pthread_join(s->flights[i].thread, NULL) == 0);
}

static void
run_on_workers(struct session *s, uint32_t count)
{
    s->way_count = count;
    for (uint32_t i = 0; i < count; i++) {
        s->flights[i].task = (struct rp_task){.run = run_task};
        rp_workers_submit(s->app.workers, &s->flights[i].task);
    }
    pthread_mutex_lock(&s->mutex);
    while (s->way_count > 0)
        pthread_cond_wait(&s->has_ended, &s->mutex);
    pthread_mutex_unlock(&s->mutex);
}

/* Returns how many pictures from first on have begun: in_flight, or those before the first one for
 * which there are too many with rate control. */
static uint32_t
begin_group(struct session *s, enum rp_rate_mode mode, uint32_t first, uint32_t in_flight)
{
    uint32_t rated_count = 0;
    for (uint32_t i = 0; i < in_flight && first + i < PICTURES; i++) {
        struct flight *flight = &s->flights[i];
        const struct rp_rate_settings rate =
            settings(mode, first + i < OTHER_RATE ? 200000 : 90000);
        const bool is_busy = rated_count == RATED_MOST && !is_constant(first + i);
        prepare(s, flight, first + i);
        s->app.codec->rate_set(s->rate, &rate);
        REQUIRE_EQ(s->app.codec->begin(s->app.enc, &flight->job.common, false),
                   is_busy ? RP_CODEC_BUSY : RP_CODEC_OK);
        if (is_busy)
            return i;
        flight->session = s;
        rated_count += !is_constant(first + i);
    }
    return PICTURES - first < in_flight ? PICTURES - first : in_flight;
}

/* Groups of pictures that are on their way together. thread_count: of a pool; 0: there is none. */
static struct session *
code(enum rp_rate_mode mode, uint32_t in_flight, uint32_t thread_count)
{
    struct session *s = calloc(1, sizeof(*s));
    REQUIRE(s);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->has_ended, NULL);
    s->app.workers = thread_count > 0 ? rp_workers_create(thread_count) : NULL;
    app_init(&s->app, WIDTH, HEIGHT, 8);
    s->rate = s->app.codec->rate_create(s->app.enc);
    REQUIRE(s->rate);
    for (uint32_t first = 0, count; first < PICTURES; first += count) {
        count = begin_group(s, mode, first, in_flight);
        if (thread_count > 0)
            run_on_workers(s, count);
        else
            run_on_threads(s, count);
        for (uint32_t i = 0; i < count; i++) {
            const struct rp_encode_result *result = &s->flights[i].job.common.result;
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
    struct rp_workers *workers = s->app.workers;
    s->app.codec->rate_destroy(s->app.enc, s->rate);
    app_finish(&s->app);
    rp_workers_destroy(workers);
    pthread_cond_destroy(&s->has_ended);
    pthread_mutex_destroy(&s->mutex);
    free(s);
}

static void
bytes_are_the_same_with_so_many_in_flight(enum rp_rate_mode mode, uint32_t in_flight,
                                          uint32_t thread_count)
{
    struct session *expected = code(mode, 1, 0);
    struct session *found = code(mode, in_flight, thread_count);
    for (uint32_t i = 0; i < PICTURES; i++) {
        REQUIRE(found->sizes_B[i] == expected->sizes_B[i]);
        REQUIRE(memcmp(found->bytes[i], expected->bytes[i], expected->sizes_B[i]) == 0);
        REQUIRE(!is_constant(i) || expected->qps[i] == 35);
    }
    session_end(expected);
    session_end(found);
}

int
main(void)
{
    RUN(bytes_are_the_same_with_so_many_in_flight, RP_RATE_CBR, 4, 0);
    RUN(bytes_are_the_same_with_so_many_in_flight, RP_RATE_VBR, MOST_IN_FLIGHT, 2);
    RUN(bytes_are_the_same_with_so_many_in_flight, RP_RATE_CBR, MOST_IN_FLIGHT, 4);
    return 0;
}
