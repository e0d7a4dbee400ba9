/* SPDX-License-Identifier: MIT */
/* Finding and opening libavcodec. The two states here belong to the process, not to a device:
 * a library is mapped once.
 */
#include "codecs/avcodec/library.h"

#include "codecs/avcodec/soname.h"
#include "util/compiler.h"
#include "util/log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char rp_avcodec_soname[] = "libavcodec.so." TEXT(LIBAVCODEC_VERSION_MAJOR);

static const struct {
    const char *name;
    size_t offset_B;
} symbols[] = {
#define SYMBOL(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct rp_avcodec_library, name)                                           \
    }
    SYMBOL(avcodec_version),        SYMBOL(avcodec_find_decoder_by_name),
    SYMBOL(avcodec_alloc_context3), SYMBOL(avcodec_free_context),
    SYMBOL(avcodec_open2),          SYMBOL(avcodec_flush_buffers),
    SYMBOL(avcodec_send_packet),    SYMBOL(avcodec_receive_frame),
    SYMBOL(av_packet_alloc),        SYMBOL(av_packet_free),
    SYMBOL(av_packet_unref),        SYMBOL(av_frame_alloc),
    SYMBOL(av_frame_free),          SYMBOL(av_frame_unref),
    SYMBOL(av_buffer_create),       SYMBOL(av_dict_set),
    SYMBOL(av_dict_free),
#undef SYMBOL
};

static pthread_once_t probe_once = PTHREAD_ONCE_INIT;
static bool is_present;

static pthread_once_t open_once = PTHREAD_ONCE_INIT;
static struct rp_avcodec_library library;
static bool is_open;

static void
probe(void)
{
    is_present = rp_soname_resolves(rp_avcodec_soname);
}

static void
open_library(void)
{
    void *handle = dlopen(rp_avcodec_soname, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        rp_log(RP_LOG_ERROR, "%s", dlerror());
        return;
    }
    for (size_t i = 0; i < RP_ARRAY_SIZE(symbols); i++) {
        /* A handle serves the symbols of the library's dependencies too. */
        void *address = dlsym(handle, symbols[i].name);
        if (!address) {
            rp_log(RP_LOG_ERROR, "%s lacks %s", rp_avcodec_soname, symbols[i].name);
            dlclose(handle);
            return;
        }
        memcpy((char *)&library + symbols[i].offset_B, &address, sizeof(address));
    }
    is_open = library.avcodec_version() >> 16 == LIBAVCODEC_VERSION_MAJOR;
}

bool
rp_avcodec_library_is_present(void)
{
    pthread_once(&probe_once, probe);
    return is_present;
}

const struct rp_avcodec_library *
rp_avcodec_library_open(void)
{
    pthread_once(&open_once, open_library);
    return is_open ? &library : NULL;
}
