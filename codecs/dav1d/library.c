/* SPDX-License-Identifier: MIT */
/* Finding and opening libdav1d. The two states here belong to the process, not to a device: a
 * library is mapped once.
 */
#include "codecs/dav1d/library.h"

#include "codecs/library/load.h"
#include "platform/module.h"
#include "util/compiler.h"

#include <pthread.h>

static const struct rp_library_symbol symbols[] = {
#define SYMBOL(name) RP_LIBRARY_SYMBOL(struct rp_dav1d_library, name)
    SYMBOL(dav1d_default_settings),
    SYMBOL(dav1d_open),
    SYMBOL(dav1d_close),
    SYMBOL(dav1d_flush),
    SYMBOL(dav1d_data_wrap),
    SYMBOL(dav1d_data_unref),
    SYMBOL(dav1d_send_data),
    SYMBOL(dav1d_get_picture),
    SYMBOL(dav1d_apply_grain),
    SYMBOL(dav1d_picture_unref),
#undef SYMBOL
};

static pthread_once_t probe_once = PTHREAD_ONCE_INIT;
static const struct rp_dav1d_layout *present; /* the newest one, or NULL */

static pthread_once_t open_once = PTHREAD_ONCE_INIT;
static struct rp_dav1d_library library;
static bool is_open;

static void
probe(void)
{
    for (size_t i = 0; i < RP_DAV1D_LAYOUTS && !present; i++) {
        if (rp_module_is_present(rp_dav1d_layouts[i].soname))
            present = &rp_dav1d_layouts[i];
    }
}

static void
open_library(void)
{
    if (!rp_dav1d_library_is_present())
        return;
    library.layout = present;
    is_open = rp_library_load(present->soname, symbols, RP_ARRAY_SIZE(symbols), &library);
}

bool
rp_dav1d_library_is_present(void)
{
    pthread_once(&probe_once, probe);
    return present != NULL;
}

const struct rp_dav1d_library *
rp_dav1d_library_open(void)
{
    pthread_once(&open_once, open_library);
    return is_open ? &library : NULL;
}
