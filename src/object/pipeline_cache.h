/* SPDX-License-Identifier: MIT */
/* VkPipelineCache: kernels by what they were made of, module word for word.
 *
 * Entries are added and never removed. All functions may run on any thread at any time.
 */
#ifndef RP_OBJECT_PIPELINE_CACHE_H
#define RP_OBJECT_PIPELINE_CACHE_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rp_heap_mapping;
struct rp_kernel;

#define RP_CACHE_BUCKETS 256u
#define RP_CACHE_MAX_B ((size_t)256 << 20) /* what would go beyond is not kept */

/* The key, then, for an entry that came as data, the kernel's bytes. */
struct rp_cache_entry {
    struct rp_cache_entry *next; /* in its bucket; owned */
    uint64_t hash;               /* of the key */
    struct rp_kernel *kernel;    /* owned; NULL: nobody has asked for the bytes yet */
    uint64_t key_B;
    uint64_t kernel_B; /* of rp_kernel_save() */
    uint8_t bytes[];
};

struct rp_pipeline_cache {
    struct rp_object base;
    pthread_mutex_t mutex; /* guards what follows */
    size_t size_B;         /* of keys and kernels */
    struct rp_cache_entry *buckets[RP_CACHE_BUCKETS];
};

RP_HANDLE_CASTS(rp_pipeline_cache, VkPipelineCache, VK_OBJECT_TYPE_PIPELINE_CACHE)

/* What decides what a stage is compiled to. */
struct rp_cache_key_info {
    const uint32_t *words; /* SPIR-V */
    size_t word_count;
    const char *entry_point;
    const VkSpecializationInfo *specialization; /* may be NULL */
    const struct rp_heap_mapping *mappings;     /* compute/heap.h */
    uint32_t mapping_count;
    uint32_t subgroup_size; /* 0: none is asked for */
    bool wants_exact_bounds;
    bool has_robust_images; /* decides nothing: profiles tell of it */
};

/* What was read of a key. */
struct rp_cache_key_source {
    struct rp_cache_key_info info; /* which points to what follows */
    VkSpecializationInfo specialization;
    VkSpecializationMapEntry entries[];
};

/* An entry with a key alone. NULL when memory is short. */
struct rp_cache_entry *rp_cache_entry_create(const struct rp_cache_key_info *info) RP_MUST_CHECK;
void rp_cache_entry_destroy(struct rp_cache_entry *entry); /* accepts NULL */

/* Whether entry has the key that key has. */
bool rp_cache_entry_has_key(const struct rp_cache_entry *entry, const struct rp_cache_entry *key);

/* What an entry's key was made of, in one block that rp_free(NULL, *out) frees.
 * VK_ERROR_UNKNOWN: these bytes are no key. */
VkResult rp_cache_key_read(const uint8_t *key, size_t key_B,
                           struct rp_cache_key_source **out) RP_MUST_CHECK;

/* The kernel of an equal key, for one owner more, or NULL. */
struct rp_kernel *rp_pipeline_cache_find(struct rp_pipeline_cache *cache,
                                         const struct rp_cache_entry *key);

/* Takes the entry, whether it keeps it or not, and shares the kernel. */
void rp_pipeline_cache_add(struct rp_pipeline_cache *cache, struct rp_cache_entry *entry,
                           struct rp_kernel *kernel);

/* rp_pipeline_cache_add() with the mutex held, for an entry that has all it is to have. */
void rp_pipeline_cache_keep(struct rp_pipeline_cache *cache, struct rp_cache_entry *entry);

uint64_t rp_cache_hash(uint64_t seed, const uint8_t *bytes, size_t size_B);

/* Adds what vkGetPipelineCacheData() gave; nothing when it is not from this build and kind of CPU,
 * or damaged. Does without what there is no memory for. */
void rp_pipeline_cache_read(struct rp_pipeline_cache *cache, const void *data, size_t size_B);

#endif
