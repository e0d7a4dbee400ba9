/* SPDX-License-Identifier: MIT */
/* Pipeline caches: nothing but a header, since making a pipeline costs less than looking it up.
 */
#include "object/pipeline.h"

#include "object/device.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <string.h>

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo *info,
                       const VkAllocationCallbacks *alloc, VkPipelineCache *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_pipeline_cache *cache =
        rp_object_zalloc(dev, alloc, sizeof(*cache), VK_OBJECT_TYPE_PIPELINE_CACHE);
    if (!cache)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    *out = rp_pipeline_cache_to_handle(cache);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyPipelineCache(VkDevice device, VkPipelineCache handle,
                        const VkAllocationCallbacks *alloc)
{
    rp_object_free(rp_device_from_handle(device), alloc, rp_pipeline_cache_from_handle(handle));
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPipelineCacheData(VkDevice device, VkPipelineCache handle, size_t *size_B, void *data)
{
    struct rp_device *dev = rp_device_from_handle(device);
    VkPhysicalDeviceProperties2 props = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    VkPipelineCacheHeaderVersionOne header;

    if (!data) {
        *size_B = sizeof(header);
        return VK_SUCCESS;
    }
    if (*size_B < sizeof(header)) {
        *size_B = 0;
        return VK_INCOMPLETE;
    }

    rp_GetPhysicalDeviceProperties2(rp_physical_device_to_handle(dev->physical_device), &props);
    header = (VkPipelineCacheHeaderVersionOne){
        .headerSize = sizeof(header),
        .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
        .vendorID = props.properties.vendorID,
        .deviceID = props.properties.deviceID,
    };
    memcpy(header.pipelineCacheUUID, props.properties.pipelineCacheUUID, VK_UUID_SIZE);
    memcpy(data, &header, sizeof(header));
    *size_B = sizeof(header);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_MergePipelineCaches(VkDevice device, VkPipelineCache dst, uint32_t src_count,
                       const VkPipelineCache *src)
{
    return VK_SUCCESS;
}
