/* SPDX-License-Identifier: MIT */
/* Memory, buffers, images and other objects of the objects target: absurd sizes too.
 */
#include "objects.h"

#define SMALL_B (1u << 20)

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void
set_drop(struct world *w, struct set_slot *s)
{
    vkDestroyDescriptorPool(w->f->dev, s->pool, NULL);
    *s = (struct set_slot){0};
}

/* Mostly small, now and then absurd. */
uint64_t
any_size(struct world *w)
{
    if (pick(w, 4))
        return 1 + pick(w, 65536);
    const uint64_t high = (uint64_t)input_u32(w->in) << 32 | input_u32(w->in);
    return high >> pick(w, 60) | 1;
}

static bool
may_be_short_of_memory(VkResult result)
{
    REQUIRE(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
            result == VK_ERROR_OUT_OF_HOST_MEMORY);
    return result != VK_SUCCESS;
}

static VkDeviceMemory
memory_for(struct world *w, VkDeviceSize size_B)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = size_B};
    VkDeviceMemory memory;
    return may_be_short_of_memory(vkAllocateMemory(w->f->dev, &info, NULL, &memory))
               ? VK_NULL_HANDLE
               : memory;
}

void
step_memory(struct world *w)
{
    vkFreeMemory(w->f->dev, memory_for(w, any_size(w)), NULL);
}

void
buffer_drop(struct world *w, struct buffer_slot *s)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (w->sets[i].buffers & 1u << (s - w->buffers))
            set_drop(w, &w->sets[i]);
    }
    vkDestroyBufferView(w->f->dev, s->view, NULL);
    vkDestroyBuffer(w->f->dev, s->handle, NULL);
    vkFreeMemory(w->f->dev, s->memory, NULL);
    *s = (struct buffer_slot){0};
}

void
step_buffer(struct world *w)
{
    struct buffer_slot *s = &w->buffers[pick(w, SLOTS)];
    buffer_drop(w, s);
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = any_size(w),
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
    };
    if (may_be_short_of_memory(vkCreateBuffer(w->f->dev, &info, NULL, &s->handle)))
        return;
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(w->f->dev, s->handle, &needs);
    REQUIRE(needs.size >= info.size);
    if (needs.size <= SMALL_B)
        s->memory = memory_for(w, needs.size);
    if (!s->memory) {
        buffer_drop(w, s);
        return;
    }
    s->size_B = info.size;
    REQUIRE_EQ(vkBindBufferMemory(w->f->dev, s->handle, s->memory, 0), VK_SUCCESS);
    const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = s->handle,
                                         .format = VK_FORMAT_R8G8B8A8_UNORM,
                                         .range = VK_WHOLE_SIZE};
    REQUIRE_EQ(vkCreateBufferView(w->f->dev, &view, NULL, &s->view), VK_SUCCESS);
}

void
image_drop(struct world *w, struct image_slot *s)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (w->sets[i].images & 1u << (s - w->images))
            set_drop(w, &w->sets[i]);
    }
    vkDestroyImageView(w->f->dev, s->view, NULL);
    vkDestroyImage(w->f->dev, s->handle, NULL);
    vkFreeMemory(w->f->dev, s->memory, NULL);
    *s = (struct image_slot){0};
}

static VkFormat
any_format(struct world *w)
{
    return pick(w, 4) ? (VkFormat)(1 + pick(w, VK_FORMAT_ASTC_12x12_SRGB_BLOCK))
                      : (VkFormat)(VK_FORMAT_G8B8G8R8_422_UNORM + (int)pick(w, 34));
}

