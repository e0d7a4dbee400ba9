/* SPDX-License-Identifier: MIT */
/* Finding and opening libavcodec. The two states here belong to the process, not to a device:
 * a library is mapped once.
 */
#include "codecs/avcodec/library/library.h"

#include "codecs/library/load.h"
#include "platform/module.h"
#include "util/compiler.h"

#include <pthread.h>
#include <stddef.h>

static const struct rp_library_symbol symbols[] = {
#define SYMBOL(name) RP_LIBRARY_SYMBOL(struct rp_avcodec_library, name)
    SYMBOL(avcodec_version),
    SYMBOL(avcodec_find_decoder_by_name),
    SYMBOL(avcodec_alloc_context3),
    SYMBOL(avcodec_free_context),
    SYMBOL(avcodec_open2),
    SYMBOL(avcodec_default_get_buffer2),
    SYMBOL(avcodec_default_get_format),
    SYMBOL(avcodec_flush_buffers),
    SYMBOL(avcodec_send_packet),
    SYMBOL(avcodec_receive_frame),
    SYMBOL(av_packet_alloc),
    SYMBOL(av_packet_free),
    SYMBOL(av_packet_unref),
    SYMBOL(av_frame_alloc),
    SYMBOL(av_frame_free),
    SYMBOL(av_frame_unref),
    SYMBOL(av_buffer_create),
    SYMBOL(av_dict_set),
    SYMBOL(av_dict_set_int),
    SYMBOL(av_dict_count),
    SYMBOL(av_dict_free),
    SYMBOL(av_get_pix_fmt),
#undef SYMBOL
};

static pthread_once_t probe_once = PTHREAD_ONCE_INIT;
static const struct rp_avcodec_layout *present; /* the newest one, or NULL */

static pthread_once_t open_once = PTHREAD_ONCE_INIT;
static struct rp_avcodec_library library;
static bool is_open;

static void
probe(void)
{
    for (size_t i = 0; i < RP_AVCODEC_LAYOUTS && !present; i++) {
        if (rp_module_is_present(rp_avcodec_layouts[i].soname))
            present = &rp_avcodec_layouts[i];
    }
}

static bool
library_load(const struct rp_avcodec_layout *layout)
{
    if (!rp_library_load(layout->soname, symbols, RP_ARRAY_SIZE(symbols), &library))
        return false;
    library.layout = layout;
    library.format_420_10 = library.av_get_pix_fmt("yuv420p10");
    return library.avcodec_version() >> 16 == layout->major && library.format_420_10 > 0;
}

static void
open_library(void)
{
    is_open = rp_avcodec_library_is_present() && library_load(present);
}

bool
rp_avcodec_library_is_present(void)
{
    pthread_once(&probe_once, probe);
    return present != NULL;
}

const struct rp_avcodec_library *
rp_avcodec_library_open(void)
{
    pthread_once(&open_once, open_library);
    return is_open ? &library : NULL;
}
