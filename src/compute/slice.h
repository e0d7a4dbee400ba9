/* SPDX-License-Identifier: MIT */
/* What one thread does of a dispatch: chunk by chunk of a grid that is planned.
 */
#ifndef RP_COMPUTE_SLICE_H
#define RP_COMPUTE_SLICE_H

#include "compute/kernel.h"

/* What one thread runs in; kept from dispatch to dispatch. */
struct rp_thread_memory {
    struct rp_exec *x;
    size_t exec_B;
    char *registers;
    size_t register_B;
    char *lanes;
    size_t lane_B;
    uint8_t *shared;
    size_t shared_B;
    struct rp_adds *adds; /* empty between slices */
    size_t adds_B;
    struct rp_probe_count *probes;
    size_t probes_B;
    struct rp_op_count *op_counts;
    size_t op_counts_B;
};
/* One dispatch, as its slices see it. */
struct rp_run {
    atomic_bool *is_cancelled;
    atomic_bool *is_short; /* set when memory is */
    const struct rp_dispatch *info;
    const struct rp_program *program;
    uint64_t deadline_ns;
    uint64_t chunk_count; /* of rows, or workgroups */
    uint64_t grid_lanes;  /* of chunks as they were planned */
    uint64_t slice_count;
    uint32_t chunks_per_row; /* of invocations; 0: the grid runs by workgroups */
    uint32_t chunk_lanes;
    uint32_t groups_per_chunk; /* side by side in x */
    uint32_t chunks_per_line;  /* of workgroups */
    uint32_t extent[3];        /* rows: invocations; else workgroups */
    uint8_t push[RP_MAX_PUSH_CONSTANT_B];
};
/* Runs the slice-th of run->slice_count parts. memory: of the program, and of the careful one. */
void rp_run_slice(const struct rp_run *run, struct rp_thread_memory memory[2], uint32_t slice);
void rp_thread_memory_finish(struct rp_thread_memory *t);

#endif
