/* SPDX-License-Identifier: MIT */
/* Random H.264 streams that are legal and nasty: field pairs and MBAFF mixed with frames, all
 * three picture order types, long-term references, every marking operation, list modification,
 * weights, gaps in frame_num, several PPS. CAVLC, no residual: what they exercise
 * is references.
 */
#ifndef RP_TESTS_CODEC_AVCODEC_GENERATOR_H
#define RP_TESTS_CODEC_AVCODEC_GENERATOR_H

#include <stddef.h>
#include <stdint.h>

/* The same stream for the same seed. To be freed. */
uint8_t *generator_make(uint32_t seed, uint32_t frame_count, size_t *size_B_out);

#endif
