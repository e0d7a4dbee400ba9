/* SPDX-License-Identifier: MIT */
/* The eight references of the stream that the decoder gets (reelpipe/decode_vp9.h): they are those
 * of the application's own stream, as every picture says which of them it takes the place of. What
 * Vulkan names by slots has its place here.
 */
#ifndef RP_VIDEO_VP9_REFERENCES_H
#define RP_VIDEO_VP9_REFERENCES_H

#include "video/vp9/header.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_vp9_references {
    int32_t slots[RP_VP9_REFERENCES]; /* the engine's; -1: what is there is not known */
    uint32_t present;                 /* a bit for each: the decoder has a picture there */
};

/* Also when the decoder is reset. */
void rp_vp9_references_init(struct rp_vp9_references *refs);

/* Whether the slot's picture is a reference beside those in mask. */
bool rp_vp9_references_have(const struct rp_vp9_references *refs, int32_t slot, uint32_t mask);

/* Places of the pictures in these slots. For one that is not there another one is taken:
 * *is_damaged_out, unless the application has none itself (-1). False when there is none at all. */
bool rp_vp9_references_find(const struct rp_vp9_references *refs,
                            const int32_t name_slots[RP_VP9_REFS_PER_FRAME],
                            const bool is_named[RP_VP9_REFS_PER_FRAME],
                            uint8_t ref_frame_idx[RP_VP9_REFS_PER_FRAME], bool *is_damaged_out);

/* The slot has a new picture, or none: it is in the places of mask; is_decoded: the decoder has
 * it. */
void rp_vp9_references_update(struct rp_vp9_references *refs, int32_t slot, uint32_t mask,
                              bool is_decoded);

#endif
