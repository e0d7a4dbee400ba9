/* SPDX-License-Identifier: MIT */
/* Results of synchronization, queries, descriptors and pipelines.
 */
#include "results.h"

static void
events_have_two_states(struct fixture *f)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent event;
    REQUIRE_EQ(vkCreateEvent(f->dev, &info, f->alloc, &event), VK_SUCCESS);
    REQUIRE_EQ(vkGetEventStatus(f->dev, event), VK_EVENT_RESET);
    REQUIRE_EQ(vkSetEvent(f->dev, event), VK_SUCCESS);
    REQUIRE_EQ(vkGetEventStatus(f->dev, event), VK_EVENT_SET);
    vkDestroyEvent(f->dev, event, f->alloc);
}

static void
fence_nobody_signals(struct fixture *f)
{
    REQUIRE_EQ(vkGetFenceStatus(f->dev, f->fence), VK_NOT_READY);
}

static void
wait_for_a_fence_in_vain(struct fixture *f)
{
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, 0), VK_TIMEOUT);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, 1000), VK_TIMEOUT);
}

static void
wait_for_a_semaphore_in_vain(struct fixture *f)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore semaphore;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &info, f->alloc, &semaphore), VK_SUCCESS);
    const uint64_t value = 1;
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &semaphore,
                                      .pValues = &value};
    REQUIRE_EQ(vkWaitSemaphores(f->dev, &wait, 1000), VK_TIMEOUT);
    vkDestroySemaphore(f->dev, semaphore, f->alloc);
}

static void
query_nobody_writes(struct fixture *f)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 1};
    VkQueryPool pool;
    uint64_t value;
    REQUIRE_EQ(vkCreateQueryPool(f->dev, &info, f->alloc, &pool), VK_SUCCESS);
    vkResetQueryPool(f->dev, pool, 0, 1);
    REQUIRE_EQ(vkGetQueryPoolResults(f->dev, pool, 0, 1, 8, &value, 8, VK_QUERY_RESULT_64_BIT),
               VK_NOT_READY);
    vkDestroyQueryPool(f->dev, pool, f->alloc);
}

static void
sets_of_an_empty_pool(struct fixture *f)
{
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    VkDescriptorSetLayout layouts[2];
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &layout_info, f->alloc, &layouts[0]),
               VK_SUCCESS);
    layouts[1] = layouts[0];
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    VkDescriptorPool pool;
    REQUIRE_EQ(vkCreateDescriptorPool(f->dev, &pool_info, f->alloc, &pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 2,
                                              .pSetLayouts = layouts};
    VkDescriptorSet sets[2];
    REQUIRE_EQ(vkAllocateDescriptorSets(f->dev, &info, sets), VK_ERROR_OUT_OF_POOL_MEMORY);
    vkDestroyDescriptorPool(f->dev, pool, f->alloc);
    vkDestroyDescriptorSetLayout(f->dev, layouts[0], f->alloc);
}

/* A compute shader that does nothing:
 * OpCapability Shader; OpMemoryModel Logical GLSL450; OpEntryPoint GLCompute %1 "main";
 * OpExecutionMode %1 LocalSize 1 1 1; %1 = void() {} */
static const uint32_t empty_shader[] = {
    0x07230203, 0x00010000, 0, 5,          0,          0x00020011, 1,          0x0003000e, 0, 1,
    0x0005000f, 5,          1, 0x6e69616d, 0,          0x00060010, 1,          17,         1, 1,
    1,          0x00020013, 2, 0x00030021, 3,          2,          0x00050036, 2,          1, 0,
    3,          0x000200f8, 4, 0x000100fd, 0x00010038,
};

static VkPipelineLayout
empty_layout(struct fixture *f)
{
    const VkPipelineLayoutCreateInfo info = {.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkPipelineLayout layout;
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &info, f->alloc, &layout), VK_SUCCESS);
    return layout;
}

