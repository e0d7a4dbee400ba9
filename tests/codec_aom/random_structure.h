/* SPDX-License-Identifier: MIT */
/* Streams in which all is random that an application may choose: sequence and size, types of
 * pictures, what is hidden and shown later, names, numbers, slots, quantisers, filters, tiles.
 */
#ifndef RP_TESTS_CODEC_AOM_RANDOM_STRUCTURE_H
#define RP_TESTS_CODEC_AOM_RANDOM_STRUCTURE_H

#include "app.h"

#include <stdint.h>

struct rp_workers;

/* Encodes and judges; fails the test when a picture is not what libdav1d decodes. workers: for the
 * parts of pictures, or NULL. Returns a hash of the stream. */
uint64_t random_structure_run(uint64_t seed, uint32_t picture_count, struct rp_workers *workers);

/* The same, and hands out what it encoded. */
uint64_t random_structure_write(uint64_t seed, uint32_t picture_count, app_take_fn *take,
                                void *take_ctx);

#endif
