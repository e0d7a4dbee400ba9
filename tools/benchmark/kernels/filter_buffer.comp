#version 450
// SPDX-License-Identifier: MIT
// 5x5 binomial blur of floats without shared memory: each invocation reads 25, clamped to the
// picture.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer X { float src[]; };
layout(std430, binding = 1) writeonly buffer Y { float dst[]; };
layout(push_constant) uniform P { int width; int height; };
const float w[5] = float[5](0.0625, 0.25, 0.375, 0.25, 0.0625);
void main()
{
    ivec2 g = ivec2(gl_GlobalInvocationID.xy);
    if (g.x >= width || g.y >= height)
        return;
    float sum = 0.0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++) {
            int x = clamp(g.x + i - 2, 0, width - 1), y = clamp(g.y + j - 2, 0, height - 1);
            sum += w[j] * w[i] * src[y * width + x];
        }
    dst[g.y * width + g.x] = sum;
}
