/* SPDX-License-Identifier: MIT */
/* The dma-bufs that a device has imported: other devices' memory, mapped.
 *
 * The kernel wants to know when the CPU touches an imported one: whoever replays a submission says
 * so around it.
 */
#ifndef RP_OBJECT_DMA_BUF_H
#define RP_OBJECT_DMA_BUF_H

#include <pthread.h>
#include <stdatomic.h>

struct rp_memory;

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

#endif
