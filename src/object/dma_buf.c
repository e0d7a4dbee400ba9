/* SPDX-License-Identifier: MIT */
/* The kernel's interfaces for dma-bufs.
 */
#include "object/dma_buf.h"

#include "object/memory.h"
#include "platform/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <unistd.h>

void
rp_dma_bufs_init(struct rp_dma_bufs *bufs)
{
    pthread_mutex_init(&bufs->mutex, NULL);
    bufs->first = NULL;
    atomic_init(&bufs->count, 0);
}

void
rp_dma_bufs_finish(struct rp_dma_bufs *bufs)
{
    pthread_mutex_destroy(&bufs->mutex);
}

void
rp_dma_bufs_add(struct rp_dma_bufs *bufs, struct rp_memory *mem)
{
    pthread_mutex_lock(&bufs->mutex);
    mem->next_dma_buf = bufs->first;
    bufs->first = mem;
    atomic_fetch_add(&bufs->count, 1);
    pthread_mutex_unlock(&bufs->mutex);
}

void
rp_dma_bufs_remove(struct rp_dma_bufs *bufs, struct rp_memory *mem)
{
    pthread_mutex_lock(&bufs->mutex);
    struct rp_memory **link = &bufs->first;
    while (*link != mem)
        link = &(*link)->next_dma_buf;
    *link = mem->next_dma_buf;
    atomic_fetch_sub(&bufs->count, 1);
    pthread_mutex_unlock(&bufs->mutex);
}

static bool
dma_buf_sync(int fd, uint64_t flags)
{
    const struct dma_buf_sync sync = {.flags = flags | DMA_BUF_SYNC_RW};
    int result;
    do {
        result = ioctl(fd, DMA_BUF_IOCTL_SYNC, &sync);
    } while (result != 0 && (errno == EINTR || errno == EAGAIN));
    return result == 0;
}

static void
dma_bufs_sync(struct rp_dma_bufs *bufs, uint64_t flags)
{
    if (RP_LIKELY(atomic_load_explicit(&bufs->count, memory_order_acquire) == 0))
        return;
    pthread_mutex_lock(&bufs->mutex);
    for (const struct rp_memory *mem = bufs->first; mem; mem = mem->next_dma_buf)
        (void)dma_buf_sync(mem->fd, flags);
    pthread_mutex_unlock(&bufs->mutex);
}

void
rp_dma_bufs_begin_access(struct rp_dma_bufs *bufs)
{
    dma_bufs_sync(bufs, DMA_BUF_SYNC_START);
}

void
rp_dma_bufs_end_access(struct rp_dma_bufs *bufs)
{
    dma_bufs_sync(bufs, DMA_BUF_SYNC_END);
}

bool
rp_dma_buf_is(int fd)
{
    return dma_buf_sync(fd, DMA_BUF_SYNC_START) && dma_buf_sync(fd, DMA_BUF_SYNC_END);
}

bool
rp_dma_buf_can_export(void)
{
    const int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
    if (device >= 0)
        close(device);
    return device >= 0;
}

int
rp_dma_buf_export(int memfd, uint64_t size_B)
{
    const int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
    if (device < 0)
        return -1;
    const struct udmabuf_create create = {
        .memfd = (uint32_t)memfd,
        .flags = UDMABUF_FLAGS_CLOEXEC,
        .size = rp_pages_B(size_B),
    };
    const int fd = ioctl(device, UDMABUF_CREATE, &create);
    close(device);
    return fd;
}