static VkResult
pipeline_create(struct fixture *f, VkPipelineLayout layout, VkPipelineCreateFlags flags,
                VkPipeline *out)
{
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(empty_shader),
                                           .pCode = empty_shader};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = flags,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &code,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = layout,
    };
    return vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, f->alloc, out);
}

static void
pipeline_that_is_not_cached(struct fixture *f)
{
    VkPipelineLayout layout = empty_layout(f);
    VkPipeline pipeline;
    REQUIRE_EQ(pipeline_create(f, layout, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
                               &pipeline),
               VK_PIPELINE_COMPILE_REQUIRED);
    REQUIRE(pipeline == VK_NULL_HANDLE);
    vkDestroyPipelineLayout(f->dev, layout, f->alloc);
}

static void
cache_larger_than_its_place(struct fixture *f)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache cache;
    uint32_t word;
    size_t size_B = sizeof(word);
    REQUIRE_EQ(vkCreatePipelineCache(f->dev, &info, f->alloc, &cache), VK_SUCCESS);
    REQUIRE_EQ(vkGetPipelineCacheData(f->dev, cache, &size_B, &word), VK_INCOMPLETE);
    REQUIRE_EQ(size_B, 0);
    vkDestroyPipelineCache(f->dev, cache, f->alloc);
}

/* The three queries of what a pipeline is, each with too little room. */
static void
executables_cut_short(struct fixture *f)
{
    VkPipelineLayout layout = empty_layout(f);
    VkPipeline pipeline;
    REQUIRE_EQ(pipeline_create(f, layout,
                               VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                                   VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR,
                               &pipeline),
               VK_SUCCESS);
    const VkPipelineInfoKHR which = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                     .pipeline = pipeline};
    const VkPipelineExecutableInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
    VkPipelineExecutablePropertiesKHR properties = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    VkPipelineExecutableStatisticKHR statistic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    char text[4];
    VkPipelineExecutableInternalRepresentationKHR ir = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR,
        .dataSize = sizeof(text),
        .pData = text};
    uint32_t count = 0;
    REQUIRE_EQ(vkGetPipelineExecutablePropertiesKHR(f->dev, &which, &count, &properties),
               VK_INCOMPLETE);
    count = 1;
    REQUIRE_EQ(vkGetPipelineExecutableStatisticsKHR(f->dev, &info, &count, &statistic),
               VK_INCOMPLETE);
    count = 1;
    REQUIRE_EQ(vkGetPipelineExecutableInternalRepresentationsKHR(f->dev, &info, &count, &ir),
               VK_INCOMPLETE);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
    vkDestroyPipelineLayout(f->dev, layout, f->alloc);
}

static VkResult
shader_create(struct fixture *f, VkShaderCodeTypeEXT type, VkShaderEXT *out)
{
    const VkShaderCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .codeType = type,
        .codeSize = sizeof(empty_shader),
        .pCode = empty_shader,
        .pName = "main",
    };
    return vkCreateShadersEXT(f->dev, 1, &info, f->alloc, out);
}

static void
shader_of_another_driver(struct fixture *f)
{
    VkShaderEXT shader;
    REQUIRE_EQ(shader_create(f, VK_SHADER_CODE_TYPE_BINARY_EXT, &shader),
               VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    REQUIRE(shader == VK_NULL_HANDLE);
}

static void
binary_larger_than_its_place(struct fixture *f)
{
    VkShaderEXT shader;
    uint8_t place[16];
    size_t size_B = sizeof(place);
    REQUIRE_EQ(shader_create(f, VK_SHADER_CODE_TYPE_SPIRV_EXT, &shader), VK_SUCCESS);
    REQUIRE_EQ(vkGetShaderBinaryDataEXT(f->dev, shader, &size_B, place), VK_INCOMPLETE);
    vkDestroyShaderEXT(f->dev, shader, f->alloc);
}

static void
more_border_colors_than_there_are(struct fixture *f)
{
    const VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
    };
    uint32_t index, count = 0;
    VkResult result = VK_SUCCESS;

    while (result == VK_SUCCESS && count < 1u << 20) {
        result = vkRegisterCustomBorderColorEXT(f->dev, &color, VK_FALSE, &index);
        count += result == VK_SUCCESS;
    }
    REQUIRE_EQ(result, VK_ERROR_TOO_MANY_OBJECTS);
    for (uint32_t i = 0; i < count; i++)
        vkUnregisterCustomBorderColorEXT(f->dev, i);
}

