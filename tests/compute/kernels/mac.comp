// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
// Sums of products: of rows, rows that end inside the sum, and of a row with a value for each.
layout(local_size_x = 16, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer F { float f[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer H { int16_t h[]; };
layout(push_constant) uniform P { uint n; };
shared float left[4][16];
shared float right[16][16];
const float weight[5] = float[5](0.5, -1.25, 3.0, 0.1, 7.5);

void main()
{
    uvec2 l = gl_LocalInvocationID.xy;
    uint i = gl_WorkGroupID.x * 64u + l.y * 16u + l.x;
    float sum = 0.0;
    for (uint k = 0u; k < 5u; k++)
        sum += weight[k] * f[i + k];
    uint words = i * 7u;
    for (uint k = 0u; k < 9u; k++)
        words += a[i + k] * (3u * k + 2u);
    int16_t halves = int16_t(0);
    for (uint k = 0u; k < 6u; k++)
        halves += h[i + k] * int16_t(k + 1u);
    h[4096u + i] = halves;
    left[l.y][l.x] = sum;
    for (uint k = 0u; k < 4u; k++)
        right[4u * k + l.y][l.x] = f[16u * k + 4u * l.y + l.x];
    barrier();
    float product = 1.0;
    for (uint k = 0u; k < 16u; k++)
        product += left[l.y][k] * right[k][l.x];
    if (i >= n)
        return;
    c[4u * i] = floatBitsToUint(sum);
    c[4u * i + 1u] = words;
    c[4u * i + 3u] = floatBitsToUint(product);
}
