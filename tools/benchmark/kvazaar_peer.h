/* SPDX-License-Identifier: MIT */
/* kvazaar's own encoder, driven by its own API, of the version that the driver contains: the peer
 * of bench_video_h265.
 */
#ifndef RP_TOOLS_BENCHMARK_KVAZAAR_PEER_H
#define RP_TOOLS_BENCHMARK_KVAZAAR_PEER_H

#include <stddef.h>
#include <stdint.h>

struct kvazaar_peer;

struct kvazaar_peer_settings {
    const char *preset;
    uint32_t width_px; /* a multiple of 8 */
    uint32_t height_px;
    int qp;
};

/* NULL when kvazaar does not open. Frames are NV12; they are converted here, as kvazaar encodes
 * from I420. */
struct kvazaar_peer *kvazaar_peer_create(const struct kvazaar_peer_settings *settings,
                                         const uint8_t *frames, uint32_t count);
void kvazaar_peer_destroy(struct kvazaar_peer *peer);

/* One IDR picture and then pictures that refer to the one before. Returns the stream's bytes, 0 for
 * an error. */
size_t kvazaar_peer_encode(struct kvazaar_peer *peer);

#endif
