/* SPDX-License-Identifier: MIT */
/* Where the pages of device memory come from.
 */
#include "object/memory.h"

#include "object/device.h"
#include "object/memory_mapping_ref.h"
#include "platform/descriptor.h"
#include "platform/dma_buf.h"
#include "platform/pages.h"
#include "util/log.h"

/* The range lies in the lower half of 48 bits of address; where addresses are smaller nothing is
 * there. */
#define APART_BEGIN UINT64_C(0x200000000000)
#define APART_B UINT64_C(0x100000000000)
#define APART_FURTHER_B (UINT64_C(1) << 30)
#define APART_ATTEMPTS 64u

/* From this size on memory may be a block in which an application places many small objects. */
#define BLOCK_B (4 * RP_HUGE_PAGE_B)

void
rp_memory_expect_dense(const struct rp_memory *mem, uint64_t offset_B, uint64_t size_B)
{
    if (mem->kind == RP_MEMORY_ANONYMOUS && mem->size_B > RP_MEMORY_DENSE_B)
        rp_pages_expect_dense(mem->host + offset_B, size_B);
}

/* Whether the size in whole pages is one of a mapping: it is a size_t there. */
static bool
is_mappable(uint64_t size_B)
{
    return size_B <= PTRDIFF_MAX - rp_page_B();
}

/* The beginning of a block has small pages: a block is filled from there, often with a few KiB, and
 * to clear a huge page costs more than such a block's use. */
static void
memory_set_pages(struct rp_memory *mem, void *host, uint64_t size_B)
{
    const uint64_t small_B = size_B >= BLOCK_B ? RP_HUGE_PAGE_B : 0;
    if (size_B <= RP_MEMORY_DENSE_B)
        rp_pages_expect_dense((uint8_t *)host + small_B, rp_pages_B(size_B) - small_B);
    mem->kind = RP_MEMORY_ANONYMOUS;
    mem->host = host;
    mem->size_B = size_B;
}

/* address 0: anywhere. */
static VkResult
memory_map_pages(struct rp_memory *mem, uint64_t address, uint64_t size_B, bool may_be_placed)
{
    if (!is_mappable(size_B))
        return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    const uint64_t pages_B = rp_pages_B(size_B);

    /* Only shared pages can be mapped twice. Private ones are cheaper. */
    void *host = address ? rp_pages_map_at(address, pages_B, may_be_placed)
                         : rp_pages_map(pages_B, may_be_placed);
    if (!host)
        return rp_error(mem, address ? VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS
                                     : VK_ERROR_OUT_OF_DEVICE_MEMORY);
    memory_set_pages(mem, host, size_B);
    return VK_SUCCESS;
}

VkResult
rp_memory_map_anonymous(struct rp_memory *mem, uint64_t size_B, bool may_be_placed)
{
    return memory_map_pages(mem, 0, size_B, may_be_placed);
}

