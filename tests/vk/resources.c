/* SPDX-License-Identifier: MIT */
/* The fixture's buffers and images, mapped where the device can.
 */
#include "fixture.h"

#define NO_TYPE UINT32_MAX

static uint32_t
find_type(const struct fixture *f, uint32_t bits, VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(f->pdev, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
        if ((bits >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    }
    return NO_TYPE;
}

#define MAPPED (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

uint32_t
fixture_mapped_type(const struct fixture *f, uint32_t bits)
{
    uint32_t type = find_type(f, bits, MAPPED | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    if (type == NO_TYPE)
        type = find_type(f, bits, MAPPED);
    REQUIRE(type != NO_TYPE);
    return type;
}

static VkDeviceMemory
allocate(struct fixture *f, const VkMemoryRequirements *needs, uint32_t type, uint8_t **bytes_out)
{
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = needs->size,
        .memoryTypeIndex = type,
    };
    VkDeviceMemory memory;
    REQUIRE_EQ(vkAllocateMemory(f->dev, &info, f->alloc, &memory), VK_SUCCESS);
    void *host = NULL;
    if (find_type(f, 1u << type, MAPPED) == type)
        REQUIRE_EQ(vkMapMemory(f->dev, memory, 0, VK_WHOLE_SIZE, 0, &host), VK_SUCCESS);
    *bytes_out = host;
    return memory;
}

struct test_buffer
test_buffer_create(struct fixture *f, VkDeviceSize size_B, uint8_t fill)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size_B,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
    };
    struct test_buffer buf = {.size_B = size_B};
    VkMemoryRequirements needs;
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, f->alloc, &buf.handle), VK_SUCCESS);
    vkGetBufferMemoryRequirements(f->dev, buf.handle, &needs);
    REQUIRE(needs.size >= size_B);
    buf.memory = allocate(f, &needs, fixture_mapped_type(f, needs.memoryTypeBits), &buf.bytes);
    REQUIRE_EQ(vkBindBufferMemory(f->dev, buf.handle, buf.memory, 0), VK_SUCCESS);
    memset(buf.bytes, fill, needs.size);
    return buf;
}

void
test_buffer_destroy(struct fixture *f, struct test_buffer *buf)
{
    vkDestroyBuffer(f->dev, buf->handle, f->alloc);
    vkFreeMemory(f->dev, buf->memory, f->alloc);
}

VkDeviceAddressRangeKHR
test_address_range(struct fixture *f, VkBuffer buffer, VkDeviceSize offset_B, VkDeviceSize size_B)
{
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = buffer};
    return (VkDeviceAddressRangeKHR){vkGetBufferDeviceAddress(f->dev, &info) + offset_B, size_B};
}

VkImageCreateInfo
test_image_info(VkFormat format, uint32_t width_px, uint32_t height_px)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = format,
        .extent = {width_px, height_px, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
}

struct test_image
test_image_create_with(struct fixture *f, const VkImageCreateInfo *info)
{
    struct test_image img = {.info = *info};
    VkMemoryRequirements needs;
    REQUIRE_EQ(vkCreateImage(f->dev, info, f->alloc, &img.handle), VK_SUCCESS);
    vkGetImageMemoryRequirements(f->dev, img.handle, &needs);
    uint32_t type = find_type(f, needs.memoryTypeBits, MAPPED);
    if (type == NO_TYPE)
        type = find_type(f, needs.memoryTypeBits, 0);
    img.memory = allocate(f, &needs, type, &img.bytes);
    REQUIRE_EQ(vkBindImageMemory(f->dev, img.handle, img.memory, 0), VK_SUCCESS);
    return img;
}

struct test_image
test_image_create(struct fixture *f, VkFormat format, uint32_t width_px, uint32_t height_px)
{
    const VkImageCreateInfo info = test_image_info(format, width_px, height_px);
    return test_image_create_with(f, &info);
}

void
test_image_destroy(struct fixture *f, struct test_image *img)
{
    vkDestroyImage(f->dev, img->handle, f->alloc);
    vkFreeMemory(f->dev, img->memory, f->alloc);
}
