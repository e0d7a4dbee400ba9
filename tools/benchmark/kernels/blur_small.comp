#version 450
// SPDX-License-Identifier: MIT
// Separable 5x5 binomial blur of floats by workgroups of 8x8.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer X { float src[]; };
layout(std430, binding = 1) writeonly buffer Y { float dst[]; };
layout(push_constant) uniform P { int width; int height; };
shared float tile[12][12];
shared float rows[12][8];
const float w[5] = float[5](0.0625, 0.25, 0.375, 0.25, 0.0625);
void main()
{
    ivec2 org = ivec2(gl_WorkGroupID.xy) * 8 - 2;
    for (int i = int(gl_LocalInvocationIndex); i < 144; i += 64) {
        int x = clamp(org.x + i % 12, 0, width - 1), y = clamp(org.y + i / 12, 0, height - 1);
        tile[i / 12][i % 12] = src[y * width + x];
    }
    barrier();
    for (int i = int(gl_LocalInvocationIndex); i < 96; i += 64) {
        float sum = 0.0;
        for (int k = 0; k < 5; k++)
            sum += w[k] * tile[i / 8][i % 8 + k];
        rows[i / 8][i % 8] = sum;
    }
    barrier();
    ivec2 l = ivec2(gl_LocalInvocationID.xy), g = ivec2(gl_GlobalInvocationID.xy);
    float sum = 0.0;
    for (int k = 0; k < 5; k++)
        sum += w[k] * rows[l.y + k][l.x];
    if (g.x < width && g.y < height)
        dst[g.y * width + g.x] = sum;
}
