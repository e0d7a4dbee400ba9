// SPDX-License-Identifier: MIT
// Numbers the words of a buffer.
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint first; };

void main()
{
    words[gl_GlobalInvocationID.x] = first + gl_GlobalInvocationID.x;
}
