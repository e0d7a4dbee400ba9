/* SPDX-License-Identifier: MIT */
/* musl neither lists the folders that it searches nor keeps a cache of them: the library is opened
 * and closed again, which musl takes for a reference less; it stays mapped.
 */
#include "platform/module.h"

#include <dlfcn.h>

bool
rp_module_is_present(const char *soname)
{
    void *module = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
    if (module)
        dlclose(module);
    return module != NULL;
}
