/* SPDX-License-Identifier: MIT */
/* A stream of random structure.
 */
#ifndef RP_TESTS_CODEC_KVAZAAR_RANDOM_STRUCTURE_H
#define RP_TESTS_CODEC_KVAZAAR_RANDOM_STRUCTURE_H

#include <stdint.h>

struct app_route;
struct rp_workers;

/* Encodes and judges it. bit_depth: 8 or 10; route: or NULL. Returns a hash of its bytes. */
uint64_t random_structure_run(uint64_t seed, uint32_t picture_count, uint32_t bit_depth,
                              const struct app_route *route);

/* random_structure_run() on the threads of workers. */
uint64_t random_structure_run_on(struct rp_workers *workers, uint64_t seed, uint32_t picture_count,
                                 uint32_t bit_depth);

#endif
