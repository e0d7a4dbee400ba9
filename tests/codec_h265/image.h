/* SPDX-License-Identifier: MIT */
/* Images that pictures are decoded into, and hashes of them.
 */
#ifndef RP_TESTS_CODEC_H265_IMAGE_H
#define RP_TESTS_CODEC_H265_IMAGE_H

#include "app.h"

/* An image of its own in new memory, for pictures of this SPS. */
void frame_image_init(struct session *session, struct frame *frame,
                      const StdVideoH265SequenceParameterSet *sps);
struct rp_decode_target frame_target(struct session *session, const struct frame *frame);

/* Gives the memory and the slot back; a decoder may still have the memory. */
void frame_release(struct session *session, struct frame *frame);

/* Samples of 10 bits are in the high bits of words. */
uint64_t picture_hash(const struct rp_picture *picture);

#endif
