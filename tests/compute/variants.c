/* SPDX-License-Identifier: MIT */
/* Variants of a kernel for values that its uniform words have again and again: when they are
 * compiled, tried, kept and dropped, and that they never run for other values. Times are made up.
 */
#include "harness.h"

#include "compute/specializer.h"
#include "compute/trial.h"
#include "compute/variants.h"
#include "platform/clock.h"
#include "reelpipe/cpu.h"

#include <pthread.h>
#include <stdlib.h>

#define COUNT 1024u
#define MS UINT64_C(1000000)
#define MANY 20000u
#define TRIALS 100u    /* dispatches until a variant is kept, and a few more */
#define PATIENCE 10000 /* ms */

void *__wrap_rp_heap_alloc(size_t size_B, size_t align_B);
void *__wrap_rp_heap_zalloc(size_t size_B, size_t align_B);
void __wrap_rp_thread_run_idly(void);
uint64_t __wrap_rp_clock_thread_cpu_ns(void);
void *__real_rp_heap_alloc(size_t size_B, size_t align_B);
void *__real_rp_heap_zalloc(size_t size_B, size_t align_B);

static atomic_int allocations_left; /* at 1 the next one fails; 0: none does */

static bool
fails(void)
{
    return atomic_load(&allocations_left) > 0 && atomic_fetch_sub(&allocations_left, 1) == 1;
}

void *
__wrap_rp_heap_alloc(size_t size_B, size_t align_B)
{
    return fails() ? NULL : __real_rp_heap_alloc(size_B, align_B);
}

void *
__wrap_rp_heap_zalloc(size_t size_B, size_t align_B)
{
    return fails() ? NULL : __real_rp_heap_zalloc(size_B, align_B);
}

/* The thread that compiles runs as others do here: it is waited for. */
void
__wrap_rp_thread_run_idly(void)
{
}

/* Dispatches that do run take no time: made-up times alone count. */
uint64_t
__wrap_rp_clock_thread_cpu_ns(void)
{
    return 0;
}

struct uniforms {
    uint32_t scale, way;
    float factor, pad;
    float weights[4][4];
};

struct push {
    uint32_t rounds, divisor, serial, pad;
    double wide;
};

/* A kernel with what it is bound to. */
struct bound {
    struct rp_specializer *specializer;
    struct rp_kernel *kernel;
    struct rp_variants *variants; /* may be NULL when memory is short */
    uint32_t memory[3][COUNT];
    struct rp_descriptor buffers[3];
    struct rp_descriptor_array arrays[3];
    uint8_t push[RP_MAX_PUSH_CONSTANT_B];
    struct rp_dispatch dispatch;
};

static struct uniforms *
uniforms_of(struct bound *b)
{
    return (struct uniforms *)b->memory[2];
}

static struct push *
push_of(struct bound *b)
{
    return (struct push *)b->push;
}

static struct rp_variants *
variants_of(struct bound *b)
{
    size_t word_count;
    uint32_t *words = module_load("uniforms", &word_count);
    struct rp_variants *variants = rp_variants_create(&(struct rp_variants_info){
        .specializer = b->specializer,
        .kernel = b->kernel,
        .words = words,
        .word_count = word_count,
        .entry_point = "main",
        .cpu_flags = rp_cpu_flags(),
    });
    free(words);
    return variants;
}

static void
bind(struct bound *b)
{
    uint32_t count;
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(b->kernel, &count);
    REQUIRE_EQ(count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        b->buffers[i] = (struct rp_descriptor){(uint8_t *)b->memory[i], .size_B = COUNT * 4};
        b->arrays[i] =
            (struct rp_descriptor_array){.items = &b->buffers[bindings[i].binding], .count = 1};
    }
    b->dispatch = (struct rp_dispatch){
        .kernel = b->kernel,
        .variants = b->variants,
        .bindings = b->arrays,
        .push_constants = b->push,
        .group_count = {COUNT / 64, 1, 1},
    };
}

