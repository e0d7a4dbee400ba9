/* SPDX-License-Identifier: MIT */
/* Arithmetic on one scalar of a type: picks the operation of the width, keeps 16-bit floats rounded
 * and reads 8- and 16-bit integers with the sign the operation wants.
 */
#ifndef RP_COMPUTE_SPIRV_SCALAR_H
#define RP_COMPUTE_SPIRV_SCALAR_H

#include "compute/ir/op.h"
#include "compute/spirv/type.h"

struct ir_instr;

/* float.c */
struct ir_instr *spv_fbin(struct spv *s, const struct spv_type *scalar, enum ir_op op32,
                          struct ir_instr *a, struct ir_instr *b);
struct ir_instr *spv_fun(struct spv *s, const struct spv_type *scalar, enum ir_op op32,
                         struct ir_instr *a);
struct ir_instr *spv_mad(struct spv *s, const struct spv_type *scalar, struct ir_instr *a,
                         struct ir_instr *b, struct ir_instr *c);
struct ir_instr *spv_fconst(struct spv *s, const struct spv_type *scalar, double value);
/* Takes an execution mode of floats. */
void spv_float_mode(struct spv *s, uint32_t mode, uint32_t width);
/* Parts of the above: a float without denormal numbers where the mode says so; a float as a half
 * or as a bfloat16, as which the upper half of a float counts (other types as they are);
 * conversions that round towards zero. */
bool spv_is_half(const struct spv_type *f);
struct ir_instr *spv_float_to_bfloat(struct spv *s, struct ir_instr *f, bool is_down);
struct ir_instr *spv_flush(struct spv *s, const struct spv_type *f, struct ir_instr *a);
struct ir_instr *spv_round_half(struct spv *s, const struct spv_type *f, struct ir_instr *a);
struct ir_instr *spv_long_to_double_down(struct spv *s, struct ir_instr *a, bool is_signed);
struct ir_instr *spv_double_to_float_down(struct spv *s, struct ir_instr *d);
struct ir_instr *spv_float_to_half_down(struct spv *s, struct ir_instr *f);

/* integer.c */
struct ir_instr *spv_ibin(struct spv *s, const struct spv_type *scalar, enum ir_op op32,
                          struct ir_instr *a, struct ir_instr *b);
struct ir_instr *spv_shift(struct spv *s, const struct spv_type *scalar, enum ir_op op,
                           struct ir_instr *a, const struct spv_type *count_type,
                           struct ir_instr *count);
struct ir_instr *spv_extend(struct spv *s, const struct spv_type *scalar, bool is_signed,
                            struct ir_instr *a);
struct ir_instr *spv_iconst(struct spv *s, const struct spv_type *scalar, uint64_t value);
enum ir_op spv_op64(struct spv *s, enum ir_op op32); /* the 64-bit counterpart */

#endif
