/* SPDX-License-Identifier: MIT */
/* A hash table in shards, so that threads which look up rarely meet at a lock.
 */
#include "icd/layer/map.h"

#include <stddef.h>

static uint64_t
hash(VkObjectType type, uint64_t handle)
{
    return ((handle >> 4) + ((uint64_t)type << 40)) * UINT64_C(0x9e3779b97f4a7c15);
}

static struct rp_layer_shard *
shard_of(struct rp_layer_map *map, uint64_t hashed)
{
    return &map->shards[hashed >> 58];
}

/* Where the entry hangs, or where its chain ends. */
static struct rp_layer_entry **
find(struct rp_layer_shard *shard, uint64_t hashed, VkObjectType type, uint64_t handle)
{
    struct rp_layer_entry **link = &shard->buckets[hashed >> 53 & (RP_LAYER_MAP_BUCKETS - 1)];
    while (*link && ((*link)->type != type || (*link)->handle != handle))
        link = &(*link)->next;
    return link;
}

void
rp_layer_map_init(struct rp_layer_map *map)
{
    for (uint32_t i = 0; i < RP_LAYER_MAP_SHARDS; i++) {
        pthread_rwlock_init(&map->shards[i].lock, NULL);
        for (uint32_t k = 0; k < RP_LAYER_MAP_BUCKETS; k++)
            map->shards[i].buckets[k] = NULL;
    }
}

void
rp_layer_map_finish(struct rp_layer_map *map, void (*release)(struct rp_layer_entry *entry))
{
    for (uint32_t i = 0; i < RP_LAYER_MAP_SHARDS; i++) {
        for (uint32_t k = 0; k < RP_LAYER_MAP_BUCKETS; k++) {
            struct rp_layer_entry *entry = map->shards[i].buckets[k];
            while (entry) {
                struct rp_layer_entry *next = entry->next;
                release(entry);
                entry = next;
            }
        }
        pthread_rwlock_destroy(&map->shards[i].lock);
    }
}

void
rp_layer_map_put(struct rp_layer_map *map, struct rp_layer_entry *entry)
{
    const uint64_t hashed = hash(entry->type, entry->handle);
    struct rp_layer_shard *shard = shard_of(map, hashed);

    pthread_rwlock_wrlock(&shard->lock);
    struct rp_layer_entry **link = find(shard, hashed, entry->type, entry->handle);
    entry->next = *link ? (*link)->next : NULL;
    *link = entry;
    pthread_rwlock_unlock(&shard->lock);
}

void *
rp_layer_map_get(struct rp_layer_map *map, VkObjectType type, uint64_t handle)
{
    const uint64_t hashed = hash(type, handle);
    struct rp_layer_shard *shard = shard_of(map, hashed);

    pthread_rwlock_rdlock(&shard->lock);
    struct rp_layer_entry *entry = *find(shard, hashed, type, handle);
    pthread_rwlock_unlock(&shard->lock);
    return entry;
}

void *
rp_layer_map_take(struct rp_layer_map *map, VkObjectType type, uint64_t handle)
{
    const uint64_t hashed = hash(type, handle);
    struct rp_layer_shard *shard = shard_of(map, hashed);

    pthread_rwlock_wrlock(&shard->lock);
    struct rp_layer_entry **link = find(shard, hashed, type, handle);
    struct rp_layer_entry *entry = *link;
    if (entry)
        *link = entry->next;
    pthread_rwlock_unlock(&shard->lock);
    return entry;
}
