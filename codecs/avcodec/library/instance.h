/* SPDX-License-Identifier: MIT */
/* One decoder of libavcodec: no frame threads, silent, its pictures in memory of ours. What it
 * wants to show is thrown away: a picture is taken where it was decoded.
 */
#ifndef RP_CODECS_AVCODEC_LIBRARY_INSTANCE_H
#define RP_CODECS_AVCODEC_LIBRARY_INSTANCE_H

#include "codecs/avcodec/library/library.h"
#include "codecs/avcodec/library/nal.h"
#include "reelpipe/codec.h"

#include <stddef.h>
#include <stdint.h>

struct rp_avcodec_instance {
    const struct rp_avcodec_library *lib;
    struct AVCodecContext *avctx;
    struct AVPacket *packet;
    struct AVFrame *output;
};

/* What a decoder is opened with beside the settings of all. */
struct rp_avcodec_settings {
    const char *decoder; /* "h264" */
    uint32_t thread_count;
    const char *const (*options)[2]; /* names and values */
    uint32_t option_count;
    rp_av_get_buffer2 *get_buffer;
    void *opaque; /* what rp_avcodec_opaque() gives inside of callbacks */
};

/* FAILED when the library does not know a name, or is not laid out as we know it; NO_MEMORY. The
 * instance is to be finished in any case. */
enum rp_codec_status rp_avcodec_instance_init(struct rp_avcodec_instance *instance,
                                              const struct rp_avcodec_library *lib,
                                              const struct rp_avcodec_settings *settings);

/* Zeroed or half-made ones, too. Releases all pictures. */
void rp_avcodec_instance_finish(struct rp_avcodec_instance *instance);

/* Sends the packet, which has room for padding reserved behind it, and throws away what comes out.
 * Negative: an error of libavcodec, but not EAGAIN. */
int rp_avcodec_instance_decode(struct rp_avcodec_instance *instance,
                               struct rp_avcodec_buffer *packet);

void *rp_avcodec_opaque(struct AVCodecContext *avctx);

#endif