static struct bound *
bound_create(size_t memory_limit_B)
{
    struct bound *b = calloc(1, sizeof(*b));
    uint64_t state = 1;
    REQUIRE(b);
    b->specializer = rp_specializer_create(memory_limit_B);
    b->kernel = kernel_load("uniforms", rp_cpu_flags());
    REQUIRE(b->specializer);
    b->variants = variants_of(b);
    bind(b);
    for (uint32_t i = 0; i < COUNT; i++)
        b->memory[0][i] = (uint32_t)test_random(&state);
    *uniforms_of(b) = (struct uniforms){3, 1, 0.7f, 0, {{1, 2, -3, 0.1f}, {5}, {0.3f}, {8, 9}}};
    *push_of(b) = (struct push){7, 10, 5, 0, 2.5};
    return b;
}

static void
bound_destroy(struct bound *b)
{
    rp_variants_destroy(b->variants);
    rp_kernel_destroy(b->kernel);
    rp_specializer_destroy(b->specializer);
    free(b);
}

static struct rp_variants_statistics
statistics_of(const struct bound *b)
{
    struct rp_variants_statistics s = {0};
    rp_variants_statistics(b->variants, &s);
    return s;
}

/* A dispatch that takes so long without and with a variant. Was it one? */
static bool
dispatch(struct bound *b, uint64_t without_ns, uint64_t with_ns)
{
    struct rp_pick pick;
    if (!rp_variants_pick(b->variants, &b->dispatch, &pick))
        return false;
    const bool is_variant = pick.kernel != NULL;
    if (pick.is_measured)
        atomic_store(&pick.cpu_ns, is_variant ? with_ns : without_ns);
    rp_pick_end(&pick, true);
    return is_variant;
}

/* Dispatches until something has been compiled. */
static void
dispatch_until_compiled(struct bound *b, uint32_t count)
{
    /* No more than that: they would be a trial of what has been compiled. */
    for (uint32_t i = 0; i < 1000 && statistics_of(b).compiled_count < count; i++)
        (void)dispatch(b, 10 * MS, 10 * MS);
    for (int i = 0; statistics_of(b).compiled_count < count; i++) {
        REQUIRE(i < PATIENCE);
        rp_clock_sleep(MS);
    }
}

static struct bound *
with_a_kept_variant(void)
{
    struct bound *b = bound_create(RP_VARIANT_MEMORY_B);
    dispatch_until_compiled(b, 1);
    for (uint32_t i = 0; i < TRIALS; i++)
        (void)dispatch(b, MS, MS / 2);
    REQUIRE_EQ(statistics_of(b).kept_count, 1);
    REQUIRE(dispatch(b, MS, MS / 2));
    return b;
}

static void
values_that_stay_are_compiled_once_they_are_worth_it(void)
{
    struct bound *b = bound_create(RP_VARIANT_MEMORY_B);
    for (uint32_t i = 0; i < 20; i++)
        REQUIRE(!dispatch(b, MS / 4, MS / 4)); /* seen often enough, but they have taken nothing */
    REQUIRE_EQ(statistics_of(b).look_count, 20);
    rp_clock_sleep(20 * MS);
    REQUIRE_EQ(statistics_of(b).compiled_count, 0);
    bound_destroy(b);
    bound_destroy(with_a_kept_variant());
}

static void
what_is_not_faster_is_not_kept(void)
{
    struct bound *b = bound_create(RP_VARIANT_MEMORY_B);
    dispatch_until_compiled(b, 1);
    for (uint32_t i = 0; i < 1000; i++)
        (void)dispatch(b, 100 * MS, 98 * MS);
    REQUIRE_EQ(statistics_of(b).kept_count, 0);
    REQUIRE_EQ(statistics_of(b).dropped_count, 1);
    const uint32_t run_count = statistics_of(b).run_count;
    for (uint32_t i = 0; i < MANY; i++)
        REQUIRE(!dispatch(b, 100 * MS, MS));
    REQUIRE_EQ(statistics_of(b).run_count, run_count);
    REQUIRE_EQ(statistics_of(b).compiled_count, 1); /* not the same values again */
    bound_destroy(b);
}

static void
a_variant_that_is_much_slower_is_given_up_at_once(void)
{
    struct bound *b = bound_create(RP_VARIANT_MEMORY_B);
    dispatch_until_compiled(b, 1);
    for (uint32_t i = 0; i < 1000; i++)
        (void)dispatch(b, MS, 10 * MS);
    REQUIRE_EQ(statistics_of(b).dropped_count, 1);
    REQUIRE(statistics_of(b).run_count <= 4);
    bound_destroy(b);
}