static VkImageAspectFlags
aspect_of(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT:
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT:
        return VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
        return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

/* Any format, usage and flags: what the device says it can do must be done. */
static VkImageCreateInfo
any_image(struct world *w, VkImageFormatProperties *limits, VkResult *result)
{
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .flags = pick(w, 3) ? 0 : input_u32(w->in) & 0x3ff8,
        .imageType = (VkImageType)pick(w, 3),
        .format = any_format(w),
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = (VkImageTiling)pick(w, 2),
        .usage = pick(w, 3) ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT
                            : 1 + (input_u32(w->in) & 0xf),
    };
    *result = vkGetPhysicalDeviceImageFormatProperties(w->f->pdev, info.format, info.imageType,
                                                       info.tiling, info.usage, info.flags, limits);
    REQUIRE(*result == VK_SUCCESS || *result == VK_ERROR_FORMAT_NOT_SUPPORTED);
    if (*result != VK_SUCCESS)
        return info;
    const bool is_large = pick(w, 8) == 0;
    const bool is_square = info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    const VkExtent3D most = limits->maxExtent;
    info.extent.width = 2 * (1 + pick(w, is_large ? most.width / 2 : least(40, most.width / 2)));
    info.extent.height = info.imageType == VK_IMAGE_TYPE_1D ? 1
                         : is_square                        ? info.extent.width
                                     : 2 * (1 + pick(w, is_large ? most.height / 2 : 20));
    info.extent.depth =
        info.imageType == VK_IMAGE_TYPE_3D ? 1 + pick(w, is_large ? most.depth : 8) : 1;
    info.mipLevels = limits->maxMipLevels > 1 ? 1 + pick(w, 2) : 1;
    info.arrayLayers = is_square ? 6
                                 : 1 + pick(w, is_large ? limits->maxArrayLayers
                                                        : least(3, limits->maxArrayLayers));
    return info;
}

static void
image_view(struct world *w, struct image_slot *s)
{
    if (!(s->info.usage & (VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT)))
        return;
    const uint32_t level = pick(w, s->info.mipLevels);
    const uint32_t layer = pick(w, s->info.arrayLayers);
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = s->handle,
        .viewType = s->info.imageType == VK_IMAGE_TYPE_3D   ? VK_IMAGE_VIEW_TYPE_3D
                    : s->info.imageType == VK_IMAGE_TYPE_2D ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                                            : VK_IMAGE_VIEW_TYPE_1D_ARRAY,
        .format = s->info.format,
        .subresourceRange = {s->aspect, level, VK_REMAINING_MIP_LEVELS, layer,
                             VK_REMAINING_ARRAY_LAYERS},
    };
    REQUIRE_EQ(vkCreateImageView(w->f->dev, &view, NULL, &s->view), VK_SUCCESS);
}

void
step_image(struct world *w)
{
    struct image_slot *s = &w->images[pick(w, SLOTS)];
    VkImageFormatProperties limits;
    VkResult is_possible;
    image_drop(w, s);
    s->info = any_image(w, &limits, &is_possible);
    s->aspect = aspect_of(s->info.format);
    if (is_possible != VK_SUCCESS ||
        may_be_short_of_memory(vkCreateImage(w->f->dev, &s->info, NULL, &s->handle))) {
        *s = (struct image_slot){0};
        return;
    }
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(w->f->dev, s->handle, &needs);
    REQUIRE(needs.size > 0 && needs.size <= limits.maxResourceSize);
    const bool is_disjoint = s->info.flags & VK_IMAGE_CREATE_DISJOINT_BIT;
    if (needs.size <= SMALL_B && !is_disjoint)
        s->memory = memory_for(w, needs.size);
    if (!s->memory) {
        image_drop(w, s);
        return;
    }
    REQUIRE_EQ(vkBindImageMemory(w->f->dev, s->handle, s->memory, 0), VK_SUCCESS);
    image_view(w, s);
}

void
step_sampler(struct world *w)
{
    const uint32_t slot = pick(w, SLOTS);
    VkSampler *s = &w->samplers[slot];
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .magFilter = (VkFilter)pick(w, 2),
        .minFilter = (VkFilter)pick(w, 2),
        .addressModeU = (VkSamplerAddressMode)pick(w, 5),
        .addressModeV = (VkSamplerAddressMode)pick(w, 5),
        .addressModeW = (VkSamplerAddressMode)pick(w, 5),
        .borderColor = (VkBorderColor)pick(w, 6),
        .maxLod = (float)pick(w, 16),
    };
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (w->sets[i].samplers & 1u << slot)
            set_drop(w, &w->sets[i]);
    }
    vkDestroySampler(w->f->dev, *s, NULL);
    REQUIRE_EQ(vkCreateSampler(w->f->dev, &info, NULL, s), VK_SUCCESS);
}

