#version 450
// SPDX-License-Identifier: MIT
// A row of a separable Gauss filter of radius 8: the row's part goes through shared memory.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform P { int width; int height; };
shared float line[128 + 16];
void main()
{
    const int l = int(gl_LocalInvocationID.x), at = int(gl_WorkGroupID.x) * 128 - 8;
    const int row = int(gl_WorkGroupID.y) * width;
    for (int i = l; i < 128 + 16; i += 128)
        line[i] = x[row + clamp(at + i, 0, width - 1)];
    barrier();
    float sum = 0.0, weights = 0.0;
    for (int i = -8; i <= 8; i++) {
        const float w = exp(-0.5 * float(i * i) / 9.0);
        sum += w * line[l + 8 + i];
        weights += w;
    }
    if (at + 8 + l < width)
        y[row + at + 8 + l] = sum / weights;
}
