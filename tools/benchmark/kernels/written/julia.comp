#version 450
// SPDX-License-Identifier: MIT
// A Julia set.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 1) buffer Y { uint y[]; };
layout(push_constant) uniform P { int width; int height; };
void main()
{
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= width || p.y >= height)
        return;
    vec2 z = (vec2(p) / vec2(width, height) - 0.5) * vec2(3.0, 2.4);
    int i = 0;
    for (; i < 128 && dot(z, z) < 16.0; i++)
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + vec2(-0.74, 0.15);
    y[p.y * width + p.x] = 0xff000000u | uint(i) * 0x020305u;
}
