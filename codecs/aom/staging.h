/* SPDX-License-Identifier: MIT */
/* Pictures that libaom reads, made of those of the application: in place where the layout allows.
 */
#ifndef RP_CODECS_AOM_STAGING_H
#define RP_CODECS_AOM_STAGING_H

#include "reelpipe/codec.h"
#include "reelpipe/picture.h"

#include "aom/aom_image.h"

#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing yet. */
struct rp_aom_staging {
    uint8_t *data; /* owned */
    size_t size_B;
};

void rp_aom_staging_finish(struct rp_aom_staging *staging);

/* *out points into src or into the staging area, and is width_px times height_px; where src has one
 * column or row less, its last one stands for it. */
enum rp_codec_status rp_aom_staging_fill(struct rp_aom_staging *staging,
                                         const struct rp_picture *src, uint32_t width_px,
                                         uint32_t height_px, aom_image_t *out);

#endif
