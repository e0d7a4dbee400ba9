/* SPDX-License-Identifier: MIT */
/* Where the pages of device memory come from.
 */
#include "object/memory.h"

#include "object/dma_buf.h"
#include "object/memory_mapping_ref.h"
#include "util/checked.h"
#include "util/log.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_B UINT64_C(4096)
#define HUGE_PAGE_B (UINT64_C(2) << 20)

/* Huge pages are worth their alignment from here on: one at least. */
#define HUGE_FROM_B HUGE_PAGE_B

static void *
map_aligned(uint64_t size_B, uint64_t align_B, int sharing)
{
    uint8_t *base =
        mmap(NULL, size_B + align_B, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return MAP_FAILED;
    const size_t before_B = (size_t)(-(uintptr_t)base & (align_B - 1));
    const size_t after_B = align_B - before_B;
    if (before_B)
        munmap(base, before_B);
    if (after_B)
        munmap(base + before_B + size_B, after_B);
    return base + before_B;
}

VkResult
rp_memory_map_anonymous(struct rp_memory *mem, uint64_t size_B, bool may_be_placed)
{
    /* Only shared pages can be mapped twice. Private ones are cheaper. */
    const int sharing = may_be_placed ? MAP_SHARED : MAP_PRIVATE;
    uint64_t pages_B;
    if (!rp_add_u64(size_B, PAGE_B - 1, &pages_B) || pages_B > INT64_MAX)
        return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    pages_B &= ~(PAGE_B - 1);

    const bool is_huge = pages_B >= HUGE_FROM_B;
    void *host = is_huge
                     ? map_aligned(pages_B, HUGE_PAGE_B, sharing)
                     : mmap(NULL, pages_B, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
    if (host == MAP_FAILED)
        return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    if (is_huge)
        madvise(host, pages_B, MADV_HUGEPAGE);

    mem->kind = RP_MEMORY_ANONYMOUS;
    mem->host = host;
    mem->size_B = size_B;
    return VK_SUCCESS;
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
    if (size_B > INT64_MAX - PAGE_B)
        return rp_error(mem, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    const int fd = memfd_create("reelpipe-memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) /* forbidden, or too many: memory that cannot be exported is better than none */
        return rp_memory_map_anonymous(mem, size_B, true);

    /* Sealed: whoever imports it cannot pull pages away from under us. */
    const uint64_t pages_B = (size_B + PAGE_B - 1) & ~(PAGE_B - 1); /* what udmabuf wants */
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
    const uint64_t pages_B = (size_B + PAGE_B - 1) & ~(PAGE_B - 1);

    /* An old size of 0: the pages stay where they are, too (mremap(2)). */
    if (mremap(mem->host + offset_B, 0, pages_B, MREMAP_MAYMOVE | MREMAP_FIXED, address) ==
        MAP_FAILED)
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
    if (stays_reserved) {
        if (mmap(mem->placed, mem->placed_B, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) == MAP_FAILED)
            return rp_error(mem, VK_ERROR_MEMORY_MAP_FAILED);
    } else {
        munmap(mem->placed, mem->placed_B);
    }
    mem->placed = NULL;
    return VK_SUCCESS;
}

void
rp_memory_unmap(struct rp_memory *mem)
{
    if (mem->placed)
        munmap(mem->placed, mem->placed_B);
    if (mem->mapping_ref)
        rp_memory_mapping_ref_abandon(mem->mapping_ref);
    else if (mem->kind != RP_MEMORY_NONE && mem->kind != RP_MEMORY_HOST)
        munmap(mem->host, mem->size_B);
    if (mem->fd >= 0)
        close(mem->fd);
}
