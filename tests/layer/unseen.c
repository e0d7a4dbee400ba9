/* SPDX-License-Identifier: MIT */
/* Who does not ask for lent queues notices nothing: the same lists without the layer's variable,
 * the same functions with it.
 */
#include "test.h"
#include "vk.h"

#include <stdlib.h>

#define ENABLE "REELPIPE_VIDEO_LAYER"
#define DISABLE "REELPIPE_VIDEO_LAYER_DISABLE"

static VkPhysicalDevice
instance_create(VkInstance *instance)
{
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
    };
    VkPhysicalDevice pdev;
    uint32_t count = 1;

    REQUIRE_EQ(vkCreateInstance(&info, NULL, instance), VK_SUCCESS);
    vk_functions_load_instance(*instance);
    REQUIRE_EQ(vkEnumeratePhysicalDevices(*instance, &count, &pdev), VK_SUCCESS);
    REQUIRE_EQ(count, 1);
    return pdev;
}

/* The families and the extensions of video that a new instance shows. */
static void
look(uint32_t *family_count, uint32_t *video_count)
{
    VkExtensionProperties all[256];
    VkInstance instance;
    uint32_t count = 256;
    const VkPhysicalDevice pdev = instance_create(&instance);

    vkGetPhysicalDeviceQueueFamilyProperties(pdev, family_count, NULL);
    REQUIRE_EQ(vkEnumerateDeviceExtensionProperties(pdev, NULL, &count, all), VK_SUCCESS);
    *video_count = 0;
    for (uint32_t i = 0; i < count; i++)
        *video_count += strstr(all[i].extensionName, "video") != NULL;
    vkDestroyInstance(instance, NULL);
}

static void
the_layer_is_there_only_when_it_is_asked_for(void)
{
    uint32_t families;
    uint32_t extensions;

    (void)unsetenv(ENABLE);
    look(&families, &extensions);
    REQUIRE_EQ(families, 2);
    REQUIRE_EQ(extensions, 0);
    (void)setenv(ENABLE, "1", 1);
    look(&families, &extensions);
    REQUIRE(families > 2);
    REQUIRE(extensions > 3);
    (void)setenv(DISABLE, "1", 1);
    look(&families, &extensions);
    REQUIRE_EQ(families, 2);
    REQUIRE_EQ(extensions, 0);
    (void)unsetenv(DISABLE);
}

#define FUNCTIONS 6
static const char *const names[FUNCTIONS] = {
    "vkQueueSubmit2",   "vkCreateImage",     "vkCmdPipelineBarrier2",
    "vkAllocateMemory", "vkCreateSemaphore", "vkBeginCommandBuffer",
};

/* The functions of a device that has queues of the families up to this one. */
static void
find_functions(uint32_t family_count, PFN_vkVoidFunction out[FUNCTIONS])
{
    static const float one = 1.0f;
    VkDeviceQueueCreateInfo queues[4];
    VkInstance instance;
    VkDevice dev;
    const VkPhysicalDevice pdev = instance_create(&instance);

    for (uint32_t i = 0; i < family_count; i++)
        queues[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = i,
            .queueCount = 1,
            .pQueuePriorities = &one,
        };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .queueCreateInfoCount = family_count,
        .pQueueCreateInfos = queues,
    };
    REQUIRE_EQ(vkCreateDevice(pdev, &info, NULL, &dev), VK_SUCCESS);
    vk_functions_load_device(dev);
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        out[i] = vkGetDeviceProcAddr(dev, names[i]);
    REQUIRE(!vkGetDeviceProcAddr(dev, "vkCmdEncodeVideoKHR") == (family_count == 2));
    vkDestroyDevice(dev, NULL);
    vkDestroyInstance(instance, NULL);
}

static void
a_device_without_lent_queues_runs_the_lower_functions(void)
{
    PFN_vkVoidFunction alone[FUNCTIONS];
    PFN_vkVoidFunction beside[FUNCTIONS];
    PFN_vkVoidFunction lent[FUNCTIONS];

    (void)unsetenv(ENABLE);
    find_functions(2, alone);
    (void)setenv(ENABLE, "1", 1);
    find_functions(2, beside);
    find_functions(3, lent);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        REQUIRE(beside[i] == alone[i]);
        REQUIRE(lent[i] != alone[i]);
    }
}

/* Applications that switch on all that a device says it has (the CTS does) get their device, with
 * no queue of those that are lent, too; where they enable its extensions they may make a
 * session. */
static void
a_device_with_all_features_needs_no_lent_queue(bool has_extensions)
{
    static const float one = 1.0f;
    static const char *const extensions[] = {VK_KHR_VIDEO_QUEUE_EXTENSION_NAME,
                                             VK_KHR_VIDEO_ENCODE_QUEUE_EXTENSION_NAME,
                                             VK_KHR_VIDEO_MAINTENANCE_1_EXTENSION_NAME};
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    VkPhysicalDeviceVideoMaintenance1FeaturesKHR maintenance = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_1_FEATURES_KHR,
        .pNext = &timeline};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &maintenance};
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &one,
    };
    VkInstance instance;
    VkDevice dev;

    (void)setenv(ENABLE, "1", 1);
    const VkPhysicalDevice pdev = instance_create(&instance);
    vkGetPhysicalDeviceFeatures2(pdev, &features);
    REQUIRE(maintenance.videoMaintenance1);
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = has_extensions ? 3 : 0,
        .ppEnabledExtensionNames = extensions,
    };
    REQUIRE_EQ(vkCreateDevice(pdev, &info, NULL, &dev), VK_SUCCESS);
    vk_functions_load_device(dev);
    REQUIRE(!vkGetDeviceProcAddr(dev, "vkCreateVideoSessionKHR") == !has_extensions);
    vkDestroyDevice(dev, NULL);
    vkDestroyInstance(instance, NULL);
}

int
main(void)
{
    vk_open();
    RUN(the_layer_is_there_only_when_it_is_asked_for);
    RUN(a_device_without_lent_queues_runs_the_lower_functions);
    RUN(a_device_with_all_features_needs_no_lent_queue, false);
    RUN(a_device_with_all_features_needs_no_lent_queue, true);
    return 0;
}
