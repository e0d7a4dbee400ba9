/* SPDX-License-Identifier: MIT */
/* No lookahead, the same tools on or off; of several threads each takes a row of superblocks. */
#include "aom_peer.h"

#include <stdlib.h>
#include <string.h>

#include <aom/aom_encoder.h>
#include <aom/aomcx.h>

#define FPS 25

struct aom_peer {
    aom_codec_ctx_t codec;
    uint32_t width_px;
    uint32_t height_px;
    uint8_t *frames; /* owned: I420 */
    uint32_t frame_count;
    int64_t pts;
};

static void
fill_config(aom_codec_enc_cfg_t *config, const struct aom_peer_settings *settings)
{
    config->g_w = settings->width_px;
    config->g_h = settings->height_px;
    config->g_threads = settings->thread_count ? settings->thread_count : 1;
    config->g_lag_in_frames = 0;
    config->g_timebase.num = 1;
    config->g_timebase.den = FPS;
    config->kf_mode = AOM_KF_DISABLED;
    if (settings->bitrate_kbit == 0) {
        config->rc_end_usage = AOM_Q;
        config->rc_min_quantizer = config->rc_max_quantizer = (unsigned)settings->quantizer;
        return;
    }
    config->rc_end_usage = AOM_CBR;
    config->rc_target_bitrate = (unsigned)settings->bitrate_kbit;
    config->rc_buf_sz = 1000;
    config->rc_buf_initial_sz = 750;
    config->rc_buf_optimal_sz = 750;
}

/* What codecs/aom/context.c sets. */
static int
set_tools(aom_codec_ctx_t *codec, const struct aom_peer_settings *settings)
{
    int failed = 0;
#define SET(control, value) failed |= aom_codec_control(codec, control, value)
    SET(AOME_SET_CPUUSED, settings->speed);
    SET(AOME_SET_CQ_LEVEL, settings->bitrate_kbit ? 32 : settings->quantizer);
    SET(AV1E_SET_ROW_MT, settings->thread_count > 1);
    SET(AV1E_SET_SUPERBLOCK_SIZE, AOM_SUPERBLOCK_SIZE_64X64);
    SET(AV1E_SET_AQ_MODE, 0);
    SET(AV1E_SET_DELTAQ_MODE, 0);
    SET(AV1E_SET_COEFF_COST_UPD_FREQ, 3);
    SET(AV1E_SET_MODE_COST_UPD_FREQ, 3);
    SET(AV1E_SET_MV_COST_UPD_FREQ, 3);
    SET(AV1E_SET_ENABLE_GLOBAL_MOTION, 0);
    SET(AV1E_SET_ENABLE_WARPED_MOTION, 0);
    SET(AV1E_SET_ENABLE_OBMC, 0);
    SET(AV1E_SET_ENABLE_PALETTE, 0);
    SET(AV1E_SET_ENABLE_INTRABC, 0);
    SET(AV1E_SET_ENABLE_RESTORATION, 0);
    SET(AV1E_SET_ENABLE_FILTER_INTRA, 0);
#undef SET
    return failed == 0;
}

/* The real-time mode has three references of its own, whatever the flags of a picture say, unless
 * others are set. With others its control of a rate does not find the rate. */
static int
set_references(aom_codec_ctx_t *codec, const struct aom_peer_settings *settings)
{
    aom_svc_ref_frame_config_t last_alone = {.reference = {1}, .refresh = {1}};

    return settings->bitrate_kbit
               ? 0
               : aom_codec_control(codec, AV1E_SET_SVC_REF_FRAME_CONFIG, &last_alone);
}

static void
frame_convert(const uint8_t *nv12, size_t luma_B, uint8_t *i420)
{
    memcpy(i420, nv12, luma_B);
    for (size_t i = 0; i < luma_B / 4; i++) {
        i420[luma_B + i] = nv12[luma_B + 2 * i];
        i420[luma_B + luma_B / 4 + i] = nv12[luma_B + 2 * i + 1];
    }
}

struct aom_peer *
aom_peer_create(const struct aom_peer_settings *settings, const uint8_t *frames, uint32_t count)
{
    struct aom_peer *peer = calloc(1, sizeof(*peer));
    const size_t luma_B = (size_t)settings->width_px * settings->height_px;
    aom_codec_enc_cfg_t config;

    if (!peer)
        return NULL;
    peer->width_px = settings->width_px;
    peer->height_px = settings->height_px;
    peer->frame_count = count;
    peer->frames = malloc(count * (luma_B + luma_B / 2));
    if (!peer->frames ||
        aom_codec_enc_config_default(aom_codec_av1_cx(), &config, AOM_USAGE_REALTIME)) {
        aom_peer_destroy(peer);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++)
        frame_convert(frames + i * (luma_B + luma_B / 2), luma_B,
                      peer->frames + i * (luma_B + luma_B / 2));
    fill_config(&config, settings);
    if (aom_codec_enc_init(&peer->codec, aom_codec_av1_cx(), &config, 0) ||
        !set_tools(&peer->codec, settings) || set_references(&peer->codec, settings)) {
        aom_peer_destroy(peer);
        return NULL;
    }
    return peer;
}

void
aom_peer_destroy(struct aom_peer *peer)
{
    if (!peer)
        return;
    if (peer->codec.iface)
        aom_codec_destroy(&peer->codec);
    free(peer->frames);
    free(peer);
}

static size_t
packets_size(aom_codec_ctx_t *codec)
{
    aom_codec_iter_t iter = NULL;
    const aom_codec_cx_pkt_t *packet;
    size_t size_B = 0;

    while ((packet = aom_codec_get_cx_data(codec, &iter)) != NULL) {
        if (packet->kind == AOM_CODEC_CX_FRAME_PKT)
            size_B += packet->data.frame.sz;
    }
    return size_B;
}

size_t
aom_peer_encode(struct aom_peer *peer)
{
    const size_t frame_B = (size_t)peer->width_px * peer->height_px * 3 / 2;
    size_t stream_B = 0;

    for (uint32_t i = 0; i < peer->frame_count; i++) {
        aom_image_t image;

        aom_img_wrap(&image, AOM_IMG_FMT_I420, peer->width_px, peer->height_px, 1,
                     peer->frames + i * frame_B);
        if (aom_codec_encode(&peer->codec, &image, peer->pts++, 1, i == 0 ? AOM_EFLAG_FORCE_KF : 0))
            return 0;
        stream_B += packets_size(&peer->codec);
    }
    return stream_B;
}
