/* SPDX-License-Identifier: MIT */
/* A dispatch asks for as many threads as its work is worth: as guessed from the program at first,
 * as measured later.
 */
#include "harness.h"

#include "reelpipe/workers.h"

#define POOL_THREADS 64u
#define MANY_RUNS 1000
#define LANES_MAX (1u << 24)
#define FEW_CHUNKS_LANES 65536u /* loops over them are guessed to be little work, in few chunks */
#define RUNS_PER_TIMING 64      /* as in compute/dispatch.c */

static uint32_t asked_for;   /* threads, by the last dispatch; 1: it ran alone */
static uint32_t piece_count; /* in how many pieces */
static uint64_t now_ns;
static uint64_t measured_ns; /* that go by between two looks at the clock */

void __wrap_rp_workers_run_on(struct rp_workers *workers, uint32_t thread_limit, uint32_t count,
                              void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx);

uint64_t __wrap_rp_clock_now_ns(void);

uint64_t
__wrap_rp_clock_now_ns(void)
{
    return now_ns += measured_ns;
}

/* No thread is woken here. */
void
__wrap_rp_workers_run_on(struct rp_workers *workers, uint32_t thread_limit, uint32_t count,
                         void (*fn)(void *ctx, uint32_t i, uint32_t thread), void *ctx)
{
    (void)workers;
    asked_for = thread_limit;
    piece_count = count;
    for (uint32_t i = 0; i < count; i++)
        fn(ctx, i, 0);
}

struct work {
    struct rp_workers *workers;
    struct rp_dispatcher *dispatcher;
    struct rp_kernel *kernel;
    struct rp_descriptor buffers[BINDING_COUNT];
    struct rp_descriptor_array arrays[BINDING_COUNT];
    uint32_t words[BINDING_COUNT][16];
};

static void
work_init_with(struct work *w, const char *kernel)
{
    uint32_t count;
    *w = (struct work){.workers = rp_workers_create(POOL_THREADS),
                       .kernel = kernel_load(kernel, UINT32_MAX)};
    w->dispatcher = rp_dispatcher_create(w->workers);
    REQUIRE(w->workers && w->dispatcher);
    (void)rp_kernel_bindings(w->kernel, &count);
    REQUIRE(count <= BINDING_COUNT);
    for (uint32_t i = 0; i < count; i++) {
        w->buffers[i] =
            (struct rp_descriptor){.ptr = (uint8_t *)w->words[i], .size_B = sizeof(w->words[i])};
        w->arrays[i] = (struct rp_descriptor_array){.items = &w->buffers[i], .count = 1};
    }
}

static void
work_init(struct work *w)
{
    work_init_with(w, "streams");
}

static void
work_finish(struct work *w)
{
    rp_dispatcher_destroy(w->dispatcher);
    rp_kernel_destroy(w->kernel);
    rp_workers_destroy(w->workers);
}

/* None of its lanes has anything to do. */
static struct rp_dispatch
work_dispatch(struct work *w, uint32_t lanes)
{
    static const uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4];
    return (struct rp_dispatch){
        .kernel = w->kernel,
        .bindings = w->arrays,
        .push_constants = push,
        .group_count = {(lanes + 63) / 64, 1, 1},
    };
}

/* How many threads a run asks for. */
static uint32_t
work_run(struct work *w, uint32_t lanes)
{
    const struct rp_dispatch dispatch = work_dispatch(w, lanes);
    asked_for = 1;
    REQUIRE_EQ(rp_dispatcher_run(w->dispatcher, &dispatch), VK_SUCCESS);
    return asked_for;
}

/* The same where others might run beside it, but none do. */
static uint32_t
work_start(struct work *w, uint32_t lanes)
{
    const struct rp_dispatch dispatch = work_dispatch(w, lanes);
    bool is_open;
    asked_for = 1;
    REQUIRE_EQ(rp_dispatcher_start(w->dispatcher, &dispatch, &is_open), VK_SUCCESS);
    REQUIRE_EQ(rp_dispatcher_finish(w->dispatcher), VK_SUCCESS);
    return asked_for;
}

static uint32_t
first_run(uint32_t lanes)
{
    struct work w;
    work_init(&w);
    const uint32_t count = work_run(&w, lanes);
    work_finish(&w);
    return count;
}

