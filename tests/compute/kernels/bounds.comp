// SPDX-License-Identifier: MIT
#version 450
// Indices of all sizes: most are beyond the buffers, and their offsets beyond 4 GiB.
layout(local_size_x = 64) in;
struct Parts { uint part[4]; };
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { Parts b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer D { uint d[]; };
layout(push_constant) uniform P { uint first; uint step; uint scalar; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const uint at = first + i * step;
    const uint shuffled = first + (i ^ 5u) * step;
    c[i] = a[at] + 3u * b[at].part[i & 3u] + 5u * a[shuffled] + 7u * a[scalar];
    if ((i & 1u) == 0u)
        d[at] = i + 1u;
    else
        atomicAdd(d[at], i);
}
