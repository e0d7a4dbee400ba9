// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Floats as halves: packed, and rounded on the way through one.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uvec2 c[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float16_t h = float16_t(a[i]);
    c[i] = uvec2(packHalf2x16(vec2(a[i], 0.0)), floatBitsToUint(float(h) * 1.0));
}
