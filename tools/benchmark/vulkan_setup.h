/* SPDX-License-Identifier: MIT */
/* A device and a command buffer for benchmarks; any failed call ends the program.
 */
#ifndef RP_BENCHMARK_VULKAN_SETUP_H
#define RP_BENCHMARK_VULKAN_SETUP_H

#undef VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <stdint.h>

#define BENCH_CHECK(call) bench_check((call), #call, __FILE__, __LINE__)

#define BENCH_MAX_QUEUES 4

struct bench_device {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    VkQueue queue; /* of family 0 */
    VkCommandPool pool;
    VkCommandBuffer cb;
    VkFence fence;
};

struct bench_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint8_t *data; /* mapped */
};

void bench_check(VkResult result, const char *call, const char *file, int line);

/* name: part of the device's name ("Reelpipe", "llvmpipe"). Returns 0 when there is none. */
int bench_device_open(struct bench_device *dev, const char *name);
/* bench_device_open() with several queues of family 0, of which dev->queue is the first. */
int bench_device_open_queues(struct bench_device *dev, const char *name, uint32_t queue_count);
void bench_device_print(const struct bench_device *dev); /* names it as the peer */
void bench_device_close(struct bench_device *dev);

struct bench_buffer bench_buffer_create(const struct bench_device *dev, uint64_t size_B,
                                        VkBufferUsageFlags usage);
void bench_buffer_destroy(const struct bench_device *dev, struct bench_buffer *buf);

/* Recording of dev->cb; submit waits for the fence. */
void bench_begin(const struct bench_device *dev);
void bench_end(const struct bench_device *dev);
void bench_submit_and_wait(const struct bench_device *dev);

#endif
