/* SPDX-License-Identifier: MIT */
/* The fixture's instance, device and command buffer.
 */
#include "fixture.h"

#define MAX_EXTENSIONS 256

struct extension_list {
    uint32_t count;
    VkExtensionProperties properties[MAX_EXTENSIONS];
    const char *names[MAX_EXTENSIONS];
};

static void
extension_list_init(struct extension_list *list, VkPhysicalDevice pdev)
{
    list->count = MAX_EXTENSIONS;
    REQUIRE_EQ(vkEnumerateDeviceExtensionProperties(pdev, NULL, &list->count, list->properties),
               VK_SUCCESS);
    for (uint32_t i = 0; i < list->count; i++)
        list->names[i] = list->properties[i].extensionName;
}

bool
fixture_has_extension(const struct fixture *f, const char *name)
{
    struct extension_list list;
    extension_list_init(&list, f->pdev);
    for (uint32_t i = 0; i < list.count; i++) {
        if (strcmp(list.names[i], name) == 0)
            return true;
    }
    return false;
}

static void
create_instance(struct fixture *f)
{
    static const char *const names[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "reelpipe-tests",
        .apiVersion = VK_API_VERSION_1_4,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = names,
    };
    vk_open();
    REQUIRE_EQ(vkCreateInstance(&info, f->alloc, &f->instance), VK_SUCCESS);
    vk_functions_load_instance(f->instance);

    uint32_t count = 1;
    REQUIRE(vkEnumeratePhysicalDevices(f->instance, &count, &f->pdev) >= VK_SUCCESS);
    REQUIRE_EQ(count, 1);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(f->pdev, &properties);
    const char *name = getenv("REELPIPE_TEST_DEVICE");
    name = name ? name : "Reelpipe";
    REQUIRE(strncmp(properties.deviceName, name, strlen(name)) == 0);
}

struct device_features {
    VkPhysicalDeviceFeatures2 all; /* the first of the chain */
    VkPhysicalDeviceVulkan11Features v11;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    VkPhysicalDeviceVulkan14Features v14;
    VkPhysicalDeviceVideoMaintenance1FeaturesKHR video;
    VkPhysicalDeviceMapMemoryPlacedFeaturesEXT placed;
    VkPhysicalDeviceAddressBindingReportFeaturesEXT report;
    VkPhysicalDeviceRobustness2FeaturesKHR robustness;
    VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptors;
    VkPhysicalDeviceShaderObjectFeaturesEXT shaders;
    VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps;
};

/* The features that the device reports. */
static void
device_features_init(struct device_features *d, VkPhysicalDevice pdev)
{
    *d = (struct device_features){
        .all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &d->v11},
        .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &d->v12},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &d->v13},
        .v13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &d->v14},
        .v14 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES, .pNext = &d->video},
        .video = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_MAINTENANCE_1_FEATURES_KHR,
                  .pNext = &d->placed},
        .placed = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT,
                   .pNext = &d->report},
        .report = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT,
                   .pNext = &d->robustness},
        .robustness = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_KHR,
                       .pNext = &d->descriptors},
        .descriptors = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
                        .pNext = &d->shaders},
        .shaders = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
                    .pNext = &d->heaps},
        .heaps = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT},
    };
    vkGetPhysicalDeviceFeatures2(pdev, &d->all);
}

