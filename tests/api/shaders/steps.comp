// SPDX-License-Identifier: MIT
// Takes each word a number of steps along a sequence of random numbers.
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint step_count; };

void main()
{
    uint x = words[gl_GlobalInvocationID.x];
    for (uint i = 0; i < step_count; i++)
        x = x * 1664525u + 1013904223u;
    words[gl_GlobalInvocationID.x] = x;
}
