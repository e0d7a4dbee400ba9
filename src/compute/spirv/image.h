/* SPDX-License-Identifier: MIT */
/* Atomics on texels.
 */
#ifndef RP_COMPUTE_SPIRV_IMAGE_H
#define RP_COMPUTE_SPIRV_IMAGE_H

#include "compute/lane_ops.h"

struct ir_instr;
struct spv;
struct spv_value;

/* An atomic on what an OpImageTexelPointer points to; returns the old value. */
struct ir_instr *spv_image_atomic(struct spv *s, const struct spv_value *texel, enum ir_atomic op,
                                  struct ir_instr *value, struct ir_instr *compare);

#endif
