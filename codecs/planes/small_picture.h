/* SPDX-License-Identifier: MIT */
/* Luma of sources, made smaller: how hard pictures are to code is seen there before they are, for
 * rate control.
 */
#ifndef RP_CODECS_PLANES_SMALL_PICTURE_H
#define RP_CODECS_PLANES_SMALL_PICTURE_H

#include "reelpipe/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RP_SMALL_PICTURE_MAX_WIDTH_PX 8192 /* of sources */
#define RP_SMALL_PICTURE_REFERENCES 8u

/* Zeroed: there is no memory for one yet. */
struct rp_small_picture {
    uint8_t *luma; /* owned; of rows as long as the width */
    size_t capacity_B;
    bool is_filled;
    uint32_t width;
    uint32_t height;
};

void rp_small_picture_finish(struct rp_small_picture *small);

/* Exchanges the contents of a and b. */
void rp_small_picture_swap(struct rp_small_picture *a, struct rp_small_picture *b);

/* Fills small from the source's first width_px times height_px samples. False when memory is
 * short. */
bool rp_small_picture_fill(struct rp_small_picture *small, const struct rp_picture *src,
                           uint32_t width_px, uint32_t height_px);

/* What is left of the picture's blocks, in sums of differences, when each is predicted from its own
 * mean, or from the place in one of the references that suits it best. references: borrowed;
 * those that are NULL, not filled or of another size are left out, as those beyond
 * RP_SMALL_PICTURE_REFERENCES. */
double rp_small_picture_complexity(const struct rp_small_picture *small,
                                   const struct rp_small_picture *const *references,
                                   uint32_t reference_count);

#endif
