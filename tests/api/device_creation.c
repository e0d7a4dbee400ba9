/* SPDX-License-Identifier: MIT */
/* Only what is reported can be enabled; every name of a command that is there resolves.
 */
#include "fixture.h"

#include "vk_query_structs.h"

#include <string.h>

#define QUERY_STRUCT_COUNT (sizeof(vk_query_structs) / sizeof(vk_query_structs[0]))

static VkResult
create_device(struct fixture *f, const void *next, const VkPhysicalDeviceFeatures *features,
              const char *extension, VkDevice *out)
{
    static const float priority = 0.5f;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = next,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = extension ? 1 : 0,
        .ppEnabledExtensionNames = &extension,
        .pEnabledFeatures = features,
    };
    return vkCreateDevice(f->pdev, &info, NULL, out);
}

/* Creates and destroys when it must succeed. */
static void
require_device(struct fixture *f, const void *next, const VkPhysicalDeviceFeatures *features,
               VkResult expected)
{
    VkDevice dev;
    REQUIRE_EQ(create_device(f, next, features, NULL, &dev), expected);
    if (expected == VK_SUCCESS)
        vkDestroyDevice(dev, NULL);
}

static void
each_core_feature_can_be_enabled_as_reported(struct fixture *f)
{
    VkPhysicalDeviceFeatures reported;
    vkGetPhysicalDeviceFeatures(f->pdev, &reported);

    const VkBool32 *values = (const VkBool32 *)&reported;
    for (size_t i = 0; i < sizeof(reported) / sizeof(VkBool32); i++) {
        VkPhysicalDeviceFeatures wanted = {0};
        ((VkBool32 *)&wanted)[i] = VK_TRUE;
        require_device(f, NULL, &wanted, values[i] ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
    }
}

/* A feature structure: sType, pNext, then VkBool32 each. */
struct feature_struct {
    VkBaseOutStructure base;
    VkBool32 values[256];
};

static void
each_chained_feature_can_be_enabled_as_reported(struct fixture *f)
{
    for (uint32_t s = 0; s < QUERY_STRUCT_COUNT; s++) {
        const struct vk_query_struct *row = &vk_query_structs[s];
        if (strcmp(row->base, "VkPhysicalDeviceFeatures2") != 0 || row->name == row->base ||
            strcmp(row->name, row->base) == 0)
            continue;
        struct feature_struct reported = {.base.sType = row->type};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &reported};
        vkGetPhysicalDeviceFeatures2(f->pdev, &features);
        for (uint32_t i = 0; i < row->count; i++) {
            struct feature_struct wanted = {.base.sType = row->type};
            wanted.values[i] = VK_TRUE;
            require_device(f, &wanted, NULL,
                           reported.values[i] ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
        }
        require_device(f, &reported, NULL, VK_SUCCESS);
    }
}

static void
unknown_extensions_are_refused(struct fixture *f)
{
    VkDevice dev;
    REQUIRE_EQ(create_device(f, NULL, NULL, "VK_KHR_no_such_thing", &dev),
               VK_ERROR_EXTENSION_NOT_PRESENT);
    REQUIRE_EQ(create_device(f, NULL, NULL, "VK_NV_ray_tracing", &dev),
               VK_ERROR_EXTENSION_NOT_PRESENT);
}

static void
every_listed_extension_can_be_enabled(struct fixture *f)
{
    VkExtensionProperties list[256];
    uint32_t count = 256;
    REQUIRE_EQ(vkEnumerateDeviceExtensionProperties(f->pdev, NULL, &count, list), VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        VkDevice dev;
        REQUIRE_EQ(create_device(f, NULL, NULL, list[i].extensionName, &dev), VK_SUCCESS);
        vkDestroyDevice(dev, NULL);
    }
}

static void
commands_resolve_when_their_extension_is_enabled(struct fixture *f)
{
    static const struct {
        const char *extension;
        const char *name;
        const char *core;
    } rows[] = {
        {"VK_KHR_synchronization2", "vkQueueSubmit2KHR", "vkQueueSubmit2"},
        {"VK_KHR_synchronization2", "vkCmdPipelineBarrier2KHR", "vkCmdPipelineBarrier2"},
        {"VK_KHR_timeline_semaphore", "vkWaitSemaphoresKHR", "vkWaitSemaphores"},
        {"VK_KHR_copy_commands2", "vkCmdCopyImage2KHR", "vkCmdCopyImage2"},
        {"VK_KHR_bind_memory2", "vkBindImageMemory2KHR", "vkBindImageMemory2"},
        {"VK_KHR_get_memory_requirements2", "vkGetImageMemoryRequirements2KHR",
         "vkGetImageMemoryRequirements2"},
        {"VK_KHR_sampler_ycbcr_conversion", "vkCreateSamplerYcbcrConversionKHR",
         "vkCreateSamplerYcbcrConversion"},
        {"VK_EXT_host_query_reset", "vkResetQueryPoolEXT", "vkResetQueryPool"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        VkDevice with;
        VkDevice without;
        REQUIRE_EQ(create_device(f, NULL, NULL, rows[i].extension, &with), VK_SUCCESS);
        REQUIRE_EQ(create_device(f, NULL, NULL, NULL, &without), VK_SUCCESS);
        REQUIRE(vkGetDeviceProcAddr(with, rows[i].name) == vkGetDeviceProcAddr(with, rows[i].core));
        REQUIRE(vkGetDeviceProcAddr(with, rows[i].name) != NULL);
        REQUIRE(!vkGetDeviceProcAddr(without, rows[i].name));
        vkDestroyDevice(with, NULL);
        vkDestroyDevice(without, NULL);
    }
}

static void
graphics_fails_cleanly(struct fixture *f)
{
    const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    VkRenderPass render_pass = (VkRenderPass)(uintptr_t)8;
    REQUIRE_EQ(vkCreateRenderPass(f->dev, &pass, NULL, &render_pass), VK_ERROR_FEATURE_NOT_PRESENT);
    REQUIRE(render_pass == VK_NULL_HANDLE);

    VkGraphicsPipelineCreateInfo info[2] = {
        {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO},
        {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO},
    };
    VkPipeline pipelines[2] = {(VkPipeline)(uintptr_t)8, (VkPipeline)(uintptr_t)8};
    REQUIRE_EQ(vkCreateGraphicsPipelines(f->dev, VK_NULL_HANDLE, 2, info, NULL, pipelines),
               VK_ERROR_FEATURE_NOT_PRESENT);
    REQUIRE(pipelines[0] == VK_NULL_HANDLE && pipelines[1] == VK_NULL_HANDLE);

    test_begin(f);
    vkCmdDraw(f->cb, 3, 1, 0, 0);
    vkCmdSetLineWidth(f->cb, 1.0f);
    test_submit_and_wait(f);
}

static void
too_many_queues_are_refused(struct fixture *f)
{
    static const float priorities[64];
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 64,
        .pQueuePriorities = priorities,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    VkDevice dev;
    REQUIRE_EQ(vkCreateDevice(f->pdev, &info, NULL, &dev), VK_ERROR_INITIALIZATION_FAILED);
    queue.queueCount = 1;
    queue.queueFamilyIndex = 99;
    REQUIRE_EQ(vkCreateDevice(f->pdev, &info, NULL, &dev), VK_ERROR_INITIALIZATION_FAILED);
}

static const struct test_case cases[] = {
    TEST_CASE(each_core_feature_can_be_enabled_as_reported),
    TEST_CASE(each_chained_feature_can_be_enabled_as_reported),
    TEST_CASE(unknown_extensions_are_refused),
    TEST_CASE(every_listed_extension_can_be_enabled),
    TEST_CASE(commands_resolve_when_their_extension_is_enabled),
    TEST_CASE(graphics_fails_cleanly),
    TEST_CASE(too_many_queues_are_refused),
};
TEST_MAIN(cases)
