/* SPDX-License-Identifier: MIT */
/* The operations of the lane IR, and what is known of each.
 */
#ifndef RP_COMPUTE_IR_OP_H
#define RP_COMPUTE_IR_OP_H

#include "compute/ops.h"

#include <stdbool.h>
#include <stdint.h>

enum ir_type {
    IR_VOID,
    IR_I, /* 32 bits */
    IR_L, /* 64 bits */
    IR_B, /* bool */
};

/* clang-format off */
enum ir_op {
#define IR_ENUM(name) IR_##name,
    RP_OPS_I_I(IR_ENUM) RP_OPS_L_L(IR_ENUM) RP_OPS_L_I(IR_ENUM) RP_OPS_I_L(IR_ENUM)
    RP_OPS_I_II_COMM(IR_ENUM) RP_OPS_I_II(IR_ENUM) RP_OPS_L_LL(IR_ENUM) RP_OPS_L_LI(IR_ENUM)
    RP_OPS_L_II(IR_ENUM) RP_OPS_B_II(IR_ENUM) RP_OPS_B_LL(IR_ENUM) RP_OPS_I_III(IR_ENUM)
    RP_OPS_B_BB(IR_ENUM)
    IR_ARITHMETIC_END,
    IR_BNOT = IR_ARITHMETIC_END,
    IR_SEL,     /* i <- b, i, i */
    IR_SEL64,   /* l <- b, l, l */
    IR_BSEL,    /* b <- b, b, b */
    IR_MAD64,   /* l <- l, l, l */
    IR_CONST,   /* imm */
    IR_UNDEF,
    IR_BUILTIN, /* imm: enum ir_builtin */
    IR_PHI,
    IR_PROJ,   /* component imm of a LOAD, IMAGE_* */
    IR_SPLAT,  /* uniform to lanes */
    IR_LCMP,   /* b <- base, strides by x, y, z, bound: aux is the comparison; see rp_lcmp */
    IR_AFFINE, /* base, strides by x, y, z of the lane, to lanes */
    IR_LOAD,   /* handle, byte offset */
    IR_STORE,  /* handle, byte offset, values */
    IR_ATOMIC, /* handle, byte offset, value, compare value */
    IR_SIZE,   /* i <- handle: bytes of a buffer */
    IR_LANE_LOAD,  /* index; memory of the lane itself */
    IR_LANE_STORE, /* index, value */
    IR_IMAGE,      /* struct ir_image says what and which operands */
    IR_SUBGROUP,   /* operands by aux: enum ir_subgroup */
    IR_MAC,       /* before loads and products that one operation can do */
    IR_REDUCTION, /* before steps of a reduction that one operation can do */
    IR_BARRIER,
    IR_PROBE,  /* imm: which; counts the active lanes */
    IR_ACCESS, /* handle, byte offset, what a store writes; imm: which; tells a recorder */
    IR_GUARD,  /* linear value, bound: as LCMP; where an active lane fails the run ends */
    IR_PROLOGUE, /* what stands before runs once for many chunks */
    IR_IF,
    IR_ELSE,
    IR_ENDIF,
    IR_LOOP,
    IR_ENDLOOP,
    IR_BLOCK,
    IR_ENDBLOCK,
    IR_BR,
    IR_OP_COUNT,
};
/* clang-format on */

enum ir_builtin {
    IR_LANE_X, /* position of the lane in its workgroup, or in the chunk of a row (x alone) */
    IR_LANE_Y,
    IR_LANE_Z,  /* where workgroups run side by side: which of them */
    IR_GROUP_X, /* WorkgroupId; in a grid of rows: the chunk's first invocation, row, slice */
    IR_GROUP_Y,
    IR_GROUP_Z,
    IR_GROUPS_X, /* NumWorkgroups */
    IR_GROUPS_Y,
    IR_GROUPS_Z,
    IR_LOCAL_X,     /* in a grid of rows: LocalInvocationId.x and WorkgroupId.x, which no program */
    IR_WORKGROUP_X, /* of rows that is kept may use */
    IR_BUILTIN_COUNT,
};

enum ir_type ir_op_type(enum ir_op op);   /* of the result of an arithmetic operation */
bool ir_op_is_arithmetic(enum ir_op op);  /* and SEL, BSEL, ..: pure, total, by lanes */
bool ir_op_is_commutative(enum ir_op op); /* in its first two operands */
const char *ir_op_name(enum ir_op op);

#endif
