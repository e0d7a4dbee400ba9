/* SPDX-License-Identifier: MIT */
/* Opening libzstd. The state here belongs to the process, not to a device: a library is mapped
 * once.
 */
#include "capture/zstd.h"

#include "codecs/library/load.h"
#include "platform/module.h"
#include "util/compiler.h"

#include <pthread.h>
#include <stdbool.h>

#define SONAME "libzstd.so.1"

static const struct rp_library_symbol symbols[] = {
#define SYMBOL(name) RP_LIBRARY_SYMBOL(struct rp_zstd, name)
    SYMBOL(ZSTD_compressBound), SYMBOL(ZSTD_createCCtx), SYMBOL(ZSTD_freeCCtx),
    SYMBOL(ZSTD_compressCCtx),  SYMBOL(ZSTD_isError),
#undef SYMBOL
};

static pthread_once_t open_once = PTHREAD_ONCE_INIT;
static struct rp_zstd library;
static bool is_open;

static void
open_library(void)
{
    is_open = rp_module_is_present(SONAME) &&
              rp_library_load(SONAME, symbols, RP_ARRAY_SIZE(symbols), &library);
}

const struct rp_zstd *
rp_zstd_open(void)
{
    pthread_once(&open_once, open_library);
    return is_open ? &library : NULL;
}
