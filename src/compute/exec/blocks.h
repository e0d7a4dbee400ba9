/* SPDX-License-Identifier: MIT */
/* A block of 16 lanes between the registers of a LOAD_L or STORE_L and memory: memory.c has them.
 */
#ifndef RP_COMPUTE_EXEC_BLOCKS_H
#define RP_COMPUTE_EXEC_BLOCKS_H

#include "compute/exec/access.h"

#define load_block32 RP_FN(load_block32)
#define load_block64 RP_FN(load_block64)
#define store_block32 RP_FN(store_block32)
#define load_slow32 RP_FN(load_slow32)
#define load_slow64 RP_FN(load_slow64)
#define store_slow32 RP_FN(store_slow32)

/* All of them inside, stride bytes apart. */
typedef void block_load(const struct rp_op *o, char *R, const uint8_t *from, size_t stride,
                        int32_t k);
typedef void block_store(const struct rp_op *o, const char *R, uint8_t *to, size_t stride,
                         int32_t k);

/* Each lane where the line says, as far as it takes part and is inside. */
typedef void block_slow_load(const struct rp_op *o, char *R, const struct rp_exec *x,
                             const struct access_memory *m, const struct access_line *line,
                             int32_t k);
typedef void block_slow_store(const struct rp_op *o, const char *R, const struct rp_exec *x,
                              const struct access_memory *m, const struct access_line *line,
                              int32_t k);

__attribute__((noinline)) block_load load_block32, load_block64;
__attribute__((noinline)) block_store store_block32;
__attribute__((noinline)) block_slow_load load_slow32, load_slow64;
__attribute__((noinline)) block_slow_store store_slow32;

#endif
