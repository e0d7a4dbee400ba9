/* SPDX-License-Identifier: MIT */
/* The Vulkan loader and the functions found through it. */
#include "tools/encode/vk.h"

#include "platform/module.h"
#include "platform/process.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define LOADER "libvulkan.so.1" /* of Windows vulkan-1.dll */

_Noreturn void
die(const char *format, ...)
{
    char program[RP_PROCESS_NAME_B];
    va_list arguments;

    rp_process_name(program);
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static const char *
result_name(VkResult result)
{
    static const struct {
        VkResult result;
        const char *name;
    } names[] = {
        {VK_NOT_READY, "not ready"},
        {VK_TIMEOUT, "timeout"},
        {VK_INCOMPLETE, "incomplete"},
        {VK_ERROR_OUT_OF_HOST_MEMORY, "out of host memory"},
        {VK_ERROR_OUT_OF_DEVICE_MEMORY, "out of device memory"},
        {VK_ERROR_INITIALIZATION_FAILED, "initialization failed"},
        {VK_ERROR_DEVICE_LOST, "device lost"},
        {VK_ERROR_MEMORY_MAP_FAILED, "memory map failed"},
        {VK_ERROR_EXTENSION_NOT_PRESENT, "extension not present"},
        {VK_ERROR_FEATURE_NOT_PRESENT, "feature not present"},
        {VK_ERROR_INCOMPATIBLE_DRIVER, "no driver"},
        {VK_ERROR_FORMAT_NOT_SUPPORTED, "format not supported"},
        {VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR, "video operation not supported"},
        {VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR, "video format not supported"},
        {VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR, "video codec not supported"},
        {VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR, "picture layout not supported"},
        {VK_ERROR_VIDEO_STD_VERSION_NOT_SUPPORTED_KHR, "video std version not supported"},
        {VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR, "invalid video std parameters"},
        {VK_ERROR_IMAGE_USAGE_NOT_SUPPORTED_KHR, "image usage not supported"},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].result == result)
            return names[i].name;
    }
    return "unexpected result";
}

void
vk_check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS)
        die("%s: %s (%d)", call, result_name(result), result);
}

static PFN_vkVoidFunction
required(PFN_vkVoidFunction function, const char *name)
{
    if (!function)
        die("%s is not there", name);
    return function;
}

void
vk_open(struct vk *vk)
{
    char error[512];

    *vk = (struct vk){.library = rp_module_open(LOADER)};
    if (!vk->library) {
        rp_module_error(error, sizeof(error));
        die("no Vulkan loader: %s", error);
    }
    vk->GetInstanceProcAddr =
        (PFN_vkGetInstanceProcAddr)rp_module_symbol(vk->library, "vkGetInstanceProcAddr");
    if (!vk->GetInstanceProcAddr)
        die("%s has no vkGetInstanceProcAddr", LOADER);

#define RESOLVE(name) \
    vk->name = (PFN_vk##name)required(vk->GetInstanceProcAddr(NULL, "vk" #name), "vk" #name);
    VK_GLOBAL_FUNCTIONS(RESOLVE)
#undef RESOLVE
}

void
vk_resolve_instance(struct vk *vk, VkInstance instance)
{
#define RESOLVE(name) \
    vk->name = (PFN_vk##name)required(vk->GetInstanceProcAddr(instance, "vk" #name), "vk" #name);
    VK_INSTANCE_FUNCTIONS(RESOLVE)
#undef RESOLVE
}

void
vk_resolve_device(struct vk *vk, VkDevice device)
{
#define RESOLVE(name) \
    vk->name = (PFN_vk##name)required(vk->GetDeviceProcAddr(device, "vk" #name), "vk" #name);
    VK_DEVICE_FUNCTIONS(RESOLVE)
#undef RESOLVE

#define RESOLVE(name) vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name);
    VK_VIDEO_FUNCTIONS(RESOLVE)
#undef RESOLVE
}

void
vk_close(struct vk *vk)
{
    rp_module_close(vk->library);
}
