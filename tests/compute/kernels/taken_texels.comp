// SPDX-License-Identifier: MIT
// Workgroups that take turns by a texel that each read makes visible: each adds 1 to another one.
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, r32ui) queuefamilycoherent uniform uimage2D turns;
layout(set = 0, binding = 2, std430) writeonly buffer C { uint words[]; };
shared uint seen[8];

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    while (imageLoad(turns, ivec2(0)).r != group) {
    }
    barrier();
    seen[lane] = imageLoad(turns, ivec2(1, 0)).r;
    uint sum = lane;
    for (uint i = 0u; i < 64u; i++)
        sum = sum * 3u ^ sum >> 2 ^ seen[lane] + i;
    words[group * 8u + lane] = sum;
    barrier();
    if (lane == 0u) {
        imageStore(turns, ivec2(1, 0), uvec4(seen[7] + 1u));
        imageStore(turns, ivec2(0), uvec4(group + 1u));
    }
}
