/* SPDX-License-Identifier: MIT */
/* Tells the application's messengers of errors where they are born.
 */
#include "object/debug_messenger.h"

#include "object/device.h"
#include "object/instance.h"
#include "util/alloc.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateDebugUtilsMessengerEXT(VkInstance handle, const VkDebugUtilsMessengerCreateInfoEXT *info,
                                const VkAllocationCallbacks *alloc, VkDebugUtilsMessengerEXT *out)
{
    struct rp_instance *instance = rp_instance_from_handle(handle);

    struct rp_messenger *messenger =
        rp_zalloc(alloc ? alloc : rp_instance_callbacks(instance), sizeof(*messenger),
                  _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!messenger)
        return rp_error(instance, VK_ERROR_OUT_OF_HOST_MEMORY);

    rp_object_init(&messenger->base, NULL, VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT);
    messenger->severities = info->messageSeverity;
    messenger->types = info->messageType;
    messenger->callback = info->pfnUserCallback;
    messenger->user_data = info->pUserData;
    pthread_mutex_lock(&instance->messengers.mutex);
    messenger->next = atomic_load(&instance->messengers.first);
    atomic_store(&instance->messengers.first, messenger);
    pthread_mutex_unlock(&instance->messengers.mutex);
    *out = rp_messenger_to_handle(messenger);
    return VK_SUCCESS;
}

static void
messengers_remove(struct rp_messengers *messengers, struct rp_messenger *messenger)
{
    pthread_mutex_lock(&messengers->mutex);
    struct rp_messenger *m = atomic_load(&messengers->first);
    if (m == messenger) {
        atomic_store(&messengers->first, messenger->next);
    } else {
        while (m && m->next != messenger)
            m = m->next;
        if (m)
            m->next = messenger->next;
    }
    pthread_mutex_unlock(&messengers->mutex);
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyDebugUtilsMessengerEXT(VkInstance handle, VkDebugUtilsMessengerEXT messenger_handle,
                                 const VkAllocationCallbacks *alloc)
{
    struct rp_instance *instance = rp_instance_from_handle(handle);
    struct rp_messenger *messenger = rp_messenger_from_handle(messenger_handle);
    if (!messenger)
        return;

    messengers_remove(&instance->messengers, messenger);
    rp_free(alloc ? alloc : rp_instance_callbacks(instance), messenger);
}

/* The loader delivers it, after it has asked every driver. */
VKAPI_ATTR void VKAPI_CALL
rp_SubmitDebugUtilsMessageEXT(VkInstance handle, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                              VkDebugUtilsMessageTypeFlagsEXT types,
                              const VkDebugUtilsMessengerCallbackDataEXT *data)
{
}

static struct rp_messengers *
messengers_of(const struct rp_object *obj)
{
    if (!obj)
        return NULL;
    if (obj->type == VK_OBJECT_TYPE_INSTANCE)
        return &((struct rp_instance *)obj)->messengers;
    if (obj->type == VK_OBJECT_TYPE_PHYSICAL_DEVICE)
        return &((struct rp_physical_device *)obj)->instance->messengers;
    return obj->dev ? &obj->dev->physical_device->instance->messengers : NULL;
}

/* Calls the messengers that want messages of this severity and type. */
static void
messengers_call(struct rp_messengers *messengers, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                VkDebugUtilsMessageTypeFlagsEXT type,
                const VkDebugUtilsMessengerCallbackDataEXT *data)
{
    pthread_mutex_lock(&messengers->mutex);
    for (struct rp_messenger *m = atomic_load(&messengers->first); m; m = m->next) {
        if (m->severities & severity && m->types & type)
            (void)m->callback(severity, type, data, m->user_data);
    }
    pthread_mutex_unlock(&messengers->mutex);
}

static void
messengers_tell(struct rp_messengers *messengers, const struct rp_object *obj, VkResult result,
                const char *text)
{
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = obj->type,
        .objectHandle = (uint64_t)(uintptr_t)obj,
        .pObjectName = obj->name,
    };
    const VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pMessageIdName = "reelpipe",
        .messageIdNumber = result,
        .pMessage = text,
        .objectCount = 1,
        .pObjects = &name,
    };
    messengers_call(messengers, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                    VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data);
}

void
rp_report_binding(const void *object, VkDeviceAddressBindingTypeEXT type, const void *address,
                  uint64_t size_B)
{
    const struct rp_object *obj = object;
    struct rp_messengers *messengers = messengers_of(obj);
    if (!address || !atomic_load_explicit(&messengers->first, memory_order_relaxed) ||
        !rp_feature_set_has(&obj->dev->features, RP_FEATURE_REPORT_ADDRESS_BINDING))
        return;

    const VkDeviceAddressBindingCallbackDataEXT binding = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT,
        .baseAddress = (uintptr_t)address,
        .size = size_B,
        .bindingType = type,
    };
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = obj->type,
        .objectHandle = (uint64_t)(uintptr_t)obj,
        .pObjectName = obj->name,
    };
    const VkDebugUtilsMessengerCallbackDataEXT data = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
        .pNext = &binding,
        .pMessageIdName = "reelpipe",
        .pMessage = type == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT ? "bound" : "unbound",
        .objectCount = 1,
        .pObjects = &name,
    };
    messengers_call(messengers, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                    VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT, &data);
}

VkResult
rp_error_at(const void *obj, VkResult result, const char *file, int line, const char *format, ...)
{
    struct rp_messengers *messengers = messengers_of(obj);
    const bool is_heard =
        messengers && atomic_load_explicit(&messengers->first, memory_order_relaxed);
    if (!is_heard && !rp_log_enabled(RP_LOG_ERROR))
        return result;

    char message[512];
    va_list args;
    va_start(args, format);
    message[0] = '\0';
    if (format)
        (void)vsnprintf(message, sizeof(message), format, args);
    va_end(args);

    const char *slash = strrchr(file, '/');
    char text[640];
    (void)snprintf(text, sizeof(text), "%s:%d: error %d: %s", slash ? slash + 1 : file, line,
                   result, message);
    rp_log(RP_LOG_ERROR, "%s", text);
    if (is_heard)
        messengers_tell(messengers, obj, result, text);
    return result;
}
