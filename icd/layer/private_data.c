/* SPDX-License-Identifier: MIT */
/* Private data: that of handles of our driver is kept in their entries.
 */
#include "icd/layer/device.h"
#include "icd/layer/entry.h"
#include "util/alloc.h"

#include <stddef.h>

/* A lower slot, with a number that no other slot ever had. */
struct private_slot {
    struct rp_layer_entry entry;
    uint64_t id;
};

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_CreatePrivateDataSlot(VkDevice handle, const VkPrivateDataSlotCreateInfo *info,
                               const VkAllocationCallbacks *alloc, VkPrivateDataSlot *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    struct private_slot *slot =
        rp_zalloc(NULL, sizeof(*slot), _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!slot)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = dev->lower.CreatePrivateDataSlot(handle, info, alloc, out);
    if (result != VK_SUCCESS) {
        rp_free(NULL, slot);
        return result;
    }
    slot->id = atomic_fetch_add(&dev->slot_ids, 1) + 1;
    slot->entry.type = VK_OBJECT_TYPE_PRIVATE_DATA_SLOT;
    slot->entry.handle = RP_LAYER_HANDLE(*out);
    slot->entry.is_lower = true;
    rp_layer_map_put(&dev->map, &slot->entry);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_DestroyPrivateDataSlot(VkDevice handle, VkPrivateDataSlot object,
                                const VkAllocationCallbacks *alloc)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);

    rp_layer_entry_free(
        rp_layer_map_take(&dev->map, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT, RP_LAYER_HANDLE(object)));
    dev->lower.DestroyPrivateDataSlot(handle, object, alloc);
}

static uint64_t
slot_id(struct rp_layer_device *dev, VkPrivateDataSlot object)
{
    const struct private_slot *slot =
        rp_layer_map_get(&dev->map, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT, RP_LAYER_HANDLE(object));
    return slot ? slot->id : 0;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_layer_SetPrivateData(VkDevice handle, VkObjectType type, uint64_t object, VkPrivateDataSlot slot,
                        uint64_t data)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_entry *entry = rp_layer_entry_find_lent(&dev->map, type, object);

    if (!entry)
        return dev->lower.SetPrivateData(handle, type, object, slot, data);
    const uint64_t id = slot_id(dev, slot);
    pthread_mutex_lock(&dev->sync_mutex);
    struct rp_layer_private *value = entry->privates;
    while (value && value->slot_id != id)
        value = value->next;
    if (!value) {
        value = rp_zalloc(NULL, sizeof(*value), _Alignof(max_align_t),
                          VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
        if (value) {
            value->slot_id = id;
            value->next = entry->privates;
            entry->privates = value;
        }
    }
    if (value)
        value->data = data;
    pthread_mutex_unlock(&dev->sync_mutex);
    return value ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_GetPrivateData(VkDevice handle, VkObjectType type, uint64_t object, VkPrivateDataSlot slot,
                        uint64_t *out)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    const struct rp_layer_entry *entry = rp_layer_entry_find_lent(&dev->map, type, object);

    if (!entry) {
        dev->lower.GetPrivateData(handle, type, object, slot, out);
        return;
    }
    const uint64_t id = slot_id(dev, slot);
    pthread_mutex_lock(&dev->sync_mutex);
    const struct rp_layer_private *value = entry->privates;
    while (value && value->slot_id != id)
        value = value->next;
    *out = value ? value->data : 0;
    pthread_mutex_unlock(&dev->sync_mutex);
}
