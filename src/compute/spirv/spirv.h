/* SPDX-License-Identifier: MIT */
/* The front end: one entry point of a module becomes a program of the lane IR.
 *
 * shader.c checks a module's words when it is made, once; enums.h and opcode_tables.h are the
 * specification's numbers. Everything else runs once for each compilation, on a struct spv
 * (translate.h). compile.c walks the module: annotations, types (types.c), constants (constant.c),
 * variables (variable.c); scan.c finds which variables can be values. flow.c then follows the
 * blocks of the entry point: join.c finds where paths meet that no merge block names, switch.c
 * does OpSwitch, region.c opens and closes the IR's constructs. instruction.c gives every other
 * instruction to its family: arith.c, bits.c, convert.c, composite.c, dot.c, atomic.c, image.c,
 * subgroup.c, derivative.c, matrix.c, glsl.c with glsl_pack.c, and pointer.c. The families are
 * built on lookup.c and value.c (ids and values), float.c and integer.c (scalars), memory.c (values
 * that have a layout) and builtin.c.
 *
 * Inside this folder names begin with spv_, as those of the IR begin with ir_: the symbols are
 * hidden, and these two are used far too often for rp_ in front.
 */
#ifndef RP_COMPUTE_SPIRV_SPIRV_H
#define RP_COMPUTE_SPIRV_SPIRV_H

struct ir_program;
struct rp_kernel_info;

/* Compiles; fills ir. May not return: ir->fail. */
void spv_compile(const struct rp_kernel_info *info, struct ir_program *ir);

#endif
