/* SPDX-License-Identifier: MIT */
/* Threads that decode one stream take turns: in the order in which they come, and in the order of
 * FFmpeg's names when one is late. A scheduler that keeps a thread for longer than the turns are
 * patient is no fault: each claim has some tries.
 */
#include "object/decode_turns.h"

#include "object/image.h"
#include "test.h"

#include <stdatomic.h>
#include <unistd.h>

#define THREADS 3
#define TRIES 8
#define MAX_TURNS (THREADS + 1)

struct decoder {
    struct rp_decode_turns turns;
    struct rp_image img[THREADS];
    struct rp_image_view view[THREADS];
    atomic_int gone_count;
    int order[MAX_TURNS]; /* of the threads, as their turns came */
};

struct worker {
    struct decoder *dec;
    const char *name; /* or NULL */
    pthread_t id;
    int index;
    unsigned delay_us;  /* before it begins */
    unsigned length_us; /* of its turn */
    bool shall_submit;
    bool has_another; /* picture, of the next round */
};

static void
decode_one(const struct worker *w)
{
    struct decoder *dec = w->dec;
    rp_decode_turns_begin(&dec->turns, &dec->view[w->index]);
    dec->order[atomic_fetch_add(&dec->gone_count, 1)] = w->index;
    (void)usleep(w->length_us);
    if (w->shall_submit)
        rp_decode_turns_submit(&dec->turns, dec->img[w->index].id, 3);
}

static void *
work(void *arg)
{
    const struct worker *w = arg;
    if (w->name)
        REQUIRE_EQ(pthread_setname_np(pthread_self(), w->name), 0);
    (void)usleep(w->delay_us);
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
    for (int i = 0; i < THREADS; i++) {
        dec->img[i].id = 100 + (uint64_t)i;
        dec->view[i].img = &dec->img[i];
    }
}

static void
start(struct worker *w)
{
    REQUIRE_EQ(pthread_create(&w->id, NULL, work, w), 0);
}

static bool
is_in_order(const struct decoder *dec)
{
    bool is_so = true;
    for (int i = 0; i < THREADS; i++)
        is_so &= dec->order[i] == i;
    return is_so;
}

static bool
try_first_come(void)
{
    struct decoder dec;
    struct worker w[THREADS];
    decoder_init(&dec);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct worker){&dec, .index = i, .length_us = 20000 >> i, .shall_submit = true};
        start(&w[i]);
        (void)usleep(2000);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].id, NULL);
    rp_decode_turns_finish(&dec.turns);
    return is_in_order(&dec);
}

static void
who_comes_first_goes_first(void)
{
    int tries = 0;
    while (tries < TRIES && !try_first_come())
        tries++;
    REQUIRE(tries < TRIES);
}

/* The second thread comes after the third one. */
static bool
try_late(void)
{
    static const char *const names[THREADS] = {"av:h264:df0", "av:h264:df1", "av:h264:df2"};
    static const unsigned delays_us[THREADS] = {2000, 15000, 8000};
    struct decoder dec;
    struct worker w[THREADS];
    decoder_init(&dec);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct worker){&dec, .name = names[i], .index = i, .delay_us = delays_us[i],
                               .shall_submit = true};
        start(&w[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].id, NULL);
    rp_decode_turns_finish(&dec.turns);
    return is_in_order(&dec);
}

static void
a_named_thread_that_is_late_is_waited_for(void)
{
    int tries = 0;
    while (tries < TRIES && !try_late())
        tries++;
    REQUIRE(tries < TRIES);
}

/* The first thread has submitted its picture before the others have begun theirs. */
static bool
try_fast(void)
{
    static const char *const names[THREADS] = {"av:h264:df0", "av:h264:df1", "av:h264:df2"};
    struct decoder dec;
    struct worker w[THREADS];
    decoder_init(&dec);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (struct worker){&dec,
                               .name = names[i],
                               .index = i,
                               .delay_us = 5000 * (unsigned)(i + 1),
                               .shall_submit = true,
                               .has_another = i == 0};
        start(&w[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(w[i].id, NULL);
    rp_decode_turns_finish(&dec.turns);
    return is_in_order(&dec) && dec.order[THREADS] == 0;
}

static void
a_named_thread_does_not_take_two_turns_in_a_round(void)
{
    int tries = 0;
    while (tries < TRIES && !try_fast())
        tries++;
    REQUIRE(tries < TRIES);
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
    rp_decode_turns_finish(&dec.turns);
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
    rp_decode_turns_finish(&dec.turns);
}

int
main(void)
{
    RUN(who_comes_first_goes_first);
    RUN(a_named_thread_that_is_late_is_waited_for);
    RUN(a_named_thread_does_not_take_two_turns_in_a_round);
    RUN(nobody_waits_for_ever);
    RUN(a_turn_ends_with_both_fields_or_with_its_view);
    return 0;
}
