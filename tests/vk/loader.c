/* SPDX-License-Identifier: MIT */
/* The way to the machine's Vulkan loader.
 */
#include "loader.h"

#include "platform/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PFN_vkGetInstanceProcAddr
loader_open(void)
{
    void *loader = rp_module_open("libvulkan.so.1");
    if (!loader) {
        char error[512];
        rp_module_error(error, sizeof(error));
        (void)fprintf(stderr, "%s\n", error);
        exit(1);
    }
    void *get = rp_module_symbol(loader, "vkGetInstanceProcAddr");
    PFN_vkGetInstanceProcAddr function;
    memcpy(&function, &get, sizeof(function));
    return function;
}
