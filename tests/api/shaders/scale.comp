// SPDX-License-Identifier: MIT
// out[i] = in[i] * scale.factor + bias + addend, i over all invocations.
#version 450
layout(local_size_x = 8) in;
layout(constant_id = 7) const uint bias = 1;
layout(set = 0, binding = 0) readonly buffer Source { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Result { uint result[]; };
layout(set = 0, binding = 2) uniform Scale { uint factor; } scale;
layout(push_constant) uniform Push { uint addend; } push;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < result.length())
        result[i] = source[i] * scale.factor + bias + push.addend;
}
