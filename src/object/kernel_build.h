/* SPDX-License-Identifier: MIT */
/* Kernels on their way to pipelines and shader objects.
 *
 * Several of one call are compiled side by side, equal ones once where there is a cache; all else
 * is done in their order, on the calling thread.
 */
#ifndef RP_OBJECT_KERNEL_BUILD_H
#define RP_OBJECT_KERNEL_BUILD_H

#include "compute/compute.h"
#include "object/pipeline_cache.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_device;

#define RP_MAX_KERNEL_BUILDS 16u /* as many are compiled side by side */

struct rp_kernel_build {
    struct rp_cache_key_info source;
    const char *what; /* is being made: for messages */
    bool wants_text;
    bool is_forbidden;            /* to compile */
    bool may_compile;             /* there is no kernel yet, and it is not forbidden */
    bool is_twin;                 /* of an earlier one, whose kernel the cache is going to have */
    bool is_hit;                  /* in the cache */
    VkResult result;              /* VK_SUCCESS; otherwise nothing is compiled */
    uint64_t duration_ns;         /* of looking it up and compiling it */
    struct rp_cache_entry *entry; /* owned: the key; NULL: it is not kept */
    struct rp_kernel *kernel;     /* owned; NULL: there is none yet */
    struct rp_compute_message message;
};

/* Looks for kernels in the cache (may be NULL) and compiles those that are missing, at most
 * RP_MAX_KERNEL_BUILDS. The caller has set source, what, wants_text, is_forbidden, result and maybe
 * kernel; all else is zero. */
void rp_kernel_builds_run(struct rp_device *dev, struct rp_pipeline_cache *cache,
                          struct rp_kernel_build *builds, uint32_t count);

/* Hands the kernel out, and to the cache: VK_SUCCESS, VK_PIPELINE_COMPILE_REQUIRED or why there is
 * none. Each build is finished or discarded. */
VkResult rp_kernel_build_finish(struct rp_kernel_build *build, struct rp_device *dev,
                                struct rp_pipeline_cache *cache,
                                struct rp_kernel **out) RP_MUST_CHECK;
void rp_kernel_build_discard(struct rp_kernel_build *build);

/* What the chain of a stage or of a shader object asks for; 0: nothing, or no size that there
 * is. */
uint32_t rp_required_subgroup_size(const void *chain);

#endif
