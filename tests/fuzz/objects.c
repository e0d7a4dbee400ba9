/* SPDX-License-Identifier: MIT */
/* Random calls over a small world of objects: any order, any size (absurd ones too), ranges that
 * end outside, empty descriptors. Nothing crashes, every result is one that the call may return,
 * nothing is left behind, and what is asked for last still works.
 *
 * usage: fuzz_objects [SEED [ROUNDS]]
 */
#include "fixture.h"

#define STEPS 400u
#define SLOTS 12u
#define SMALL_B (1u << 20)
#define SET_ITEMS 4u

enum { STORAGE, UNIFORM, SAMPLED, IMAGE, TEXELS, SAMPLER, BINDINGS };

static const VkDescriptorType binding_types[BINDINGS] = {
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,       VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,        VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
};

struct buffer_slot {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkBufferView view;
    VkDeviceSize size_B;
};

struct image_slot {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    VkImageCreateInfo info;
    VkImageAspectFlags aspect;
};

struct world {
    struct fixture *f;
    uint64_t random;
    struct buffer_slot buffers[SLOTS];
    struct image_slot images[SLOTS];
    VkSampler samplers[SLOTS];
    VkEvent events[SLOTS];
    VkQueryPool queries[SLOTS]; /* of 8 timestamps */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pools[SLOTS];
    VkDescriptorSet sets[SLOTS]; /* of the pool of the same slot */
};

