/* SPDX-License-Identifier: MIT */
/* A Vulkan application's ground: the loader, a device with an encode queue, buffers and images.
 *
 * Everything goes through the system's loader; any error ends the program.
 */
#ifndef RP_TESTS_VIDEO_VK_H
#define RP_TESTS_VIDEO_VK_H

#include "tools/client/video_session.h"

#include "vk_functions.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VK_ENCODE_QUEUES 4 /* of the device's encode family */
#define VK_DECODE_QUEUES 4 /* of the device's decode family */

struct vk {
    VkInstance instance;
    VkPhysicalDevice pdev;
    VkDevice dev;
    struct video_device video; /* the device, for sessions */
    uint32_t encode_family;
    VkQueue encode_queues[VK_ENCODE_QUEUES]; /* which can copy too, but for a lent family's */
    VkQueue queue; /* the first one; the compute queue where that cannot copy */
    uint32_t compute_family;
    VkQueue compute_queue;
    uint32_t decode_family; /* UINT32_MAX: the device does not decode H.264 */
    VkQueue decode_queues[VK_DECODE_QUEUES];
    VkQueue decode_queue; /* the first one */
    VkCommandPool pool;
    VkCommandBuffer cb;        /* for one-off work */
    VkCommandPool encode_pool; /* NULL: pool is of the encode family */
    VkCommandBuffer encode_cb; /* cb, or another one */
};

/* The device that encodes H.264; skips the test when there is none. */
void vk_open(struct vk *vk);
/* The device that does both operations; one that is 0 is not asked for. Their families are
 * encode_family and decode_family. */
void vk_open_for(struct vk *vk, VkVideoCodecOperationFlagsKHR encode,
                 VkVideoCodecOperationFlagsKHR decode);
/* With the name of the engine, or of the program, by which drivers know applications. */
void vk_open_as(struct vk *vk, const char *engine, uint32_t engine_version);
void vk_open_as_program(struct vk *vk, const char *program, VkVideoCodecOperationFlagsKHR encode,
                        VkVideoCodecOperationFlagsKHR decode);
void vk_close(struct vk *vk);

/* Records into vk->cb, submits and waits. */
void vk_begin(struct vk *vk);
void vk_finish(struct vk *vk);
VkCommandBuffer vk_command_buffer(struct vk *vk);

/* vk_begin() and vk_finish() with vk->encode_cb, on the first encode queue. */
void vk_begin_encode(struct vk *vk);
void vk_finish_encode(struct vk *vk);

void vk_submit(struct vk *vk, VkCommandBuffer cb);

/* Command buffers of a pool of the decode family, and as many queries of their status. */
void vk_decode_commands_create(struct vk *vk, const VkVideoProfileInfoKHR *profile, uint32_t count,
                               VkQueryPool *status_out, VkCommandPool *pool_out,
                               VkCommandBuffer *cbs_out);

/* The pipeline of a module's main(). */
VkPipeline vk_compute_pipeline(struct vk *vk, VkPipelineLayout layout, const uint32_t *words,
                               size_t words_B);

struct vk_buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    uint8_t *data;
    VkDeviceSize size_B;
};

struct vk_buffer vk_buffer_create(struct vk *vk, VkDeviceSize size_B, VkBufferUsageFlags usage,
                                  const void *next);
void vk_buffer_destroy(struct vk *vk, struct vk_buffer *buf);

struct vk_image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    VkFormat format;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t layer_count;
};

struct vk_image_info {
    VkFormat format;
    uint32_t width_px;
    uint32_t height_px;
    uint32_t layer_count;
    VkImageTiling tiling;
    VkImageUsageFlags usage;
    VkImageCreateFlags flags;
    const void *next; /* a profile list, or NULL */
    bool is_exported; /* its memory can be imported as a file descriptor */
};

struct vk_image vk_image_create(struct vk *vk, const struct vk_image_info *info);
void vk_image_destroy(struct vk *vk, struct vk_image *img); /* with its memory, if it has some */

/* In two steps; the memory is the caller's, unless it goes into img->memory. */
struct vk_image vk_image_create_unbound(struct vk *vk, const struct vk_image_info *info,
                                        VkMemoryRequirements *requirements_out);
void vk_image_bind(struct vk *vk, struct vk_image *img, VkDeviceMemory memory,
                   VkDeviceSize offset_B);

/* Another import of an image's memory, where that is exported. */
VkDeviceMemory vk_image_import_memory(struct vk *vk, const struct vk_image *img);

/* Another view, in place of one that is gone. alloc may be NULL. */
void vk_image_view_create(struct vk *vk, struct vk_image *img, const VkAllocationCallbacks *alloc);

/* Its two or three planes of 4:2:0, one behind the other, as they are. */
void vk_image_read(struct vk *vk, const struct vk_image *img, uint32_t layer, uint8_t *planes);

/* Planar 4:2:0 of 8 bits: Y, then U, then V (NV12 images are interleaved on the way). Through a
 * buffer and copy commands on the encode queue. */
void vk_image_write_i420(struct vk *vk, const struct vk_image *img, uint32_t layer,
                         const uint8_t *pixels);
void vk_image_read_i420(struct vk *vk, const struct vk_image *img, uint32_t layer, uint8_t *pixels);

#endif
