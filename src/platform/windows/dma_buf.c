/* SPDX-License-Identifier: MIT */
/* Nothing is a dma-buf.
 */
#include "platform/dma_buf.h"

bool
rp_dma_buf_is(int fd)
{
    (void)fd;
    return false;
}

bool
rp_dma_buf_begin_access(int fd)
{
    (void)fd;
    return false;
}

bool
rp_dma_buf_end_access(int fd)
{
    (void)fd;
    return false;
}

bool
rp_dma_buf_can_export(void)
{
    return false;
}

int
rp_dma_buf_export(int memfd, uint64_t size_B)
{
    (void)memfd;
    (void)size_B;
    return -1;
}
