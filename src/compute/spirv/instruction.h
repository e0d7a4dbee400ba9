/* SPDX-License-Identifier: MIT */
/* Instructions: each family returns false when the current one is not of its own.
 */
#ifndef RP_COMPUTE_SPIRV_INSTRUCTION_H
#define RP_COMPUTE_SPIRV_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

struct spv;

/* Any but control flow. */
void spv_instruction(struct spv *s);

bool spv_arithmetic(struct spv *s);
bool spv_convert(struct spv *s);
bool spv_composite(struct spv *s);
bool spv_atomic(struct spv *s);
bool spv_image(struct spv *s);
bool spv_subgroup(struct spv *s);
bool spv_dot(struct spv *s);
bool spv_bits(struct spv *s);
bool spv_derivative(struct spv *s);
bool spv_glsl(struct spv *s);
bool spv_matrix(struct spv *s);

/* atomic.c: takes the memory semantics of a barrier or an atomic. */
void spv_note_order(struct spv *s, uint32_t semantics_id);

#endif
