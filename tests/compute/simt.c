/* SPDX-License-Identifier: MIT */
/* Lanes and warps that the probes of a kernel count: as known in closed form, and beside traces for
 * every kernel of this folder, on each instruction set, on 1 and 8 threads.
 */
#include "simt.h"

#include "compute/exec/op_list.h"
#include "compute/kernel.h"
#include "harness.h"
#include "reelpipe/cpu.h"
#include "trace.h"

#include <dirent.h>

#define BUFFER_WORDS 4096u

/* Left out: the way through locked, chains, turns and taken_texels depends on what other
 * invocations have done meanwhile, guarded wants addresses in its buffers, and a trace has no room
 * for rounds' 300. */
static const char *const left_out[] = {"locked",  "chains", "turns", "taken_texels",
                                       "guarded", "rounds", NULL};

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
        arrays[i] =
            (struct rp_descriptor_array){.items = bindings[i].binding == TRACE_BINDING
                                                      ? trace
                                                      : &items[bindings[i].binding % BINDING_COUNT],
                                         .count = 1};
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

/* What the probes of a kernel count in three workgroups. */
static struct rp_probe_total *
count_probes(const char *name, struct rp_kernel **out)
{
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4];
    size_t count;
    uint32_t *words = module_load(name, &count);
    struct memory *memory = calloc(1, sizeof(*memory));
    REQUIRE(memory);
    push_fill(push);
    const struct simt_case c = {.words = words, .count = count};
    *out = simt_kernel(&c, words, count, UINT32_MAX, true);
    struct rp_probe_total *totals = calloc(SIMT_MAX_PROBES, sizeof(*totals));
    REQUIRE(*out && totals);
    struct rp_dispatch dispatch = {
        .kernel = *out, .push_constants = push, .group_count = {3, 1, 1}, .probe_totals = totals};
    REQUIRE(run_on_small_numbers(memory, &dispatch, NULL, 2));
    free(memory);
    free(words);
    return totals;
}

/* kernels/simt.comp, workgroups of 64: the counts of its blocks follow from what it says. */
static void
counts_follow_from_the_source(void)
{
    struct rp_kernel *kernel;
    struct rp_probe_total *totals = count_probes("simt", &kernel);
    require_block(kernel, totals, 192, (const uint64_t[]){24, 12, 6, 3});   /* the first */
    require_block(kernel, totals, 96, (const uint64_t[]){24, 12, 6, 3});    /* every other lane */
    require_block(kernel, totals, 3 * 37, (const uint64_t[]){15, 9, 6, 3}); /* lane < 37 */
    require_block(kernel, totals, 48, (const uint64_t[]){24, 12, 6, 3});    /* a case of four */
    /* Of a loop of lane + 1 rounds: a warp runs as many as its last lane. */
    require_block(kernel, totals, 3 * 2080, (const uint64_t[]){3 * 288, 3 * 160, 3 * 96, 3 * 64});
    rp_kernel_destroy(kernel);
    free(totals);
}

/* kernels/nested.comp, likewise. */
static void
counts_of_nested_loops_and_calls_follow(void)
{
    struct rp_kernel *kernel;
    struct rp_probe_total *totals = count_probes("nested", &kernel);
    /* A lane has 1, 3, 6 or 10 rounds of the inner loop, each warp 10. */
    require_block(kernel, totals, 3 * 16 * 20, (const uint64_t[]){240, 120, 60, 30});
    /* A function, by half of the lanes and by all. */
    require_block(kernel, totals, 3 * 96, (const uint64_t[]){36, 18, 9, 6});
    /* 48 of 64 have not returned. */
    require_block(kernel, totals, 3 * 48, (const uint64_t[]){18, 9, 6, 3});
    rp_kernel_destroy(kernel);
    free(totals);
}

static void
count_operations(const char *name, struct memory *memory, uint32_t cpu_flags,
                 struct rp_op_total *totals, struct rp_kernel **out)
{
    struct rp_shader *shader = NULL;
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4];
    size_t count;
    uint32_t *words = module_load(name, &count);
    push_fill(push);
    REQUIRE_EQ(rp_shader_create(words, count, NULL, &shader), VK_SUCCESS);
    const struct rp_kernel_info info = {.shader = shader,
                                        .entry_point = "main",
                                        .cpu_flags = cpu_flags & rp_cpu_flags(),
                                        .wants_op_counts = totals != NULL};
    REQUIRE_EQ(rp_kernel_create(&info, NULL, out), VK_SUCCESS);
    struct rp_dispatch dispatch = {
        .kernel = *out, .push_constants = push, .group_count = {3, 2, 1}, .op_totals = totals};
    REQUIRE(run_on_small_numbers(memory, &dispatch, NULL, 1));
    rp_shader_destroy(shader);
    free(words);
}

/* The loop of kernels/simt.comp has as many rounds as the last lane of a workgroup wants, 64: for
 * each chunk of lanes, of which each ends once, and the prologue once more. */
static void
require_rounds(const struct rp_kernel *kernel, const struct rp_op_total *totals)
{
    const struct rp_program *p = kernel->packed ? kernel->packed : kernel->groups;
    const uint64_t chunks = totals[RP_X_END].runs - (p->main_op != 0);
    REQUIRE(!kernel->rows && chunks >= 2 && chunks <= 6); /* of 3 by 2 workgroups */
    REQUIRE_EQ(totals[RP_X_LOOPBACK].runs, 64 * chunks);
}

/* Counting changes no result, and counts the rounds of a loop. */
static void
operations_are_counted(void)
{
    static const char *const names[] = {"simt", "hash", "mandel", "matmul", "reduce", "blur"};
    struct memory *memory[2] = {calloc(1, sizeof(**memory)), calloc(1, sizeof(**memory))};
    REQUIRE(memory[0] && memory[1] && rp_exec_op_name(RP_X_END) && !rp_exec_op_name(RP_X_COUNT));
    for (uint32_t i = 0; i < 6 * ISA_COUNT; i++) {
        struct rp_op_total *totals = calloc(RP_X_COUNT, sizeof(*totals));
        struct rp_kernel *kernels[2];
        REQUIRE(totals);
        count_operations(names[i / ISA_COUNT], memory[0], isa_flags[i % ISA_COUNT], totals,
                         &kernels[0]);
        count_operations(names[i / ISA_COUNT], memory[1], isa_flags[i % ISA_COUNT], NULL,
                         &kernels[1]);
        REQUIRE_BYTES(memory[0], memory[1], sizeof(**memory));
        REQUIRE(totals[RP_X_END].runs > 0);
        if (i / ISA_COUNT == 0)
            require_rounds(kernels[0], totals);
        rp_kernel_destroy(kernels[0]);
        rp_kernel_destroy(kernels[1]);
        free(totals);
    }
    free(memory[0]);
    free(memory[1]);
}

int
main(void)
{
    RUN(operations_are_counted);
    RUN(counts_follow_from_the_source);
    RUN(counts_of_nested_loops_and_calls_follow);
    RUN(probes_count_what_traces_tell);
    return 0;
}
