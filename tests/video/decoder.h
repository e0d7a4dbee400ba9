/* SPDX-License-Identifier: MIT */
/* A strict, independent H.264 decoder: any message or concealment of libavcodec is a failure.
 */
#ifndef RP_TESTS_VIDEO_DECODER_H
#define RP_TESTS_VIDEO_DECODER_H

#include <stddef.h>
#include <stdint.h>

struct decoder;

struct decoder *decoder_open(void);

/* One access unit in Annex B. Its number comes back with its frame. */
void decoder_send(struct decoder *dec, const uint8_t *data, size_t size_B, uint32_t number);

/* After the last one: calls frame for each decoded picture, planar 4:2:0 without padding between
 * rows, in output order; closes the decoder. Returns how many there were. */
uint32_t decoder_finish(struct decoder *dec,
                        void (*frame)(void *ctx, uint32_t number, uint32_t width_px,
                                      uint32_t height_px, const uint8_t *pixels),
                        void *ctx);

#endif
