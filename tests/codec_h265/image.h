/* SPDX-License-Identifier: MIT */
/* Images that pictures are decoded into, and hashes of them.
 */
#ifndef RP_TESTS_CODEC_H265_IMAGE_H
#define RP_TESTS_CODEC_H265_IMAGE_H

#include "app.h"

/* An image of its own in new memory. */
void frame_image_init(struct session *session, struct frame *frame, uint32_t width_px,
                      uint32_t height_px);
struct rp_decode_target frame_target(struct session *session, const struct frame *frame);

/* Gives the memory and the slot back; a decoder may still have the memory. */
void frame_release(struct session *session, struct frame *frame);

uint64_t picture_hash(const struct rp_picture *picture);

#endif
