/* SPDX-License-Identifier: MIT */
/* Video, sequence and picture parameter sets of an object, each kind in a table of its own, found
 * by their ids (7.4.3); of decode and encode sessions.
 */
#ifndef RP_VIDEO_H265_SET_TABLES_H
#define RP_VIDEO_H265_SET_TABLES_H

#include "util/compiler.h"
#include "video/parameter_table.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rp_h265_set_kind { RP_H265_VPS, RP_H265_SPS, RP_H265_PPS, RP_H265_SET_KINDS };

/* Every entry of a table begins so. */
struct rp_h265_set {
    uint32_t key; /* its ids, in one number */
};

struct rp_h265_set_tables {
    VkAllocationCallbacks callbacks;
    bool has_callbacks;
    struct rp_parameter_table kind[RP_H265_SET_KINDS];
};

/* While sets are added. */
struct rp_h265_adding {
    struct rp_h265_set_tables *tables;
    uint32_t counts[RP_H265_SET_KINDS];
    VkResult result;
};

/* The ids must be below their limits (parameter_sets.h). */
uint32_t rp_h265_sps_key(uint32_t vps_id, uint32_t sps_id);
uint32_t rp_h265_pps_key(uint32_t vps_id, uint32_t sps_id, uint32_t pps_id);

/* Room for these numbers of sets, or for as many as there can be. VK_ERROR_OUT_OF_HOST_MEMORY: to
 * be finished all the same. tables is zeroed; callbacks may be NULL. */
VkResult rp_h265_set_tables_init(struct rp_h265_set_tables *tables,
                                 const VkAllocationCallbacks *callbacks,
                                 const uint32_t counts[RP_H265_SET_KINDS]) RP_MUST_CHECK;

void rp_h265_set_tables_finish(struct rp_h265_set_tables *tables);

/* What is published; NULL when there is no such set. Valid as long as the tables. */
const struct rp_h265_set *rp_h265_set_find(const struct rp_h265_set_tables *tables,
                                           enum rp_h265_set_kind kind, uint32_t key);

struct rp_h265_adding rp_h265_adding_begin(struct rp_h265_set_tables *tables);

/* What is there already, published or not; NULL when there is no such set. */
struct rp_h265_set *rp_h265_adding_find(const struct rp_h265_adding *adding,
                                        enum rp_h265_set_kind kind, uint32_t key);

/* The result becomes VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR when it was good and condition is
 * false. */
void rp_h265_adding_require(struct rp_h265_adding *adding, bool condition);

/* A new entry of size_B bytes, zeroed but for its key; NULL with the result when there is one with
 * this key, no room or no memory, or when the result was bad before. */
void *rp_h265_adding_grow(struct rp_h265_adding *adding, enum rp_h265_set_kind kind, uint32_t key,
                          size_t size_B);

/* Publishes what was added or, where the result is bad, takes it back. Returns the result. */
VkResult rp_h265_adding_end(struct rp_h265_adding *adding);

#endif
