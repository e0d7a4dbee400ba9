#version 450
// SPDX-License-Identifier: MIT
// A filter whose taps come, packed in bytes, when it is dispatched.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform P { uint n; uint count; uint taps[2]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    float sum = 0.0;
    for (uint k = 0u; k < count; k++)
        sum += float(taps[k / 4u] >> 8u * (k % 4u) & 255u) / 64.0 * x[i + k];
    y[i] = sum;
}
