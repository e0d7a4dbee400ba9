/* SPDX-License-Identifier: MIT */
/* Lent queries in lower command buffers.
 *
 * Our driver has the queries, and the host what they say: when all has happened that a batch waits
 * for, the host resets queries and writes results in the place of its command buffers ("steps"),
 * and only then the batch goes on. The command buffer copies the results from lower memory.
 */
#ifndef RP_ICD_LAYER_QUERY_RESULTS_H
#define RP_ICD_LAYER_QUERY_RESULTS_H

#include "icd/layer/map.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_layer_device;

struct rp_layer_query_pool {
    struct rp_layer_entry entry;
    uint32_t value_count; /* of a query, without status and availability */
};

/* Lower memory with the results that one command copies; shared by references. */
struct rp_layer_query_results {
    struct rp_layer_device *dev;
    atomic_uint ref_count;
    VkQueryResultFlags flags;
    uint32_t result_B; /* of a query; they stand side by side */
    uint32_t count;
    VkBuffer buffer;
    VkDeviceAddress address; /* of buffer; 0: it was not asked for */
    VkDeviceMemory memory;
    uint8_t *host;
    VkSemaphore copied; /* a lower timeline: batches that have copied them */
    uint64_t submitted; /* batches that copy them, now or later; sync_mutex guards it */
};

struct rp_layer_step {
    VkQueryPool pool;
    uint32_t first;
    uint32_t count;
    struct rp_layer_query_results *results; /* NULL: the queries are reset */
    uint64_t copied; /* of a batch: who writes the results waits until so many have copied them */
};

/* has_address: the lower device copies by addresses (VK_KHR_device_address_commands). */
VkResult rp_layer_query_results_create(struct rp_layer_device *dev,
                                       const struct rp_layer_query_pool *pool, uint32_t count,
                                       VkQueryResultFlags flags, bool has_address,
                                       struct rp_layer_query_results **out) RP_MUST_CHECK;
/* ref and unref take NULL. */
void rp_layer_query_results_ref(struct rp_layer_query_results *results);
void rp_layer_query_results_unref(struct rp_layer_query_results *results);

/* False: it cannot be done yet. */
bool rp_layer_step_run(struct rp_layer_device *dev, const struct rp_layer_step *step);

#endif