static uint32_t
pick(struct world *w, uint32_t count)
{
    return test_random(&w->random) % count;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Mostly small, now and then absurd. */
static uint64_t
any_size(struct world *w)
{
    if (pick(w, 4))
        return 1 + pick(w, 65536);
    const uint64_t high = (uint64_t)test_random(&w->random) << 32 | test_random(&w->random);
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

static void
step_memory(struct world *w)
{
    vkFreeMemory(w->f->dev, memory_for(w, any_size(w)), NULL);
}

static void
buffer_drop(struct world *w, struct buffer_slot *s)
{
    vkDestroyBufferView(w->f->dev, s->view, NULL);
    vkDestroyBuffer(w->f->dev, s->handle, NULL);
    vkFreeMemory(w->f->dev, s->memory, NULL);
    *s = (struct buffer_slot){0};
}

static void
step_buffer(struct world *w)
{
    struct buffer_slot *s = &w->buffers[pick(w, SLOTS)];
    buffer_drop(w, s);
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = any_size(w),
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
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

static void
image_drop(struct world *w, struct image_slot *s)
{
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
        .flags = pick(w, 3) ? 0 : test_random(&w->random) & 0x3ff8,
        .imageType = (VkImageType)pick(w, 3),
        .format = any_format(w),
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = (VkImageTiling)pick(w, 2),
        .usage = pick(w, 3) ? VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT
                            : 1 + (test_random(&w->random) & 0xf),
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
    info.extent.height =
        info.imageType == VK_IMAGE_TYPE_1D ? 1
        : is_square ? info.extent.width
                    : 2 * (1 + pick(w, is_large ? most.height / 2 : 20));
    info.extent.depth =
        info.imageType == VK_IMAGE_TYPE_3D ? 1 + pick(w, is_large ? most.depth : 8) : 1;
    info.mipLevels = limits->maxMipLevels > 1 ? 1 + pick(w, 2) : 1;
    info.arrayLayers = is_square ? 6 : 1 + pick(w, is_large ? limits->maxArrayLayers
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

static void
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

static void
step_sampler(struct world *w)
{
    VkSampler *s = &w->samplers[pick(w, SLOTS)];
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
    vkDestroySampler(w->f->dev, *s, NULL);
    REQUIRE_EQ(vkCreateSampler(w->f->dev, &info, NULL, s), VK_SUCCESS);
}

static void
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

static void
step_queries(struct world *w)
{
    VkQueryPool *q = &w->queries[pick(w, SLOTS)];
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 8};
    uint64_t out[16];
    if (*q && pick(w, 2)) {
        const uint32_t first = pick(w, 8);
        const VkResult result = vkGetQueryPoolResults(
            w->f->dev, *q, first, 8 - first, sizeof(out), out, 16,
            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
        REQUIRE(result == VK_SUCCESS || result == VK_NOT_READY);
        return;
    }
    vkDestroyQueryPool(w->f->dev, *q, NULL);
    REQUIRE_EQ(vkCreateQueryPool(w->f->dev, &info, NULL, q), VK_SUCCESS);
    vkResetQueryPool(w->f->dev, *q, 0, 8);
}

/* A pool of one set; asking for a second one fails. */
static void
step_set(struct world *w)
{
    const uint32_t i = pick(w, SLOTS);
    VkDescriptorPoolSize sizes[BINDINGS];
    for (uint32_t b = 0; b < BINDINGS; b++)
        sizes[b] = (VkDescriptorPoolSize){binding_types[b], SET_ITEMS};
    const VkDescriptorPoolCreateInfo pool = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = BINDINGS,
                                             .pPoolSizes = sizes};
    vkDestroyDescriptorPool(w->f->dev, w->pools[i], NULL);
    REQUIRE_EQ(vkCreateDescriptorPool(w->f->dev, &pool, NULL, &w->pools[i]), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = w->pools[i],
        .descriptorSetCount = 1,
        .pSetLayouts = &w->set_layout};
    VkDescriptorSet second;
    REQUIRE_EQ(vkAllocateDescriptorSets(w->f->dev, &set, &w->sets[i]), VK_SUCCESS);
    REQUIRE_EQ(vkAllocateDescriptorSets(w->f->dev, &set, &second), VK_ERROR_OUT_OF_POOL_MEMORY);
}

/* Of something that is there, or of nothing; consecutive elements run into the next binding. */
static void
step_write(struct world *w)
{
    VkDescriptorSet set = w->sets[pick(w, SLOTS)];
    VkDescriptorSet other = w->sets[pick(w, SLOTS)];
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    const uint32_t binding = pick(w, BINDINGS);
    const uint32_t element = pick(w, SET_ITEMS);
    if (!set)
        return;
    const VkDescriptorBufferInfo buffer = {b->handle, 0, VK_WHOLE_SIZE};
    const VkDescriptorImageInfo image = {w->samplers[pick(w, SLOTS)],
                                         w->images[pick(w, SLOTS)].view, VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .dstBinding = binding,
                                        .dstArrayElement = element,
                                        .descriptorCount = 1,
                                        .descriptorType = binding_types[binding],
                                        .pImageInfo = &image,
                                        .pBufferInfo = &buffer,
                                        .pTexelBufferView = &b->view};
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = other,
                                      .srcBinding = binding,
                                      .srcArrayElement = 0,
                                      .dstSet = set,
                                      .dstBinding = binding,
                                      .dstArrayElement = element,
                                      .descriptorCount = SET_ITEMS - element};
    vkUpdateDescriptorSets(w->f->dev, 1, &write, other && other != set, &copy);
}

/* Ranges start anywhere, and may end outside: what is outside is left out. */
static void
record_buffers(struct world *w)
{
    const struct buffer_slot *a = &w->buffers[pick(w, SLOTS)];
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    static const uint8_t data[256];
    if (!a->handle || !b->handle || a == b)
        return;
    const VkBufferCopy copy = {pick(w, (uint32_t)a->size_B), pick(w, (uint32_t)b->size_B),
                               any_size(w)};
    const VkDeviceSize at = pick(w, (uint32_t)a->size_B) & ~3u;
    vkCmdCopyBuffer(w->f->cb, a->handle, b->handle, 1, &copy);
    vkCmdFillBuffer(w->f->cb, a->handle, at, pick(w, 2) ? VK_WHOLE_SIZE : any_size(w) & ~3ull, 7);
    vkCmdUpdateBuffer(w->f->cb, a->handle, at, 4 + (pick(w, 252) & ~3u), data);
}

static void
record_images(struct world *w)
{
    const struct image_slot *s = &w->images[pick(w, SLOTS)];
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    if (!s->handle || !b->handle)
        return;
    const VkBufferImageCopy region = {
        .bufferOffset = pick(w, (uint32_t)b->size_B) & ~15u,
        .bufferRowLength = pick(w, 2) ? 0 : 240,
        .imageSubresource = {s->aspect, pick(w, s->info.mipLevels + 1), pick(w, s->info.arrayLayers),
                             pick(w, 2) ? 1 : VK_REMAINING_ARRAY_LAYERS},
        .imageOffset = {(int32_t)(pick(w, s->info.extent.width) / 12 * 12),
                        s->info.imageType == VK_IMAGE_TYPE_1D ? 0 : (int32_t)pick(w, 2) * 60, 0},
        .imageExtent = {1 + pick(w, 200), 1 + pick(w, 200), 1 + pick(w, s->info.extent.depth)},
    };
    const VkClearColorValue red = {{1.0f, 0.0f, 0.0f, 1.0f}};
    const VkImageSubresourceRange range = {s->aspect, pick(w, s->info.mipLevels),
                                           VK_REMAINING_MIP_LEVELS, pick(w, s->info.arrayLayers),
                                           VK_REMAINING_ARRAY_LAYERS};
    vkCmdCopyBufferToImage(w->f->cb, b->handle, s->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    vkCmdCopyImageToBuffer(w->f->cb, s->handle, VK_IMAGE_LAYOUT_GENERAL, b->handle, 1, &region);
    if (s->aspect == VK_IMAGE_ASPECT_COLOR_BIT && s->info.format < VK_FORMAT_BC1_RGB_UNORM_BLOCK)
        vkCmdClearColorImage(w->f->cb, s->handle, VK_IMAGE_LAYOUT_GENERAL, &red, 1, &range);
}

static void
record_rest(struct world *w)
{
    VkQueryPool q = w->queries[pick(w, SLOTS)];
    VkEvent e = w->events[pick(w, SLOTS)];
    VkDescriptorSet set = w->sets[pick(w, SLOTS)];
    const struct buffer_slot *b = &w->buffers[pick(w, SLOTS)];
    if (set)
        vkCmdBindDescriptorSets(w->f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &set, 0,
                                NULL);
    if (e) {
        const VkDependencyInfo none = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        vkCmdSetEvent2(w->f->cb, e, &none);
        vkCmdWaitEvents2(w->f->cb, 1, &e, &none);
    }
    if (!q)
        return;
    const uint32_t first = pick(w, 8);
    vkCmdResetQueryPool(w->f->cb, q, first, 8 - first);
    vkCmdWriteTimestamp2(w->f->cb, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, q, first);
    if (b->handle && b->size_B >= 64)
        vkCmdCopyQueryPoolResults(w->f->cb, q, first, 1, b->handle, 8 * (pick(w, 7)), 8,
                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

static void
step_submit(struct world *w)
{
    static void (*const recorders[])(struct world *) = {record_buffers, record_images, record_rest};
    test_begin(w->f);
    for (uint32_t n = pick(w, 12); n; n--)
        recorders[pick(w, 3)](w);
    test_submit_and_wait(w->f);
}

static void
world_init(struct world *w)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, binding_types[i], SET_ITEMS,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set_layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = bindings};
    REQUIRE_EQ(vkCreateDescriptorSetLayout(w->f->dev, &set_layout, NULL, &w->set_layout),
               VK_SUCCESS);
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &w->set_layout};
    REQUIRE_EQ(vkCreatePipelineLayout(w->f->dev, &layout, NULL, &w->layout), VK_SUCCESS);
}

static void
world_finish(struct world *w)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        buffer_drop(w, &w->buffers[i]);
        image_drop(w, &w->images[i]);
        vkDestroySampler(w->f->dev, w->samplers[i], NULL);
        vkDestroyEvent(w->f->dev, w->events[i], NULL);
        vkDestroyQueryPool(w->f->dev, w->queries[i], NULL);
        vkDestroyDescriptorPool(w->f->dev, w->pools[i], NULL);
    }
    vkDestroyPipelineLayout(w->f->dev, w->layout, NULL);
    vkDestroyDescriptorSetLayout(w->f->dev, w->set_layout, NULL);
}

static uint64_t
heap_usage_B(struct fixture *f)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    vkGetPhysicalDeviceMemoryProperties2(f->pdev, &memory);
    REQUIRE(budget.heapUsage[0] <= memory.memoryProperties.memoryHeaps[0].size);
    return budget.heapUsage[0];
}

static void
round_run(struct fixture *f, uint64_t seed)
{
    static void (*const steps[])(struct world *) = {
        step_memory, step_buffer, step_buffer, step_image,  step_image,  step_image, step_sampler,
        step_event,  step_queries, step_set,   step_write, step_write, step_submit, step_submit,
    };
    struct world w = {.f = f, .random = seed};
    const uint64_t before_B = heap_usage_B(f);
    world_init(&w);
    for (uint32_t i = 0; i < STEPS; i++)
        steps[pick(&w, sizeof(steps) / sizeof(steps[0]))](&w);
    world_finish(&w);
    REQUIRE_EQ(heap_usage_B(f), before_B);
}

int
main(int argc, char **argv)
{
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : 20;
    struct fixture f = {0};

    fixture_init(&f);
    for (uint64_t i = 0; i < rounds; i++) {
        (void)printf("fuzz_objects %" PRIu64 " 1\n", seed + i);
        (void)fflush(stdout);
        round_run(&f, seed + i);
    }
    fixture_finish(&f);
    return 0;
}
