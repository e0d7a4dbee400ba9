/* SPDX-License-Identifier: MIT */
/* Threads that decode one stream begin their pictures one after the other: in the order in which
 * they come, and in the order of FFmpeg's names when one is late. Where an order is the claim,
 * waits are longer than any scheduler keeps a thread.
 */
#include "quirks/ffmpeg_frame_threads.h"

#include "test.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define THREADS 3
#define MAX_PICTURES (THREADS + 1)
/* The ids of a thread's view and image. */
#define VIEW(i) (200 + (uint64_t)(i))
#define IMAGE(i) (100 + (uint64_t)(i))

#define LONG_NS UINT64_C(600000000000)

struct decoder {
    struct rp_frame_threads threads;
    pthread_barrier_t are_named;
    atomic_int busy_count; /* pictures that are open */
    atomic_int gone_count;
    atomic_bool is_one_busy;
    int order[MAX_PICTURES]; /* of the threads, as they went on */
};

struct worker {
    struct decoder *dec;
    const char *name; /* or NULL */
    pthread_t id;
    int index;
    uint64_t after;      /* it begins when so many pictures have */
    uint64_t until;      /* it submits when so many pictures have begun */
    unsigned delay_us;   /* before it begins: others may wait for it by then, or not */
    uint64_t busy_ns;    /* the same, but it does not rest meanwhile */
    bool shall_see_busy; /* another one, before it begins */
    bool shall_submit;
    bool has_another; /* picture, of the next round */
};

/* Until so many pictures have begun, whether they wait or not. */
static void
wait_for_pictures(struct decoder *dec, uint64_t count)
{
    for (;;) {
        pthread_mutex_lock(&dec->threads.mutex);
        const uint64_t number = dec->threads.next_number;
        pthread_mutex_unlock(&dec->threads.mutex);
        if (number >= count)
            return;
        (void)usleep(500);
    }
}

static void
decode_one(const struct worker *w)
{
    struct decoder *dec = w->dec;
    rp_frame_threads_begin_picture(&dec->threads, VIEW(w->index), IMAGE(w->index));
    dec->order[atomic_fetch_add(&dec->gone_count, 1)] = w->index;
    if (!w->shall_submit)
        return;
    REQUIRE_EQ(atomic_fetch_add(&dec->busy_count, 1), 0);
    wait_for_pictures(dec, w->until);
    REQUIRE_EQ(atomic_fetch_sub(&dec->busy_count, 1), 1);
    rp_frame_threads_submit(&dec->threads, IMAGE(w->index), 3);
}

static uint64_t
now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void
be_busy(struct decoder *dec, uint64_t duration_ns)
{
    const uint64_t begin_ns = now_ns();
    while (now_ns() - begin_ns < duration_ns)
        dec->is_one_busy = true;
}

static void *
work(void *arg)
{
    const struct worker *w = arg;
    if (w->name) {
        REQUIRE_EQ(pthread_setname_np(pthread_self(), w->name), 0);
        (void)pthread_barrier_wait(&w->dec->are_named);
    }
    wait_for_pictures(w->dec, w->after);
    (void)usleep(w->delay_us);
    be_busy(w->dec, w->busy_ns);
    while (w->shall_see_busy && !w->dec->is_one_busy)
        (void)usleep(500);
    decode_one(w);
    if (w->has_another)
        decode_one(w);
    return NULL;
}

static void
decoder_init(struct decoder *dec)
{
    *dec = (struct decoder){.gone_count = 0};
    rp_frame_threads_init(&dec->threads);
    REQUIRE_EQ(pthread_barrier_init(&dec->are_named, NULL, THREADS), 0);
}

static void
decoder_init_patient(struct decoder *dec)
{
    decoder_init(dec);
    dec->threads.patience_ns = dec->threads.max_patience_ns = LONG_NS;
    dec->threads.next_patience_ns = dec->threads.max_next_patience_ns = LONG_NS;
}

