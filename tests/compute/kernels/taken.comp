// SPDX-License-Identifier: MIT
// Workgroups that take turns by a volatile word: each adds 1 to another one.
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 2, std430) volatile buffer C
{
    uint turn;
    uint count;
    uint words[];
};
shared uint seen[8];

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    while (turn != group) {
    }
    barrier();
    seen[lane] = count;
    uint sum = lane;
    for (uint i = 0u; i < 64u; i++)
        sum = sum * 3u ^ sum >> 2 ^ seen[lane] + i;
    words[group * 8u + lane] = sum;
    barrier();
    if (lane == 0u) {
        count = seen[7] + 1u;
        turn = group + 1u;
    }
}
