/* SPDX-License-Identifier: MIT */
/* Pictures that many tests encode.
 */
#ifndef RP_TESTS_VIDEO_PICTURES_H
#define RP_TESTS_VIDEO_PICTURES_H

#include "stream.h"

struct stream_picture picture_idr(const struct stream *s);

/* A reference picture that refers to one slot. */
struct stream_picture picture_p(const struct stream *s, int32_t poc, int32_t ref_slot);

/* The slot of the reference that came out age references ago (0: the last). */
int32_t slot_by_age(const struct stream *s, uint32_t age);

/* The next picture of a chain: number 0 is an IDR picture, the others refer to the one before. */
struct stream_picture picture_of_chain(const struct stream *s, uint32_t number, int32_t qp);

/* A coded picture, for tests that decode it again or compare it. */
struct coded_picture {
    uint8_t data[200000];
    size_t size_B;
};
void picture_encode(struct stream *s, const struct stream_picture *pic, struct coded_picture *out);

/* Changes the pixels of a slot's picture behind the encoder's back. */
typedef void slot_write(struct vk *vk, const struct stream *s, int32_t slot);

/* Streams of 3 slots whose first picture is written to: a P picture that refers to it has the same
 * bytes whether or not the driver is told of the write by a copy of the same pixels, too. */
void require_write_is_seen(struct vk *vk, const struct stream_options *options, slot_write *write);

#endif
