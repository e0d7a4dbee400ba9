#version 450
// SPDX-License-Identifier: MIT
// A sparse matrix by a vector, rows of 1 to 16 elements, an invocation for each.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { uint places[]; };
layout(std430, binding = 1) buffer Y { float y[]; };
layout(std430, binding = 2) readonly buffer V { uint values[]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    const uint row = gl_GlobalInvocationID.x;
    if (row >= n)
        return;
    const uint begin = row * 16, end = begin + 1 + (places[begin] >> 28);
    float sum = 0.0;
    for (uint i = begin; i < end; i++) {
        const uint column = places[i] & 0xffff;
        sum += float(values[i] >> 8) / 16777216.0 * (float(values[column] >> 8) / 16777216.0);
    }
    y[row] = sum;
}
