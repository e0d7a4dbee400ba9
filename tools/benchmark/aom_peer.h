/* SPDX-License-Identifier: MIT */
/* libaom's own real-time encoder, as aomenc runs it, of the version that the driver contains: the
 * peer of bench_video_av1.
 */
#ifndef RP_TOOLS_BENCHMARK_AOM_PEER_H
#define RP_TOOLS_BENCHMARK_AOM_PEER_H

#include <stddef.h>
#include <stdint.h>

struct aom_peer;

struct aom_peer_settings {
    int speed; /* 7..10 */
    uint32_t width_px;
    uint32_t height_px;
    int quantizer;    /* 0..63: base_q_idx / 4, for most */
    int bitrate_kbit; /* constant bit rate in a buffer of one second; 0: the quantizer is constant */
    uint32_t thread_count; /* that code rows of superblocks side by side; 0 is 1 */
};

/* NULL when libaom does not open. Frames are NV12; they are converted here, as libaom encodes from
 * I420. */
struct aom_peer *aom_peer_create(const struct aom_peer_settings *settings, const uint8_t *frames,
                                 uint32_t count);
void aom_peer_destroy(struct aom_peer *peer);

/* One key frame and then inter frames that refer to the one before; with a rate also to an older
 * one and to a golden frame. Returns the stream's bytes, 0 for an error. */
size_t aom_peer_encode(struct aom_peer *peer);

#endif