static void
more_work_asks_for_more_threads(void)
{
    uint32_t before = 1;
    bool is_between = false;

    REQUIRE_EQ(first_run(64), 1);
    for (uint32_t lanes = 64; lanes <= LANES_MAX; lanes *= 2) {
        const uint32_t count = first_run(lanes);
        REQUIRE(count >= before);
        is_between |= count > 2 && count < POOL_THREADS / 2;
        before = count;
    }
    REQUIRE_EQ(before, POOL_THREADS);
    REQUIRE(is_between);
}

/* The least power of two whose work is guessed to be worth several threads. */
static uint32_t
lanes_for_several(void)
{
    uint32_t lanes = 64;
    while (first_run(lanes) == 1)
        lanes *= 2;
    return lanes;
}

/* And until it is not measured any more. */
static void
run_until_alone(struct work *w, uint32_t lanes)
{
    for (int i = 0; work_run(w, lanes) > 1; i++)
        REQUIRE(i < MANY_RUNS);
    for (int i = 0; i < 10; i++)
        REQUIRE_EQ(work_run(w, lanes), 1);
}

static void
a_guess_is_corrected(void)
{
    const uint32_t lanes = lanes_for_several();
    struct work w;

    work_init(&w);
    measured_ns = 5000;
    run_until_alone(&w, lanes);
    for (int i = 0; i < MANY_RUNS; i++)
        REQUIRE_EQ(work_run(&w, lanes), 1);
    REQUIRE_EQ(work_run(&w, 16 * lanes), 80000 / 30000 + 1);
    work_finish(&w);
}

/* With as many threads as here it is too little for all of them. */
static void
a_guess_is_corrected_where_dispatches_run_side_by_side(void)
{
    const uint32_t lanes = lanes_for_several();
    struct work w;

    work_init(&w);
    measured_ns = 5000;
    REQUIRE(work_start(&w, lanes) > 1);
    for (int i = 0; i < 20; i++)
        (void)work_start(&w, lanes);
    for (int i = 0; i < MANY_RUNS; i++)
        REQUIRE_EQ(work_start(&w, lanes), 1);
    work_finish(&w);
}

/* How much a kernel does may depend on what it reads. */
static void
work_that_has_grown_gets_threads_soon(void)
{
    const uint32_t lanes = lanes_for_several();
    struct work w;

    work_init(&w);
    measured_ns = 5000;
    run_until_alone(&w, lanes);
    measured_ns = 2000000;
    REQUIRE_EQ(work_run(&w, lanes), 1);
    REQUIRE_EQ(work_run(&w, lanes), 1);
    REQUIRE_EQ(work_run(&w, lanes), POOL_THREADS);
    work_finish(&w);
}

/* A program with loops whose work is guessed to be little is measured now and then alone. */
static void
loops_that_have_grown_get_threads_when_they_are_measured(void)
{
    struct work w;

    work_init_with(&w, "serial");
    measured_ns = 5000;
    for (int i = 0; i < MANY_RUNS; i++)
        REQUIRE_EQ(work_run(&w, FEW_CHUNKS_LANES), 1);
    measured_ns = 2000000;
    int runs = 1;
    while (work_run(&w, FEW_CHUNKS_LANES) == 1)
        REQUIRE(runs++ <= RUNS_PER_TIMING + 1);
    work_finish(&w);
}

/* As a kernel has it that does much for one part of a model and little for the next. */
static void
work_that_is_long_by_turns_gets_threads(void)
{
    const uint32_t lanes = lanes_for_several();
    struct work w;
    int with_threads = 0, long_runs = 0;

    work_init(&w);
    measured_ns = 5000;
    run_until_alone(&w, lanes);
    for (int i = 0; i < MANY_RUNS; i++) {
        const bool is_long = i % 4 == 0;
        measured_ns = is_long ? 2000000 : 5000;
        const uint32_t count = work_run(&w, lanes);
        long_runs += is_long;
        with_threads += is_long && count == POOL_THREADS;
    }
    REQUIRE(with_threads > long_runs / 2);
    work_finish(&w);
}

/* Each of those runs would otherwise be followed by hundreds on several threads. */
static void
one_run_that_lost_its_processor_counts_for_nothing(void)
{
    const uint32_t lanes = lanes_for_several();
    struct work w;

    work_init(&w);
    measured_ns = 5000;
    run_until_alone(&w, lanes);
    for (int i = 0; i < MANY_RUNS; i++) {
        measured_ns = i % 16 == 0 ? 2000000 : 5000;
        REQUIRE_EQ(work_run(&w, lanes), 1);
    }
    work_finish(&w);
}

