/* SPDX-License-Identifier: MIT */
#include "compute/spirv/spv_image.h"

bool
spv_image(struct spv *s)
{
    (void)s;
    return false;
}

struct ir_instr *
spv_image_atomic(struct spv *s, const struct spv_value *texel, enum ir_atomic op,
                 struct ir_instr *value, struct ir_instr *compare)
{
    (void)texel, (void)op, (void)value, (void)compare;
    spv_fail(s, "image atomics are not supported");
}
