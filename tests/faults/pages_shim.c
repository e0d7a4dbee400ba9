/* SPDX-License-Identifier: MIT */
/* Preloaded in front of the C library: for the driver's calls, pages have 64 KiB, as some kernels
 * of aarch64 have them. Addresses that are not whole pages are refused and counted. Not for
 * sanitizers.
 */
#include "../oom/driver_code.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_B ((size_t)1 << 16)

long pages_shim_refused_count(void);

static atomic_long refused_count;

long
pages_shim_refused_count(void)
{
    return atomic_load(&refused_count);
}

static bool
is_driver(const void *caller)
{
    driver_code_find();
    return driver_code_has(caller);
}

static size_t
whole(size_t size_B)
{
    return (size_B + PAGE_B - 1) & ~(PAGE_B - 1);
}

static bool
is_refused(const void *address)
{
    if ((uintptr_t)address % PAGE_B == 0)
        return false;
    atomic_fetch_add(&refused_count, 1);
    errno = EINVAL;
    return true;
}

/* The C library's function of this name, for *function. */
static void
find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    memcpy(function, &found, sizeof(found));
}

long
sysconf(int name)
{
    long (*real)(int);
    find("sysconf", &real);
    return name == _SC_PAGESIZE && is_driver(__builtin_return_address(0)) ? (long)PAGE_B
                                                                          : real(name);
}

/* Room for size_B at a whole page, reserved. */
static uint8_t *
reserve(void *(*map)(void *, size_t, int, int, int, off_t), size_t size_B)
{
    int (*unmap)(void *, size_t);
    find("munmap", &unmap);
    uint8_t *base = map(NULL, size_B + PAGE_B, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    const size_t before_B = -(uintptr_t)base & (PAGE_B - 1);
    if (before_B)
        unmap(base, before_B);
    unmap(base + before_B + size_B, PAGE_B - before_B);
    return base + before_B;
}

void *
mmap(void *address, size_t size_B, int protection, int flags, int fd, off_t offset)
{
    void *(*real)(void *, size_t, int, int, int, off_t);
    find("mmap", &real);
    if (!is_driver(__builtin_return_address(0)))
        return real(address, size_B, protection, flags, fd, offset);
    if (is_refused(address))
        return MAP_FAILED;
    void *where = address ? address : reserve(real, whole(size_B));
    return where ? real(where, whole(size_B), protection, flags | MAP_FIXED, fd, offset)
                 : MAP_FAILED;
}

int
munmap(void *address, size_t size_B)
{
    int (*real)(void *, size_t);
    find("munmap", &real);
    if (!is_driver(__builtin_return_address(0)))
        return real(address, size_B);
    return is_refused(address) ? -1 : real(address, whole(size_B));
}

int
madvise(void *address, size_t size_B, int advice)
{
    int (*real)(void *, size_t, int);
    find("madvise", &real);
    return is_driver(__builtin_return_address(0)) && is_refused(address)
               ? -1
               : real(address, size_B, advice);
}

void *
mremap(void *old, size_t old_B, size_t new_B, int flags, ...)
{
    void *(*real)(void *, size_t, size_t, int, ...);
    va_list args;
    va_start(args, flags);
    void *address = flags & MREMAP_FIXED ? va_arg(args, void *) : NULL;
    va_end(args);
    find("mremap", &real);
    if (!is_driver(__builtin_return_address(0)))
        return real(old, old_B, new_B, flags, address);
    return is_refused(old) || is_refused(address) ? MAP_FAILED
                                                  : real(old, old_B, whole(new_B), flags, address);
}
