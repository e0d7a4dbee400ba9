#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 1) writeonly buffer Y { uint y[]; };
layout(push_constant) uniform P { uint width; uint height; };
void main()
{
    uvec2 g = gl_GlobalInvocationID.xy;
    if (g.x >= width || g.y >= height)
        return;
    float cx = -2.0 + 3.0 * float(g.x) / float(width);
    float cy = -1.5 + 3.0 * float(g.y) / float(height);
    float zx = 0.0, zy = 0.0;
    uint i = 0u;
    for (; i < 64u; i++) {
        float x2 = zx * zx, y2 = zy * zy;
        if (x2 + y2 > 4.0)
            break;
        zy = 2.0 * zx * zy + cy;
        zx = x2 - y2 + cx;
    }
    y[g.y * width + g.x] = i;
}
