/* SPDX-License-Identifier: MIT */
/* The dull part of a Vulkan program.
 */
#include "vulkan_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
bench_check(VkResult result, const char *call, const char *file, int line)
{
    if (result >= 0)
        return;
    (void)fprintf(stderr, "%s:%d: %s: %d\n", file, line, call, result);
    exit(1);
}

static VkPhysicalDevice
find_device(VkInstance instance, const char *name)
{
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    BENCH_CHECK(vkEnumeratePhysicalDevices(instance, &count, devices));
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties props;
        vkGetPhysicalDeviceProperties(devices[i], &props);
        if (strstr(props.deviceName, name))
            return devices[i];
    }
    return VK_NULL_HANDLE;
}

static void
create_device(struct bench_device *dev, uint32_t queue_count)
{
    static const float priorities[BENCH_MAX_QUEUES];
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = queue_count,
        .pQueuePriorities = priorities,
    };
    VkPhysicalDeviceVulkan13Features features13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    };
    VkPhysicalDeviceVulkan12Features features12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &features13,
    };
    VkPhysicalDeviceVulkan11Features features11 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        .pNext = &features12,
    };
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &features11,
    };
    vkGetPhysicalDeviceFeatures2(dev->physical_device, &features);
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
    };
    BENCH_CHECK(vkCreateDevice(dev->physical_device, &info, NULL, &dev->device));
    vkGetDeviceQueue(dev->device, 0, 0, &dev->queue);
}

int
bench_device_open_queues(struct bench_device *dev, const char *name, uint32_t queue_count)
{
    const VkApplicationInfo app = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo instance = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &app,
    };
    BENCH_CHECK(vkCreateInstance(&instance, NULL, &dev->instance));
    dev->physical_device = find_device(dev->instance, name);
    if (!dev->physical_device)
        return 0;
    create_device(dev, queue_count);

    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
    };
    BENCH_CHECK(vkCreateCommandPool(dev->device, &pool, NULL, &dev->pool));
    const VkCommandBufferAllocateInfo cb = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = dev->pool,
        .commandBufferCount = 1,
    };
    BENCH_CHECK(vkAllocateCommandBuffers(dev->device, &cb, &dev->cb));
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    BENCH_CHECK(vkCreateFence(dev->device, &fence, NULL, &dev->fence));
    return 1;
}

int
bench_device_open(struct bench_device *dev, const char *name)
{
    return bench_device_open_queues(dev, name, 1);
}

void
bench_device_print(const struct bench_device *dev)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 props = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &driver,
    };
    vkGetPhysicalDeviceProperties2(dev->physical_device, &props);
    if (!getenv("BENCH_JSON"))
        printf("peer: %s, %s %s\n", props.properties.deviceName, driver.driverName,
               driver.driverInfo);
}

void
bench_device_close(struct bench_device *dev)
{
    vkDestroyFence(dev->device, dev->fence, NULL);
    vkDestroyCommandPool(dev->device, dev->pool, NULL);
    vkDestroyDevice(dev->device, NULL);
    vkDestroyInstance(dev->instance, NULL);
}

static uint32_t
host_memory_type(const struct bench_device *dev, uint32_t types)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties props;
    vkGetPhysicalDeviceMemoryProperties(dev->physical_device, &props);
    for (uint32_t i = 0; i < props.memoryTypeCount; i++)
        if (types >> i & 1 && (props.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    (void)fprintf(stderr, "no host visible memory\n");
    exit(1);
}

struct bench_buffer
bench_buffer_create(const struct bench_device *dev, uint64_t size_B, VkBufferUsageFlags usage)
{
    struct bench_buffer buf = {0};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_B, .usage = usage};
    BENCH_CHECK(vkCreateBuffer(dev->device, &info, NULL, &buf.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(dev->device, buf.buffer, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = host_memory_type(dev, needs.memoryTypeBits),
    };
    BENCH_CHECK(vkAllocateMemory(dev->device, &memory, NULL, &buf.memory));
    BENCH_CHECK(vkBindBufferMemory(dev->device, buf.buffer, buf.memory, 0));
    void *data;
    BENCH_CHECK(vkMapMemory(dev->device, buf.memory, 0, VK_WHOLE_SIZE, 0, &data));
    buf.data = data;
    memset(buf.data, 1, size_B);
    return buf;
}

void
bench_buffer_destroy(const struct bench_device *dev, struct bench_buffer *buf)
{
    vkDestroyBuffer(dev->device, buf->buffer, NULL);
    vkFreeMemory(dev->device, buf->memory, NULL);
}

void
bench_begin(const struct bench_device *dev)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    BENCH_CHECK(vkBeginCommandBuffer(dev->cb, &begin));
}

void
bench_end(const struct bench_device *dev)
{
    BENCH_CHECK(vkEndCommandBuffer(dev->cb));
}

void
bench_submit_and_wait(const struct bench_device *dev)
{
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &dev->cb,
    };
    BENCH_CHECK(vkQueueSubmit(dev->queue, 1, &submit, dev->fence));
    BENCH_CHECK(vkWaitForFences(dev->device, 1, &dev->fence, VK_TRUE, UINT64_MAX));
    BENCH_CHECK(vkResetFences(dev->device, 1, &dev->fence));
}
