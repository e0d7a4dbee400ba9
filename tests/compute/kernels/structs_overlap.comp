// SPDX-License-Identifier: MIT
// What is written by one buffer is read by another that overlaps it.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0, std430) buffer A { uvec4 v[]; } a;
layout(binding = 1, std430) buffer B { uvec4 v[]; } b; // begins 16 bytes into A

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    for (uint k = 0u; k < 3u; k++)
        b.v[4u * i + k] = a.v[4u * i + k] + 1u;
}
