/* SPDX-License-Identifier: MIT */
/* dlopen() and dlsym().
 */
#include "platform/module.h"

#include <dlfcn.h>

void *
rp_module_open(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

const char *
rp_module_error(void)
{
    return dlerror();
}

void *
rp_module_symbol(void *module, const char *name)
{
    return dlsym(module, name);
}

void
rp_module_close(void *module)
{
    dlclose(module);
}
