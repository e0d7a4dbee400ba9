#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
// A filter of 16 taps over int16 samples, in 16-bit arithmetic.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { int16_t x[]; };
layout(std430, binding = 1) writeonly buffer Y { int16_t y[]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    int16_t sum = 0s;
    for (uint k = 0u; k < 16u; k++)
        sum += x[i + k] * int16_t(k + 1u);
    y[i] = sum;
}
