#version 450
// SPDX-License-Identifier: MIT
// A 3x3 convolution of 16 channels of int8 to 4, with the result brought back to 8 bits.
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer X { int8_t x[]; };
layout(std430, binding = 1) buffer Y { int8_t y[]; };
layout(std430, binding = 2) readonly buffer W { int8_t w[]; };
layout(push_constant) uniform P { int width; int height; };
void main()
{
    const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
    if (p.x >= width || p.y >= height)
        return;
    for (int o = 0; o < 4; o++) {
        int sum = 0;
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                const ivec2 q = clamp(p + ivec2(i, j) - 1, ivec2(0), ivec2(width, height) - 1);
                for (int c = 0; c < 16; c++)
                    sum += int(x[(q.y * width + q.x) * 16 + c]) * int(w[((o * 3 + j) * 3 + i) * 16 + c]);
            }
        y[(p.y * width + p.x) * 4 + o] = int8_t(clamp(sum >> 10, -128, 127));
    }
}
