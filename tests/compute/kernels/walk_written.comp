// SPDX-License-Identifier: MIT
#version 450
// Rows that are written while invocations go along them: just in front of them, and between pieces
// of a way.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform P { uint stride; uint most; };
void main()
{
    const uint count = most & 7u;
    const uint row = gl_LocalInvocationID.x * stride;
    uint sum = 0u;
    for (uint i = 0u; i < 4u * count; i++)
        c[row + i + 2u] += c[row + i] * 31u + a[row + i];
    for (uint piece = 0u; piece < count; piece++) {
        for (uint i = 0u; i < count; i++)
            sum = sum * 31u + c[row + piece * count + i];
        c[row + piece * count + count] = sum;
    }
    c[row] = sum;
}
