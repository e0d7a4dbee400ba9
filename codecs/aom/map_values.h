/* SPDX-License-Identifier: MIT */
/* The values of a quantization map that a picture is coded with: a frame has eight segments.
 */
#ifndef RP_CODECS_AOM_MAP_VALUES_H
#define RP_CODECS_AOM_MAP_VALUES_H

#include <stdint.h>

#define RP_AOM_SEGMENTS 8u
#define RP_AOM_MAX_DELTA 255
#define RP_AOM_DELTAS (2 * RP_AOM_MAX_DELTA + 1)

struct rp_aom_map_values {
    uint32_t count;
    int16_t deltas[RP_AOM_SEGMENTS];   /* ascending */
    uint8_t segment_of[RP_AOM_DELTAS]; /* of value - RP_AOM_MAX_DELTA: the nearest of deltas, the
                                           lower of two */
};

/* texel_counts: by value + RP_AOM_MAX_DELTA, in sum at least 1. Up to eight values are all kept; of
 * more those eight for which the distances to the nearest one have the least sum over all
 * texels. */
void rp_aom_map_values_choose(const uint32_t texel_counts[RP_AOM_DELTAS],
                              struct rp_aom_map_values *out);

#endif
