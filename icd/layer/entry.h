/* SPDX-License-Identifier: MIT */
/* Making and releasing entries, and the private data that applications attach to handles which the
 * lower device does not know.
 */
#ifndef RP_ICD_LAYER_ENTRY_H
#define RP_ICD_LAYER_ENTRY_H

#include "icd/layer/map.h"

/* A value of one private data slot. */
struct rp_layer_private {
    struct rp_layer_private *next;
    uint64_t slot_id;
    uint64_t data;
};

/* The entry of a handle that the lower device does not know; else NULL. */
struct rp_layer_entry *rp_layer_entry_find_lent(struct rp_layer_map *map, VkObjectType type,
                                                uint64_t handle);

/* An entry with all that hangs from it, by its type; NULL is nothing. Objects below and of our
 * driver stay. */
void rp_layer_entry_free(struct rp_layer_entry *entry);

/* What an object that needs no more than its entry is. NULL when memory is short. */
struct rp_layer_entry *rp_layer_entry_create(VkObjectType type, uint64_t handle, bool is_lower);

#endif
