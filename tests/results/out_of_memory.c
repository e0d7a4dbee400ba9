/* SPDX-License-Identifier: MIT */
/* VK_ERROR_OUT_OF_HOST_MEMORY of each command that takes memory from the application's callbacks,
 * which fail here. What the driver takes of its own fails in tests/oom.
 */
#include "results.h"

#define MUST_FAIL(call) \
    do { \
        results_fail_allocations = true; \
        const VkResult result_ = (call); \
        results_fail_allocations = false; \
        REQUIRE_EQ(result_, VK_ERROR_OUT_OF_HOST_MEMORY); \
    } while (0)

static void
instance(struct fixture *f)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance out;
    MUST_FAIL(vkCreateInstance(&info, f->alloc, &out));
}

static void
device(struct fixture *f)
{
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    VkDevice out;
    MUST_FAIL(vkCreateDevice(f->pdev, &info, f->alloc, &out));
}

/* Objects that are made of their sType alone. */
#define PLAIN(name, Type, Info, stype, ...) \
    static void name(struct fixture *f) \
    { \
        const Info info = {.sType = VK_STRUCTURE_TYPE_##stype, __VA_ARGS__}; \
        Vk##Type out; \
        MUST_FAIL(vkCreate##Type(f->dev, &info, f->alloc, &out)); \
    }

static const uint32_t word;

PLAIN(event, Event, VkEventCreateInfo, EVENT_CREATE_INFO, .flags = 0)
PLAIN(fence, Fence, VkFenceCreateInfo, FENCE_CREATE_INFO, .flags = 0)
PLAIN(semaphore, Semaphore, VkSemaphoreCreateInfo, SEMAPHORE_CREATE_INFO, .flags = 0)
PLAIN(command_pool, CommandPool, VkCommandPoolCreateInfo, COMMAND_POOL_CREATE_INFO, .flags = 0)
PLAIN(conversion, SamplerYcbcrConversion, VkSamplerYcbcrConversionCreateInfo,
      SAMPLER_YCBCR_CONVERSION_CREATE_INFO, .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM)
PLAIN(sampler, Sampler, VkSamplerCreateInfo, SAMPLER_CREATE_INFO, .flags = 0)
PLAIN(set_layout, DescriptorSetLayout, VkDescriptorSetLayoutCreateInfo,
      DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .flags = 0)
PLAIN(pipeline_layout, PipelineLayout, VkPipelineLayoutCreateInfo, PIPELINE_LAYOUT_CREATE_INFO,
      .flags = 0)
PLAIN(pool, DescriptorPool, VkDescriptorPoolCreateInfo, DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1)
PLAIN(update_template, DescriptorUpdateTemplate, VkDescriptorUpdateTemplateCreateInfo,
      DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET)
PLAIN(query_pool, QueryPool, VkQueryPoolCreateInfo, QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 1)
PLAIN(buffer, Buffer, VkBufferCreateInfo, BUFFER_CREATE_INFO, .size = 16)
PLAIN(slot, PrivateDataSlot, VkPrivateDataSlotCreateInfo, PRIVATE_DATA_SLOT_CREATE_INFO, .flags = 0)
PLAIN(shader_module, ShaderModule, VkShaderModuleCreateInfo, SHADER_MODULE_CREATE_INFO,
      .codeSize = 4, .pCode = &word)
PLAIN(pipeline_cache, PipelineCache, VkPipelineCacheCreateInfo, PIPELINE_CACHE_CREATE_INFO,
      .flags = 0)

static void
image(struct fixture *f)
{
    const VkImageCreateInfo info = test_image_info(VK_FORMAT_R8_UNORM, 4, 4);
    VkImage out;
    MUST_FAIL(vkCreateImage(f->dev, &info, f->alloc, &out));
}

static void
image_view(struct fixture *f)
{
    struct test_image img = test_image_create(f, VK_FORMAT_R8_UNORM, 4, 4);
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = img.handle,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R8_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkImageView out;
    MUST_FAIL(vkCreateImageView(f->dev, &info, f->alloc, &out));
    test_image_destroy(f, &img);
}

static void
buffer_view(struct fixture *f)
{
    struct test_buffer buf = test_buffer_create(f, 16, 0);
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = buf.handle,
                                         .format = VK_FORMAT_R8_UNORM,
                                         .range = VK_WHOLE_SIZE};
    VkBufferView out;
    MUST_FAIL(vkCreateBufferView(f->dev, &info, f->alloc, &out));
    test_buffer_destroy(f, &buf);
}

static void
memory(struct fixture *f)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = 16};
    VkDeviceMemory out;
    MUST_FAIL(vkAllocateMemory(f->dev, &info, f->alloc, &out));
}