/* Lanes of one row, in one chunk, that take long: a thread gets 64 of them. */
static void
a_row_of_one_chunk_is_parted(void)
{
    struct work w;

    work_init(&w);
    measured_ns = 5000;
    REQUIRE_EQ(work_run(&w, 256), 1);
    REQUIRE_EQ(work_run(&w, 256), 1);
    work_finish(&w);

    work_init(&w);
    measured_ns = 2000000;
    REQUIRE_EQ(work_run(&w, 256), 1);
    REQUIRE_EQ(work_run(&w, 256), POOL_THREADS);
    REQUIRE_EQ(piece_count, 4);
    REQUIRE_EQ(work_start(&w, 256), POOL_THREADS);
    REQUIRE_EQ(piece_count, 4);
    work_finish(&w);

    /* Worth two threads. */
    work_init(&w);
    measured_ns = 50000;
    REQUIRE_EQ(work_run(&w, 256), 1);
    REQUIRE_EQ(work_run(&w, 256), 2);
    REQUIRE_EQ(piece_count, 2);
    work_finish(&w);
}

/* Workgroups side by side, of 20 invocations: a part has four of them. What they do is the same. */
static void
workgroups_of_one_chunk_are_parted(void)
{
    static uint32_t sums[20 * 13];
    struct work w;

    work_init_with(&w, "few_chunks");
    w.buffers[0] = (struct rp_descriptor){.ptr = (uint8_t *)sums, .size_B = sizeof(sums)};
    measured_ns = 2000000;
    for (uint32_t round = 1; round <= 4; round++) {
        const uint32_t count = round % 2 ? work_run(&w, 13 * 64) : work_start(&w, 13 * 64);
        REQUIRE_EQ(count, round == 1 ? 1 : POOL_THREADS);
        REQUIRE(round == 1 || piece_count == 4);
        for (uint32_t i = 0; i < 20 * 13; i++)
            REQUIRE_EQ(sums[i], round * (1000 * (i / 20) + 19 - i % 20));
    }
    work_finish(&w);
}

/* Two dispatches beside each other, each of one chunk: pieces of both run, each once. */
static void
dispatches_beside_each_other_are_parted(void)
{
    static uint32_t sums[2][20 * 13];
    struct work w;

    work_init_with(&w, "few_chunks");
    measured_ns = 2000000;
    w.buffers[0] = (struct rp_descriptor){.ptr = (uint8_t *)sums[0], .size_B = sizeof(sums[0])};
    REQUIRE_EQ(work_run(&w, 13 * 64), 1);
    memset(sums, 0, sizeof(sums));

    const struct rp_descriptor second = {.ptr = (uint8_t *)sums[1], .size_B = sizeof(sums[1])};
    const struct rp_descriptor_array arrays[2] = {w.arrays[0], {.items = &second, .count = 1}};
    for (uint32_t i = 0; i < 2; i++) {
        struct rp_dispatch dispatch = work_dispatch(&w, 13 * 64);
        bool is_open;
        dispatch.bindings = &arrays[i];
        REQUIRE_EQ(rp_dispatcher_start(w.dispatcher, &dispatch, &is_open), VK_SUCCESS);
        REQUIRE(is_open);
    }
    REQUIRE_EQ(rp_dispatcher_finish(w.dispatcher), VK_SUCCESS);
    REQUIRE_EQ(piece_count, 8);
    for (uint32_t i = 0; i < 2 * 20 * 13; i++)
        REQUIRE_EQ(sums[i / 260][i % 260], 1000 * (i % 260 / 20) + 19 - i % 20);
    work_finish(&w);
}

int
main(void)
{
    RUN(more_work_asks_for_more_threads);
    RUN(a_guess_is_corrected);
    RUN(a_guess_is_corrected_where_dispatches_run_side_by_side);
    RUN(work_that_has_grown_gets_threads_soon);
    RUN(loops_that_have_grown_get_threads_when_they_are_measured);
    RUN(work_that_is_long_by_turns_gets_threads);
    RUN(one_run_that_lost_its_processor_counts_for_nothing);
    RUN(a_row_of_one_chunk_is_parted);
    RUN(workgroups_of_one_chunk_are_parted);
    RUN(dispatches_beside_each_other_are_parted);
    return 0;
}
