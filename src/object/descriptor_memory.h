/* SPDX-License-Identifier: MIT */
/* Descriptors in memory of the application (VK_EXT_descriptor_buffer): how they are coded, what
 * they may name, and the buffers that hold them.
 *
 * A descriptor of any type has RP_MEMORY_DESCRIPTOR_B bytes; zeros are a null descriptor. It names
 * buffers by address, and views and samplers by numbers of the device. What no driver wrote, or
 * what names an object that is gone or of another kind, is read as a null descriptor; an address
 * is believed, as a shader's is.
 */
#ifndef RP_OBJECT_DESCRIPTOR_MEMORY_H
#define RP_OBJECT_DESCRIPTOR_MEMORY_H

#include "object/descriptor_names.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define RP_MEMORY_DESCRIPTOR_B 32u
#define RP_MEMORY_DESCRIPTOR_ALIGN_B 16u /* of bindings in a set, of sets in a buffer */
#define RP_MAX_DESCRIPTOR_BUFFERS 32u    /* bound at a time */
#define RP_DESCRIPTOR_BUFFER_USAGES \
    (VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT | \
     VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT)

struct rp_buffer;
struct rp_descriptor;
struct rp_device;

/* What descriptors in memory need of a device. */
struct rp_descriptor_memory {
    bool is_enabled;                  /* the application enabled descriptorBuffer */
    struct rp_descriptor_names names; /* of views and samplers */
    pthread_mutex_t mutex;            /* guards what follows */
    struct rp_buffer *buffers;        /* bound ones with one of RP_DESCRIPTOR_BUFFER_USAGES */
};

void rp_descriptor_memory_init(struct rp_device *dev);
void rp_descriptor_memory_finish(struct rp_device *dev);

/* A name for a view or a sampler. uses: bits of enum rp_descriptor_use. Without the feature it is
 * 0, which may be dropped, too. */
VkResult rp_descriptor_name_take(struct rp_device *dev, const void *object, uint32_t uses,
                                 uint32_t *out) RP_MUST_CHECK;
void rp_descriptor_name_drop(struct rp_device *dev, uint32_t name);

/* When a buffer is bound to memory first, and when it goes. Any buffer. */
void rp_descriptor_buffer_add(struct rp_buffer *buf);
void rp_descriptor_buffer_remove(struct rp_buffer *buf);

/* Bytes from address to the end of a descriptor buffer around it; 0: there is none. */
uint64_t rp_descriptor_buffer_left_B(struct rp_device *dev, VkDeviceAddress address);

/* What a descriptor is written as: a buffer, texels of a format, or what a heap's views and
 * samplers are found by (descriptor_heap.h). */
struct rp_memory_descriptor {
    uint32_t words[RP_MEMORY_DESCRIPTOR_B / 4];
};

struct rp_memory_descriptor rp_memory_descriptor_of_buffer(VkDeviceAddress address,
                                                           VkDeviceSize size_B);
struct rp_memory_descriptor rp_memory_descriptor_of_texels(VkDeviceAddress address,
                                                           VkDeviceSize size_B, VkFormat format);
struct rp_memory_descriptor rp_memory_descriptor_of_view(uint32_t image, uint64_t number,
                                                         bool is_storage);
struct rp_memory_descriptor rp_memory_descriptor_of_sampler(uint64_t number);

/* The descriptor at RP_MEMORY_DESCRIPTOR_B bytes. No object is looked at: it may be gone while
 * nothing accesses it. */
struct rp_descriptor rp_descriptor_memory_read(const struct rp_device *dev, const uint8_t *at);

/* Its ptr and size_B alone, which takes a fraction of the time. */
struct rp_descriptor_range rp_descriptor_memory_range(const uint8_t *at);

#endif
