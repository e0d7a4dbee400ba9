/* SPDX-License-Identifier: MIT */
/* dma-bufs: other devices' memory, mapped; and our memfds given to other devices.
 *
 * The kernel wants to know when the CPU touches an imported one: whoever replays a submission says
 * so around it.
 */
#ifndef RP_OBJECT_DMA_BUF_H
#define RP_OBJECT_DMA_BUF_H

#include "util/compiler.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_memory;

/* The imported dma-bufs of a device. */
struct rp_dma_bufs {
    pthread_mutex_t mutex; /* guards the list */
    struct rp_memory *first;
    atomic_uint count;
};

void rp_dma_bufs_init(struct rp_dma_bufs *bufs);
void rp_dma_bufs_finish(struct rp_dma_bufs *bufs);
void rp_dma_bufs_add(struct rp_dma_bufs *bufs, struct rp_memory *mem);
void rp_dma_bufs_remove(struct rp_dma_bufs *bufs, struct rp_memory *mem);

/* From here, or up to here, the CPU reads and writes. Cheap when there are none. */
void rp_dma_bufs_begin_access(struct rp_dma_bufs *bufs);
void rp_dma_bufs_end_access(struct rp_dma_bufs *bufs);

/* Whether fd is a dma-buf. */
bool rp_dma_buf_is(int fd);

/* Whether the kernel makes dma-bufs of memfds (udmabuf), and we may ask it to. */
bool rp_dma_buf_can_export(void);

/* A dma-buf of the first size_B bytes of a memfd that is sealed against shrinking; -1 without. */
int rp_dma_buf_export(int memfd, uint64_t size_B) RP_MUST_CHECK;

#endif
