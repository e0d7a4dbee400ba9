/* SPDX-License-Identifier: MIT */
/* The way to the machine's Vulkan loader.
 */
#include "vk.h"

#include "test.h"

#include <dlfcn.h>

void
vk_open(void)
{
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!loader) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    /* POSIX: what dlsym gives may be a function. */
    void *get = dlsym(loader, "vkGetInstanceProcAddr");
    PFN_vkGetInstanceProcAddr function;
    memcpy(&function, &get, sizeof(function));
    vk_functions_load_global(function);
}
