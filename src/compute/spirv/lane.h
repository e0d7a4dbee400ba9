/* SPDX-License-Identifier: MIT */
/* The lane itself, and values of other lanes; subgroups and quads are rows of lanes.
 */
#ifndef RP_COMPUTE_SPIRV_LANE_H
#define RP_COMPUTE_SPIRV_LANE_H

#include "compute/spirv/type.h"

struct ir_instr;

/* Lanes of a row that quads, and clusters of no more lanes, lie in. */
#define SPV_QUAD_ROW 16u

/* builtin.c: the lane's place in its workgroup, in its row of `lanes` (2^n) lanes, and in its
 * subgroup: SubgroupLocalInvocationId. */
struct ir_instr *spv_lane_index(struct spv *s);
struct ir_instr *spv_lane_in(struct spv *s, uint32_t lanes);
struct ir_instr *spv_lane(struct spv *s);

/* builtin.c: 32 bits of SubgroupEqMask or one of its like (enums.h), and of all that are lanes. */
struct ir_instr *spv_lane_mask(struct spv *s, uint32_t builtin, uint32_t word);
uint32_t spv_lanes_mask(struct spv *s, uint32_t word);

/* subgroup.c: how many lanes a subgroup has, if all its lanes are there, of a workgroup that has no
 * more than that. */
uint32_t spv_subgroup_lanes(const struct spv *s);

/* subgroup.c: a value of another lane of its row of `lanes` lanes, whatever its type. */
struct ir_instr *spv_shuffle(struct spv *s, struct ir_instr *value, struct ir_instr *from,
                             uint32_t lanes);

/* derivative.c: of a float along x (axis 0) or y of the lane's quad. */
struct ir_instr *spv_derive(struct spv *s, const struct spv_type *scalar, uint32_t axis,
                            struct ir_instr *value);

#endif
