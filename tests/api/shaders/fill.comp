// SPDX-License-Identifier: MIT
// Writes every word and reads none.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint factor; };

void main()
{
    words[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * factor;
}
