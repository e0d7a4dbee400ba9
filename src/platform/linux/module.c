/* SPDX-License-Identifier: MIT */
/* dlopen() and dlsym().
 */
#include "platform/module.h"

#include <dlfcn.h>
#include <stdio.h>

void *
rp_module_open(const char *soname)
{
    return dlopen(soname, RTLD_NOW | RTLD_LOCAL);
}

void
rp_module_error(char *out, size_t size_B)
{
    const char *error = dlerror();
    (void)snprintf(out, size_B, "%s", error ? error : "");
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
