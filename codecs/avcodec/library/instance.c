/* SPDX-License-Identifier: MIT */
/* Opening decoders, and feeding them.
 */
#include "codecs/avcodec/library/instance.h"

#include "platform/signal_mask.h"
#include "util/compiler.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

void *
rp_avcodec_opaque(struct AVCodecContext *avctx)
{
    return *(void **)rp_av_field(avctx, RP_AV_OPAQUE_OFFSET_B);
}

/* Fills options. */
static int
options_make(const struct rp_avcodec_library *lib, const struct rp_avcodec_settings *settings,
             struct AVDictionary **options)
{
    static const char *const common[][2] = {
        {"thread_type", "slice"}, /* frame threads delay pictures */
        {"flags", "+output_corrupt"},
        {"apply_cropping", "0"},
        /* err_detect=explode would keep damaged pictures out of libavcodec's DPB, or stop at the
         * first damaged slice. */
        {"err_detect", "0"},
    };
    int error = lib->av_dict_set_int(options, "threads", settings->thread_count, 0);
    for (size_t i = 0; i < RP_ARRAY_SIZE(common) && error >= 0; i++)
        error = lib->av_dict_set(options, common[i][0], common[i][1], 0);
    for (size_t i = 0; i < settings->option_count && error >= 0; i++)
        error = lib->av_dict_set(options, settings->options[i][0], settings->options[i][1], 0);
    return error;
}

/* False when the decoder is not laid out as we know it. */
static bool
hooks_set(const struct rp_avcodec_instance *instance, const struct rp_avcodec_settings *settings)
{
    struct AVCodecContext *avctx = instance->avctx;
    const struct rp_avcodec_library *lib = instance->lib;
    rp_av_get_buffer2 **hook = rp_av_field(avctx, RP_AV_GET_BUFFER2_OFFSET_B);
    rp_av_draw_horiz_band *const *band = rp_av_field(avctx, lib->layout->band_offset_B);
    void *const *get_format = (void *const *)band + 1;
    if (*hook != lib->avcodec_default_get_buffer2 || *band ||
        *get_format != (void *)lib->avcodec_default_get_format)
        return false;
    *hook = settings->get_buffer;
    *(void **)rp_av_field(avctx, RP_AV_OPAQUE_OFFSET_B) = settings->opaque;
    /* Silent, whatever the application's level. */
    *(int *)rp_av_field(avctx, RP_AV_LOG_LEVEL_OFFSET_B) = 64;
    return true;
}

/* Slice threads start here and inherit the signal mask. */
static int
open_without_signals(const struct rp_avcodec_instance *instance, const struct AVCodec *codec,
                     struct AVDictionary **options)
{
    const struct rp_signal_mask mask = rp_signals_block();
    const int error = instance->lib->avcodec_open2(instance->avctx, codec, options);
    rp_signals_restore(&mask);
    return error;
}

enum rp_codec_status
rp_avcodec_instance_init(struct rp_avcodec_instance *instance, const struct rp_avcodec_library *lib,
                         const struct rp_avcodec_settings *settings)
{
    instance->lib = lib;
    const struct AVCodec *codec = lib->avcodec_find_decoder_by_name(settings->decoder);
    if (!codec)
        return RP_CODEC_FAILED;

    instance->avctx = lib->avcodec_alloc_context3(codec);
    instance->packet = lib->av_packet_alloc();
    instance->output = lib->av_frame_alloc();
    if (!instance->avctx || !instance->packet || !instance->output)
        return RP_CODEC_NO_MEMORY;
    if (!hooks_set(instance, settings))
        return RP_CODEC_FAILED;

    struct AVDictionary *options = NULL;
    int error = options_make(lib, settings, &options);
    if (error >= 0)
        error = open_without_signals(instance, codec, &options);
    const bool is_complete = lib->av_dict_count(options) == 0; /* what it did not know is left */
    lib->av_dict_free(&options);
    if (error < 0)
        return error == -ENOMEM ? RP_CODEC_NO_MEMORY : RP_CODEC_FAILED;
    return is_complete ? RP_CODEC_OK : RP_CODEC_FAILED;
}

void
rp_avcodec_instance_finish(struct rp_avcodec_instance *instance)
{
    if (!instance->lib)
        return;
    /* These accept pointers to NULL. */
    instance->lib->avcodec_free_context(&instance->avctx);
    instance->lib->av_packet_free(&instance->packet);
    instance->lib->av_frame_free(&instance->output);
}

static void
buffer_keep(void *opaque, uint8_t *data)
{
}

int
rp_avcodec_instance_decode(struct rp_avcodec_instance *instance, struct rp_avcodec_buffer *packet)
{
    const struct rp_avcodec_library *lib = instance->lib;
    memset(packet->data + packet->size_B, 0, RP_AV_PADDING_B);
    struct rp_av_packet *av_packet = (struct rp_av_packet *)instance->packet;
    av_packet->buf =
        lib->av_buffer_create(packet->data, packet->size_B + RP_AV_PADDING_B, buffer_keep, NULL, 0);
    if (!av_packet->buf)
        return -ENOMEM;
    av_packet->data = packet->data;
    av_packet->size_B = (int)packet->size_B;

    const int sent = lib->avcodec_send_packet(instance->avctx, instance->packet);
    lib->av_packet_unref(instance->packet);
    int received;
    while ((received = lib->avcodec_receive_frame(instance->avctx, instance->output)) >= 0)
        lib->av_frame_unref(instance->output);
    if (sent < 0)
        return sent;
    return received == -EAGAIN ? 0 : received;
}
