/* SPDX-License-Identifier: MIT */
/* Memory that dispatches touch (REELPIPE_PROFILE_ACCESSES): how well the accesses of a warp lie
 * together, what of each resource is used, and findings.
 *
 * Warps have RP_ACCESS_WIDTH lanes. A request is what one access of a kernel is for one warp.
 */
#ifndef RP_PROFILE_ACCESSES_H
#define RP_PROFILE_ACCESSES_H

#include "compute/compute.h"
#include "profile/findings.h"
#include "profile/heat.h"
#include "profile/orders.h"
#include "profile/repack.h"
#include "profile/shadow.h"
#include "profile/touched.h"

#include <pthread.h>

#define RP_ACCESS_WIDTH 32u

struct rp_profile_device;
struct rp_profile_dispatch;
struct rp_profile_pipeline;

struct rp_access_total {
    uint64_t requests;
    uint64_t lanes;
    uint64_t bytes; /* that they ask for, each once a request */
    uint64_t sectors;
    uint64_t least_sectors; /* as many as the bytes fill */
    uint64_t lines[2];      /* of 64 and 128 bytes */
    uint64_t degrees;       /* workgroup memory: of conflicts, added up */
    uint64_t most_degree;
};

/* The accesses of a pipeline. */
struct rp_accesses {
    const struct rp_access_site *sites; /* borrowed: of its kernel, which counts */
    uint32_t site_count;
    struct rp_access_total *totals; /* owned, by site */
    bool *are_unwritten;            /* owned, by site: of the dispatch that runs, see unwritten.h */
    bool *may_be_stale; /* owned, by binding: what a dispatch does not use may be gone */
    bool finds_races;   /* and what nobody wrote */
    struct rp_findings findings;
    struct rp_touched_list touched;
    struct rp_heat_block *blocks; /* owned, by the kernel's probes */
    struct rp_heat_maps maps;
    struct rp_orders orders; /* of the maps' dispatch */
};

/* What a workgroup that has released did. */
struct rp_release {
    uint32_t begin; /* of the workgroup */
    uint32_t time;  /* what came before is released */
};

/* A device's listener to the dispatch that runs. */
struct rp_recording {
    struct rp_recorder base;
    pthread_mutex_t mutex; /* held while a dispatch is recorded */
    struct rp_accesses *accesses;
    bool zeroes_shared;
    uint32_t subgroup_size;
    uint32_t group[3];
    uint32_t time;
    struct rp_shadow_times times;
    struct rp_shadow shadow;
    uint32_t fence; /* the workgroup's last memory barrier; 0: none */
    uint32_t told;  /* the one before its last atomic; 0: none */
    bool has_atomic;
    bool has_acquired;           /* there was one behind an atomic */
    struct rp_release *releases; /* owned, ascending */
    uint32_t release_count;
    uint32_t release_capacity;
    struct rp_heat heat;
    struct rp_order_trace trace; /* with heat */
    struct rp_repack repack;     /* begins with heat, where it is wanted */
    uint32_t group_count[3];
    uint32_t group_number; /* in the grid, of dispatches without a base */
};

/* The accesses of a pipeline whose kernel was made of that module with wants_accesses; NULL: memory
 * is short. */
struct rp_accesses *rp_accesses_create(const struct rp_kernel *kernel,
                                       const struct rp_profile_module *module, bool finds_races);
void rp_accesses_destroy(struct rp_accesses *accesses); /* accepts NULL */

void rp_recording_init(struct rp_recording *recording);
void rp_recording_finish(struct rp_recording *recording);

/* Around a dispatch: the recorder for it; no other one is recorded meanwhile. */
struct rp_recorder *rp_recording_begin(struct rp_recording *recording, struct rp_accesses *accesses,
                                       const struct rp_dispatch *dispatch);
void rp_recording_end(struct rp_recording *recording);

/* The key "accesses". *maps_B: where the pipeline's maps will lie in maps.bin; those of the
 * next. */
void rp_accesses_write(struct rp_json *json, const struct rp_profile_pipeline *pp,
                       uint64_t *maps_B);

#endif
