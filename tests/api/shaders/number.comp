// SPDX-License-Identifier: MIT
// Numbers the words of a buffer; workgroups beyond the first row do nothing, so none races.
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint first; };

void main()
{
    if (gl_WorkGroupID.y == 0u && gl_WorkGroupID.z == 0u)
        words[gl_GlobalInvocationID.x] = first + gl_GlobalInvocationID.x;
}
