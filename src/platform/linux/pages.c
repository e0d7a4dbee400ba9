/* SPDX-License-Identifier: MIT */
/* mmap, mremap and madvise of Linux.
 */
#include "platform/pages.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

uint64_t
rp_page_B(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t
rp_pages_B(uint64_t size_B)
{
    const uint64_t page_B = rp_page_B();
    return (size_B + page_B - 1) & ~(page_B - 1);
}

bool
rp_pages_can_be_shared(void)
{
    return true;
}

static void *
map(uint64_t size_B, int sharing)
{
    void *base = mmap(NULL, size_B, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

void *
rp_pages_map(uint64_t size_B, bool is_shared)
{
    const int sharing = is_shared ? MAP_SHARED : MAP_PRIVATE;
    if (size_B < RP_HUGE_PAGE_B)
        return map(size_B, sharing);

    uint8_t *base = map(size_B + RP_HUGE_PAGE_B, sharing);
    if (!base)
        return NULL;
    const size_t before_B = (size_t)(-(uintptr_t)base & (RP_HUGE_PAGE_B - 1));
    const size_t after_B = RP_HUGE_PAGE_B - before_B;
    if (before_B)
        munmap(base, before_B);
    if (after_B)
        munmap(base + before_B + size_B, after_B);
    return base + before_B;
}

void *
rp_pages_map_at(uint64_t address, uint64_t size_B, bool is_shared)
{
    void *const wanted = (void *)(uintptr_t)address;
    void *base =
        mmap(wanted, size_B, PROT_READ | PROT_WRITE,
             (is_shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    if (base == wanted)
        return base;
    munmap(base, size_B); /* Linux before 4.17 takes the address for a wish */
    return NULL;
}

bool
rp_pages_map_again(void *pages, uint64_t size_B, void *address)
{
    /* An old size of 0: the pages stay where they are, too (mremap(2)). */
    return mremap(pages, 0, size_B, MREMAP_MAYMOVE | MREMAP_FIXED, address) != MAP_FAILED;
}

bool
rp_pages_reserve(void *start, uint64_t size_B)
{
    return mmap(start, size_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE,
                -1, 0) != MAP_FAILED;
}

bool
rp_pages_replace(void *start, uint64_t size_B)
{
    return mmap(start, size_B, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
}

bool
rp_pages_execute(void *start, uint64_t size_B)
{
    if (mprotect(start, size_B, PROT_READ | PROT_EXEC))
        return false;
    __builtin___clear_cache(start, (char *)start + size_B);
    return true;
}

void
rp_pages_unmap(void *start, uint64_t size_B)
{
    munmap(start, size_B);
}

void
rp_pages_expect_dense(void *start, uint64_t size_B)
{
    uint8_t *const from = start;
    const uint64_t before_B = -(uintptr_t)from & (RP_HUGE_PAGE_B - 1);
    if (size_B < before_B + RP_HUGE_PAGE_B)
        return;
    madvise(from + before_B, (size_B - before_B) & ~(RP_HUGE_PAGE_B - 1), MADV_HUGEPAGE);
}
