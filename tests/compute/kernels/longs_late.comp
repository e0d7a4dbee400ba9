// SPDX-License-Identifier: MIT
// Longs of invocations that are not the first ones.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(binding = 0, std430) readonly buffer A { uint64_t a[]; };
layout(binding = 1, std430) buffer B { uint64_t b[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i >= 40u)
        b[i] = a[i] * 3ul + uint64_t(i);
}
