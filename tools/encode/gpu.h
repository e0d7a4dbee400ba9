/* SPDX-License-Identifier: MIT */
/* A Vulkan device with a queue that does the program's work (for most, that encodes) and one
 * that copies.
 */
#ifndef RP_TOOLS_ENCODE_GPU_H
#define RP_TOOLS_ENCODE_GPU_H

#include "tools/client/video_session.h"
#include "tools/encode/vk.h"

#include <stdbool.h>
#include <stdint.h>

#define GPU_MAX_QUEUES 4

struct gpu {
    struct vk vk;
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    struct video_device video; /* the device, for sessions */
    uint32_t family;           /* of the work */
    uint32_t copy_family;      /* the same where that can copy too */
    VkQueue queue;
    VkQueue copy_queue; /* the same when the families are one */
};

/* Memory with its buffer; data is mapped for good when it was asked for. */
struct gpu_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceSize size_B;
    uint8_t *data; /* NULL when not mapped */
    bool is_coherent;
};

struct gpu_image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view; /* all layers, colour aspect */
};

/* What the work asks of a device. */
struct gpu_work {
    const char *verb; /* for messages: the device that this is asked of ... */
    VkQueueFlags queue_flags;
    VkVideoCodecOperationFlagsKHR codec_operations; /* of the queue; 0: no video */
    uint32_t extension_count;
    const char *const *extensions;
    VkStructureType feature; /* a structure of features with one member, which is needed; 0: none */
};

/* Opens the first device that can do the work and whose name contains wanted (or whose index wanted
 * is); NULL: any. */
void gpu_open(struct gpu *gpu, const char *wanted, const struct gpu_work *work);
void gpu_close(struct gpu *gpu);

/* gpu_open() with several queues for the work, which a device of ours has; gpu->queue is the first
 * until gpu_use_queue(), which says where what uses gpu submits from now on. */
void gpu_open_queues(struct gpu *gpu, const char *wanted, const struct gpu_work *work,
                     uint32_t queue_count);
void gpu_use_queue(struct gpu *gpu, uint32_t index);

/* Prints index, name and, of count works, what it can do, of every device. */
void gpu_list(const struct gpu_work *const *works, uint32_t count);

/* Host-visible memory, mapped. */
void gpu_buffer_create(struct gpu *gpu, VkDeviceSize size_B, VkBufferUsageFlags usage,
                       const void *next, struct gpu_buffer *out);
void gpu_buffer_destroy(struct gpu *gpu, struct gpu_buffer *buffer);

/* What the host wrote (or the device, for invalidate) becomes visible to the other side. */
void gpu_buffer_flush(struct gpu *gpu, const struct gpu_buffer *buffer);
void gpu_buffer_invalidate(struct gpu *gpu, const struct gpu_buffer *buffer);

/* An optimal 2D image that both families may use. next: a VkVideoProfileListInfoKHR. */
void gpu_image_create(struct gpu *gpu, VkFormat format, VkExtent2D extent, uint32_t layer_count,
                      VkImageUsageFlags usage, const void *next, struct gpu_image *out);
void gpu_image_destroy(struct gpu *gpu, struct gpu_image *image);

VkSemaphore gpu_timeline_create(struct gpu *gpu);
void gpu_timeline_wait(struct gpu *gpu, VkSemaphore timeline, uint64_t value);

VkCommandPool gpu_command_pool_create(struct gpu *gpu, uint32_t family);
VkCommandBuffer gpu_command_buffer_create(struct gpu *gpu, VkCommandPool pool);
void gpu_command_begin(struct gpu *gpu, VkCommandBuffer cb);

/* Submits cb, which waits for a timeline's value (0: for nothing) and then signals another's. */
struct gpu_point {
    VkSemaphore timeline;
    uint64_t value;
};
void gpu_submit(struct gpu *gpu, VkQueue queue, VkCommandBuffer cb, struct gpu_point wait,
                struct gpu_point signal);

/* Records a change of an image's layout, with everything before it before everything after. */
void gpu_image_barrier(struct gpu *gpu, VkCommandBuffer cb, VkImage image, uint32_t layer,
                       VkImageLayout from, VkImageLayout to);

#endif
