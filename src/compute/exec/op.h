/* SPDX-License-Identifier: MIT */
/* The interpreter's operations: 32-byte records, each with the handler that runs it on a window of
 * blocks of 16 lanes.
 *
 * Operands are byte offsets into a thread's register file R: scalars (4 or 8 bytes), bit masks (one
 * uint16_t a block), vectors (4 or 8 bytes a lane). A handler returns the next operation, or NULL
 * at the end.
 *
 * op_list.h names all operations and says what their operands are; exec.h is the state they run in,
 * handle.h says how they name memory. Most handlers are compiled once for each instruction set, as
 * vectors (vec.h): alu32.c, alu64.c, move.c, compare.c, control.c (masks.h), memory.c and
 * memory_scalar.c (access.h, strided.h), structs.c (blocks.h), gather.c (word_runs.h, word_rows.h,
 * word_table.h), lane_words.c, texels.c, texel_sample.c (texel_square.h), texel_other.c
 * (texel_load.h) and texel_unit.c (texel_cube.h) with texel_mean.c (texel_vec.h, texel_form.h),
 * subgroup_blocks.c, and those that do the work of many operations: tile.c, chain.c, mac.c,
 * reduction.c. What each operation computes is in expr.h, math.h, roots.h, minmax.h,
 * transcendental.h and math64.h, and of scalars in scalar.h. Compiled once are atomic.c with
 * atomic_words.c, lane.c, image.c with texel_scalar.c, and subgroup.c, lane by lane, texel_kind.c,
 * and image_cut.c, which chooses among the ways of texels.c and the files behind it. table.c lists
 * the handlers of one instruction set and select.c picks the table; run.c finds memory behind
 * handles; eval.c folds constants for the IR. Runs of scalars, tiles and runs of 64-bit arithmetic
 * may have machine code for their handler (machine/machine.h).
 */
#ifndef RP_COMPUTE_EXEC_OP_H
#define RP_COMPUTE_EXEC_OP_H

#include "compute/compute.h"
#include "compute/ops.h"

#define RP_BLOCK_LANES 16u
#define RP_MAX_BLOCKS 64u /* 1024 lanes */
#define RP_MASK_B 128u    /* of a mask register */

struct rp_op;
struct rp_exec;

/* A function type, so that tables of handlers read well. */
typedef const struct rp_op *rp_handler(const struct rp_op *op, char *R, struct rp_exec *x);

struct rp_op {
    _Alignas(8) rp_handler *fn; /* makes 32 bytes where pointers have 32 bits, too */
    uint32_t d, a, b, c;        /* register offsets; what each is stands in op_list.h */
    int32_t i;                  /* jump distance in records, or static memory index */
    uint16_t level;             /* mask level */
    uint16_t n;
};

/* Some operations continue in the next record. */
struct rp_op_more {
    uint32_t r[8];
};

_Static_assert(sizeof(struct rp_op) == 32 && sizeof(struct rp_op_more) == 32, "records");

/* What a MAC's factor is: a register of lanes, a scalar, or what a LOAD_L behind it reads. */
enum rp_mac_factor {
    RP_MAC_VECTOR,
    RP_MAC_SCALAR,
    RP_MAC_LOAD,
};

/* What a STRUCT stands in front of. */
enum rp_struct_kind {
    RP_STRUCT_STORE,     /* STORE32_L */
    RP_STRUCT_LOAD,      /* LOAD32_L */
    RP_STRUCT_LOAD_LONG, /* LOAD64_L */
};

#define RP_MAC_MAX_TERMS 32u

/* What stands behind a REDUCTION: in each step the first `lanes` lanes of a workgroup take in the
 * words of those `distance` lanes further on. */
#define RP_REDUCTION_MAX_STEPS 11u
#define RP_REDUCTION_RECORDS 3u
#define RP_REDUCTION_OPS(X) \
    X(IADD) X(AND) X(OR) X(XOR) X(SMIN) X(SMAX) X(UMIN) X(UMAX) X(FADD) X(FMUL) X(FMIN) X(FMAX)

enum rp_reduction_op {
#define RP_REDUCTION_ENUM(name) RP_REDUCTION_##name,
    RP_REDUCTION_OPS(RP_REDUCTION_ENUM)
#undef RP_REDUCTION_ENUM
};

struct rp_reduction_step {
    uint16_t lanes;      /* a power of two, no more than in the step before */
    uint16_t distance;   /* lanes or more */
    uint32_t is_swapped; /* the other lane's word is the first operand */
};

struct rp_reduction {
    uint32_t op;      /* enum rp_reduction_op */
    uint32_t reach_B; /* of a workgroup's memory, from the first word on, that is touched */
    struct rp_reduction_step steps[RP_REDUCTION_MAX_STEPS];
};

_Static_assert(sizeof(struct rp_reduction) == RP_REDUCTION_RECORDS * sizeof(struct rp_op),
               "records");

/* Lanes of registers are a multiple of this: a tile may reach over the end of the window. */
#define RP_TILE_MAX_LANES 128u

/* n of what stands behind a TILE. */
enum rp_tile_bits {
    RP_TILE_LOADS = 1,  /* T comes from a register */
    RP_TILE_STORES = 2, /* the result goes to one, too */
    RP_TILE_KEEPS = 4,  /* of a comparison: only selections in the tile ask for the mask */
    RP_TILE_LOCAL = 8,  /* nobody behind the tile reads the result, wherever it goes */
};

/* Where such masks are, for as long as the tile runs: bits, or lanes. */
#define RP_TILE_KEPT_COUNT 4u
#define RP_TILE_KEPT_B 256u

/* Comparisons of a linear value with a bound: n of LCMP. */
enum rp_lcmp {
    RP_LCMP_EQ = 0,
    RP_LCMP_LT = 1, /* value < bound */
    RP_LCMP_GT = 2, /* bound < value */
    RP_LCMP_SIGNED = 4,
    RP_LCMP_NOT = 8, /* of the result */
};

/* Bits of n of IMAGE. */
enum rp_image_bits {
    RP_IMAGE_VARYING_VIEW = 1,    /* a: handles of lanes */
    RP_IMAGE_VARYING_SAMPLER = 2, /* b: handles of lanes */
    RP_IMAGE_SCALAR = 4,          /* results and operands are scalars */
    RP_IMAGE_WANTS_0 = 8,         /* component 0 is used; then 1 to 3 */
    RP_IMAGE_WANTS_ALL = 15 * RP_IMAGE_WANTS_0,
    RP_IMAGE_ASKS_MORE = 128, /* of IMAGE_READ_S and IMAGE_WRITE_S: a level, or is a fetch */
};
#define RP_IMAGE_RECORDS_SHIFT 8 /* above them, of IMAGE_READ_S and IMAGE_WRITE_S: all records */

#endif
