/* SPDX-License-Identifier: MIT */
/* Chains of extension structures.
 */
#ifndef RP_UTIL_PNEXT_H
#define RP_UTIL_PNEXT_H

#include <vulkan/vulkan_core.h>

#include <stddef.h>

/* The first structure of this type in a chain that starts at pNext; NULL when there is none. */
static inline const void *
rp_find_struct(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *s = chain;
    while (s && s->sType != type)
        s = s->pNext;
    return s;
}

static inline void *
rp_find_struct_mut(void *chain, VkStructureType type)
{
    VkBaseOutStructure *s = chain;
    while (s && s->sType != type)
        s = s->pNext;
    return s;
}

#endif
