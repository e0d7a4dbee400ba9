/* SPDX-License-Identifier: MIT */
/* Buffers and images, each with memory of its own. */
#include "tools/encode/gpu.h"

#define NO_TYPE UINT32_MAX

static uint32_t
memory_type_find(const struct gpu *gpu, uint32_t type_bits, VkMemoryPropertyFlags flags)
{
    for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags has = gpu->memory.memoryTypes[i].propertyFlags;

        if (type_bits & 1u << i && (has & flags) == flags)
            return i;
    }
    return NO_TYPE;
}

static VkDeviceMemory
memory_allocate(struct gpu *gpu, const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags,
                bool *is_coherent_out)
{
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs->size,
        .memoryTypeIndex = memory_type_find(gpu, needs->memoryTypeBits, flags),
    };
    VkDeviceMemory memory;

    if (info.memoryTypeIndex == NO_TYPE) /* all but visible is a wish */
        info.memoryTypeIndex = memory_type_find(gpu, needs->memoryTypeBits,
                                                flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
    if (info.memoryTypeIndex == NO_TYPE)
        die("no memory type fits");
    vk_check(gpu->vk.AllocateMemory(gpu->device, &info, NULL, &memory), "vkAllocateMemory");
    if (is_coherent_out)
        *is_coherent_out = gpu->memory.memoryTypes[info.memoryTypeIndex].propertyFlags &
                           VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    return memory;
}

void
gpu_buffer_create(struct gpu *gpu, VkDeviceSize size_B, VkBufferUsageFlags usage, const void *next,
                  struct gpu_buffer *out)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = next,
        .size = size_B,
        .usage = usage,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    VkMemoryRequirements needs;
    void *data;

    *out = (struct gpu_buffer){.size_B = size_B};
    vk_check(gpu->vk.CreateBuffer(gpu->device, &info, NULL, &out->handle), "vkCreateBuffer");
    gpu->vk.GetBufferMemoryRequirements(gpu->device, out->handle, &needs);
    out->memory = memory_allocate(
        gpu, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
        &out->is_coherent);
    vk_check(gpu->vk.BindBufferMemory(gpu->device, out->handle, out->memory, 0),
             "vkBindBufferMemory");
    vk_check(gpu->vk.MapMemory(gpu->device, out->memory, 0, VK_WHOLE_SIZE, 0, &data),
             "vkMapMemory");
    out->data = data;
}

void
gpu_buffer_destroy(struct gpu *gpu, struct gpu_buffer *buffer)
{
    gpu->vk.DestroyBuffer(gpu->device, buffer->handle, NULL);
    gpu->vk.FreeMemory(gpu->device, buffer->memory, NULL);
}

void
gpu_buffer_flush(struct gpu *gpu, const struct gpu_buffer *buffer)
{
    const VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = buffer->memory,
        .size = VK_WHOLE_SIZE,
    };

    if (!buffer->is_coherent)
        vk_check(gpu->vk.FlushMappedMemoryRanges(gpu->device, 1, &range),
                 "vkFlushMappedMemoryRanges");
}

void
gpu_buffer_invalidate(struct gpu *gpu, const struct gpu_buffer *buffer)
{
    const VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
        .memory = buffer->memory,
        .size = VK_WHOLE_SIZE,
    };

    if (!buffer->is_coherent)
        vk_check(gpu->vk.InvalidateMappedMemoryRanges(gpu->device, 1, &range),
                 "vkInvalidateMappedMemoryRanges");
}

static void
image_view_create(struct gpu *gpu, VkFormat format, uint32_t layer_count, struct gpu_image *image)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->handle,
        .viewType = layer_count > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layer_count},
    };

    vk_check(gpu->vk.CreateImageView(gpu->device, &info, NULL, &image->view), "vkCreateImageView");
}

void
gpu_image_create(struct gpu *gpu, VkFormat format, VkExtent2D extent, uint32_t layer_count,
                 VkImageUsageFlags usage, const void *next, struct gpu_image *out)
{
    const uint32_t families[] = {gpu->family, gpu->copy_family};
    const bool is_shared = gpu->family != gpu->copy_family;
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = next,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {extent.width, extent.height, 1},
        .mipLevels = 1,
        .arrayLayers = layer_count,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage,
        .sharingMode = is_shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = is_shared ? 2 : 0,
        .pQueueFamilyIndices = families,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    };
    VkMemoryRequirements needs;

    *out = (struct gpu_image){0};
    vk_check(gpu->vk.CreateImage(gpu->device, &info, NULL, &out->handle), "vkCreateImage");
    gpu->vk.GetImageMemoryRequirements(gpu->device, out->handle, &needs);
    out->memory = memory_allocate(gpu, &needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, NULL);
    vk_check(gpu->vk.BindImageMemory(gpu->device, out->handle, out->memory, 0),
             "vkBindImageMemory");
    image_view_create(gpu, format, layer_count, out);
}

void
gpu_image_destroy(struct gpu *gpu, struct gpu_image *image)
{
    gpu->vk.DestroyImageView(gpu->device, image->view, NULL);
    gpu->vk.DestroyImage(gpu->device, image->handle, NULL);
    gpu->vk.FreeMemory(gpu->device, image->memory, NULL);
}
