/* SPDX-License-Identifier: MIT */
/* Invocations of a dispatch in other places (REELPIPE_PROFILE_REPACK=1): sorted by what they do, so
 * that those of a warp do the same.
 *
 * What an invocation does is known from the dispatch that was recorded. Then the dispatch is run
 * again, from the same memory, with invocations that take their ids from an array instead of the
 * grid; what its lanes do is counted, and what it wrote compared. Kernels with barriers or
 * workgroup memory keep their workgroups; those with operations of subgroups, those that reach
 * buffer device addresses and dispatches with a base are left alone, as are those with too many
 * invocations or too much memory.
 */
#ifndef RP_PROFILE_REPACK_H
#define RP_PROFILE_REPACK_H

#include "compute/compute.h"
#include "profile/heat.h"
#include "util/json.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_REPACK_MAX_INVOCATIONS (UINT32_C(1) << 20)
#define RP_REPACK_MAX_B (UINT64_C(256) << 20) /* of memory that is written */
#define RP_REPACK_TILE 1024u                  /* invocations that are sorted together, at least */

enum rp_packing {
    RP_PACKING_IDENTITY,
    RP_PACKING_RANDOM, /* from a fixed seed */
    RP_PACKING_WORK,   /* by instructions, the most first */
    RP_PACKING_PATH,   /* by the blocks that were entered, in their order */
    RP_PACKING_WORK_TILES,
    RP_PACKING_PATH_TILES,
    RP_PACKING_COUNT,
};

struct rp_profile_device;
struct rp_profile_pipeline;

/* What came of one: by instruction, as struct rp_probe_total. */
struct rp_packing_total {
    uint64_t active;
    uint64_t masks[RP_PROBE_WIDTHS];
    bool is_equal; /* what it wrote */
};

/* The packings of a pipeline. */
struct rp_repacked {
    bool is_there;
    bool is_by_group; /* workgroups were kept */
    struct rp_packing_total totals[RP_PACKING_COUNT];
    uint32_t best;     /* by warps of 32, of those that wrote the same */
    uint32_t *swizzle; /* owned: of the best one, by place the invocation */
    uint32_t swizzle_count;
};

/* What each invocation of the dispatch that runs does, by its place in the grid. */
struct rp_repack_keys {
    bool is_open;
    uint32_t count;
    uint32_t group_size;
    uint64_t *work; /* owned */
    uint64_t *path; /* owned */
};

/* Memory that a dispatch may write. */
struct rp_repack_range {
    uint8_t *ptr;
    uint64_t size_B;
};

struct rp_repack {
    struct rp_repack_keys keys;
    struct rp_repack_range *ranges; /* owned */
    uint32_t range_count;
    uint32_t range_capacity;
    uint8_t *before; /* owned: what was in the ranges, one behind the other */
    uint8_t *after;  /* owned */
    uint64_t size_B;
};

/* Before a dispatch of pp runs; it may turn out that it is left alone. */
void rp_repack_begin(struct rp_repack *repack, const struct rp_profile_pipeline *pp,
                     const struct rp_dispatch *dispatch);
/* A block that lanes of a workgroup enter: the workgroup's number in the grid. */
void rp_repack_enter(struct rp_repack_keys *keys, const struct rp_heat_block *blocks,
                     uint32_t block, uint32_t group, const uint16_t *lanes, uint32_t count);
/* Behind it: runs it again, packing by packing, on one thread. Leaves memory as the dispatch did.
 * False: memory was short. */
bool rp_repack_run(struct rp_repack *repack, struct rp_profile_device *p,
                   struct rp_profile_pipeline *pp, const struct rp_dispatch *dispatch);
void rp_repack_finish(struct rp_repack *repack);

/* The key "repacked". file: of the swizzle. */
void rp_repacked_write(struct rp_json *json, const struct rp_repacked *repacked, const char *file);

#endif
