#version 450
// SPDX-License-Identifier: MIT
// Softmax of rows.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform P { uint n; };
shared float part[128];
float all_of(float v, bool is_max)
{
    const uint l = gl_LocalInvocationID.x;
    barrier();
    part[l] = v;
    barrier();
    for (uint s = 64; s > 0; s >>= 1) {
        if (l < s)
            part[l] = is_max ? max(part[l], part[l + s]) : part[l] + part[l + s];
        barrier();
    }
    return part[0];
}
void main()
{
    const uint l = gl_LocalInvocationID.x, row = gl_WorkGroupID.x * n;
    float top = -1e30, sum = 0.0;
    for (uint i = l; i < n; i += 128)
        top = max(top, x[row + i]);
    top = all_of(top, true);
    for (uint i = l; i < n; i += 128) {
        const float e = exp(x[row + i] - top);
        y[row + i] = e;
        sum += e;
    }
    sum = all_of(sum, false);
    for (uint i = l; i < n; i += 128)
        y[row + i] /= sum;
}
