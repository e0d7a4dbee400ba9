/* SPDX-License-Identifier: MIT */
/* The kernel's interfaces for dma-bufs: memory of devices, behind descriptors.
 */
#ifndef RP_PLATFORM_DMA_BUF_H
#define RP_PLATFORM_DMA_BUF_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether fd is a dma-buf. */
bool rp_dma_buf_is(int fd);

/* From here, or up to here, the CPU reads and writes a dma-buf: the kernel keeps its caches and the
 * device's in step. False when it is not one. */
bool rp_dma_buf_begin_access(int fd);
bool rp_dma_buf_end_access(int fd);

/* Whether the kernel makes dma-bufs of memfds (udmabuf), and we may ask it to. */
bool rp_dma_buf_can_export(void);

/* A dma-buf of the first size_B bytes of a memfd that is sealed against shrinking; -1 without. */
int rp_dma_buf_export(int memfd, uint64_t size_B) RP_MUST_CHECK;

#endif
