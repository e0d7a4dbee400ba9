/* SPDX-License-Identifier: MIT */
/* Loads the driver without a manifest: VK_LUNARG_direct_driver_loading.
 *
 * usage: direct_loading PATH/libvulkan_reelpipe.so
 *
 * A tool that embeds the driver opens the library itself (its place: pkg-config
 * --variable=driver reelpipe) and hands its vkGetInstanceProcAddr to the loader with
 * vkCreateInstance. No variable, no manifest, and no other driver is looked at.
 */
#include <vulkan/vulkan_core.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
open_or_exit(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        (void)fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return library;
}

static int
loader_has_extension(PFN_vkGetInstanceProcAddr get, const char *name)
{
    const PFN_vkEnumerateInstanceExtensionProperties enumerate =
        (PFN_vkEnumerateInstanceExtensionProperties)get(NULL,
                                                        "vkEnumerateInstanceExtensionProperties");
    VkExtensionProperties extensions[256];
    uint32_t count = 256;

    if (enumerate(NULL, &count, extensions) < 0)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(extensions[i].extensionName, name) == 0)
            return 1;
    return 0;
}

static VkInstance
create_instance(PFN_vkGetInstanceProcAddr get, PFN_vkGetInstanceProcAddrLUNARG driver_get)
{
    static const char *const extensions[] = {VK_LUNARG_DIRECT_DRIVER_LOADING_EXTENSION_NAME};
    const VkDirectDriverLoadingInfoLUNARG driver = {
        .sType = VK_STRUCTURE_TYPE_DIRECT_DRIVER_LOADING_INFO_LUNARG,
        .pfnGetInstanceProcAddr = driver_get,
    };
    const VkDirectDriverLoadingListLUNARG list = {
        .sType = VK_STRUCTURE_TYPE_DIRECT_DRIVER_LOADING_LIST_LUNARG,
        .mode = VK_DIRECT_DRIVER_LOADING_MODE_EXCLUSIVE_LUNARG,
        .driverCount = 1,
        .pDrivers = &driver,
    };
    const VkApplicationInfo app = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .apiVersion = VK_API_VERSION_1_3,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = &list,
        .pApplicationInfo = &app,
        .enabledExtensionCount = 1,
        .ppEnabledExtensionNames = extensions,
    };
    const PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    VkInstance instance = VK_NULL_HANDLE;
    if (create(&info, NULL, &instance) != VK_SUCCESS) {
        (void)fprintf(stderr, "vkCreateInstance fails\n");
        exit(1);
    }
    return instance;
}

int
main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: %s PATH/libvulkan_reelpipe.so\n", argv[0]);
        return 2;
    }

    void *driver = open_or_exit(argv[1]);
    void *loader = open_or_exit("libvulkan.so.1");
    const PFN_vkGetInstanceProcAddr get =
        (PFN_vkGetInstanceProcAddr)dlsym(loader, "vkGetInstanceProcAddr");
    if (!loader_has_extension(get, VK_LUNARG_DIRECT_DRIVER_LOADING_EXTENSION_NAME)) {
        (void)fprintf(stderr, "this loader is too old: it has no %s\n",
                      VK_LUNARG_DIRECT_DRIVER_LOADING_EXTENSION_NAME);
        return 77;
    }
    const VkInstance instance = create_instance(
        get, (PFN_vkGetInstanceProcAddrLUNARG)dlsym(driver, "vk_icdGetInstanceProcAddr"));

    const PFN_vkEnumeratePhysicalDevices enumerate =
        (PFN_vkEnumeratePhysicalDevices)get(instance, "vkEnumeratePhysicalDevices");
    const PFN_vkGetPhysicalDeviceProperties properties =
        (PFN_vkGetPhysicalDeviceProperties)get(instance, "vkGetPhysicalDeviceProperties");
    VkPhysicalDevice device;
    uint32_t count = 1;
    if (enumerate(instance, &count, &device) < 0 || count == 0) {
        (void)fprintf(stderr, "the driver shows no device\n");
        return 1;
    }
    VkPhysicalDeviceProperties props;
    properties(device, &props);
    printf("%s\n", props.deviceName);

    ((PFN_vkDestroyInstance)get(instance, "vkDestroyInstance"))(instance, NULL);
    return strncmp(props.deviceName, "Reelpipe", 8) == 0 ? 0 : 1;
}