static void
border_color_of_a_taken_index(struct fixture *f)
{
    const VkSamplerCustomBorderColorCreateInfoEXT color = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
    };
    uint32_t index = 5;
    REQUIRE_EQ(vkRegisterCustomBorderColorEXT(f->dev, &color, VK_TRUE, &index), VK_SUCCESS);
    REQUIRE_EQ(vkRegisterCustomBorderColorEXT(f->dev, &color, VK_TRUE, &index),
               VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    vkUnregisterCustomBorderColorEXT(f->dev, index);
}

static void
image_with_the_data_of_another(struct fixture *f)
{
    VkImageCreateInfo info = test_image_info(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
    uint32_t data = 0;
    VkHostAddressRangeEXT to = {&data, sizeof(data)};
    const VkHostAddressRangeConstEXT from = {&data, sizeof(data)};
    const VkOpaqueCaptureDataCreateInfoEXT captured = {
        .sType = VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DATA_CREATE_INFO_EXT, .pData = &from};
    VkImage first, second;

    info.flags |= VK_IMAGE_CREATE_DESCRIPTOR_HEAP_CAPTURE_REPLAY_BIT_EXT;
    REQUIRE_EQ(vkCreateImage(f->dev, &info, f->alloc, &first), VK_SUCCESS);
    REQUIRE_EQ(vkGetImageOpaqueCaptureDataEXT(f->dev, 1, &first, &to), VK_SUCCESS);
    info.pNext = &captured;
    REQUIRE_EQ(vkCreateImage(f->dev, &info, f->alloc, &second),
               VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    vkDestroyImage(f->dev, first, f->alloc);
}

static const struct result_row rows[] = {
    {"CreateImage", VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, image_with_the_data_of_another, NULL},
    {"RegisterCustomBorderColorEXT", VK_ERROR_TOO_MANY_OBJECTS, more_border_colors_than_there_are,
     NULL},
    {"RegisterCustomBorderColorEXT", VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS,
     border_color_of_a_taken_index, NULL},
    {"GetEventStatus", VK_EVENT_RESET, events_have_two_states, NULL},
    {"GetEventStatus", VK_EVENT_SET, events_have_two_states, NULL},
    {"GetFenceStatus", VK_NOT_READY, fence_nobody_signals, NULL},
    {"WaitForFences", VK_TIMEOUT, wait_for_a_fence_in_vain, NULL},
    {"WaitSemaphores", VK_TIMEOUT, wait_for_a_semaphore_in_vain, NULL},
    {"GetQueryPoolResults", VK_NOT_READY, query_nobody_writes, NULL},
    {"AllocateDescriptorSets", VK_ERROR_OUT_OF_POOL_MEMORY, sets_of_an_empty_pool, NULL},
    {"CreateComputePipelines", VK_PIPELINE_COMPILE_REQUIRED, pipeline_that_is_not_cached, NULL},
    {"GetPipelineCacheData", VK_INCOMPLETE, cache_larger_than_its_place, NULL},
    {"CreateShadersEXT", VK_INCOMPATIBLE_SHADER_BINARY_EXT, shader_of_another_driver, NULL},
    {"GetShaderBinaryDataEXT", VK_INCOMPLETE, binary_larger_than_its_place, NULL},
    {"GetPipelineExecutablePropertiesKHR", VK_INCOMPLETE, executables_cut_short, NULL},
    {"GetPipelineExecutableStatisticsKHR", VK_INCOMPLETE, executables_cut_short, NULL},
    {"GetPipelineExecutableInternalRepresentationsKHR", VK_INCOMPLETE, executables_cut_short, NULL},
};

const struct result_table result_objects = {rows, sizeof(rows) / sizeof(rows[0])};
