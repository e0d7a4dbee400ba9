// SPDX-License-Identifier: MIT
// One invocation of each workgroup has nearly all of the work, between barriers of all.
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0, std430) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2, std430) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint rounds; };
shared uint range, code;

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (lane == 0u) {
        range = a[group];
        code = group;
    }
    barrier();
    for (uint n = 0u; n < rounds; n++) {
        if (lane == 0u) {
            range = range * 5u + n;
            code += range >> 3;
            range ^= code * 7u;
            code = code * 3u + (range & 255u);
            range += code >> 5;
            code ^= range * 11u;
            range = range * 13u ^ code;
            code += range >> 7;
            range ^= code * 17u;
            code = code * 19u + (range & 255u);
            range += code >> 9;
            code ^= range * 23u;
        }
        barrier();
        barrier();
        barrier();
    }
    c[group * 4u + lane] = range + code * lane;
}
