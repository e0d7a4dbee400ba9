/* SPDX-License-Identifier: MIT */
/* What the layer knows of the handles of one device, found by type and handle. Objects begin with
 * an entry, so that nothing is allocated here. Any thread may call.
 */
#ifndef RP_ICD_LAYER_MAP_H
#define RP_ICD_LAYER_MAP_H

#include "util/handle.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_LAYER_MAP_SHARDS 64
#define RP_LAYER_MAP_BUCKETS 32

#define RP_LAYER_HANDLE(handle) RP_HANDLE_U64(handle)

struct rp_layer_device;
struct rp_layer_private;

struct rp_layer_entry {
    struct rp_layer_entry *next;
    VkObjectType type;
    uint64_t handle;
    bool is_lower;                     /* the lower device knows the handle */
    struct rp_layer_private *privates; /* entry.h; NULL */
    uint64_t serial;                   /* retire.h */
    void (*destroy)(struct rp_layer_device *dev, struct rp_layer_entry *entry); /* retire.h */
    /* Frees the struct that the entry begins, and what this owns; NULL: the struct alone. */
    void (*release)(struct rp_layer_entry *entry);
};

struct rp_layer_map {
    struct rp_layer_shard {
        pthread_rwlock_t lock; /* guards the chains */
        struct rp_layer_entry *buckets[RP_LAYER_MAP_BUCKETS];
    } shards[RP_LAYER_MAP_SHARDS];
};

void rp_layer_map_init(struct rp_layer_map *map);

/* Calls release for each entry that is still there. */
void rp_layer_map_finish(struct rp_layer_map *map, void (*release)(struct rp_layer_entry *entry));

/* entry has its type, handle and is_lower. */
void rp_layer_map_put(struct rp_layer_map *map, struct rp_layer_entry *entry);

/* NULL where the handle is not known. take removes it. */
void *rp_layer_map_get(struct rp_layer_map *map, VkObjectType type, uint64_t handle);
void *rp_layer_map_take(struct rp_layer_map *map, VkObjectType type, uint64_t handle);

#endif
