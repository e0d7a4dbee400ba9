/* SPDX-License-Identifier: MIT */
/* No lookahead, one reference, the same tools on or off. */
#include "x264_peer.h"

#include <stdlib.h>

#include <x264.h>

struct x264_peer {
    x264_t *x264;
    uint32_t width_px;
    uint32_t height_px;
    int64_t pts;
};

struct rate {
    int qp;
    int kbit; /* 0: constant QP */
};

static int
params_init(x264_param_t *p, const char *preset, uint32_t width_px, uint32_t height_px,
            const struct rate *rate)
{
    if (x264_param_default_preset(p, preset, "zerolatency") < 0)
        return -1;
    p->i_log_level = X264_LOG_NONE;
    p->i_width = (int)width_px;
    p->i_height = (int)height_px;
    p->i_csp = X264_CSP_NV12;
    p->b_vfr_input = 0;
    p->i_threads = 1;
    p->b_sliced_threads = 0;
    p->i_keyint_max = X264_KEYINT_MAX_INFINITE;
    p->i_scenecut_threshold = 0;
    p->i_frame_reference = 1;
    p->b_cabac = 1;
    p->b_deblocking_filter = 1;
    p->analyse.b_transform_8x8 = 1;
    p->analyse.i_weighted_pred = X264_WEIGHTP_NONE;
    p->analyse.b_psy = 0;
    p->analyse.b_psnr = 0;
    p->analyse.b_ssim = 0;
    p->rc.i_rc_method = rate->kbit ? X264_RC_ABR : X264_RC_CQP;
    p->rc.i_qp_constant = rate->qp;
    p->rc.i_bitrate = rate->kbit;
    p->rc.i_vbv_max_bitrate = rate->kbit;
    p->rc.i_vbv_buffer_size = rate->kbit;
    p->rc.b_filler = rate->kbit != 0;
    p->rc.b_mb_tree = 0;
    if (!rate->kbit) {
        p->rc.f_ip_factor = 1;
        p->rc.i_aq_mode = X264_AQ_NONE; /* ours follows the preset only with rate control */
    }
    return x264_param_apply_profile(p, "high");
}

static struct x264_peer *
peer_create(const char *preset, uint32_t width_px, uint32_t height_px, const struct rate *rate,
            int thread_count)
{
    struct x264_peer *peer = calloc(1, sizeof(*peer));
    x264_param_t params;

    if (!peer)
        return NULL;
    peer->width_px = width_px;
    peer->height_px = height_px;
    if (params_init(&params, preset, width_px, height_px, rate) == 0) {
        params.i_threads = thread_count;
        peer->x264 = x264_encoder_open(&params);
    }
    if (!peer->x264) {
        free(peer);
        return NULL;
    }
    return peer;
}

struct x264_peer *
x264_peer_create(const char *preset, uint32_t width_px, uint32_t height_px, int qp)
{
    return peer_create(preset, width_px, height_px, &(struct rate){.qp = qp}, 1);
}

struct x264_peer *
x264_peer_create_threaded(const char *preset, uint32_t width_px, uint32_t height_px, int qp)
{
    return peer_create(preset, width_px, height_px, &(struct rate){.qp = qp}, X264_THREADS_AUTO);
}

struct x264_peer *
x264_peer_create_cbr(const char *preset, uint32_t width_px, uint32_t height_px, int bitrate_kbit)
{
    return peer_create(preset, width_px, height_px, &(struct rate){.kbit = bitrate_kbit}, 1);
}

void
x264_peer_destroy(struct x264_peer *peer)
{
    if (!peer)
        return;
    x264_encoder_close(peer->x264);
    free(peer);
}

size_t
x264_peer_put(struct x264_peer *peer, const uint8_t *frame, bool is_idr)
{
    const size_t luma_B = (size_t)peer->width_px * peer->height_px;
    x264_picture_t picture;
    x264_picture_t out;
    x264_nal_t *nals;
    int nal_count;

    x264_picture_init(&picture);
    picture.i_type = is_idr ? X264_TYPE_IDR : X264_TYPE_P;
    picture.i_pts = peer->pts++;
    picture.img.i_csp = X264_CSP_NV12;
    picture.img.i_plane = 2;
    picture.img.i_stride[0] = (int)peer->width_px;
    picture.img.i_stride[1] = (int)peer->width_px;
    picture.img.plane[0] = (uint8_t *)frame;
    picture.img.plane[1] = (uint8_t *)frame + luma_B;
    const int size_B = x264_encoder_encode(peer->x264, &nals, &nal_count, &picture, &out);
    return size_B > 0 ? (size_t)size_B : 0;
}

size_t
x264_peer_flush(struct x264_peer *peer)
{
    size_t stream_B = 0;

    while (x264_encoder_delayed_frames(peer->x264) > 0) {
        x264_picture_t out;
        x264_nal_t *nals;
        int nal_count;
        const int size_B = x264_encoder_encode(peer->x264, &nals, &nal_count, NULL, &out);
        if (size_B < 0)
            return 0;
        stream_B += (size_t)size_B;
    }
    return stream_B;
}

size_t
x264_peer_encode(struct x264_peer *peer, const uint8_t *frames, uint32_t count)
{
    const size_t frame_B = (size_t)peer->width_px * peer->height_px * 3 / 2;
    size_t stream_B = 0;

    for (uint32_t i = 0; i < count; i++) {
        const size_t size_B = x264_peer_put(peer, frames + i * frame_B, i == 0);
        if (size_B == 0)
            return 0;
        stream_B += size_B;
    }
    return stream_B;
}
