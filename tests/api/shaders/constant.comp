// SPDX-License-Identifier: MIT
// Numbers the words of a buffer from a specialization constant on.
#version 450
layout(local_size_x = 16) in;
layout(constant_id = 0) const uint step = 1u;
layout(set = 0, binding = 0) buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint first; };

void main()
{
    words[gl_GlobalInvocationID.x] = first + step * gl_GlobalInvocationID.x;
}
