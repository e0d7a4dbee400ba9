// SPDX-License-Identifier: MIT
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
// What an invocation sees of its subgroup.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };
void main()
{
    const uint count = subgroupBallotBitCount(subgroupBallot(true));
    words[gl_GlobalInvocationID.x] = gl_SubgroupSize << 16 | gl_NumSubgroups << 8 | count;
}
