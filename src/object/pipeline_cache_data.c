/* SPDX-License-Identifier: MIT */
/* What a pipeline cache is between two runs: Vulkan's header, ours with a checksum, entries.
 *
 * The UUID in the first header names the build and the kind of CPU, the checksum tells damage. Who
 * makes data up with both right has written a program for the interpreter, as with any driver's
 * cache: VUID-VkPipelineCacheCreateInfo-initialDataSize-00769.
 */
#include "object/pipeline_cache.h"

#include "compute/compute.h"
#include "object/device.h"
#include "util/alloc.h"
#include "util/checked.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <string.h>

#define CHECKSUM_SEED UINT64_C(0x5265656c70697065)

struct data_header {
    VkPipelineCacheHeaderVersionOne vulkan;
    uint64_t checksum; /* of what follows */
};

struct entry_header {
    uint64_t key_B;
    uint64_t kernel_B;
};

static VkPipelineCacheHeaderVersionOne
vulkan_header(const struct rp_device *dev)
{
    const struct rp_properties *props = &dev->physical_device->properties;
    VkPipelineCacheHeaderVersionOne header = {
        .headerSize = sizeof(header),
        .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
        .vendorID = props->vendorID,
        .deviceID = props->deviceID,
    };
    memcpy(header.pipelineCacheUUID, props->pipelineCacheUUID, VK_UUID_SIZE);
    return header;
}

static size_t
entry_write(const struct rp_cache_entry *entry, uint8_t *out)
{
    const struct entry_header header = {entry->key_B, entry->kernel_B};
    memcpy(out, &header, sizeof(header));
    memcpy(out + sizeof(header), entry->bytes, entry->key_B);
    uint8_t *kernel = out + sizeof(header) + entry->key_B;
    if (entry->kernel)
        (void)rp_kernel_save(entry->kernel, kernel);
    else
        memcpy(kernel, entry->bytes + entry->key_B, entry->kernel_B);
    return sizeof(header) + entry->key_B + entry->kernel_B;
}

/* Writes the entries that fit, and returns where they end. Without out they all do. */
static size_t
entries_write(const struct rp_pipeline_cache *cache, uint8_t *out, size_t room_B, bool *is_whole)
{
    size_t at = sizeof(struct data_header);
    *is_whole = true;
    for (uint32_t b = 0; b < RP_CACHE_BUCKETS; b++)
        for (const struct rp_cache_entry *e = cache->buckets[b]; e; e = e->next) {
            const size_t size_B = sizeof(struct entry_header) + e->key_B + e->kernel_B;
            if (!out)
                at += size_B;
            else if (rp_range_fits(at, size_B, room_B))
                at += entry_write(e, out + at);
            else
                *is_whole = false;
        }
    return at;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPipelineCacheData(VkDevice device, VkPipelineCache handle, size_t *size_B, void *data)
{
    struct rp_pipeline_cache *cache = rp_pipeline_cache_from_handle(handle);
    struct data_header header = {.vulkan = vulkan_header(rp_device_from_handle(device))};
    const size_t room_B = *size_B;
    uint8_t *out = data;
    bool is_whole = false;

    if (out && room_B < sizeof(header)) {
        *size_B = 0;
        return VK_INCOMPLETE;
    }
    pthread_mutex_lock(&cache->mutex);
    *size_B = entries_write(cache, out, room_B, &is_whole);
    pthread_mutex_unlock(&cache->mutex);
    if (!out)
        return VK_SUCCESS;
    header.checksum = rp_cache_hash(CHECKSUM_SEED, out + sizeof(header), *size_B - sizeof(header));
    memcpy(out, &header, sizeof(header));
    return is_whole ? VK_SUCCESS : VK_INCOMPLETE;
}

static bool
entry_read(struct rp_pipeline_cache *cache, const uint8_t **at, size_t *left_B)
{
    struct entry_header header;
    uint64_t bytes_B;
    if (*left_B < sizeof(header))
        return false;
    memcpy(&header, *at, sizeof(header));
    *at += sizeof(header);
    *left_B -= sizeof(header);
    if (!rp_add_u64(header.key_B, header.kernel_B, &bytes_B) || bytes_B > *left_B)
        return false;

    struct rp_cache_entry *entry =
        rp_zalloc(NULL, sizeof(*entry) + (size_t)bytes_B, _Alignof(struct rp_cache_entry),
                  VK_SYSTEM_ALLOCATION_SCOPE_CACHE);
    if (!entry)
        return false;
    entry->key_B = header.key_B;
    entry->kernel_B = header.kernel_B;
    memcpy(entry->bytes, *at, (size_t)bytes_B);
    entry->hash = rp_cache_hash(0, entry->bytes, (size_t)entry->key_B);
    rp_pipeline_cache_keep(cache, entry);
    *at += bytes_B;
    *left_B -= (size_t)bytes_B;
    return true;
}

void
rp_pipeline_cache_read(struct rp_pipeline_cache *cache, const void *data, size_t size_B)
{
    const VkPipelineCacheHeaderVersionOne ours = vulkan_header(cache->base.dev);
    struct data_header header;

    if (size_B < sizeof(header))
        return;
    memcpy(&header, data, sizeof(header));
    const uint8_t *at = (const uint8_t *)data + sizeof(header);
    size_t left_B = size_B - sizeof(header);
    if (memcmp(&header.vulkan, &ours, sizeof(ours)) != 0 ||
        header.checksum != rp_cache_hash(CHECKSUM_SEED, at, left_B))
        return;
    while (entry_read(cache, &at, &left_B))
        ;
}
