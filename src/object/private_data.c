/* SPDX-License-Identifier: MIT */
/* Private data slots.
 */
#include "object/private_data.h"

#include "object/device.h"
#include "util/alloc.h"
#include "util/log.h"

#include "rp_entrypoints.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreatePrivateDataSlot(VkDevice device, const VkPrivateDataSlotCreateInfo *info,
                         const VkAllocationCallbacks *alloc, VkPrivateDataSlot *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_private_data_slot *slot =
        rp_object_zalloc(dev, alloc, sizeof(*slot), VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
    if (!slot)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    slot->id = atomic_fetch_add(&dev->next_slot_id, 1);
    *out = rp_private_data_slot_to_handle(slot);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyPrivateDataSlot(VkDevice device, VkPrivateDataSlot handle,
                          const VkAllocationCallbacks *alloc)
{
    rp_object_free(rp_device_from_handle(device), alloc, rp_private_data_slot_from_handle(handle));
}

static struct rp_private_data *
private_data_find(const struct rp_object *obj, const struct rp_private_data_slot *slot)
{
    struct rp_private_data *data = obj->private_data;
    while (data && data->slot_id != slot->id)
        data = data->next;
    return data;
}

static struct rp_private_data *
private_data_add(struct rp_object *obj, const struct rp_private_data_slot *slot)
{
    struct rp_private_data *data = rp_alloc(NULL, sizeof(*data), _Alignof(struct rp_private_data),
                                            VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!data)
        return NULL;
    *data = (struct rp_private_data){.next = obj->private_data, .slot_id = slot->id};
    obj->private_data = data;
    return data;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_SetPrivateData(VkDevice device, VkObjectType type, uint64_t object, VkPrivateDataSlot handle,
                  uint64_t value)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const struct rp_private_data_slot *slot = rp_private_data_slot_from_handle(handle);
    struct rp_object *obj = (struct rp_object *)(uintptr_t)object;

    pthread_mutex_lock(&dev->private_data_mutex);
    struct rp_private_data *data = private_data_find(obj, slot);
    if (!data)
        data = private_data_add(obj, slot);
    if (data)
        data->value = value;
    pthread_mutex_unlock(&dev->private_data_mutex);
    return data ? VK_SUCCESS : rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
}

VKAPI_ATTR void VKAPI_CALL
rp_GetPrivateData(VkDevice device, VkObjectType type, uint64_t object, VkPrivateDataSlot handle,
                  uint64_t *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    pthread_mutex_lock(&dev->private_data_mutex);
    const struct rp_private_data *data = private_data_find(
        (const struct rp_object *)(uintptr_t)object, rp_private_data_slot_from_handle(handle));
    *out = data ? data->value : 0;
    pthread_mutex_unlock(&dev->private_data_mutex);
}
