/* SPDX-License-Identifier: MIT */
/* Copying what is bound, and binding it.
 */
#include "icd/layer/sparse.h"

#include "icd/layer/batch.h"
#include "icd/layer/device.h"
#include "util/alloc.h"
#include "util/arena.h"
#include "util/pnext.h"

#include <stddef.h>

struct rp_layer_sparse {
    struct rp_arena arena; /* of all that follows */
    VkBindSparseInfo info;
    VkDeviceGroupBindSparseInfo group; /* of the chain */
    VkTimelineSemaphoreSubmitInfo timeline;
    VkSemaphore *waits; /* this and the next three: as they are below */
    uint64_t *wait_values;
    VkSemaphore *signals;
    uint64_t *signal_values;
};

static void *
copy(struct rp_arena *arena, const void *from, uint32_t count, size_t size_B)
{
    return rp_arena_copy(arena, from, count * size_B);
}

/* One for each kind of resource; false when memory is short. */
static bool
copy_buffers(struct rp_arena *arena, VkBindSparseInfo *info)
{
    VkSparseBufferMemoryBindInfo *all =
        copy(arena, info->pBufferBinds, info->bufferBindCount, sizeof(*all));
    bool is_done = info->bufferBindCount == 0 || all;

    for (uint32_t i = 0; i < info->bufferBindCount && is_done; i++) {
        all[i].pBinds =
            copy(arena, all[i].pBinds, all[i].bindCount, sizeof(*info->pBufferBinds->pBinds));
        is_done = all[i].bindCount == 0 || all[i].pBinds;
    }
    info->pBufferBinds = all;
    return is_done;
}

static bool
copy_opaque_images(struct rp_arena *arena, VkBindSparseInfo *info)
{
    VkSparseImageOpaqueMemoryBindInfo *all =
        copy(arena, info->pImageOpaqueBinds, info->imageOpaqueBindCount, sizeof(*all));
    bool is_done = info->imageOpaqueBindCount == 0 || all;

    for (uint32_t i = 0; i < info->imageOpaqueBindCount && is_done; i++) {
        all[i].pBinds =
            copy(arena, all[i].pBinds, all[i].bindCount, sizeof(*info->pImageOpaqueBinds->pBinds));
        is_done = all[i].bindCount == 0 || all[i].pBinds;
    }
    info->pImageOpaqueBinds = all;
    return is_done;
}

static bool
copy_images(struct rp_arena *arena, VkBindSparseInfo *info)
{
    VkSparseImageMemoryBindInfo *all =
        copy(arena, info->pImageBinds, info->imageBindCount, sizeof(*all));
    bool is_done = info->imageBindCount == 0 || all;

    for (uint32_t i = 0; i < info->imageBindCount && is_done; i++) {
        all[i].pBinds =
            copy(arena, all[i].pBinds, all[i].bindCount, sizeof(*info->pImageBinds->pBinds));
        is_done = all[i].bindCount == 0 || all[i].pBinds;
    }
    info->pImageBinds = all;
    return is_done;
}

static bool
add_semaphores(struct rp_layer_sparse *sparse)
{
    VkBindSparseInfo *info = &sparse->info;
    const size_t waits = (size_t)info->waitSemaphoreCount + 1;
    const size_t signals = (size_t)info->signalSemaphoreCount + 1;

    sparse->waits = rp_arena_alloc(&sparse->arena, waits * sizeof(*sparse->waits));
    sparse->wait_values = rp_arena_alloc(&sparse->arena, waits * sizeof(*sparse->wait_values));
    sparse->signals = rp_arena_alloc(&sparse->arena, signals * sizeof(*sparse->signals));
    sparse->signal_values =
        rp_arena_alloc(&sparse->arena, signals * sizeof(*sparse->signal_values));
    sparse->timeline = (VkTimelineSemaphoreSubmitInfo){
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .pNext = sparse->group.sType ? &sparse->group : NULL,
        .waitSemaphoreValueCount = info->waitSemaphoreCount,
        .pWaitSemaphoreValues = sparse->wait_values,
        .signalSemaphoreValueCount = info->signalSemaphoreCount,
        .pSignalSemaphoreValues = sparse->signal_values,
    };
    info->pNext = &sparse->timeline;
    info->pWaitSemaphores = sparse->waits;
    info->pSignalSemaphores = sparse->signals;
    return sparse->waits && sparse->wait_values && sparse->signals && sparse->signal_values;
}

struct rp_layer_sparse *
rp_layer_sparse_create(const VkBindSparseInfo *info)
{
    const VkDeviceGroupBindSparseInfo *group =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_BIND_SPARSE_INFO);
    struct rp_layer_sparse *sparse =
        rp_zalloc(NULL, sizeof(*sparse), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);

    if (!sparse)
        return NULL;
    rp_arena_init(&sparse->arena, NULL);
    sparse->info = *info;
    if (group) {
        sparse->group = *group;
        sparse->group.pNext = NULL;
    }
    if (copy_buffers(&sparse->arena, &sparse->info) &&
        copy_opaque_images(&sparse->arena, &sparse->info) &&
        copy_images(&sparse->arena, &sparse->info) && add_semaphores(sparse))
        return sparse;
    rp_layer_sparse_destroy(sparse);
    return NULL;
}

void
rp_layer_sparse_destroy(struct rp_layer_sparse *sparse)
{
    if (!sparse)
        return;
    rp_arena_finish(&sparse->arena);
    rp_free(NULL, sparse);
}

static void
fill(const VkSemaphoreSubmitInfo *from, uint32_t count, VkSemaphore *semaphores, uint64_t *values)
{
    for (uint32_t i = 0; i < count; i++) {
        semaphores[i] = from[i].semaphore;
        values[i] = from[i].value;
    }
}

VkResult
rp_layer_sparse_bind(struct rp_layer_device *dev, VkQueue lower, const struct rp_layer_batch *batch,
                     VkFence fence)
{
    const struct rp_layer_sparse *sparse = batch->sparse;

    fill(batch->waits, sparse->info.waitSemaphoreCount, sparse->waits, sparse->wait_values);
    fill(batch->signals, sparse->info.signalSemaphoreCount, sparse->signals, sparse->signal_values);
    return dev->lower.QueueBindSparse(lower, 1, &sparse->info, fence);
}
