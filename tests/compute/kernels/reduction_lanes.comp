#version 450
// SPDX-License-Identifier: MIT
// A reduction whose first step is for more lanes than there are.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 2) writeonly buffer C { uint c[]; };
shared uint s[128];

void main()
{
    const uint l = gl_LocalInvocationIndex, first = gl_WorkGroupID.x * 128u;
    s[l] = a[first + l];
    s[l + 32u] = a[first + l + 32u];
    s[l + 64u] = a[first + l + 64u];
    s[l + 96u] = a[first + l + 96u];
    barrier();
    if (l < 64u)
        s[l] += s[l + 64u];
    barrier();
    if (l < 32u)
        s[l] += s[l + 32u];
    barrier();
    if (l < 16u)
        s[l] += s[l + 16u];
    barrier();
    c[gl_WorkGroupID.x * 32u + l] = s[l];
}
