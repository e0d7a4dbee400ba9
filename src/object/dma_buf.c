/* SPDX-License-Identifier: MIT */
/* A list.
 */
#include "object/dma_buf.h"

#include "object/memory.h"
#include "platform/dma_buf.h"

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

static void
dma_bufs_visit(struct rp_dma_bufs *bufs, bool (*visit)(int fd))
{
    if (RP_LIKELY(atomic_load_explicit(&bufs->count, memory_order_acquire) == 0))
        return;
    pthread_mutex_lock(&bufs->mutex);
    for (const struct rp_memory *mem = bufs->first; mem; mem = mem->next_dma_buf)
        (void)visit(mem->fd);
    pthread_mutex_unlock(&bufs->mutex);
}

void
rp_dma_bufs_begin_access(struct rp_dma_bufs *bufs)
{
    dma_bufs_visit(bufs, rp_dma_buf_begin_access);
}

void
rp_dma_bufs_end_access(struct rp_dma_bufs *bufs)
{
    dma_bufs_visit(bufs, rp_dma_buf_end_access);
}
