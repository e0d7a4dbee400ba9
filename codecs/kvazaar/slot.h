/* SPDX-License-Identifier: MIT */
/* One DPB picture as kvazaar sees it: planes, the motion of its blocks, and what its own references
 * were, which temporal motion vector prediction reads.
 */
#ifndef RP_CODECS_KVAZAAR_SLOT_H
#define RP_CODECS_KVAZAAR_SLOT_H

#include "codecs/kvazaar/core.h"
#include "codecs/planes/small_picture.h"

#include "util/compiler.h"

#include "reelpipe/encode_h265.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing yet. Sizes are those of the SPS's picture. kvazaar shares the picture and the
 * motion, but never owns them. */
struct rp_encoder_slot {
    uint32_t width_px;
    uint32_t height_px;
    bool has_picture;
    void *memory; /* owned; of planes and motion */
    kvz_picture picture;
    cu_array_t motion;
    int32_t ref_pocs[RP_KVAZAAR_MAX_PICTURES]; /* of its references when it was coded */
    uint8_t ref_lists[2][16];                  /* indices into them */
    bool ref_is_long_term[2][16];
    struct rp_small_picture small; /* owned; of the source, with rate control */
    double rate_base;              /* that the picture was coded with; 0: not known */
};

/* Room for a picture of this size, which is not there yet. Width and height are multiples of 8. */
bool rp_kvazaar_slot_reserve(struct rp_encoder_slot *slot, uint32_t width_px,
                             uint32_t height_px) RP_MUST_CHECK;
void rp_kvazaar_slot_finish(struct rp_encoder_slot *slot);

/* Pixels that came from elsewhere, of 4:2:0: the last column and row of what is there stand for what
 * is not, and there is no motion. */
void rp_kvazaar_slot_adopt(struct rp_encoder_slot *slot, const struct rp_picture *pixels);

/* What follows is done to the rows of luma samples from y_px to end_px, and those of chroma that lie
 * there; even numbers, but for the picture's end in dst. */

/* As much of the picture as there is room for in dst, which is NV12. */
void rp_kvazaar_slot_copy(const struct rp_encoder_slot *slot, const struct rp_picture *dst,
                          uint32_t y_px, uint32_t end_px);

/* No block has motion or was coded. Rows are multiples of coding tree blocks, or end with the
 * picture. */
void rp_kvazaar_slot_clear_motion(struct rp_encoder_slot *slot, uint32_t y_px, uint32_t end_px);

/* NV12 or I420 to planes of kvazaar's; as rp_kvazaar_slot_adopt(). */
void rp_kvazaar_planes_fill(kvz_picture *dst, const struct rp_picture *src, uint32_t y_px,
                            uint32_t end_px);

#endif
