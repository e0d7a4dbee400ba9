// SPDX-License-Identifier: MIT
// Long enough for several dispatches to run side by side: word 1 is what thousands of steps make of
// word 0.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint unused; };

void main()
{
    uint value = words[0] + gl_LocalInvocationIndex;
    for (uint i = 0; i < 4000; i++)
        value = value * 1664525u + 1013904223u;
    if (gl_LocalInvocationIndex == 0)
        words[1] = value;
}
