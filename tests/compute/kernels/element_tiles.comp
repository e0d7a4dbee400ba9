#version 450
// SPDX-License-Identifier: MIT
// Elements of 64 bits in workgroup memory, which all invocations of a workgroup read in turn.
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { u64vec2 a[]; };
layout(std430, binding = 2) writeonly buffer C { uint64_t c[]; };
shared u64vec2 tile[64];
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const u64vec2 own = a[i];
    tile[gl_LocalInvocationID.x] = own;
    barrier();
    uint64_t sum = own.y;
    for (uint j = 0; j < 64; j++) {
        const u64vec2 other = tile[j];
        sum = sum * 3ul + (other.x ^ (other.y - own.x));
    }
    c[i] = sum;
}