static void
command_buffer(struct fixture *f)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = f->pool,
                                              .commandBufferCount = 1};
    VkCommandBuffer out;
    MUST_FAIL(vkAllocateCommandBuffers(f->dev, &info, &out));
}

/* Recording fails; the end says so. */
static void
recording(struct fixture *f)
{
    static const uint8_t data[65536];
    struct test_buffer buf = test_buffer_create(f, sizeof(data), 0);
    test_begin(f);
    results_fail_allocations = true;
    for (int i = 0; i < 64; i++)
        vkCmdUpdateBuffer(f->cb, buf.handle, 0, sizeof(data), data);
    results_fail_allocations = false;
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_ERROR_OUT_OF_HOST_MEMORY);
    test_begin(f); /* as good as new */
    test_submit_and_wait(f);
    test_buffer_destroy(f, &buf);
}

static void
descriptor_set(struct fixture *f)
{
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1};
    VkDescriptorSetLayout layout;
    VkDescriptorPool from;
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &layout_info, f->alloc, &layout), VK_SUCCESS);
    REQUIRE_EQ(vkCreateDescriptorPool(f->dev, &pool_info, f->alloc, &from), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = from,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &layout};
    VkDescriptorSet out;
    MUST_FAIL(vkAllocateDescriptorSets(f->dev, &info, &out));
    vkDestroyDescriptorPool(f->dev, from, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, layout, f->alloc);
}

static VkBool32 VKAPI_CALL
hear_nothing(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
             const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity, (void)types, (void)data, (void)user;
    return VK_FALSE;
}

static void
messenger(struct fixture *f)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback = hear_nothing,
    };
    VkDebugUtilsMessengerEXT out;
    MUST_FAIL(vkCreateDebugUtilsMessengerEXT(f->instance, &info, f->alloc, &out));
}

#define OOM VK_ERROR_OUT_OF_HOST_MEMORY

static const struct result_row rows[] = {
    {"*", OOM, NULL, "takes no memory of the application's; the driver's own: tests/oom"},
    {"CreateInstance", OOM, instance, NULL},
    {"CreateDevice", OOM, device, NULL},
    {"CreateEvent", OOM, event, NULL},
    {"CreateFence", OOM, fence, NULL},
    {"CreateSemaphore", OOM, semaphore, NULL},
    {"CreateCommandPool", OOM, command_pool, NULL},
    {"CreateSamplerYcbcrConversion", OOM, conversion, NULL},
    {"CreateSampler", OOM, sampler, NULL},
    {"CreateDescriptorSetLayout", OOM, set_layout, NULL},
    {"CreatePipelineLayout", OOM, pipeline_layout, NULL},
    {"CreateDescriptorPool", OOM, pool, NULL},
    {"CreateDescriptorUpdateTemplate", OOM, update_template, NULL},
    {"CreateQueryPool", OOM, query_pool, NULL},
    {"CreateBuffer", OOM, buffer, NULL},
    {"CreatePrivateDataSlot", OOM, slot, NULL},
    {"CreateShaderModule", OOM, shader_module, NULL},
    {"CreatePipelineCache", OOM, pipeline_cache, NULL},
    {"CreateImage", OOM, image, NULL},
    {"CreateImageView", OOM, image_view, NULL},
    {"CreateBufferView", OOM, buffer_view, NULL},
    {"AllocateMemory", OOM, memory, NULL},
    {"AllocateCommandBuffers", OOM, command_buffer, NULL},
    {"EndCommandBuffer", OOM, recording, NULL},
    {"AllocateDescriptorSets", OOM, descriptor_set, NULL},
    {"CreateDebugUtilsMessengerEXT", OOM, messenger, NULL},
};

const struct result_table result_out_of_memory = {rows, sizeof(rows) / sizeof(rows[0])};
