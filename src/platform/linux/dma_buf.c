/* SPDX-License-Identifier: MIT */
/* DMA_BUF_IOCTL_SYNC and /dev/udmabuf of Linux.
 */
#include "platform/dma_buf.h"

#include "platform/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

bool
rp_dma_buf_is(int fd)
{
    return rp_dma_buf_begin_access(fd) && rp_dma_buf_end_access(fd);
}

bool
rp_dma_buf_begin_access(int fd)
{
    return dma_buf_sync(fd, DMA_BUF_SYNC_START);
}

bool
rp_dma_buf_end_access(int fd)
{
    return dma_buf_sync(fd, DMA_BUF_SYNC_END);
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
