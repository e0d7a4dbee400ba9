#version 450
// SPDX-License-Identifier: MIT
// 3x3 mean of an R8 image without shared memory, clamped to the picture.
layout(local_size_x = 16, local_size_y = 16) in;
layout(r8, binding = 5) readonly uniform image2D src;
layout(r8, binding = 7) writeonly uniform image2D dst;
layout(push_constant) uniform P { int width; int height; };
void main()
{
    ivec2 g = ivec2(gl_GlobalInvocationID.xy);
    if (g.x >= width || g.y >= height)
        return;
    float sum = 0.0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            sum += imageLoad(src, clamp(g + ivec2(i, j), ivec2(0), ivec2(width, height) - 1)).r;
    imageStore(dst, g, vec4(sum / 9.0));
}
