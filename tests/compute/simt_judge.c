/* SPDX-License-Identifier: MIT */
#include "simt.h"

#include "reelpipe/cpu.h"
#include "test.h"
#include "trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct rp_kernel *
simt_kernel(const struct simt_case *c, const uint32_t *words, size_t count, uint32_t cpu_flags,
            bool wants_probes)
{
    struct rp_shader *shader = NULL;
    struct rp_kernel *kernel = NULL;
    if (rp_shader_create(words, count, NULL, &shader) != VK_SUCCESS)
        return NULL;
    const struct rp_kernel_info info = {
        .shader = shader,
        .entry_point = "main",
        .specialization = c->specialization,
        .cpu_flags = cpu_flags & rp_cpu_flags(),
        .subgroup_size = c->subgroup_size,
        .wants_exact_bounds = true,
        .wants_probes = wants_probes,
    };
    if (rp_kernel_create(&info, NULL, &kernel) != VK_SUCCESS)
        kernel = NULL;
    rp_shader_destroy(shader);
    return kernel;
}

static bool
run(const struct simt_case *c, const struct rp_kernel *kernel, struct rp_probe_total *totals,
    const struct rp_descriptor *trace, uint32_t thread_count)
{
    struct rp_dispatch dispatch = {
        .kernel = kernel,
        .push_constants = c->push,
        .base_group = {c->base[0], c->base[1], c->base[2]},
        .group_count = {c->groups[0], c->groups[1], c->groups[2]},
        .timeout_ns = UINT64_C(20000000000),
        .probe_totals = totals,
    };
    return c->run(c->ctx, &dispatch, trace, thread_count);
}

/* By label. */
static enum simt_verdict
count_by_traces(const struct simt_case *c, uint32_t lanes, struct trace_count *counts)
{
    struct trace_grid grid = {.lanes = lanes};
    memcpy(grid.base, c->base, sizeof(grid.base));
    memcpy(grid.count, c->groups, sizeof(grid.count));
    size_t count;
    uint32_t *words = trace_module(c->words, c->count, &grid, &count);
    struct rp_kernel *kernel = simt_kernel(c, words, count, UINT32_MAX, false);
    enum simt_verdict verdict = SIMT_REFUSED;
    uint32_t *trace = calloc(1, trace_size_B(&grid));
    REQUIRE(trace);
    const struct rp_descriptor item = {.ptr = (uint8_t *)trace, .size_B = trace_size_B(&grid)};
    if (kernel && run(c, kernel, NULL, &item, 1))
        verdict =
            trace_merge(c->words, c->count, &grid, trace, counts) ? SIMT_EQUAL : SIMT_TOO_LONG;
    free(trace);
    free(words);
    rp_kernel_destroy(kernel);
    return verdict;
}

static bool
is_equal(const struct simt_case *c, const struct rp_kernel *kernel,
         const struct rp_probe_total *totals, const struct trace_count *wanted, char text[200])
{
    uint32_t count;
    const uint32_t *probes = rp_kernel_probes(kernel, &count);
    uint64_t lanes[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t label = c->words[probes[i] + 1];
        bool is_same = atomic_load(&totals[i].active) == wanted[label].active;
        lanes[0] += atomic_load(&totals[i].active);
        for (uint32_t w = 0; w < RP_PROBE_WIDTHS; w++)
            is_same &= atomic_load(&totals[i].masks[w]) == wanted[label].masks[w];
        if (!is_same) {
            (void)snprintf(text, 200,
                           "block %u: %" PRIu64 " lanes, %" PRIu64 " warps of 8, not %" PRIu64
                           ", %" PRIu64,
                           label, (uint64_t)totals[i].active, (uint64_t)totals[i].masks[0],
                           wanted[label].active, wanted[label].masks[0]);
            return false;
        }
    }
    for (uint32_t id = 0; id < c->words[3]; id++)
        lanes[1] += wanted[id].active;
    (void)snprintf(text, 200, "%" PRIu64 " lanes entered blocks, %" PRIu64 " are counted", lanes[1],
                   lanes[0]);
    return lanes[0] == lanes[1]; /* each block has a probe */
}

static enum simt_verdict
judge_flags(const struct simt_case *c, uint32_t cpu_flags, const struct trace_count *wanted,
            char text[200])
{
    struct rp_kernel *kernel = simt_kernel(c, c->words, c->count, cpu_flags, true);
    enum simt_verdict verdict = kernel ? SIMT_EQUAL : SIMT_REFUSED;
    for (uint32_t threads = 1; threads <= 8 && verdict == SIMT_EQUAL; threads += 7) {
        struct rp_probe_total *totals = calloc(SIMT_MAX_PROBES, sizeof(*totals));
        REQUIRE(totals);
        if (!run(c, kernel, totals, NULL, threads))
            verdict = SIMT_REFUSED;
        else if (!is_equal(c, kernel, totals, wanted, text))
            verdict = SIMT_DIFFERS;
        free(totals);
    }
    rp_kernel_destroy(kernel);
    return verdict;
}

enum simt_verdict
simt_judge(const struct simt_case *c, const uint32_t *cpu_flags, uint32_t flags_count,
           char text[200])
{
    uint32_t size[3];
    struct rp_kernel *kernel = simt_kernel(c, c->words, c->count, UINT32_MAX, true);
    if (!kernel)
        return SIMT_REFUSED;
    rp_kernel_local_size(kernel, size);
    rp_kernel_destroy(kernel);
    struct trace_count *wanted = calloc(c->words[3], sizeof(*wanted));
    REQUIRE(wanted);
    enum simt_verdict verdict = count_by_traces(c, size[0] * size[1] * size[2], wanted);
    for (uint32_t i = 0; i < flags_count && verdict == SIMT_EQUAL; i++)
        verdict = judge_flags(c, cpu_flags[i], wanted, text);
    free(wanted);
    return verdict;
}
