/* SPDX-License-Identifier: MIT */
/* The way to the machine's Vulkan loader.
 */
#include "loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PFN_vkGetInstanceProcAddr
loader_open(void)
{
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!loader) {
        (void)fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    /* POSIX: what dlsym gives may be a function. */
    void *get = dlsym(loader, "vkGetInstanceProcAddr");
    PFN_vkGetInstanceProcAddr function;
    memcpy(&function, &get, sizeof(function));
    return function;
}
