/* SPDX-License-Identifier: MIT */
/* libaom's threads are tasks of a device's worker pool: it launches some and runs one itself, which
 * here are one run of the pool (aom_get_worker_interface()).
 *
 * Tasks take rows of superblocks, in order, of one tile or of several; each row follows the one
 * above by a superblock or two, and the loop filter follows the rows. libaom chooses some of what
 * it does by whether it has several threads, so there are two tasks where there is one thread:
 * bytes do not depend on the number of threads.
 *
 * What is left to one thread: references and costs before the first row, and what an arithmetic
 * coder writes of each tile, after CDEF's strengths, which stand among the blocks, have been
 * chosen. Pictures of a session are coded one after the other: a picture's probabilities and its
 * motion field are those that the one before ends with.
 */
#ifndef RP_CODECS_AOM_THREADS_H
#define RP_CODECS_AOM_THREADS_H

#include <stdint.h>

#define RP_AOM_MAX_THREADS 32u

struct AV1_COMP;
struct rp_aom_tiles;
struct rp_workers;

/* Tasks for an encoder with the threads of a pool, or with one (NULL). */
uint32_t rp_aom_task_count(const struct rp_workers *workers);

/* How many of an encoder's tasks a picture wants for each step: as many as find rows of superblocks
 * to code and to filter, for CDEF up to the number of its rows, and to write up to that of its
 * tiles. */
void rp_aom_threads_share(struct AV1_COMP *cpi, const struct rp_aom_tiles *tiles);

/* In front of a frame: what libaom does when several threads code tiles, and wants always; and what
 * it does not when pictures differ in their tiles. */
void rp_aom_threads_begin(struct AV1_COMP *cpi);

#endif
