#version 450
// SPDX-License-Identifier: MIT
// Four bytes side by side, found by a step from lane to lane, by an index of each lane, by one for
// all lanes, and at a constant place.
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { int8_t a[]; };
layout(std430, binding = 2) writeonly buffer C { int c[]; };
layout(push_constant) uniform P { uint base; uint step; uint same; };
int sum(uint at)
{
    return int(a[at]) + 1000 * int(a[at + 1]) - 70 * int(a[at + 2]) + 300000 * int(a[at + 3]);
}
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    c[4 * i] = sum(base + i * step);
    c[4 * i + 1] = sum(base + (i ^ 5u) * step);
    c[4 * i + 2] = sum(same) + int(i);
    c[4 * i + 3] = sum(250) + int(a[i * 4 + 1]) + 3 * int(a[i * 4 + 2]) + 5 * int(a[i * 4 + 3]) +
                   7 * int(a[i * 4]);
}
