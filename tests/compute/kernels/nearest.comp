// SPDX-License-Identifier: MIT
#version 450
// The nearest of 16 points that a workgroup has to itself: as many numbers that are the same for
// its invocations, and for no others. The workgroup's size is specialized.
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint WIDTH = 1u;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
shared vec4 centres[16];

vec4 point(uint i)
{
    return vec4(a[i % 997u] & 255u, a[(i + 1u) % 997u] & 255u, a[(i + 2u) % 997u] & 255u, i & 63u);
}

void main()
{
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint l = gl_LocalInvocationID.x;
    for (uint i = l; i < 16u; i += WIDTH)
        centres[i] = point(group * 7u + i * 3u);
    barrier();
    const vec4 p = point(group * WIDTH + l);
    float least = 1e30;
    uint which = 0u;
    for (uint i = 0u; i < 16u; i++) {
        const vec4 d = p - centres[i];
        if (dot(d, d) < least) {
            least = dot(d, d);
            which = i;
        }
    }
    c[group * WIDTH + l] = which;
}
