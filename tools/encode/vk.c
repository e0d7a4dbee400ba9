/* SPDX-License-Identifier: MIT */
/* The Vulkan loader and the functions found through it. */
#include "tools/encode/vk.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define LOADER "libvulkan.so.1"

_Noreturn void
die(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_invocation_short_name);
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
    *vk = (struct vk){.library = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL)};
    if (!vk->library)
        die("no Vulkan loader: %s", dlerror());
    vk->GetInstanceProcAddr =
        (PFN_vkGetInstanceProcAddr)dlsym(vk->library, "vkGetInstanceProcAddr");
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
    dlclose(vk->library);
}
