/* SPDX-License-Identifier: MIT */
#ifndef RP_COMPUTE_SPIRV_GLSL_H
#define RP_COMPUTE_SPIRV_GLSL_H

#include "compute/spirv/spv.h"

/* Parts of GLSL.std.450; false when op is not one of theirs. */
bool spv_glsl_pack(struct spv *s, uint32_t op);
bool spv_glsl_matrix(struct spv *s, uint32_t op);

#endif
