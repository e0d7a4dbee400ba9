/* SPDX-License-Identifier: MIT */
/* VkDeviceMemory: host memory, from our mmap, a memfd, an imported fd or the application's pointer.
 */
#ifndef RP_OBJECT_MEMORY_H
#define RP_OBJECT_MEMORY_H

#include "object/object.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

/* Who gives the bytes back, and how. */
enum rp_memory_kind {
    RP_MEMORY_ANONYMOUS, /* our mmap */
    RP_MEMORY_FD,        /* mmap of fd: a memfd of ours (exportable) or an imported one */
    RP_MEMORY_DMA_BUF,   /* mmap of an imported dma-buf */
    RP_MEMORY_HOST,      /* the application's pointer, borrowed */
};

struct rp_memory {
    struct rp_object base;
    enum rp_memory_kind kind;
    uint8_t *host; /* first byte; mapped as long as the object lives; page aligned unless HOST */
    uint64_t size_B;
    int fd;        /* owned, or -1 */
    uint64_t charged_B; /* counted in rp_device::memory_used_B */
};

RP_HANDLE_CASTS(rp_memory, VkDeviceMemory, VK_OBJECT_TYPE_DEVICE_MEMORY)

#endif