static void
decoder_finish(struct decoder *dec)
{
    pthread_barrier_destroy(&dec->are_named);
    rp_frame_threads_finish(&dec->threads);
}

static void
start(struct worker *w)
{
    REQUIRE_EQ(pthread_create(&w->id, NULL, work, w), 0);
}

/* All threads to their ends: each has a picture of its own, in the order of their numbers. */
static void
run_in_order(struct decoder *dec, struct worker *w)
{
    for (int i = 0; i < THREADS; i++) {
        w[i].dec = dec;
        w[i].index = i;
        w[i].shall_submit = true;
        start(&w[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].id, NULL);
    for (int i = 0; i < THREADS; i++)
        REQUIRE_EQ(dec->order[i], i);
}

static void
who_comes_first_goes_first(void)
{
    struct decoder dec;
    struct worker w[THREADS] = {{.until = THREADS}, {.after = 1}, {.after = 2}};
    decoder_init_patient(&dec);
    run_in_order(&dec, w);
    REQUIRE_EQ(dec.gone_count, THREADS);
    decoder_finish(&dec);
}

/* The second thread comes after the third one. */
static void
a_named_thread_that_is_late_is_waited_for(void)
{
    struct decoder dec;
    struct worker w[THREADS] = {{.name = "av:h264:df0"},
                                {.name = "av:h264:df1", .after = 1, .delay_us = 20000},
                                {.name = "av:h264:df2", .after = 1}};
    decoder_init_patient(&dec);
    run_in_order(&dec, w);
    REQUIRE_EQ(dec.gone_count, THREADS);
    decoder_finish(&dec);
}

/* The first thread has submitted its picture before the others have begun theirs. */
static void
a_named_thread_has_one_picture_in_a_round(void)
{
    struct decoder dec;
    struct worker w[THREADS] = {{.name = "av:h264:df0", .has_another = true},
                                {.name = "av:h264:df1", .after = 1, .delay_us = 10000},
                                {.name = "av:h264:df2", .after = 1, .delay_us = 20000}};
    decoder_init_patient(&dec);
    run_in_order(&dec, w);
    REQUIRE_EQ(dec.gone_count, MAX_PICTURES);
    REQUIRE_EQ(dec.order[THREADS], 0);
    decoder_finish(&dec);
}

/* However short patience is. */
static void
a_named_thread_that_is_busy_is_waited_for(void)
{
    struct decoder dec;
    struct worker w[THREADS] = {{.name = "av:h264:df0"},
                                {.name = "av:h264:df1", .after = 1, .busy_ns = 50000000},
                                {.name = "av:h264:df2", .after = 1, .shall_see_busy = true}};
    decoder_init(&dec);
    dec.threads.patience_ns = dec.threads.max_patience_ns = 5000000;
    dec.threads.next_patience_ns = dec.threads.max_next_patience_ns = 5000000;
    dec.threads.max_extensions = UINT32_MAX;
    run_in_order(&dec, w);
    REQUIRE_EQ(dec.gone_count, THREADS);
    decoder_finish(&dec);
}

/* Spins under the name of a decoder's thread until it is told to stop. */
struct spinner {
    pthread_t id;
    atomic_bool is_there;
    atomic_bool shall_stop;
};

static void *
spin(void *arg)
{
    struct spinner *spinner = arg;
    REQUIRE_EQ(pthread_setname_np(pthread_self(), "av:h264:df1"), 0);
    while (!spinner->shall_stop)
        spinner->is_there = true;
    return NULL;
}

/* The first picture is never submitted; and the thread that spins has nothing to do with this
 * device. */
static void
others_decoders_are_not_waited_for(void)
{
    struct decoder dec;
    struct spinner spinner = {0};
    struct worker w[THREADS];
    decoder_init(&dec);
    dec.threads.patience_ns = dec.threads.max_patience_ns = 5000000;
    dec.threads.max_extensions = UINT32_MAX;
    REQUIRE_EQ(pthread_create(&spinner.id, NULL, spin, &spinner), 0);
    while (!spinner.is_there)
        (void)usleep(500);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct worker){&dec, .index = i, .after = (uint64_t)i};
        start(&w[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].id, NULL);
    REQUIRE_EQ(dec.gone_count, THREADS);
    spinner.shall_stop = true;
    pthread_join(spinner.id, NULL);
    decoder_finish(&dec);
}

