/* SPDX-License-Identifier: MIT */
/* A quantization map as segments of a frame of libaom.
 */
#ifndef RP_CODECS_AOM_SEGMENTS_H
#define RP_CODECS_AOM_SEGMENTS_H

#include <stdint.h>

struct AV1_COMP;

/* map: as rp_encode_job::qp_delta, relative to the base index that the frame has. In a frame
 * without loss the map changes nothing; in another no block is without loss, which libaom cannot do
 * beside others. */
void rp_aom_segments_set(struct AV1_COMP *cpi, const int16_t *map);

#endif
