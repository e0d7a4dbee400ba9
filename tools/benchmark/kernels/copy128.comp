#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uvec4 x[]; };
layout(std430, binding = 1) writeonly buffer Y { uvec4 y[]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < n / 4)
        y[i] = x[i];
}
