#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(std430, binding = 1) buffer Y { uint y[]; };
void main()
{
    y[gl_LocalInvocationID.x] += 1u;
}
