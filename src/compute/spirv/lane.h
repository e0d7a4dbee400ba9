/* SPDX-License-Identifier: MIT */
/* The lane itself, and values of other lanes; subgroups and quads are rows of lanes.
 */
#ifndef RP_COMPUTE_SPIRV_LANE_H
#define RP_COMPUTE_SPIRV_LANE_H

#include "compute/spirv/type.h"

struct ir_instr;

struct ir_instr *spv_lane(struct spv *s);       /* builtin.c: SubgroupLocalInvocationId */
struct ir_instr *spv_lane_index(struct spv *s); /* of the lane in its workgroup */

/* subgroup.c: a value of another lane, whatever its type. */
struct ir_instr *spv_shuffle(struct spv *s, struct ir_instr *value, struct ir_instr *from);

/* derivative.c: of a float along x (axis 0) or y of the lane's quad. */
struct ir_instr *spv_derive(struct spv *s, const struct spv_type *scalar, uint32_t axis,
                            struct ir_instr *value);

#endif
