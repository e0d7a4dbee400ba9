/* SPDX-License-Identifier: MIT */
/* The lanes and warps that run in the blocks of a pipeline's kernel.
 */
#ifndef RP_PROFILE_SIMT_H
#define RP_PROFILE_SIMT_H

#include "profile/profile.h"
#include "util/json.h"

/* The kernel that counts into pp->simt.totals, or ->operations, compiled when it is first asked
 * for; its bindings are those of kernel. NULL: it could not be made. */
const struct rp_kernel *rp_profile_simt_kernel(struct rp_profile_device *p,
                                               struct rp_profile_pipeline *pp,
                                               const struct rp_kernel *kernel);
/* The kernel that counts; with a swizzle that of the same invocations in other places (compute.h),
 * which tells no recorder. NULL: memory was short. */
struct rp_kernel *rp_profile_kernel_compile(const struct rp_profile_device *p,
                                            const struct rp_profile_pipeline *pp,
                                            const uint32_t *swizzle);
void rp_profile_simt_finish(struct rp_profile_simt *simt);

/* The key "simt", or "operations"; nothing where nothing was counted. */
void rp_profile_simt_write(struct rp_json *json, const struct rp_profile_pipeline *pp);

#endif
