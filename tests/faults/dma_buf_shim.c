/* SPDX-License-Identifier: MIT */
/* Preloaded in front of the C library: a kernel with udmabuf, for machines that have none. Its
 * dma-bufs are the memfds they are made of; everything else goes to the real kernel.
 */
#include "dma_buf.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICE "/dev/udmabuf"
#define MAX_BUFS 64

static struct dma_buf_kernel kernel;
static atomic_uint_fast64_t made[MAX_BUFS]; /* inodes */
static atomic_uint made_count;

struct dma_buf_kernel *
dma_buf_kernel(void)
{
    return &kernel;
}

static uint64_t
inode_of(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 ? st.st_ino : 0;
}

static bool
is_dma_buf(int fd)
{
    const uint64_t inode = inode_of(fd);
    for (unsigned i = 0; i < atomic_load(&made_count) && inode; i++) {
        if (atomic_load(&made[i]) == inode)
            return true;
    }
    return false;
}

static int
fail(int error)
{
    errno = error;
    return -1;
}

static int
create(const struct udmabuf_create *info)
{
    const int seals = fcntl((int)info->memfd, F_GET_SEALS);
    const unsigned i = atomic_load(&made_count);
    if (atomic_load(&kernel.create_errno))
        return fail(atomic_load(&kernel.create_errno));
    /* As udmabuf.c has it. */
    if (info->size % 4096 || info->offset % 4096 || seals < 0 || !(seals & F_SEAL_SHRINK) ||
        seals & F_SEAL_WRITE || i == MAX_BUFS)
        return fail(EINVAL);
    atomic_store(&made[i], inode_of((int)info->memfd));
    atomic_fetch_add(&made_count, 1);
    return fcntl((int)info->memfd, F_DUPFD_CLOEXEC, 0);
}

static int
synchronize(int fd, const struct dma_buf_sync *sync)
{
    if (!is_dma_buf(fd))
        return fail(ENOTTY);
    if (atomic_load(&kernel.interrupted) > 0) {
        atomic_fetch_sub(&kernel.interrupted, 1);
        return fail(EINTR);
    }
    if (atomic_load(&kernel.sync_errno))
        return fail(atomic_load(&kernel.sync_errno));
    atomic_fetch_add(sync->flags & DMA_BUF_SYNC_END ? &kernel.end_count : &kernel.start_count, 1);
    return 0;
}

int
ioctl(int fd, unsigned long request, ...)
{
    va_list args;
    va_start(args, request);
    void *arg = va_arg(args, void *);
    va_end(args);
    if (request == UDMABUF_CREATE)
        return create(arg);
    if (request == DMA_BUF_IOCTL_SYNC)
        return synchronize(fd, arg);
    int (*real)(int, unsigned long, ...);
    void *found = dlsym(RTLD_NEXT, "ioctl");
    memcpy(&real, &found, sizeof(real));
    return real(fd, request, arg);
}

int
open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (strcmp(path, DEVICE) == 0)
        return atomic_load(&kernel.has_udmabuf) ? memfd_create("udmabuf", MFD_CLOEXEC)
                                                : fail(ENOENT);
    int (*real)(const char *, int, ...);
    void *found = dlsym(RTLD_NEXT, "open");
    memcpy(&real, &found, sizeof(real));
    return real(path, flags, mode);
}
