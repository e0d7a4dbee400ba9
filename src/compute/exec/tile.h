/* SPDX-License-Identifier: MIT */
/* What handlers of tiles are: beside the operation they get T, a value of a few blocks, in vector
 * registers, and hand theirs on.
 */
#ifndef RP_COMPUTE_EXEC_TILE_H
#define RP_COMPUTE_EXEC_TILE_H

#include "compute/exec/vec.h"

#define RP_TILE_VECTORS 8 /* as many as functions take in registers */
#define RP_TILE_BLOCKS (RP_TILE_VECTORS / RP_NS)

_Static_assert(RP_TILE_BLOCKS * 16u <= RP_TILE_MAX_LANES, "registers are that long");

/* V is R, moved on so that the tile's blocks are the first of every register of lanes. */
typedef const struct rp_op *rp_tile_handler(const struct rp_op *op, char *R, char *V, vi t0, vi t1,
                                            vi t2, vi t3, vi t4, vi t5, vi t6, vi t7);

/* Runs the handlers from first to TILE_END on the tile that begins with block k. */
void RP_FN(tile_run)(const struct rp_op *first, char *R, int32_t k);
#if RP_VW == 16
void rp_x_tile_run_v3(const struct rp_op *first, char *R, int32_t k);
#endif

#endif
