/* SPDX-License-Identifier: MIT */
/* Entries with what an application attached to them.
 */
#include "icd/layer/entry.h"

#include "util/alloc.h"

#include <stddef.h>

struct rp_layer_entry *
rp_layer_entry_create(VkObjectType type, uint64_t handle, bool is_lower)
{
    struct rp_layer_entry *entry =
        rp_zalloc(NULL, sizeof(*entry), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!entry)
        return NULL;
    entry->type = type;
    entry->handle = handle;
    entry->is_lower = is_lower;
    return entry;
}

void
rp_layer_entry_free(struct rp_layer_entry *entry)
{
    if (!entry)
        return;
    while (entry->privates) {
        struct rp_layer_private *value = entry->privates;
        entry->privates = value->next;
        rp_free(NULL, value);
    }
    if (entry->release)
        entry->release(entry);
    else
        rp_free(NULL, entry);
}

struct rp_layer_entry *
rp_layer_entry_find_lent(struct rp_layer_map *map, VkObjectType type, uint64_t handle)
{
    struct rp_layer_entry *entry = rp_layer_map_get(map, type, handle);
    return entry && !entry->is_lower ? entry : NULL;
}
