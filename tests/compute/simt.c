/* SPDX-License-Identifier: MIT */
/* Lanes and warps that the probes of a kernel count: as known in closed form, and beside traces for
 * every kernel of this folder, on each instruction set, on 1 and 8 threads.
 */
#include "simt.h"

#include "harness.h"
#include "trace.h"

#include <dirent.h>

#define BUFFER_WORDS 4096u

/* Left out: the way through locked depends on what other invocations have done meanwhile, guarded
 * wants addresses in its buffers. */
static const char *const left_out[] = {"locked", "guarded", NULL};

struct memory {
    uint32_t words[BINDING_COUNT][BUFFER_WORDS];
};

static bool
run_on_small_numbers(void *ctx, struct rp_dispatch *dispatch, const struct rp_descriptor *trace,
                     uint32_t thread_count)
{
    struct memory *m = ctx;
    struct rp_descriptor items[BINDING_COUNT];
    struct rp_descriptor_array arrays[64];
    uint32_t count;
    for (uint32_t b = 0; b < BINDING_COUNT; b++) {
        for (uint32_t i = 0; i < BUFFER_WORDS; i++)
            m->words[b][i] = (i * 2654435761u ^ b) >> 13 & 15;
        items[b] =
            (struct rp_descriptor){.ptr = (uint8_t *)m->words[b], .size_B = sizeof(m->words[b])};
    }
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(dispatch->kernel, &count);
    REQUIRE(count <= 64);
    for (uint32_t i = 0; i < count; i++)
        arrays[i] = (struct rp_descriptor_array){bindings[i].binding == TRACE_BINDING
                                                     ? trace
                                                     : &items[bindings[i].binding % BINDING_COUNT],
                                                 1};
    dispatch->bindings = arrays;
    struct rp_workers *workers = rp_workers_create(thread_count);
    struct rp_dispatcher *dispatcher = rp_dispatcher_create(workers);
    REQUIRE(dispatcher);
    const VkResult result = rp_dispatcher_run(dispatcher, dispatch);
    rp_dispatcher_destroy(dispatcher);
    rp_workers_destroy(workers);
    return result == VK_SUCCESS;
}

static void
push_fill(uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4])
{
    for (uint32_t i = 0; i < RP_MAX_PUSH_CONSTANT_B / 4; i++)
        push[i] = 37;
}

static bool
is_left_out(const char *name)
{
    for (uint32_t i = 0; left_out[i]; i++)
        if (strcmp(left_out[i], name) == 0)
            return true;
    return false;
}

static enum simt_verdict
judge_module(const char *name, struct memory *memory)
{
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4];
    char text[200] = "";
    size_t count;
    uint32_t *words = module_load(name, &count);
    push_fill(push);
    const struct simt_case c = {
        .words = words,
        .count = count,
        .groups = {3, 2, 1},
        .push = push,
        .run = run_on_small_numbers,
        .ctx = memory,
    };
    const enum simt_verdict verdict = simt_judge(&c, isa_flags, ISA_COUNT, text);
    if (verdict != SIMT_EQUAL)
        (void)fprintf(stderr, "%s: %s %s\n", name,
                      verdict == SIMT_REFUSED    ? "refused"
                      : verdict == SIMT_TOO_LONG ? "too long"
                                                 : "differs:",
                      text);
    free(words);
    return verdict;
}

static void
probes_count_what_traces_tell(void)
{
    uint32_t verdicts[SIMT_REFUSED + 1] = {0};
    struct memory *memory = calloc(1, sizeof(*memory));
    DIR *folder = opendir(KERNELS);
    REQUIRE(folder && memory);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char name[sizeof(entry->d_name)];
        (void)snprintf(name, sizeof(name), "%s", entry->d_name);
        char *end = strstr(name, ".spv");
        if (!end || end[4])
            continue;
        *end = '\0';
        if (!is_left_out(name))
            verdicts[judge_module(name, memory)]++;
    }
    (void)closedir(folder);
    free(memory);
    (void)fprintf(stderr, "%u kernels\n", verdicts[SIMT_EQUAL]);
    REQUIRE(verdicts[SIMT_EQUAL] > 40);
    REQUIRE_EQ(verdicts[SIMT_DIFFERS] + verdicts[SIMT_TOO_LONG] + verdicts[SIMT_REFUSED], 0);
}

/* A block of these counts is there. */
static void
require_block(const struct rp_kernel *kernel, const struct rp_probe_total *totals, uint64_t active,
              const uint64_t masks[RP_PROBE_WIDTHS])
{
    uint32_t count;
    bool is_there = false;
    (void)rp_kernel_probes(kernel, &count);
    for (uint32_t i = 0; i < count; i++) {
        bool is_same = totals[i].active == active;
        for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
            is_same &= totals[i].masks[w] == masks[w];
        is_there |= is_same;
    }
    REQUIRE(is_there);
}

/* kernels/simt.comp, three workgroups of 64: the counts of its blocks follow from what it says. */
static void
counts_follow_from_the_source(void)
{
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4];
    size_t count;
    uint32_t *words = module_load("simt", &count);
    struct memory *memory = calloc(1, sizeof(*memory));
    REQUIRE(memory);
    push_fill(push);
    const struct simt_case c = {.words = words, .count = count};
    struct rp_kernel *kernel = simt_kernel(&c, words, count, UINT32_MAX, true);
    struct rp_probe_total *totals = calloc(SIMT_MAX_PROBES, sizeof(*totals));
    REQUIRE(kernel && totals);
    struct rp_dispatch dispatch = {
        .kernel = kernel, .push_constants = push, .group_count = {3, 1, 1}, .probe_totals = totals};
    REQUIRE(run_on_small_numbers(memory, &dispatch, NULL, 2));
    require_block(kernel, totals, 192, (const uint64_t[]){24, 12, 6, 3});   /* the first */
    require_block(kernel, totals, 96, (const uint64_t[]){24, 12, 6, 3});    /* every other lane */
    require_block(kernel, totals, 3 * 37, (const uint64_t[]){15, 9, 6, 3}); /* lane < 37 */
    require_block(kernel, totals, 48, (const uint64_t[]){24, 12, 6, 3});    /* a case of four */
    /* Of a loop of lane + 1 rounds: a warp runs as many as its last lane. */
    require_block(kernel, totals, 3 * 2080, (const uint64_t[]){3 * 288, 3 * 160, 3 * 96, 3 * 64});
    rp_kernel_destroy(kernel);
    free(totals);
    free(memory);
    free(words);
}

int
main(void)
{
    RUN(counts_follow_from_the_source);
    RUN(probes_count_what_traces_tell);
    return 0;
}
