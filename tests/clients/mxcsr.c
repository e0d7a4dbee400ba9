/* SPDX-License-Identifier: MIT */
/* Loading the driver, through the loader and by itself, leaves the floating-point state of the
 * application alone: no flush-to-zero from a library that was linked with -ffast-math.
 *
 * usage: clients_mxcsr DRIVER.so (VK_ADD_DRIVER_FILES names its manifest)
 */
#include "tests/test.h"

#include <vulkan/vulkan_core.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

/* The x87 control word and MXCSR; elsewhere nothing is known to go wrong. */
static uint32_t
fp_state(void)
{
#if defined(__x86_64__)
    uint32_t mxcsr;
    uint16_t control;

    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return (mxcsr & 0xffc0u) | (uint32_t)control << 16; /* without the sticky exception flags */
#else
    return 0;
#endif
}

static void
create_instance(void *loader)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    PFN_vkGetInstanceProcAddr get =
        (PFN_vkGetInstanceProcAddr)dlsym(loader, "vkGetInstanceProcAddr");
    PFN_vkCreateInstance create;
    PFN_vkEnumeratePhysicalDevices enumerate;
    VkInstance instance;
    uint32_t count = 0;

    REQUIRE(get != NULL);
    create = (PFN_vkCreateInstance)get(NULL, "vkCreateInstance");
    REQUIRE_EQ(create(&info, NULL, &instance), VK_SUCCESS);
    enumerate = (PFN_vkEnumeratePhysicalDevices)get(instance, "vkEnumeratePhysicalDevices");
    REQUIRE_EQ(enumerate(instance, &count, NULL), VK_SUCCESS);
    REQUIRE(count > 0);
    ((PFN_vkDestroyInstance)get(instance, "vkDestroyInstance"))(instance, NULL);
}

int
main(int argc, char **argv)
{
    const uint32_t before = fp_state();
    void *loader;

    REQUIRE_EQ(argc, 2);
    REQUIRE(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) != NULL);
    REQUIRE_EQ(fp_state(), before);

    loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    REQUIRE(loader != NULL);
    create_instance(loader);
    REQUIRE_EQ(fp_state(), before);
    return 0;
}
