/* SPDX-License-Identifier: MIT */
/* Parts of GLSL.std.450; false when op is not one of theirs.
 */
#ifndef RP_COMPUTE_SPIRV_GLSL_H
#define RP_COMPUTE_SPIRV_GLSL_H

#include <stdbool.h>
#include <stdint.h>

struct spv;

bool spv_glsl_pack(struct spv *s, uint32_t op);
bool spv_glsl_matrix(struct spv *s, uint32_t op);

#endif
