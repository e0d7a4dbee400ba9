/* SPDX-License-Identifier: MIT */
/* A stream of random structure.
 */
#ifndef RP_TESTS_CODEC_KVAZAAR_RANDOM_STRUCTURE_H
#define RP_TESTS_CODEC_KVAZAAR_RANDOM_STRUCTURE_H

#include <stdint.h>

/* Encodes and judges it. Returns a hash of its bytes. */
uint64_t random_structure_run(uint64_t seed, uint32_t picture_count);

#endif
