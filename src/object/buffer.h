/* SPDX-License-Identifier: MIT */
/* VkBuffer: a range of bytes in device memory.
 */
#ifndef RP_OBJECT_BUFFER_H
#define RP_OBJECT_BUFFER_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <stdint.h>

/* maxBufferSize: sums of offsets and sizes below it never wrap. */
#define RP_MAX_BUFFER_B (UINT64_C(1) << 40)

struct rp_memory;

struct rp_buffer {
    struct rp_object base;
    VkBufferCreateFlags flags;
    VkBufferUsageFlags2 usage;
    uint64_t size_B;
    struct rp_memory *memory; /* borrowed; NULL until bound */
    uint8_t *host;            /* first byte; NULL until bound. Its value is the device address */
    struct rp_buffer *next_descriptor_buffer; /* of rp_descriptor_memory::buffers */
};

RP_HANDLE_CASTS(rp_buffer, VkBuffer, VK_OBJECT_TYPE_BUFFER)

/* size from offset on, with VK_WHOLE_SIZE resolved; never past the end (0 when offset is, or when
 * there is no memory). */
static inline uint64_t
rp_buffer_range_B(const struct rp_buffer *buf, uint64_t offset_B, uint64_t size_B)
{
    if (offset_B > buf->size_B || !buf->host)
        return 0;
    const uint64_t left_B = buf->size_B - offset_B;
    return size_B < left_B ? size_B : left_B; /* VK_WHOLE_SIZE is the largest number */
}

#endif
