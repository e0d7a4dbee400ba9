#version 450
// SPDX-License-Identifier: MIT
// The median of 3x3 floats, by exchanges.
layout(local_size_x = 16, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform P { int width; int height; };
#define ORDER(a, b) { const float t = min(v[a], v[b]); v[b] = max(v[a], v[b]); v[a] = t; }
void main()
{
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= width || p.y >= height)
        return;
    float v[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            v[3 * j + i] = x[clamp(p.y + j - 1, 0, height - 1) * width + clamp(p.x + i - 1, 0, width - 1)];
    ORDER(1, 2) ORDER(4, 5) ORDER(7, 8) ORDER(0, 1) ORDER(3, 4) ORDER(6, 7) ORDER(1, 2) ORDER(4, 5)
    ORDER(7, 8) ORDER(0, 3) ORDER(5, 8) ORDER(4, 7) ORDER(3, 6) ORDER(1, 4) ORDER(2, 5) ORDER(4, 7)
    ORDER(4, 2) ORDER(6, 4) ORDER(4, 2)
    y[p.y * width + p.x] = v[4];
}
