/* SPDX-License-Identifier: MIT */
/* Sampler Y'CbCr conversion: component swizzle, range expansion, model conversion (16.6).
 */
#ifndef RP_COMPUTE_IMAGE_YCBCR_H
#define RP_COMPUTE_IMAGE_YCBCR_H

#include "compute/bindings.h"

#include <stdint.h>

/* color: Cr, Y, Cb, A as floats; becomes R, G, B, A (or stays Cr, Y, Cb, by the model). */
void rp_ycbcr_convert(const struct rp_ycbcr *ycbcr, uint32_t color[4]);

#endif