static void
a_variant_that_becomes_slower_is_dropped(void)
{
    struct bound *b = with_a_kept_variant();
    for (uint32_t i = 0; i < MANY; i++)
        (void)dispatch(b, 100 * MS, 99 * MS); /* less than it was kept for */
    REQUIRE_EQ(statistics_of(b).dropped_count, 0);
    REQUIRE(dispatch(b, 100 * MS, 99 * MS));
    for (uint32_t i = 0; i < 4 * MANY && !statistics_of(b).dropped_count; i++)
        (void)dispatch(b, 100 * MS, 101 * MS);
    REQUIRE_EQ(statistics_of(b).dropped_count, 1);
    REQUIRE(!dispatch(b, MS, MS / 2));
    bound_destroy(b);
}

static void
values_that_change_every_dispatch_compile_nothing(void)
{
    struct bound *b = bound_create(RP_VARIANT_MEMORY_B);
    for (uint32_t i = 0; i < MANY; i++) {
        for (uint32_t k = 0; k < 6; k++)
            memcpy(b->push + 4 * k, &i, 4);
        for (uint32_t k = 0; k < 20; k++)
            b->memory[2][k] = i;
        REQUIRE(!dispatch(b, 10 * MS, MS));
    }
    REQUIRE_EQ(statistics_of(b).compiled_count, 0);
    REQUIRE_EQ(statistics_of(b).word_count, 0);
    REQUIRE(statistics_of(b).look_count < 100);
    bound_destroy(b);
}

static void
a_word_that_always_changes_is_left_out(void)
{
    struct bound *b = bound_create(RP_VARIANT_MEMORY_B);
    const uint32_t word_count = statistics_of(b).word_count;
    for (uint32_t i = 0; i < 1000; i++) {
        push_of(b)->serial = i;
        (void)dispatch(b, 10 * MS, MS);
    }
    REQUIRE_EQ(statistics_of(b).word_count, word_count - 1);
    dispatch_until_compiled(b, 1);
    for (uint32_t i = 0; i < TRIALS; i++) {
        push_of(b)->serial = i;
        (void)dispatch(b, MS, MS / 2);
    }
    REQUIRE_EQ(statistics_of(b).kept_count, 1);
    bound_destroy(b);
}

/* As the kernel itself gives it. */
static void
expect(struct bound *b, struct rp_dispatcher *dispatcher, uint32_t out[COUNT])
{
    struct rp_dispatch plain = b->dispatch;
    plain.variants = NULL;
    REQUIRE_EQ(rp_dispatcher_run(dispatcher, &plain), VK_SUCCESS);
    memcpy(out, b->memory[1], COUNT * 4);
    memset(b->memory[1], 0, COUNT * 4);
}

static void
check_result(struct bound *b)
{
    uint32_t expected[COUNT];
    bool is_open;
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(NULL);
    REQUIRE(dispatcher);
    expect(b, dispatcher, expected);
    REQUIRE_EQ(rp_dispatcher_start(dispatcher, &b->dispatch, &is_open), VK_SUCCESS);
    REQUIRE_EQ(rp_dispatcher_finish(dispatcher), VK_SUCCESS);
    REQUIRE_BYTES(b->memory[1], expected, sizeof(expected));
    rp_dispatcher_destroy(dispatcher);
}

/* Also the double of the push constants, half of which stays. */
static void
a_variant_runs_for_its_own_values_alone(void)
{
    struct bound *b = with_a_kept_variant();
    check_result(b);
    for (uint32_t k = 0; k < 6; k++) {
        if (k == 3)
            continue; /* nobody reads that one */
        b->push[4 * k] ^= 1;
        const uint32_t run_count = statistics_of(b).run_count;
        check_result(b);
        REQUIRE_EQ(statistics_of(b).run_count, run_count);
        b->push[4 * k] ^= 1;
        REQUIRE(dispatch(b, MS, MS / 2)); /* others take not its place, but that of older ones */
    }
    for (uint32_t k = 0; k < 3; k++) {
        b->memory[2][k] ^= 1;
        REQUIRE(!dispatch(b, MS, MS / 2));
        check_result(b);
        b->memory[2][k] ^= 1;
        REQUIRE(dispatch(b, MS, MS / 2));
    }
    bound_destroy(b);
}

