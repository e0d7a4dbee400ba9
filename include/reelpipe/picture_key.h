/* SPDX-License-Identifier: MIT */
/* Where a picture is: the identity of pixels that may hold one, by the image that they are in.
 *
 * The slot indices of an application mean what they mean at the moment of a command; what a
 * reference is, its picture resource says.
 */
#ifndef REELPIPE_PICTURE_KEY_H
#define REELPIPE_PICTURE_KEY_H

#include <stdbool.h>
#include <stdint.h>

struct rp_picture_key {
    uint64_t image_id; /* 0: nowhere */
    uint32_t layer;
    int32_t x_px; /* the coded offset */
    int32_t y_px;
};

static inline bool
rp_picture_key_is_equal(const struct rp_picture_key *a, const struct rp_picture_key *b)
{
    return a->image_id == b->image_id && a->layer == b->layer && a->x_px == b->x_px &&
           a->y_px == b->y_px;
}

#endif
