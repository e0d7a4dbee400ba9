// SPDX-License-Identifier: MIT
#version 450
// Additions whose old value nobody wants, to more words than are kept back, and to one.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform P { uint n; uint bins; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    uint v = a[i];
    for (uint k = 0u; k < 3u; k++)
        atomicAdd(c[(v >> (4u * k)) % bins], v & 15u);
    if ((v & 64u) != 0u)
        atomicAdd(b[5], 1u);
    atomicAdd(c[1u << 29], 1u); // out of bounds
}
