/* SPDX-License-Identifier: MIT */
/* The picture that libaom reconstructed, to the application's image.
 */
#ifndef RP_CODECS_AOM_RECON_H
#define RP_CODECS_AOM_RECON_H

#include "reelpipe/picture.h"

#include <stdint.h>

struct RefCntBuffer;

/* dst is NV12 or P010, of at least width_px times height_px. */
void rp_aom_recon_copy(const struct RefCntBuffer *buffer, uint32_t width_px, uint32_t height_px,
                       const struct rp_picture *dst);

/* Whether src, which has been written since, holds the picture all the same. */
bool rp_aom_recon_is_same(const struct RefCntBuffer *buffer, uint32_t width_px, uint32_t height_px,
                          const struct rp_picture *src);

#endif
