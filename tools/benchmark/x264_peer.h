/* SPDX-License-Identifier: MIT */
/* libx264's own encoder, set up as the driver sets x264 up: the peer of bench_video.
 */
#ifndef RP_TOOLS_BENCHMARK_X264_PEER_H
#define RP_TOOLS_BENCHMARK_X264_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct x264_peer;

/* With one thread. NULL when libx264 does not open. */
struct x264_peer *x264_peer_create(const char *preset, uint32_t width_px, uint32_t height_px,
                                   int qp);
/* With a frame thread for each core and half as many again, as its callers have by default. */
struct x264_peer *x264_peer_create_threaded(const char *preset, uint32_t width_px,
                                            uint32_t height_px, int qp);
/* With one thread: constant bit rate, in a buffer of one second. */
struct x264_peer *x264_peer_create_cbr(const char *preset, uint32_t width_px, uint32_t height_px,
                                       int bitrate_kbit);
void x264_peer_destroy(struct x264_peer *peer);

/* One NV12 frame, an IDR picture or a P picture. Returns the bytes that come out, of this one or of
 * an earlier one; 0: none yet, or an error. */
size_t x264_peer_put(struct x264_peer *peer, const uint8_t *frame, bool is_idr);
/* What is delayed. Nothing may be put after that. */
size_t x264_peer_flush(struct x264_peer *peer);

/* With one thread: one IDR picture and then P pictures; frames are NV12. Returns the stream's
 * bytes, 0 for an error. */
size_t x264_peer_encode(struct x264_peer *peer, const uint8_t *frames, uint32_t count);

#endif