/* Everything that is reported, as the CTS, GStreamer and others do. */
static void
create_device(struct fixture *f)
{
    static const float priorities[2] = {1.0f, 1.0f};
    struct extension_list list;
    extension_list_init(&list, f->pdev);

    f->family_count = FIXTURE_MAX_FAMILIES;
    vkGetPhysicalDeviceQueueFamilyProperties(f->pdev, &f->family_count, f->family);
    VkDeviceQueueCreateInfo queues[FIXTURE_MAX_FAMILIES];
    for (uint32_t i = 0; i < f->family_count; i++) {
        queues[i] = (VkDeviceQueueCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
            .queueFamilyIndex = i,
            .queueCount = f->family[i].queueCount < 2 ? f->family[i].queueCount : 2,
            .pQueuePriorities = priorities,
        };
    }

    struct device_features features;
    device_features_init(&features, f->pdev);
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features.all,
        .queueCreateInfoCount = f->family_count,
        .pQueueCreateInfos = queues,
        .enabledExtensionCount = list.count,
        .ppEnabledExtensionNames = list.names,
    };
    REQUIRE_EQ(vkCreateDevice(f->pdev, &info, f->alloc, &f->dev), VK_SUCCESS);
    vk_functions_load_device(f->dev);
    for (uint32_t i = 0; i < f->family_count; i++)
        vkGetDeviceQueue(f->dev, i, 0, &f->queues[i]);
    vkGetDeviceQueue(f->dev, 0, 1, &f->second_queue);
    f->queue = f->queues[0];
}

VkCommandBuffer
test_cb_create(struct fixture *f, VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = f->pool,
        .level = level,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cb;
    REQUIRE_EQ(vkAllocateCommandBuffers(f->dev, &info, &cb), VK_SUCCESS);
    return cb;
}

VkSemaphore
test_timeline_create(struct fixture *f)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    VkSemaphore sem;
    REQUIRE_EQ(vkCreateSemaphore(f->dev, &info, f->alloc, &sem), VK_SUCCESS);
    return sem;
}

void
fixture_init(struct fixture *f)
{
    create_instance(f);
    create_device(f);

    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
    };
    REQUIRE_EQ(vkCreateCommandPool(f->dev, &pool, f->alloc, &f->pool), VK_SUCCESS);
    f->cb = test_cb_create(f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    REQUIRE_EQ(vkCreateFence(f->dev, &fence, f->alloc, &f->fence), VK_SUCCESS);
}

void
fixture_finish(struct fixture *f)
{
    vkDestroyFence(f->dev, f->fence, f->alloc);
    vkDestroyCommandPool(f->dev, f->pool, f->alloc);
    vkDestroyDevice(f->dev, f->alloc);
    vkDestroyInstance(f->instance, f->alloc);
}

void
test_begin(struct fixture *f)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    REQUIRE_EQ(vkBeginCommandBuffer(f->cb, &info), VK_SUCCESS);
}

void
test_submit_and_wait(struct fixture *f)
{
    REQUIRE_EQ(vkEndCommandBuffer(f->cb), VK_SUCCESS);
    const VkCommandBufferSubmitInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = f->cb,
    };
    const VkSubmitInfo2 submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &cb,
    };
    REQUIRE_EQ(vkQueueSubmit2(f->queue, 1, &submit, f->fence), VK_SUCCESS);
    REQUIRE_EQ(vkWaitForFences(f->dev, 1, &f->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    REQUIRE_EQ(vkResetFences(f->dev, 1, &f->fence), VK_SUCCESS);
}

static bool
is_wanted(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++) {
        if (strstr(name, argv[i]))
            return true;
    }
    return argc == 1;
}

/* False when it failed: f may be recording then, or its device lost. */
static bool
case_run(const struct test_case *c, struct fixture *f)
{
    struct test_frame frame;

    if (!test_run_begin(&frame, c->name))
        return true;
    if (setjmp(frame.end) != 0) {
        test_run_end(&frame);
        return false;
    }
    c->run(f);
    test_run_end(&frame);
    return true;
}

int
test_run(int argc, char **argv, const struct test_case *cases, size_t count)
{
    struct fixture f = {0};
    size_t wanted_count = 0;

    fixture_init(&f);
    for (size_t i = 0; i < count; i++) {
        if (!is_wanted(argc, argv, cases[i].name))
            continue;
        wanted_count++;
        if (!case_run(&cases[i], &f)) {
            f = (struct fixture){0};
            fixture_init(&f); /* the old one is left as it is: this program has failed */
        }
    }
    fixture_finish(&f);
    REQUIRE(wanted_count > 0);
    return 0;
}