/* The first thread rests with its picture open, as it does while it waits for a fence. */
static void
an_open_picture_is_waited_for_while_others_are_decoded(void)
{
    struct decoder dec;
    struct worker w;
    decoder_init(&dec);
    dec.threads.patience_ns = dec.threads.max_patience_ns = 1000000;
    dec.threads.max_extensions = UINT32_MAX;
    rp_frame_threads_note_submitted(&dec.threads);
    rp_frame_threads_begin_picture(&dec.threads, VIEW(0), IMAGE(0));
    w = (struct worker){&dec, .index = 1};
    start(&w);
    wait_for_pictures(&dec, 2);
    (void)usleep(50000);
    REQUIRE_EQ(dec.gone_count, 0);
    rp_frame_threads_note_decoded(&dec.threads);
    pthread_join(w.id, NULL);
    REQUIRE_EQ(dec.gone_count, 1);
    decoder_finish(&dec);
}

/* Neither a picture that is never submitted nor the thread that makes a late view first may stop
 * others. */
static void
nobody_waits_for_ever(void)
{
    struct decoder dec;
    struct worker w[THREADS];
    decoder_init(&dec);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct worker){&dec, .index = i};
        start(&w[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].id, NULL);
    REQUIRE_EQ(dec.gone_count, THREADS);

    /* This thread refers to an image whose own thread comes now. */
    rp_frame_threads_begin_picture(&dec.threads, VIEW(0), IMAGE(0));
    rp_frame_threads_begin_picture(&dec.threads, VIEW(1), IMAGE(1));
    w[1] = (struct worker){&dec, .index = 1, .shall_submit = true};
    dec.gone_count = 0;
    start(&w[1]);
    pthread_join(w[1].id, NULL);
    REQUIRE_EQ(dec.gone_count, 1);
    decoder_finish(&dec);
}

static void
a_picture_closes_with_both_fields_or_with_its_view(void)
{
    struct decoder dec;
    decoder_init(&dec);
    rp_frame_threads_begin_picture(&dec.threads, VIEW(0), IMAGE(0));
    rp_frame_threads_begin_picture(&dec.threads, VIEW(1), IMAGE(1));
    rp_frame_threads_begin_picture(&dec.threads, VIEW(2), IMAGE(2));
    REQUIRE_EQ(dec.threads.open_count, 3);
    rp_frame_threads_submit(&dec.threads, IMAGE(0), 1);
    REQUIRE_EQ(dec.threads.open_count, 3);
    rp_frame_threads_close_others(&dec.threads, &(uint64_t){IMAGE(2)},
                                  1); /* a field and a kept one stay */
    REQUIRE_EQ(dec.threads.open_count, 2);
    rp_frame_threads_submit(&dec.threads, IMAGE(0), 2);
    REQUIRE_EQ(dec.threads.open_count, 1);
    rp_frame_threads_forget_view(&dec.threads, VIEW(2));
    REQUIRE_EQ(dec.threads.open_count, 0);
    decoder_finish(&dec);
}

int
main(void)
{
    RUN(who_comes_first_goes_first);
    RUN(a_named_thread_that_is_late_is_waited_for);
    RUN(a_named_thread_that_is_busy_is_waited_for);
    RUN(a_named_thread_has_one_picture_in_a_round);
    RUN(nobody_waits_for_ever);
    RUN(others_decoders_are_not_waited_for);
    RUN(an_open_picture_is_waited_for_while_others_are_decoded);
    RUN(a_picture_closes_with_both_fields_or_with_its_view);
    return 0;
}
