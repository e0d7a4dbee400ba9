/* SPDX-License-Identifier: MIT */
/* Threads that decode one stream take turns: in the order in which they come, and in the order of
 * FFmpeg's names when one is late. Where an order is the claim, the turns are patient for longer
 * than any scheduler keeps a thread.
 */
#include "object/decode_turns.h"

#include "object/image.h"
#include "test.h"

#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define THREADS 3
#define MAX_TURNS (THREADS + 1)
#define LONG_NS UINT64_C(600000000000)

struct decoder {
    struct rp_decode_turns turns;
    struct rp_image img[THREADS];
    struct rp_image_view view[THREADS];
    pthread_barrier_t are_named;
    atomic_int busy_count; /* turns that are open */
    atomic_int gone_count;
    atomic_bool is_one_busy;
    int order[MAX_TURNS]; /* of the threads, as their turns came */
};

struct worker {
    struct decoder *dec;
    const char *name; /* or NULL */
    pthread_t id;
    int index;
    uint64_t after;      /* it begins when so many turns have */
    uint64_t until;      /* its turn ends when so many turns have begun */
    unsigned delay_us;   /* before it begins: others may wait for it by then, or not */
    uint64_t busy_ns;    /* the same, but it does not rest meanwhile */
    bool shall_see_busy; /* another one, before it begins */
    bool shall_submit;
    bool has_another; /* picture, of the next round */
};

/* Until so many turns were asked for, whether they wait or not. */
static void
wait_for_turns(struct decoder *dec, uint64_t count)
{
    for (;;) {
        pthread_mutex_lock(&dec->turns.mutex);
        const uint64_t number = dec->turns.next_number;
        pthread_mutex_unlock(&dec->turns.mutex);
        if (number >= count)
            return;
        (void)usleep(500);
    }
}

static void
decode_one(const struct worker *w)
{
    struct decoder *dec = w->dec;
    rp_decode_turns_begin(&dec->turns, &dec->view[w->index]);
    dec->order[atomic_fetch_add(&dec->gone_count, 1)] = w->index;
    if (!w->shall_submit)
        return;
    REQUIRE_EQ(atomic_fetch_add(&dec->busy_count, 1), 0);
    wait_for_turns(dec, w->until);
    REQUIRE_EQ(atomic_fetch_sub(&dec->busy_count, 1), 1);
    rp_decode_turns_submit(&dec->turns, dec->img[w->index].id, 3);
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
    wait_for_turns(w->dec, w->after);
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
    rp_decode_turns_init(&dec->turns);
    REQUIRE_EQ(pthread_barrier_init(&dec->are_named, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        dec->img[i].id = 100 + (uint64_t)i;
        dec->view[i].img = &dec->img[i];
    }
}

static void
decoder_init_patient(struct decoder *dec)
{
    decoder_init(dec);
    dec->turns.patience_ns = dec->turns.max_patience_ns = LONG_NS;
    dec->turns.next_patience_ns = dec->turns.max_next_patience_ns = LONG_NS;
}

static void
decoder_finish(struct decoder *dec)
{
    pthread_barrier_destroy(&dec->are_named);
    rp_decode_turns_finish(&dec->turns);
}

static void
start(struct worker *w)
{
    REQUIRE_EQ(pthread_create(&w->id, NULL, work, w), 0);
}

/* All threads to their ends: each has a turn of its own, in the order of their numbers. */
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
a_named_thread_does_not_take_two_turns_in_a_round(void)
{
    struct decoder dec;
    struct worker w[THREADS] = {{.name = "av:h264:df0", .has_another = true},
                                {.name = "av:h264:df1", .after = 1, .delay_us = 10000},
                                {.name = "av:h264:df2", .after = 1, .delay_us = 20000}};
    decoder_init_patient(&dec);
    run_in_order(&dec, w);
    REQUIRE_EQ(dec.gone_count, MAX_TURNS);
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
    dec.turns.patience_ns = dec.turns.max_patience_ns = 5000000;
    dec.turns.next_patience_ns = dec.turns.max_next_patience_ns = 5000000;
    dec.turns.max_extensions = UINT32_MAX;
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

/* The first turn never ends; and the thread that spins has nothing to do with this device. */
static void
others_decoders_are_not_waited_for(void)
{
    struct decoder dec;
    struct spinner spinner = {0};
    struct worker w[THREADS];
    decoder_init(&dec);
    dec.turns.patience_ns = dec.turns.max_patience_ns = 5000000;
    dec.turns.max_extensions = UINT32_MAX;
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

/* The first thread rests with its turn open, as it does while it waits for a fence. */
static void
a_turn_is_waited_for_while_pictures_are_decoded(void)
{
    struct decoder dec;
    struct worker w;
    decoder_init(&dec);
    dec.turns.patience_ns = dec.turns.max_patience_ns = 1000000;
    dec.turns.max_extensions = UINT32_MAX;
    rp_decode_turns_picture_begin(&dec.turns);
    rp_decode_turns_begin(&dec.turns, &dec.view[0]);
    w = (struct worker){&dec, .index = 1};
    start(&w);
    wait_for_turns(&dec, 2);
    (void)usleep(50000);
    REQUIRE_EQ(dec.gone_count, 0);
    rp_decode_turns_picture_end(&dec.turns);
    pthread_join(w.id, NULL);
    REQUIRE_EQ(dec.gone_count, 1);
    decoder_finish(&dec);
}

/* Neither a turn that never ends nor the thread that makes a late view first may stop others. */
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
    rp_decode_turns_begin(&dec.turns, &dec.view[0]);
    rp_decode_turns_begin(&dec.turns, &dec.view[1]);
    w[1] = (struct worker){&dec, .index = 1, .shall_submit = true};
    dec.gone_count = 0;
    start(&w[1]);
    pthread_join(w[1].id, NULL);
    REQUIRE_EQ(dec.gone_count, 1);
    decoder_finish(&dec);
}

static void
a_turn_ends_with_both_fields_or_with_its_view(void)
{
    struct decoder dec;
    decoder_init(&dec);
    rp_decode_turns_begin(&dec.turns, &dec.view[0]);
    rp_decode_turns_begin(&dec.turns, &dec.view[1]);
    rp_decode_turns_begin(&dec.turns, &dec.view[2]);
    REQUIRE_EQ(dec.turns.count, 3);
    rp_decode_turns_submit(&dec.turns, dec.img[0].id, 1);
    REQUIRE_EQ(dec.turns.count, 3);
    rp_decode_turns_end_others(&dec.turns, &dec.img[2].id, 1); /* a field and a kept one stay */
    REQUIRE_EQ(dec.turns.count, 2);
    rp_decode_turns_submit(&dec.turns, dec.img[0].id, 2);
    REQUIRE_EQ(dec.turns.count, 1);
    rp_decode_turns_forget(&dec.turns, &dec.view[2]);
    REQUIRE_EQ(dec.turns.count, 0);
    decoder_finish(&dec);
}

int
main(void)
{
    RUN(who_comes_first_goes_first);
    RUN(a_named_thread_that_is_late_is_waited_for);
    RUN(a_named_thread_that_is_busy_is_waited_for);
    RUN(a_named_thread_does_not_take_two_turns_in_a_round);
    RUN(nobody_waits_for_ever);
    RUN(others_decoders_are_not_waited_for);
    RUN(a_turn_is_waited_for_while_pictures_are_decoded);
    RUN(a_turn_ends_with_both_fields_or_with_its_view);
    return 0;
}
