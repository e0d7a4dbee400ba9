/* SPDX-License-Identifier: MIT */
/* RGBA to 4:2:0, BT.709, narrow range.
 */
#ifndef RP_TOOLS_ENCODE_RGBA_H
#define RP_TOOLS_ENCODE_RGBA_H

#include "tools/encode/encoder.h"

#include <stdint.h>

/* Chroma is the mean of two by two pixels. Alpha is ignored. Sizes are even. */
void rgba_to_planes(const uint8_t *rgba, uint32_t width_px, uint32_t height_px,
                    const struct planes *out);

#endif
