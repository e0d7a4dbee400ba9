#version 450
// SPDX-License-Identifier: MIT
// A step of the Game of Life, a word for each cell; the world is a torus.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
layout(push_constant) uniform P { int width; int height; };
uint cell(int px, int py)
{
    return x[(py + height) % height * width + (px + width) % width] & 1;
}
void main()
{
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= width || p.y >= height)
        return;
    uint count = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i != 0 || j != 0)
                count += cell(p.x + i, p.y + j);
    y[p.y * width + p.x] = count == 3 || (count == 2 && cell(p.x, p.y) == 1) ? 1 : 0;
}
