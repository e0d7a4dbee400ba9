/* SPDX-License-Identifier: MIT */
/* Symbol by symbol.
 */
#include "codecs/library/load.h"

#include "platform/module.h"
#include "util/log.h"

#include <string.h>

bool
rp_library_load(const char *soname, const struct rp_library_symbol *symbols, size_t count,
                void *functions)
{
    void *module = rp_module_open(soname);
    if (!module) {
        char error[512];
        rp_module_error(error, sizeof(error));
        rp_log(RP_LOG_ERROR, "%s", error);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        void *address = rp_module_symbol(module, symbols[i].name);
        if (!address) {
            rp_log(RP_LOG_ERROR, "%s lacks %s", soname, symbols[i].name);
            rp_module_close(module);
            return false;
        }
        memcpy((char *)functions + symbols[i].offset_B, &address, sizeof(address));
    }
    return true;
}
