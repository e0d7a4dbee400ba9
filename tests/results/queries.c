/* SPDX-License-Identifier: MIT */
/* Results of queries of the instance, the device and its tables.
 */
#include "results.h"

static void
unknown_layers(struct fixture *f)
{
    static const char *const name = "VK_LAYER_that_is_not_there";
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .enabledLayerCount = 1,
                                       .ppEnabledLayerNames = &name};
    VkInstance instance;
    REQUIRE_EQ(vkCreateInstance(&info, f->alloc, &instance), VK_ERROR_LAYER_NOT_PRESENT);
}

static void
extensions_of_an_unknown_layer(struct fixture *f)
{
    (void)f;
    uint32_t count;
    REQUIRE_EQ(vkEnumerateInstanceExtensionProperties("VK_LAYER_that_is_not_there", &count, NULL),
               VK_ERROR_LAYER_NOT_PRESENT);
}

static void
unknown_instance_extension(struct fixture *f)
{
    static const char *const name = "VK_EXT_that_is_not_there";
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &name};
    VkInstance instance;
    REQUIRE_EQ(vkCreateInstance(&info, f->alloc, &instance), VK_ERROR_EXTENSION_NOT_PRESENT);
}

static void
too_few_instance_extensions(struct fixture *f)
{
    (void)f;
    VkExtensionProperties out;
    uint32_t count = 1;
    REQUIRE_EQ(vkEnumerateInstanceExtensionProperties(NULL, &count, &out), VK_INCOMPLETE);
    REQUIRE_EQ(count, 1);
}

static void
too_few_device_extensions(struct fixture *f)
{
    VkExtensionProperties out;
    uint32_t count = 1;
    REQUIRE_EQ(vkEnumerateDeviceExtensionProperties(f->pdev, NULL, &count, &out), VK_INCOMPLETE);
    REQUIRE_EQ(count, 1);
}

static void
too_few_devices(struct fixture *f)
{
    VkPhysicalDevice out;
    uint32_t count = 0;
    REQUIRE_EQ(vkEnumeratePhysicalDevices(f->instance, &count, &out), VK_INCOMPLETE);
    REQUIRE_EQ(count, 0);
}

static void
too_few_device_groups(struct fixture *f)
{
    VkPhysicalDeviceGroupProperties out = {.sType =
                                               VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
    uint32_t count = 0;
    REQUIRE_EQ(vkEnumeratePhysicalDeviceGroups(f->instance, &count, &out), VK_INCOMPLETE);
    REQUIRE_EQ(count, 0);
}

static void
too_few_time_domains(struct fixture *f)
{
    VkTimeDomainKHR out;
    uint32_t count = 1;
    REQUIRE_EQ(vkGetPhysicalDeviceCalibrateableTimeDomainsKHR(f->pdev, &count, &out),
               VK_INCOMPLETE);
    REQUIRE_EQ(count, 1);
}

static void
too_few_cooperative_matrices(struct fixture *f)
{
    VkCooperativeMatrixPropertiesKHR out[2] = {
        {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR},
        {.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR},
    };
    uint32_t count = 1;
    REQUIRE_EQ(vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(f->pdev, &count, out),
               VK_INCOMPLETE);
    REQUIRE_EQ(count, 1);
    REQUIRE_EQ(out[0].MSize, 16);
    REQUIRE_EQ(out[0].NSize, 16);
    REQUIRE_EQ(out[0].KSize, 16);
    REQUIRE_EQ(out[0].scope, VK_SCOPE_SUBGROUP_KHR);
    REQUIRE_EQ(out[1].MSize, 0);
}

static void
format_that_cannot_be_drawn_to(struct fixture *f)
{
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .type = VK_IMAGE_TYPE_2D,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
    };
    VkImageFormatProperties2 out = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    REQUIRE_EQ(vkGetPhysicalDeviceImageFormatProperties2(f->pdev, &info, &out),
               VK_ERROR_FORMAT_NOT_SUPPORTED);
}

static VkResult
device_create(struct fixture *f, uint32_t family, uint32_t queue_count, const char *extension,
              const VkPhysicalDeviceFeatures *features)
{
    static const float priorities[64];
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = family,
                                           .queueCount = queue_count,
                                           .pQueuePriorities = priorities};
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = extension ? 1 : 0,
        .ppEnabledExtensionNames = &extension,
        .pEnabledFeatures = features,
    };
    VkDevice dev;
    return vkCreateDevice(f->pdev, &info, f->alloc, &dev);
}

static void
unknown_device_extension(struct fixture *f)
{
    REQUIRE_EQ(device_create(f, 0, 1, "VK_EXT_that_is_not_there", NULL),
               VK_ERROR_EXTENSION_NOT_PRESENT);
}

static void
feature_of_graphics(struct fixture *f)
{
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE};
    REQUIRE_EQ(device_create(f, 0, 1, NULL, &features), VK_ERROR_FEATURE_NOT_PRESENT);
}

static void
queues_that_are_not_there(struct fixture *f)
{
    REQUIRE_EQ(device_create(f, f->family_count, 1, NULL, NULL), VK_ERROR_INITIALIZATION_FAILED);
    REQUIRE_EQ(device_create(f, 0, 64, NULL, NULL), VK_ERROR_INITIALIZATION_FAILED);
}

static const struct result_row rows[] = {
    {"CreateInstance", VK_ERROR_LAYER_NOT_PRESENT, unknown_layers, NULL},
    {"EnumerateInstanceExtensionProperties", VK_ERROR_LAYER_NOT_PRESENT,
     extensions_of_an_unknown_layer, NULL},
    {"EnumerateDeviceExtensionProperties", VK_ERROR_LAYER_NOT_PRESENT, NULL,
     "the loader knows layers, and older ones do not answer for those of a device"},
    {"CreateInstance", VK_ERROR_EXTENSION_NOT_PRESENT, unknown_instance_extension, NULL},
    {"CreateDevice", VK_ERROR_EXTENSION_NOT_PRESENT, unknown_device_extension, NULL},
    {"CreateDevice", VK_ERROR_FEATURE_NOT_PRESENT, feature_of_graphics, NULL},
    {"CreateDevice", VK_ERROR_INITIALIZATION_FAILED, queues_that_are_not_there, NULL},
    {"EnumerateInstanceExtensionProperties", VK_INCOMPLETE, too_few_instance_extensions, NULL},
    {"EnumerateDeviceExtensionProperties", VK_INCOMPLETE, too_few_device_extensions, NULL},
    {"EnumeratePhysicalDevices", VK_INCOMPLETE, too_few_devices, NULL},
    {"EnumeratePhysicalDeviceGroups", VK_INCOMPLETE, too_few_device_groups, NULL},
    {"GetPhysicalDeviceCalibrateableTimeDomainsKHR", VK_INCOMPLETE, too_few_time_domains, NULL},
    {"GetPhysicalDeviceCooperativeMatrixPropertiesKHR", VK_INCOMPLETE, too_few_cooperative_matrices,
     NULL},
    {"GetPhysicalDeviceImageFormatProperties2", VK_ERROR_FORMAT_NOT_SUPPORTED,
     format_that_cannot_be_drawn_to, NULL},
};

const struct result_table result_queries = {rows, sizeof(rows) / sizeof(rows[0])};
