#version 450
// SPDX-License-Identifier: MIT
// Separable 5x5 binomial blur of floats through shared memory.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer X { float src[]; };
layout(std430, binding = 1) writeonly buffer Y { float dst[]; };
layout(push_constant) uniform P { int width; int height; };
shared float tile[20][20];
shared float rows[20][16];
const float w[5] = float[5](0.0625, 0.25, 0.375, 0.25, 0.0625);
void main()
{
    ivec2 org = ivec2(gl_WorkGroupID.xy) * 16 - 2;
    for (int i = int(gl_LocalInvocationIndex); i < 400; i += 256) {
        int x = clamp(org.x + i % 20, 0, width - 1), y = clamp(org.y + i / 20, 0, height - 1);
        tile[i / 20][i % 20] = src[y * width + x];
    }
    barrier();
    for (int i = int(gl_LocalInvocationIndex); i < 320; i += 256) {
        float sum = 0.0;
        for (int k = 0; k < 5; k++)
            sum += w[k] * tile[i / 16][i % 16 + k];
        rows[i / 16][i % 16] = sum;
    }
    barrier();
    ivec2 l = ivec2(gl_LocalInvocationID.xy), g = ivec2(gl_GlobalInvocationID.xy);
    float sum = 0.0;
    for (int k = 0; k < 5; k++)
        sum += w[k] * rows[l.y + k][l.x];
    if (g.x < width && g.y < height)
        dst[g.y * width + g.x] = sum;
}
