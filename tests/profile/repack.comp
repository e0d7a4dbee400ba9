#version 460
// SPDX-License-Identifier: MIT
// Loops of rounds that differ from invocation to invocation; with its ids from an array that a
// profile has written; one whose result depends on the order of invocations; with BARRIER one that
// has a barrier.
layout(constant_id = 0) const uint CASE = 0;
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(set = 0, binding = 1) readonly buffer Swizzle { uint swizzle[]; };
#ifdef BARRIER
shared uint words[64];
#endif

void main()
{
    uvec3 id = gl_GlobalInvocationID;
    const uvec3 groups = gl_NumWorkGroups, group = gl_WorkGroupID;
    if (CASE == 1) {
        const uint place =
            ((group.z * groups.y + group.y) * groups.x + group.x) * 64 + gl_LocalInvocationIndex;
        const uint local = swizzle[place] % 64, other = swizzle[place] / 64;
        id = uvec3(other % groups.x * 8 + local % 8, other / groups.x % groups.y * 8 + local / 8,
                   other / groups.x / groups.y);
    }
    const uint at = (id.z * groups.y * 8 + id.y) * groups.x * 8 + id.x;
    uint sum = at;
    for (uint i = 0; i < (at * 2654435761u) >> 27; i++)
        sum = sum * 1664525u + 1013904223u;
    if (CASE == 2) {
        result[at % 64] = sum;
        return;
    }
#ifdef BARRIER
    words[gl_LocalInvocationIndex] = sum;
    barrier();
    sum += words[gl_LocalInvocationIndex ^ 5];
#endif
    result[at] = sum;
}
