/* SPDX-License-Identifier: MIT */
/* VirtualAlloc(). Pages belong to the allocation that they came with: one is never cut.
 */
#include "platform/pages.h"

#include <windows.h>

uint64_t
rp_page_B(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
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
    return false;
}

static void *
allocate(uint64_t address, uint64_t size_B)
{
    return VirtualAlloc((void *)(uintptr_t)address, (size_t)size_B, MEM_RESERVE | MEM_COMMIT,
                        PAGE_READWRITE);
}

void *
rp_pages_map(uint64_t size_B, bool is_shared)
{
    (void)is_shared;
    return allocate(0, size_B);
}

void *
rp_pages_map_at(uint64_t address, uint64_t size_B, bool is_shared)
{
    (void)is_shared;
    void *base = allocate(address, size_B);
    if (base == (void *)(uintptr_t)address)
        return base;
    /* The address went down to a multiple of 64 KiB. */
    if (base)
        rp_pages_unmap(base, size_B);
    return NULL;
}

bool
rp_pages_map_again(void *pages, uint64_t size_B, void *address)
{
    (void)pages;
    (void)size_B;
    (void)address;
    return false;
}

bool
rp_pages_reserve(void *start, uint64_t size_B)
{
    return VirtualFree(start, (size_t)size_B, MEM_DECOMMIT);
}

bool
rp_pages_replace(void *start, uint64_t size_B)
{
    /* Not in one step. */
    (void)start;
    (void)size_B;
    return false;
}

void
rp_pages_unmap(void *start, uint64_t size_B)
{
    (void)size_B;
    (void)VirtualFree(start, 0, MEM_RELEASE);
}

void
rp_pages_expect_dense(void *start, uint64_t size_B)
{
    /* Large pages are for privileged processes, and are asked for with the allocation. */
    (void)start;
    (void)size_B;
}