VkResult
rp_memory_map_at(struct rp_memory *mem, uint64_t address, uint64_t size_B, bool may_be_placed)
{
    if (address % rp_page_B() != 0)
        return rp_error(mem, VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    return memory_map_pages(mem, address, size_B, may_be_placed);
}

/* Systems give addresses near the program, the libraries and the stack, which lie elsewhere in each
 * process: this is far from them. Each address is given once, whatever order memory is freed in.
 * Where somebody else is, another device perhaps, one goes further. */
VkResult
rp_memory_map_apart(struct rp_memory *mem, uint64_t size_B, bool may_be_placed)
{
    atomic_uint_fast64_t *next_B = &mem->base.dev->next_apart_B;
    const uint64_t pages_B = is_mappable(size_B) ? rp_pages_B(size_B) : UINT64_MAX;
    if (sizeof(void *) < 8 || pages_B > APART_B)
        return rp_memory_map_anonymous(mem, size_B, may_be_placed);

    const uint64_t step_B = (pages_B + RP_HUGE_PAGE_B - 1) & ~(RP_HUGE_PAGE_B - 1);
    for (uint32_t i = 0; i < APART_ATTEMPTS; i++) {
        const uint64_t offset_B = atomic_fetch_add(next_B, step_B);
        if (offset_B > APART_B - pages_B)
            break;
        void *host = rp_pages_map_at(APART_BEGIN + offset_B, pages_B, may_be_placed);
        if (host) {
            memory_set_pages(mem, host, size_B);
            return VK_SUCCESS;
        }
        (void)atomic_fetch_add(next_B, APART_FURTHER_B);
    }
    return rp_memory_map_anonymous(mem, size_B, may_be_placed);
}

static bool
memory_map_shared(struct rp_memory *mem, int fd, enum rp_memory_kind kind, uint64_t size_B)
{
    void *host = rp_descriptor_map(fd, size_B);
    if (!host)
        return false;
    mem->kind = kind;
    mem->host = host;
    mem->size_B = size_B;
    mem->fd = fd;
    if (!rp_descriptor_identify(fd, &mem->file_id))
        mem->file_id = 0;
    return true;
}

VkResult
rp_memory_map_new_fd(struct rp_memory *mem, uint64_t size_B)
{
    if (!is_mappable(size_B))
        return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    const int fd = rp_memfd_create("reelpipe-memory");
    if (fd < 0) /* forbidden, or too many: memory that cannot be exported is better than none */
        return rp_memory_map_anonymous(mem, size_B, true);

    /* udmabuf wants whole pages. */
    if (rp_memfd_seal(fd, rp_pages_B(size_B), true) &&
        memory_map_shared(mem, fd, RP_MEMORY_FD, size_B))
        return VK_SUCCESS;
    rp_descriptor_close(fd);
    return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

VkResult
rp_memory_map_fd(struct rp_memory *mem, int fd, VkExternalMemoryHandleTypeFlagBits type,
                 uint64_t size_B)
{
    const bool is_opaque = type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    if (rp_descriptor_size_B(fd) < size_B || !is_mappable(size_B))
        return rp_error(mem, VK_ERROR_INVALID_EXTERNAL_HANDLE);
    if (is_opaque ? !rp_memfd_is_sealed(fd) : !rp_dma_buf_is(fd))
        return rp_error(mem, VK_ERROR_INVALID_EXTERNAL_HANDLE);
    if (!memory_map_shared(mem, fd, is_opaque ? RP_MEMORY_FD : RP_MEMORY_DMA_BUF, size_B))
        return rp_error(mem, VK_ERROR_INVALID_EXTERNAL_HANDLE);
    return VK_SUCCESS;
}

VkResult
rp_memory_place(struct rp_memory *mem, uint64_t offset_B, uint64_t size_B, void *address)
{
    const uint64_t pages_B = rp_pages_B(size_B);

    if (!rp_pages_map_again(mem->host + offset_B, pages_B, address))
        return rp_error(mem, VK_ERROR_MEMORY_MAP_FAILED);
    mem->placed = address;
    mem->placed_B = pages_B;
    return VK_SUCCESS;
}

VkResult
rp_memory_unplace(struct rp_memory *mem, bool stays_reserved)
{
    if (!mem->placed)
        return VK_SUCCESS;
    if (!stays_reserved)
        rp_pages_unmap(mem->placed, mem->placed_B);
    else if (!rp_pages_reserve(mem->placed, mem->placed_B))
        return rp_error(mem, VK_ERROR_MEMORY_MAP_FAILED);
    mem->placed = NULL;
    return VK_SUCCESS;
}

void
rp_memory_unmap(struct rp_memory *mem)
{
    if (mem->placed)
        rp_pages_unmap(mem->placed, mem->placed_B);
    if (mem->mapping_ref)
        rp_memory_mapping_ref_abandon(mem->mapping_ref);
    else if (mem->kind != RP_MEMORY_NONE && mem->kind != RP_MEMORY_HOST)
        rp_pages_unmap(mem->host, mem->size_B);
    rp_descriptor_close(mem->fd);
}
