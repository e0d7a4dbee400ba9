/* SPDX-License-Identifier: MIT */
/* Messengers of VK_EXT_debug_utils. The driver has no messages for them: the loader hands those
 * of the application and of layers to their callbacks by itself.
 */
#include "object/instance.h"
#include "util/alloc.h"
#include "util/log.h"

#include "rp_entrypoints.h"

struct messenger {
    struct rp_object base;
};

RP_HANDLE_CASTS(messenger, VkDebugUtilsMessengerEXT, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT)

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateDebugUtilsMessengerEXT(VkInstance handle, const VkDebugUtilsMessengerCreateInfoEXT *info,
                                const VkAllocationCallbacks *alloc, VkDebugUtilsMessengerEXT *out)
{
    const struct rp_instance *instance = rp_instance_from_handle(handle);

    struct messenger *messenger =
        rp_zalloc(alloc ? alloc : rp_instance_callbacks(instance), sizeof(*messenger),
                  _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!messenger)
        return rp_error(instance, VK_ERROR_OUT_OF_HOST_MEMORY);

    rp_object_init(&messenger->base, NULL, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT);
    *out = messenger_to_handle(messenger);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyDebugUtilsMessengerEXT(VkInstance handle, VkDebugUtilsMessengerEXT messenger,
                                 const VkAllocationCallbacks *alloc)
{
    const struct rp_instance *instance = rp_instance_from_handle(handle);
    rp_free(alloc ? alloc : rp_instance_callbacks(instance), messenger_from_handle(messenger));
}

VKAPI_ATTR void VKAPI_CALL
rp_SubmitDebugUtilsMessageEXT(VkInstance handle, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                              VkDebugUtilsMessageTypeFlagsEXT types,
                              const VkDebugUtilsMessengerCallbackDataEXT *data)
{
}
