#version 450
// SPDX-License-Identifier: MIT
// Layer normalisation of rows, with a scale.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(std430, binding = 2) readonly buffer G { float gain[]; };
layout(push_constant) uniform P { uint n; };
shared float part[128];
float all_of(float v)
{
    const uint l = gl_LocalInvocationID.x;
    barrier();
    part[l] = v;
    barrier();
    for (uint s = 64; s > 0; s >>= 1) {
        if (l < s)
            part[l] = part[l] + part[l + s];
        barrier();
    }
    return part[0];
}
void main()
{
    const uint l = gl_LocalInvocationID.x, row = gl_WorkGroupID.x * n;
    float sum = 0.0, squares = 0.0;
    for (uint i = l; i < n; i += 128)
        sum += x[row + i];
    const float mean = all_of(sum) / float(n);
    for (uint i = l; i < n; i += 128) {
        const float d = x[row + i] - mean;
        squares += d * d;
    }
    const float scale = inversesqrt(all_of(squares) / float(n) + 1e-5);
    for (uint i = l; i < n; i += 128)
        y[row + i] = (x[row + i] - mean) * scale * gain[i];
}
