/* SPDX-License-Identifier: MIT */
/* libaom's threads are tasks of a device's worker pool: it launches some and runs one itself, which
 * here are one run of the pool (aom_get_worker_interface()). Bytes do not depend on their number.
 */
#ifndef RP_CODECS_AOM_THREADS_H
#define RP_CODECS_AOM_THREADS_H

#include <stdint.h>

#define RP_AOM_MAX_THREADS 32u

struct AV1_COMP;
struct rp_aom_tiles;
struct rp_workers;

/* Of a pool, or NULL: 1. */
uint32_t rp_aom_thread_count(const struct rp_workers *workers);

/* How many of an encoder's threads a picture wants for each step: up to the number of its tiles to
 * code and to write, up to that of its rows of superblocks to filter. */
void rp_aom_threads_share(struct AV1_COMP *cpi, const struct rp_aom_tiles *tiles);

/* In front of a frame: what libaom does when several threads code tiles, and wants always. */
void rp_aom_threads_begin(struct AV1_COMP *cpi);

#endif
