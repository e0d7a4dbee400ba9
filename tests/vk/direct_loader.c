/* SPDX-License-Identifier: MIT */
/* Stands for the Vulkan loader where a machine has none (wine, musl): a library of the loader's
 * name that asks our driver alone. What the loader itself does is not there: layers, manifests,
 * several drivers.
 */
#include "platform/module.h"

#include <vulkan/vulkan_core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__ELF__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT __attribute__((dllexport))
#endif

EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance,
                                                                      const char *name);

static VKAPI_ATTR VkResult VKAPI_CALL
enumerate_no_layers(uint32_t *count, VkLayerProperties *out)
{
    (void)out;
    *count = 0;
    return VK_SUCCESS;
}

/* The driver stays open until the process ends. */
static PFN_vkGetInstanceProcAddr
driver_open(void)
{
    void *driver = rp_module_open(RP_TEST_DRIVER);
    if (!driver) {
        char error[512];
        rp_module_error(error, sizeof(error));
        (void)fprintf(stderr, "%s: %s\n", RP_TEST_DRIVER, error);
        exit(1);
    }
    void *get = rp_module_symbol(driver, "vk_icdGetInstanceProcAddr");
    PFN_vkGetInstanceProcAddr function;
    memcpy(&function, &get, sizeof(function));
    return function;
}

PFN_vkVoidFunction
vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
    static PFN_vkGetInstanceProcAddr driver_get; /* the first call comes before other threads */
    if (!driver_get)
        driver_get = driver_open();
    if (strcmp(name, "vkEnumerateInstanceLayerProperties") == 0)
        return (PFN_vkVoidFunction)enumerate_no_layers;
    return driver_get(instance, name);
}
