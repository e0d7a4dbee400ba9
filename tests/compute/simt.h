/* SPDX-License-Identifier: MIT */
/* Probes against traces (trace.h), on memory of the caller.
 */
#ifndef RP_TESTS_COMPUTE_SIMT_H
#define RP_TESTS_COMPUTE_SIMT_H

#include "compute/compute.h"

#include <stdbool.h>

#define SIMT_MAX_PROBES 4096u

struct simt_case {
    const uint32_t *words;
    size_t count;
    uint32_t subgroup_size;                     /* as in struct rp_kernel_info */
    const VkSpecializationInfo *specialization; /* may be NULL */
    uint32_t base[3];
    uint32_t groups[3];
    const void *push;
    /* Runs a dispatch on memory that is the same each time; trace: NULL, or what the binding
     * TRACE_BINDING is. False: it does not end. */
    bool (*run)(void *ctx, struct rp_dispatch *dispatch, const struct rp_descriptor *trace,
                uint32_t thread_count);
    void *ctx;
};

enum simt_verdict {
    SIMT_EQUAL,
    SIMT_DIFFERS, /* text says where */
    SIMT_TOO_LONG,
    SIMT_REFUSED, /* no such kernel, or it does not end */
};

/* The counts of the probes of one kernel, compiled for cpu_flags and run on so many threads, by
 * label. */
struct rp_kernel *simt_kernel(const struct simt_case *c, const uint32_t *words, size_t count,
                              uint32_t cpu_flags, bool wants_probes);
enum simt_verdict simt_judge(const struct simt_case *c, const uint32_t *cpu_flags,
                             uint32_t flags_count, char text[200]);

#endif
