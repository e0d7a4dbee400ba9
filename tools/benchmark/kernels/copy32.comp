#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) writeonly buffer Y { uint y[]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < n)
        y[i] = x[i];
}
