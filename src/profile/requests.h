/* SPDX-License-Identifier: MIT */
/* How the lanes of a warp lie together.
 */
#ifndef RP_PROFILE_REQUESTS_H
#define RP_PROFILE_REQUESTS_H

#include "profile/accesses.h"
#include "profile/runs.h"

/* runs: of the access. by_warp: of the workgroup's warps, to which their sectors are added. trace:
 * is told the lines. */
void rp_requests_add(struct rp_access_total *total, const struct rp_access *access,
                     const struct rp_run *runs, uint32_t run_count, bool is_shared,
                     uint64_t *by_warp, struct rp_order_trace *trace);

#endif