void
step_event(struct world *w)
{
    VkEvent *e = &w->events[pick(w, SLOTS)];
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    if (*e && pick(w, 2)) {
        REQUIRE_EQ(vkSetEvent(w->f->dev, *e), VK_SUCCESS);
        REQUIRE_EQ(vkGetEventStatus(w->f->dev, *e), VK_EVENT_SET);
        return;
    }
    vkDestroyEvent(w->f->dev, *e, NULL);
    REQUIRE_EQ(vkCreateEvent(w->f->dev, &info, NULL, e), VK_SUCCESS);
}

void
step_queries(struct world *w)
{
    VkQueryPool *q = &w->queries[pick(w, SLOTS)];
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 8};
    uint64_t out[16];
    if (*q && pick(w, 2)) {
        const uint32_t first = pick(w, 8);
        const VkResult result =
            vkGetQueryPoolResults(w->f->dev, *q, first, 8 - first, sizeof(out), out, 16,
                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
        REQUIRE(result == VK_SUCCESS || result == VK_NOT_READY);
        return;
    }
    vkDestroyQueryPool(w->f->dev, *q, NULL);
    REQUIRE_EQ(vkCreateQueryPool(w->f->dev, &info, NULL, q), VK_SUCCESS);
    vkResetQueryPool(w->f->dev, *q, 0, 8);
}

/* Through the host's mapping, then what a map that is not there makes of it. */
void
step_map(struct world *w)
{
    const struct buffer_slot *s = &w->buffers[pick(w, SLOTS)];
    void *data;
    if (!s->memory)
        return;
    const VkMemoryMapInfo map = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                                 .memory = s->memory,
                                 .offset = pick(w, (uint32_t)s->size_B),
                                 .size = VK_WHOLE_SIZE};
    REQUIRE_EQ(vkMapMemory2(w->f->dev, &map, &data), VK_SUCCESS);
    memset(data, (int)pick(w, 256), s->size_B - map.offset);
    const VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = s->memory, .size = VK_WHOLE_SIZE};
    REQUIRE_EQ(vkFlushMappedMemoryRanges(w->f->dev, 1, &range), VK_SUCCESS);
    const VkMemoryUnmapInfo unmap = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO,
                                     .memory = s->memory};
    REQUIRE_EQ(vkUnmapMemory2(w->f->dev, &unmap), VK_SUCCESS);
}

/* The timeline is ahead of what anybody waits for. */
void
step_timeline(struct world *w)
{
    uint64_t value;
    REQUIRE_EQ(vkGetSemaphoreCounterValue(w->f->dev, w->timeline, &value), VK_SUCCESS);
    REQUIRE_EQ(value, w->signalled);
    const VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                          .semaphore = w->timeline,
                                          .value = w->signalled + 1 + pick(w, 200)};
    REQUIRE_EQ(vkSignalSemaphore(w->f->dev, &signal), VK_SUCCESS);
    w->signalled = signal.value;
    const uint64_t wanted = w->signalled + pick(w, 2);
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &w->timeline,
                                      .pValues = &wanted};
    REQUIRE_EQ(vkWaitSemaphores(w->f->dev, &wait, pick(w, 1000)),
               wanted > w->signalled ? VK_TIMEOUT : VK_SUCCESS);
}

/* Names of objects, long, empty and none. */
void
step_name(struct world *w)
{
    static const char *const names[] = {"", "a", "a name with more letters than one would give",
                                        NULL};
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_BUFFER,
        .objectHandle = (uint64_t)(uintptr_t)w->buffers[pick(w, SLOTS)].handle,
        .pObjectName = names[pick(w, 4)],
    };
    if (name.objectHandle)
        REQUIRE_EQ(vkSetDebugUtilsObjectNameEXT(w->f->dev, &name), VK_SUCCESS);
}
