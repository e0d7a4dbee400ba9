/* SPDX-License-Identifier: MIT */
/* Where the pages of device memory come from.
 */
#include "object/memory.h"

#include "object/dma_buf.h"
#include "object/memory_mapping_ref.h"
#include "platform/pages.h"
#include "util/log.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

void
rp_memory_expect_dense(const struct rp_memory *mem, uint64_t offset_B, uint64_t size_B)
{
    if (mem->kind == RP_MEMORY_ANONYMOUS && mem->size_B > RP_MEMORY_DENSE_B)
        rp_pages_expect_dense(mem->host + offset_B, size_B);
}

/* address 0: anywhere. */
static VkResult
memory_map_pages(struct rp_memory *mem, uint64_t address, uint64_t size_B, bool may_be_placed)
{
    if (size_B > INT64_MAX - rp_page_B())
        return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    const uint64_t pages_B = rp_pages_B(size_B);

    /* Only shared pages can be mapped twice. Private ones are cheaper. */
    void *host = address ? rp_pages_map_at(address, pages_B, may_be_placed)
                         : rp_pages_map(pages_B, may_be_placed);
    if (!host)
        return rp_error(mem, address ? VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS
                                     : VK_ERROR_OUT_OF_DEVICE_MEMORY);
    if (size_B <= RP_MEMORY_DENSE_B)
        rp_pages_expect_dense(host, pages_B);

    mem->kind = RP_MEMORY_ANONYMOUS;
    mem->host = host;
    mem->size_B = size_B;
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

static bool
memory_map_shared(struct rp_memory *mem, int fd, enum rp_memory_kind kind, uint64_t size_B)
{
    void *host = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (host == MAP_FAILED)
        return false;
    mem->kind = kind;
    mem->host = host;
    mem->size_B = size_B;
    mem->fd = fd;
    return true;
}

VkResult
rp_memory_map_new_fd(struct rp_memory *mem, uint64_t size_B)
{
    if (size_B > INT64_MAX - rp_page_B())
        return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    const int fd = memfd_create("reelpipe-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) /* forbidden, or too many: memory that cannot be exported is better than none */
        return rp_memory_map_anonymous(mem, size_B, true);

    /* Sealed: whoever imports it cannot pull pages away from under us. */
    const uint64_t pages_B = rp_pages_B(size_B); /* what udmabuf wants */
    if (ftruncate(fd, (off_t)pages_B) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0 &&
        memory_map_shared(mem, fd, RP_MEMORY_FD, size_B))
        return VK_SUCCESS;
    close(fd);
    return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

/* Nobody can take its pages away. */
static bool
fd_is_sealed(int fd)
{
    const int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK);
}

VkResult
rp_memory_map_fd(struct rp_memory *mem, int fd, VkExternalMemoryHandleTypeFlagBits type,
                 uint64_t size_B)
{
    const bool is_opaque = type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
    const off_t end = lseek(fd, 0, SEEK_END);
    if (end < 0 || (uint64_t)end < size_B)
        return rp_error(mem, VK_ERROR_INVALID_EXTERNAL_HANDLE);
    if (is_opaque ? !fd_is_sealed(fd) : !rp_dma_buf_is(fd))
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
    if (mem->fd >= 0)
        close(mem->fd);
}