static void
what_the_dispatch_may_write_is_not_relied_on(void)
{
    struct bound *b = with_a_kept_variant();
    for (int32_t at = -32; at <= 32; at += 4) {
        b->buffers[1].ptr = (uint8_t *)b->memory[2] + at * 4;
        const bool reaches = at < 3 && at + 16 > 0; /* words 0 to 2 are read where it is known */
        b->buffers[1].size_B = 64;
        REQUIRE_EQ(dispatch(b, MS, MS / 2), !reaches);
    }
    bound_destroy(b);
}

static void
words_that_are_not_there_are_not_relied_on(void)
{
    struct bound *b = with_a_kept_variant();
    for (uint32_t size_B = 0; size_B <= 16; size_B += 4) {
        b->buffers[2].size_B = size_B;
        REQUIRE_EQ(dispatch(b, MS, MS / 2), size_B >= 12);
    }
    for (uint32_t i = 0; i < 3; i++)
        b->arrays[i].count = b->arrays[i].items != &b->buffers[2];
    REQUIRE(!dispatch(b, MS, MS / 2)); /* a binding of no descriptors */
    for (uint32_t i = 0; i < 3; i++)
        b->arrays[i].count = 1;
    REQUIRE(dispatch(b, MS, MS / 2));
    b->buffers[2] = (struct rp_descriptor){0};
    REQUIRE(!dispatch(b, MS, MS / 2));
    bound_destroy(b);
}

static void
new_values_take_the_place_of_old_ones(void)
{
    struct bound *b = with_a_kept_variant();
    for (uint32_t n = 1; n <= 2 * RP_MAX_VARIANTS; n++) {
        push_of(b)->rounds = 7 + n;
        dispatch_until_compiled(b, 1 + n);
        for (uint32_t i = 0; i < TRIALS; i++)
            (void)dispatch(b, MS, MS / 2);
        REQUIRE_EQ(statistics_of(b).kept_count, 1 + n);
    }
    REQUIRE(dispatch(b, MS, MS / 2));
    push_of(b)->rounds = 7;
    REQUIRE(!dispatch(b, MS, MS / 2));
    bound_destroy(b);
}

static void
there_is_a_limit_on_memory(void)
{
    size_t limit_B = 0;
    struct bound *b = bound_create(limit_B);
    while (!b->variants) {
        bound_destroy(b);
        b = bound_create(limit_B += 256);
    }
    REQUIRE(limit_B > 2048); /* the module has room, a variant beside it has none */
    dispatch_until_compiled(b, 1);
    REQUIRE_EQ(statistics_of(b).dropped_count, 1);
    bound_destroy(b);
}

static void
a_pipeline_may_go_while_its_variant_is_compiled(void)
{
    struct bound *b = bound_create(RP_VARIANT_MEMORY_B);
    for (uint32_t n = 0; n < 50; n++) {
        for (uint32_t i = 0; i < 1000; i++)
            (void)dispatch(b, 10 * MS, 10 * MS);
        if (n % 3)
            rp_clock_sleep(n * MS / 20);
        rp_variants_destroy(b->variants);
        b->variants = variants_of(b);
        REQUIRE(b->variants);
    }
    bound_destroy(b); /* the last one may be waiting */
}

static void
without_memory_the_kernel_goes_on(void)
{
    int n = 1;
    for (bool has_failed = true; has_failed; n++) {
        struct bound *b = bound_create(RP_VARIANT_MEMORY_B);
        rp_variants_destroy(b->variants);
        atomic_store(&allocations_left, n);
        b->variants = variants_of(b);
        b->dispatch.variants = b->variants;
        if (b->variants)
            dispatch_until_compiled(b, 1);
        has_failed = atomic_load(&allocations_left) == 0;
        atomic_store(&allocations_left, 0);
        check_result(b);
        bound_destroy(b);
    }
    REQUIRE(n > 20);
}

