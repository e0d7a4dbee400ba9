#version 450
// SPDX-License-Identifier: MIT
// A matrix by a vector: a workgroup of 64 has a row.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { vec4 x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(std430, binding = 2) readonly buffer V { vec4 v[]; };
layout(push_constant) uniform P { uint n; };
shared float sums[64];
void main()
{
    const uint l = gl_LocalInvocationID.x, row = gl_WorkGroupID.x;
    float sum = 0.0;
    for (uint i = l; i < n / 4; i += 64)
        sum += dot(x[row * (n / 4) + i], v[i]);
    sums[l] = sum;
    barrier();
    for (uint s = 32; s > 0; s >>= 1) {
        if (l < s)
            sums[l] += sums[l + s];
        barrier();
    }
    if (l == 0)
        y[row] = sums[0];
}
