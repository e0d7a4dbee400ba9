#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint bins[256]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    uint v = x[i];
    for (uint k = 0u; k < 4u; k++)
        atomicAdd(bins[v >> (8u * k) & 255u], 1u);
}
