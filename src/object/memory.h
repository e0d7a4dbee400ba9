/* SPDX-License-Identifier: MIT */
/* VkDeviceMemory: host memory, from our mmap, a memfd, an imported fd or the application's pointer.
 */
#ifndef RP_OBJECT_MEMORY_H
#define RP_OBJECT_MEMORY_H

#include "object/object.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_memory_mapping_ref;

/* maxMemoryAllocationCount: each may be a mapping of its own, of which Linux gives 65,530. */
#define RP_MAX_MEMORY_OBJECTS 32768u

/* What bound resources may ask for, and what our own allocations are aligned to (pages). */
#define RP_MEMORY_ALIGN_B 64u

/* Handle types that vkAllocateMemory exports and imports. */
#define RP_MEMORY_FD_TYPES \
    (VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT | VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT)
#define RP_MEMORY_HOST_TYPES \
    (VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT | \
     VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT)

/* How the bytes of a memory object are given back. */
enum rp_memory_kind {
    RP_MEMORY_NONE,      /* half built */
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
    int fd; /* owned, or -1 */
    /* What imports of the same memory have in common; 0: nobody else may have it, or by its address
     * alone. */
    uint64_t file_id;
    VkExternalMemoryHandleTypeFlags export_types;
    uint64_t charged_B; /* counted by rp_memory_charge() */
    bool is_counted;    /* in rp_device::memory_object_count */
    bool is_imported;
    uint64_t report_id; /* what memory reports call it; 0: nobody listens */
    uint8_t *placed;    /* mapped a second time, where the application wanted it; NULL */
    uint64_t placed_B;
    _Atomic(struct rp_memory_mapping_ref *) mapping_ref; /* NULL until somebody asks for it */
    struct rp_memory *next_dma_buf; /* in rp_device::dma_bufs, of kind DMA_BUF */
};

RP_HANDLE_CASTS(rp_memory, VkDeviceMemory, VK_OBJECT_TYPE_DEVICE_MEMORY)

/* The pages (src/object/memory_map.c). Each fills in kind, host and size_B or leaves mem alone. */
VkResult rp_memory_map_anonymous(struct rp_memory *mem, uint64_t size_B,
                                 bool may_be_placed) RP_MUST_CHECK;
/* Anonymous ones for a capture: where the process that replays it has nothing either, if may be. */
VkResult rp_memory_map_apart(struct rp_memory *mem, uint64_t size_B,
                             bool may_be_placed) RP_MUST_CHECK;
/* Anonymous ones where a capture had them (bufferDeviceAddressCaptureReplay).
 * VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS when something else is there. */
VkResult rp_memory_map_at(struct rp_memory *mem, uint64_t address, uint64_t size_B,
                          bool may_be_placed) RP_MUST_CHECK;
VkResult rp_memory_map_new_fd(struct rp_memory *mem, uint64_t size_B) RP_MUST_CHECK;
/* Takes fd on success. */
VkResult rp_memory_map_fd(struct rp_memory *mem, int fd, VkExternalMemoryHandleTypeFlagBits type,
                          uint64_t size_B) RP_MUST_CHECK;
void rp_memory_unmap(struct rp_memory *mem);

/* All of a range will be used: huge pages are worth having there. Memory up to RP_MEMORY_DENSE_B is
 * taken so, less the first 2 MiB from 8 MiB on; of larger, buffers up to that size, images, what is
 * mapped and copied to: a larger buffer may be a table of which shaders use little. Does nothing
 * for memory that is not our own. Any thread. */
#define RP_MEMORY_DENSE_B (UINT64_C(64) << 20)
void rp_memory_expect_dense(const struct rp_memory *mem, uint64_t offset_B, uint64_t size_B);

/* VK_EXT_map_memory_placed: the pages of a range (page aligned) at address too. */
VkResult rp_memory_place(struct rp_memory *mem, uint64_t offset_B, uint64_t size_B,
                         void *address) RP_MUST_CHECK;
/* Takes them away again; the addresses stay reserved if the application wants. */
VkResult rp_memory_unplace(struct rp_memory *mem, bool stays_reserved) RP_MUST_CHECK;

#endif