static void
half_of_the_dispatches_of_a_trial_are_the_variants(void)
{
    static const uint32_t grid[3] = {1, 2, 3}, other[3] = {1, 2, 4};
    struct rp_trial trial = {0};
    uint32_t with_count = 0;
    enum rp_verdict verdict = RP_VERDICT_NONE;
    for (uint32_t i = 0; i < 2 * RP_TRIAL_RUNS; i++) {
        bool with_variant = false;
        REQUIRE(!i || !rp_trial_take(&trial, other, &with_variant));
        REQUIRE(rp_trial_take(&trial, grid, &with_variant));
        REQUIRE(verdict == RP_VERDICT_NONE);
        with_count += with_variant;
        /* One in three is disturbed. */
        verdict =
            rp_trial_add(&trial, with_variant, (with_variant ? 95 : 100) * (i % 3 ? 1000 : 3000));
    }
    REQUIRE_EQ(with_count, RP_TRIAL_RUNS);
    REQUIRE_EQ(verdict, RP_VERDICT_FASTER);
}

/* Not even the slowest of it is close. */
static void
a_trial_that_leaves_no_doubt_is_short(void)
{
    static const uint32_t grid[3] = {1, 1, 1};
    for (uint32_t with_ns = 6; with_ns <= 10; with_ns += 4) {
        struct rp_trial trial = {0};
        enum rp_verdict verdict = RP_VERDICT_NONE;
        uint32_t count = 0;
        for (bool with_variant; verdict == RP_VERDICT_NONE; count++) {
            REQUIRE(rp_trial_take(&trial, grid, &with_variant));
            verdict =
                rp_trial_add(&trial, with_variant, MS * (with_variant ? with_ns : 11 - count % 2));
        }
        REQUIRE_EQ(verdict == RP_VERDICT_CLEARLY_FASTER, with_ns == 6);
        REQUIRE_EQ(count < RP_TRIAL_RUNS, with_ns == 6);
    }
}

struct racer {
    pthread_t thread;
    struct bound *b;
    uint32_t memory[COUNT];
};

static void *
race(void *arg)
{
    struct racer *racer = arg;
    struct rp_dispatch own = racer->b->dispatch;
    struct rp_descriptor buffer = {(uint8_t *)racer->memory, .size_B = sizeof(racer->memory)};
    struct rp_descriptor_array arrays[3];
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(NULL);
    memcpy(arrays, own.bindings, sizeof(arrays));
    for (uint32_t i = 0; i < 3; i++)
        if (arrays[i].items == &racer->b->buffers[1])
            arrays[i].items = &buffer;
    own.bindings = arrays;
    for (uint32_t i = 0; i < 1000; i++)
        REQUIRE_EQ(rp_dispatcher_run(dispatcher, &own), VK_SUCCESS);
    rp_dispatcher_destroy(dispatcher);
    return NULL;
}

static void
queues_may_share_variants(void)
{
    struct bound *b = with_a_kept_variant();
    static struct racer racers[2];
    static uint32_t expected[COUNT];
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(NULL);
    expect(b, dispatcher, expected);
    rp_dispatcher_destroy(dispatcher);
    for (uint32_t i = 0; i < 2; i++) {
        racers[i].b = b;
        REQUIRE(pthread_create(&racers[i].thread, NULL, race, &racers[i]) == 0);
    }
    for (uint32_t i = 0; i < 2; i++) {
        pthread_join(racers[i].thread, NULL);
        REQUIRE_BYTES(racers[i].memory, expected, sizeof(expected));
    }
    bound_destroy(b);
}

int
main(void)
{
    RUN(half_of_the_dispatches_of_a_trial_are_the_variants);
    RUN(a_trial_that_leaves_no_doubt_is_short);
    RUN(values_that_stay_are_compiled_once_they_are_worth_it);
    RUN(what_is_not_faster_is_not_kept);
    RUN(a_variant_that_is_much_slower_is_given_up_at_once);
    RUN(a_variant_that_becomes_slower_is_dropped);
    RUN(values_that_change_every_dispatch_compile_nothing);
    RUN(a_word_that_always_changes_is_left_out);
    RUN(a_variant_runs_for_its_own_values_alone);
    RUN(what_the_dispatch_may_write_is_not_relied_on);
    RUN(words_that_are_not_there_are_not_relied_on);
    RUN(new_values_take_the_place_of_old_ones);
    RUN(there_is_a_limit_on_memory);
    RUN(a_pipeline_may_go_while_its_variant_is_compiled);
    RUN(without_memory_the_kernel_goes_on);
    RUN(queues_may_share_variants);
    return 0;
}
