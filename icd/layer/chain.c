/* SPDX-License-Identifier: MIT */
/* Copying chains, a structure at a time.
 */
#include "icd/layer/chain.h"

#include <vulkan/vk_layer.h>

#include <stdint.h>

/* The size of a structure that can stand in a chain, from the registry and the loader's own; 0:
 * it is not known. */
static size_t
struct_size(VkStructureType type)
{
    switch ((int)type) {
    case VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO:
        return sizeof(VkLayerInstanceCreateInfo);
    case VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO:
        return sizeof(VkLayerDeviceCreateInfo);
#include "rp_layer_structs.h"
    default:
        return 0;
    }
}

bool
rp_layer_chain_copy(struct rp_arena *arena, const void *chain, void **out)
{
    const VkBaseInStructure *from = chain;
    void *first = NULL;
    VkBaseOutStructure *last = NULL;

    for (; from; from = from->pNext) {
        const size_t size_B = struct_size(from->sType);
        VkBaseOutStructure *copy =
            size_B ? rp_arena_copy(arena, from, size_B) : (VkBaseOutStructure *)(uintptr_t)from;
        if (!copy)
            return false;
        if (last)
            last->pNext = copy;
        else
            first = copy;
        last = copy;
        if (!size_B)
            break;
    }
    *out = first;
    return true;
}

void *
rp_layer_chain_find(void *chain, VkStructureType type)
{
    VkBaseOutStructure *s = chain;

    while (s && s->sType != type)
        s = struct_size(s->sType) ? s->pNext : NULL;
    return s;
}

void
rp_layer_chain_remove(void **chain, VkStructureType type)
{
    VkBaseOutStructure **link = (VkBaseOutStructure **)chain;

    /* Behind a structure that is not known the chain is the application's. */
    while (*link && struct_size((*link)->sType)) {
        if ((*link)->sType == type)
            *link = (*link)->pNext;
        else
            link = &(*link)->pNext;
    }
}
