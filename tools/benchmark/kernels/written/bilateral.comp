#version 450
// SPDX-License-Identifier: MIT
// A bilateral filter of 5x5 floats.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform P { int width; int height; };
void main()
{
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy), last = ivec2(width, height) - 1;
    if (p.x >= width || p.y >= height)
        return;
    const float here = x[p.y * width + p.x];
    float sum = 0.0, weights = 0.0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            const ivec2 q = clamp(p + ivec2(i, j), ivec2(0), last);
            const float v = x[q.y * width + q.x], d = v - here;
            const float w = exp(-float(i * i + j * j) / 8.0 - d * d * 10.0);
            sum += w * v;
            weights += w;
        }
    y[p.y * width + p.x] = sum / weights;
}
