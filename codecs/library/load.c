/* SPDX-License-Identifier: MIT */
/* dlopen() and dlsym().
 */
#include "codecs/library/load.h"

#include "util/log.h"

#include <dlfcn.h>
#include <string.h>

bool
rp_library_load(const char *soname, const struct rp_library_symbol *symbols, size_t count,
                void *functions)
{
    void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        rp_log(RP_LOG_ERROR, "%s", dlerror());
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        /* A handle serves the symbols of the library's dependencies too. */
        void *address = dlsym(handle, symbols[i].name);
        if (!address) {
            rp_log(RP_LOG_ERROR, "%s lacks %s", soname, symbols[i].name);
            dlclose(handle);
            return false;
        }
        memcpy((char *)functions + symbols[i].offset_B, &address, sizeof(address));
    }
    return true;
}
