/* SPDX-License-Identifier: MIT */
/* Finding and keeping what pipelines were compiled to.
 */
#include "object/pipeline_cache.h"

#include "compute/compute.h"
#include "compute/heap.h"
#include "object/device.h"
#include "util/alloc.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <string.h>

/* Eight bytes at a time; keys are compared as well, so it need not be strong. */
uint64_t
rp_cache_hash(uint64_t seed, const uint8_t *bytes, size_t size_B)
{
    uint64_t hash = seed ^ size_B;
    for (size_t at = 0; at < size_B; at += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, size_B - at < 8 ? size_B - at : 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* Keys. */

struct key_writer {
    uint8_t *out; /* NULL: only count */
    size_t size_B;
};

static void
put(struct key_writer *w, const void *data, size_t size_B)
{
    if (w->out && size_B)
        memcpy(w->out + w->size_B, data, size_B);
    w->size_B += size_B;
}

static void
put_count(struct key_writer *w, uint64_t count)
{
    put(w, &count, sizeof(count));
}

/* Each part says how long it is: no two different infos give the same bytes. */
static size_t
key_write(const struct rp_cache_key_info *info, uint8_t *out)
{
    const VkSpecializationInfo *s = info->specialization;
    struct key_writer w = {.out = out};
    put_count(&w, info->wants_exact_bounds);
    put_count(&w, info->subgroup_size);
    put_count(&w, info->mapping_count);
    put(&w, info->mappings, info->mapping_count * sizeof(info->mappings[0]));
    put_count(&w, strlen(info->entry_point));
    put(&w, info->entry_point, strlen(info->entry_point));
    put_count(&w, s ? s->mapEntryCount : 0);
    for (uint32_t i = 0; s && i < s->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &s->pMapEntries[i];
        put_count(&w, entry->constantID);
        put_count(&w, entry->size);
        put(&w, (const uint8_t *)s->pData + entry->offset, entry->size);
    }
    put(&w, info->words, info->word_count * sizeof(info->words[0]));
    return w.size_B;
}

struct rp_cache_entry *
rp_cache_entry_create(const struct rp_cache_key_info *info)
{
    const size_t key_B = key_write(info, NULL);
    struct rp_cache_entry *entry =
        rp_zalloc(NULL, sizeof(*entry) + key_B, _Alignof(struct rp_cache_entry),
                  VK_SYSTEM_ALLOCATION_SCOPE_CACHE);
    if (!entry)
        return NULL;
    entry->key_B = key_B;
    key_write(info, entry->bytes);
    entry->hash = rp_cache_hash(0, entry->bytes, key_B);
    return entry;
}

void
rp_cache_entry_destroy(struct rp_cache_entry *entry)
{
    if (!entry)
        return;
    rp_kernel_destroy(entry->kernel);
    rp_free(NULL, entry);
}

struct key_reader {
    const uint8_t *data;
    size_t size_B;
    size_t at;
    bool has_failed;
};

/* Where the next bytes begin; what follows a failure has none. */
static size_t
skip(struct key_reader *r, uint64_t size_B)
{
    const size_t at = r->at;
    if (r->has_failed || size_B > r->size_B - r->at) {
        r->has_failed = true;
        return at;
    }
    r->at += (size_t)size_B;
    return at;
}

static uint64_t
take_count(struct key_reader *r)
{
    uint64_t count = 0;
    const size_t at = skip(r, sizeof(count));
    if (!r->has_failed)
        memcpy(&count, r->data + at, sizeof(count));
    return count;
}

/* The constants; without entries they are only counted. */
static uint32_t
read_constants(struct key_reader *r, VkSpecializationMapEntry *entries)
{
    const uint64_t count = take_count(r);
    for (uint64_t i = 0; i < count && !r->has_failed; i++) {
        const uint64_t id = take_count(r);
        const uint64_t size_B = take_count(r);
        const size_t at = skip(r, size_B);
        r->has_failed |= id > UINT32_MAX || at > UINT32_MAX;
        if (entries && !r->has_failed)
            entries[i] = (VkSpecializationMapEntry){(uint32_t)id, (uint32_t)at, (size_t)size_B};
    }
    r->has_failed |= count > UINT32_MAX;
    return r->has_failed ? 0 : (uint32_t)count;
}

VkResult
rp_cache_key_read(const uint8_t *key, size_t key_B, struct rp_cache_key_source **out)
{
    struct key_reader r = {.data = key, .size_B = key_B};
    const bool wants_exact_bounds = take_count(&r) != 0;
    const uint64_t subgroup_size = take_count(&r);
    const uint64_t mapping_count = take_count(&r);
    const uint64_t mappings_B = RP_MIN(mapping_count, UINT32_MAX) * sizeof(struct rp_heap_mapping);
    const size_t mappings_at = skip(&r, mappings_B);
    const uint64_t name_B = take_count(&r);
    const size_t name_at = skip(&r, name_B);
    const size_t constants_at = r.at;
    const uint32_t constant_count = read_constants(&r, NULL);
    if (r.has_failed || mapping_count > UINT32_MAX || subgroup_size > RP_MAX_SUBGROUP_SIZE)
        return VK_ERROR_UNKNOWN;

    /* Behind the entries: the mappings, the words, which begin anywhere in the key, the constants,
     * the name. */
    const size_t words_B = (key_B - r.at) / sizeof(uint32_t) * sizeof(uint32_t);
    const size_t entries_B = constant_count * sizeof(VkSpecializationMapEntry);
    struct rp_cache_key_source *s =
        rp_zalloc(NULL, sizeof(*s) + entries_B + mappings_B + words_B + r.at + (size_t)name_B + 1,
                  _Alignof(struct rp_cache_key_source), VK_SYSTEM_ALLOCATION_SCOPE_CACHE);
    if (!s)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    uint8_t *mappings = (uint8_t *)s->entries + entries_B;
    uint8_t *words = mappings + mappings_B;
    uint8_t *constants = words + words_B;
    uint8_t *name = constants + r.at;
    memcpy(mappings, key + mappings_at, mappings_B);
    memcpy(words, key + r.at, words_B);
    memcpy(constants, key, r.at);
    memcpy(name, key + name_at, (size_t)name_B);
    r.at = constants_at;
    (void)read_constants(&r, s->entries);
    s->specialization = (VkSpecializationInfo){constant_count, s->entries, r.at, constants};
    s->info = (struct rp_cache_key_info){
        .words = (const uint32_t *)(const void *)words,
        .word_count = words_B / sizeof(uint32_t),
        .entry_point = (const char *)name,
        .specialization = constant_count ? &s->specialization : NULL,
        .mappings = (const struct rp_heap_mapping *)(const void *)mappings,
        .mapping_count = (uint32_t)mapping_count,
        .subgroup_size = (uint32_t)subgroup_size,
        .wants_exact_bounds = wants_exact_bounds,
    };
    *out = s;
    return VK_SUCCESS;
}

bool
rp_cache_entry_has_key(const struct rp_cache_entry *entry, const struct rp_cache_entry *key)
{
    return entry->hash == key->hash && entry->key_B == key->key_B &&
           memcmp(entry->bytes, key->bytes, key->key_B) == 0;
}

/* The table. */

static struct rp_cache_entry *
find(const struct rp_pipeline_cache *cache, const struct rp_cache_entry *key)
{
    struct rp_cache_entry *entry = cache->buckets[key->hash % RP_CACHE_BUCKETS];
    while (entry && !rp_cache_entry_has_key(entry, key))
        entry = entry->next;
    return entry;
}

struct rp_kernel *
rp_pipeline_cache_find(struct rp_pipeline_cache *cache, const struct rp_cache_entry *key)
{
    struct rp_kernel *kernel = NULL;
    pthread_mutex_lock(&cache->mutex);
    struct rp_cache_entry *entry = find(cache, key);
    if (entry && !entry->kernel &&
        rp_kernel_load(entry->bytes + entry->key_B, entry->kernel_B,
                       cache->base.dev->physical_device->cpu_flags, &entry->kernel) != VK_SUCCESS)
        entry->kernel = NULL; /* it will be compiled, or say that memory is short */
    if (entry && entry->kernel)
        kernel = rp_kernel_ref(entry->kernel);
    pthread_mutex_unlock(&cache->mutex);
    return kernel;
}

void
rp_pipeline_cache_keep(struct rp_pipeline_cache *cache, struct rp_cache_entry *entry)
{
    const uint64_t room_B = RP_CACHE_MAX_B - cache->size_B;
    if (entry->key_B > room_B || entry->kernel_B > room_B - entry->key_B || find(cache, entry)) {
        rp_cache_entry_destroy(entry);
        return;
    }
    struct rp_cache_entry **bucket = &cache->buckets[entry->hash % RP_CACHE_BUCKETS];
    entry->next = *bucket;
    *bucket = entry;
    cache->size_B += entry->key_B + entry->kernel_B;
}

void
rp_pipeline_cache_add(struct rp_pipeline_cache *cache, struct rp_cache_entry *entry,
                      struct rp_kernel *kernel)
{
    entry->kernel = rp_kernel_ref(kernel);
    entry->kernel_B = rp_kernel_save(kernel, NULL);
    pthread_mutex_lock(&cache->mutex);
    rp_pipeline_cache_keep(cache, entry);
    pthread_mutex_unlock(&cache->mutex);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo *info,
                       const VkAllocationCallbacks *alloc, VkPipelineCache *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_pipeline_cache *cache =
        rp_object_zalloc(dev, alloc, sizeof(*cache), VK_OBJECT_TYPE_PIPELINE_CACHE);
    if (!cache)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    pthread_mutex_init(&cache->mutex, NULL);
    if (info->initialDataSize)
        rp_pipeline_cache_read(cache, info->pInitialData, info->initialDataSize);
    *out = rp_pipeline_cache_to_handle(cache);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyPipelineCache(VkDevice device, VkPipelineCache handle, const VkAllocationCallbacks *alloc)
{
    struct rp_pipeline_cache *cache = rp_pipeline_cache_from_handle(handle);
    if (!cache)
        return;
    for (uint32_t b = 0; b < RP_CACHE_BUCKETS; b++)
        for (struct rp_cache_entry *next, *entry = cache->buckets[b]; entry; entry = next) {
            next = entry->next;
            rp_cache_entry_destroy(entry);
        }
    pthread_mutex_destroy(&cache->mutex);
    rp_object_free(rp_device_from_handle(device), alloc, cache);
}

/* A copy for another cache; NULL when memory is short. */
static struct rp_cache_entry *
entry_copy(const struct rp_cache_entry *entry)
{
    const size_t bytes_B = entry->key_B + (entry->kernel ? 0 : entry->kernel_B);
    struct rp_cache_entry *copy =
        rp_alloc(NULL, sizeof(*copy) + bytes_B, _Alignof(struct rp_cache_entry),
                 VK_SYSTEM_ALLOCATION_SCOPE_CACHE);
    if (!copy)
        return NULL;
    *copy = *entry;
    memcpy(copy->bytes, entry->bytes, bytes_B);
    if (copy->kernel)
        (void)rp_kernel_ref(copy->kernel);
    return copy;
}

/* All of src, as a list: no two caches are ever locked at once. */
static VkResult
entries_copy(struct rp_pipeline_cache *src, struct rp_cache_entry **out)
{
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&src->mutex);
    for (uint32_t b = 0; b < RP_CACHE_BUCKETS && result == VK_SUCCESS; b++)
        for (struct rp_cache_entry *entry = src->buckets[b]; entry; entry = entry->next) {
            struct rp_cache_entry *copy = entry_copy(entry);
            if (!copy) {
                result = rp_error(src->base.dev, VK_ERROR_OUT_OF_HOST_MEMORY);
                break;
            }
            copy->next = *out;
            *out = copy;
        }
    pthread_mutex_unlock(&src->mutex);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_MergePipelineCaches(VkDevice device, VkPipelineCache dst_handle, uint32_t src_count,
                       const VkPipelineCache *src)
{
    struct rp_pipeline_cache *dst = rp_pipeline_cache_from_handle(dst_handle);
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < src_count && result == VK_SUCCESS; i++) {
        struct rp_cache_entry *list = NULL;
        result = entries_copy(rp_pipeline_cache_from_handle(src[i]), &list);
        pthread_mutex_lock(&dst->mutex);
        for (struct rp_cache_entry *next; list; list = next) {
            next = list->next;
            rp_pipeline_cache_keep(dst, list);
        }
        pthread_mutex_unlock(&dst->mutex);
    }
    return result;
}
