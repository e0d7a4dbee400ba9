#version 450
// SPDX-License-Identifier: MIT
// The slope of brightness, of pixels of four bytes.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
layout(push_constant) uniform P { int width; int height; };
float luma(ivec2 p)
{
    p = clamp(p, ivec2(0), ivec2(width, height) - 1);
    return dot(unpackUnorm4x8(x[p.y * width + p.x]).rgb, vec3(0.299, 0.587, 0.114));
}
void main()
{
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= width || p.y >= height)
        return;
    float v[9];
    for (int i = 0; i < 9; i++)
        v[i] = luma(p + ivec2(i % 3 - 1, i / 3 - 1));
    const float gx = v[2] + 2.0 * v[5] + v[8] - v[0] - 2.0 * v[3] - v[6];
    const float gy = v[6] + 2.0 * v[7] + v[8] - v[0] - 2.0 * v[1] - v[2];
    y[p.y * width + p.x] = uint(sqrt(gx * gx + gy * gy) * 8.0 + 0.3);
}
