/* SPDX-License-Identifier: MIT */
/* Steps of the host, and the memory that results are copied from.
 */
#include "icd/layer/query_results.h"

#include "icd/layer/device.h"
#include "icd/layer/memory.h"
#include "util/alloc.h"

#include <stddef.h>
#include <string.h>

/* Takes any half-made state. */
static void
destroy(struct rp_layer_query_results *results)
{
    struct rp_layer_device *dev = results->dev;

    dev->lower.DestroySemaphore(dev->handle, results->copied, NULL);
    dev->lower.DestroyBuffer(dev->handle, results->buffer, NULL);
    dev->lower.FreeMemory(dev->handle, results->memory, NULL);
    rp_free(NULL, results);
}

static VkDeviceAddress
address_of(const struct rp_layer_device *dev, VkBuffer buffer)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buffer,
    };
    return dev->lower.GetBufferDeviceAddress(dev->handle, &info);
}

static VkResult
create_buffer(struct rp_layer_query_results *results, bool has_address)
{
    struct rp_layer_device *dev = results->dev;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = (VkDeviceSize)results->result_B * results->count,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 (has_address ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0u),
    };
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    VkMemoryRequirements needed;
    void *host;

    VkResult result = dev->lower.CreateBuffer(dev->handle, &info, NULL, &results->buffer);
    if (result != VK_SUCCESS)
        return result;
    dev->lower.GetBufferMemoryRequirements(dev->handle, results->buffer, &needed);
    const uint32_t types = rp_layer_memory_host_types(dev, needed.memoryTypeBits);
    if (!types)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = has_address ? &flags : NULL,
        .allocationSize = needed.size,
        .memoryTypeIndex = (uint32_t)__builtin_ctz(types),
    };
    result = dev->lower.AllocateMemory(dev->handle, &memory, NULL, &results->memory);
    if (result == VK_SUCCESS)
        result = dev->lower.BindBufferMemory(dev->handle, results->buffer, results->memory, 0);
    if (result == VK_SUCCESS)
        result = dev->lower.MapMemory(dev->handle, results->memory, 0, VK_WHOLE_SIZE, 0, &host);
    if (result == VK_SUCCESS)
        results->host = host;
    if (result == VK_SUCCESS && has_address)
        results->address = address_of(dev, results->buffer);
    return result;
}

static VkResult
create_semaphore(struct rp_layer_query_results *results)
{
    static const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    static const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = &type,
    };
    struct rp_layer_device *dev = results->dev;
    return dev->lower.CreateSemaphore(dev->handle, &info, NULL, &results->copied);
}

VkResult
rp_layer_query_results_create(struct rp_layer_device *dev, const struct rp_layer_query_pool *pool,
                              uint32_t count, VkQueryResultFlags flags, bool has_address,
                              struct rp_layer_query_results **out)
{
    const bool has_extra =
        flags & (VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    struct rp_layer_query_results *results =
        rp_zalloc(NULL, sizeof(*results), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);

    if (!results)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    results->dev = dev;
    atomic_init(&results->ref_count, 1);
    results->flags = flags;
    results->result_B = (pool->value_count + has_extra) * (flags & VK_QUERY_RESULT_64_BIT ? 8 : 4);
    results->count = count;
    VkResult result = create_buffer(results, has_address);
    if (result == VK_SUCCESS)
        result = create_semaphore(results);
    if (result != VK_SUCCESS) {
        destroy(results);
        return result;
    }
    *out = results;
    return VK_SUCCESS;
}

void
rp_layer_query_results_ref(struct rp_layer_query_results *results)
{
    if (results)
        atomic_fetch_add(&results->ref_count, 1);
}

void
rp_layer_query_results_unref(struct rp_layer_query_results *results)
{
    if (results && atomic_fetch_sub(&results->ref_count, 1) == 1)
        destroy(results);
}

/* What is not available is 0. */
static bool
write_results(struct rp_layer_device *dev, const struct rp_layer_step *step)
{
    const struct rp_layer_query_results *results = step->results;
    const VkQueryResultFlags flags = results->flags & ~(VkQueryResultFlags)VK_QUERY_RESULT_WAIT_BIT;
    const size_t size_B = (size_t)results->result_B * results->count;
    uint64_t copied = 0;

    if (dev->lower.GetSemaphoreCounterValue(dev->handle, results->copied, &copied) == VK_SUCCESS &&
        copied < step->copied)
        return false;
    memset(results->host, 0, size_B);
    const VkResult result =
        dev->driver.GetQueryPoolResults(dev->driver_handle, step->pool, step->first, step->count,
                                        size_B, results->host, results->result_B, flags);
    return result != VK_NOT_READY || !(results->flags & VK_QUERY_RESULT_WAIT_BIT);
}

bool
rp_layer_step_run(struct rp_layer_device *dev, const struct rp_layer_step *step)
{
    if (step->results)
        return write_results(dev, step);
    dev->driver.ResetQueryPool(dev->driver_handle, step->pool, step->first, step->count);
    return true;
}
