// SPDX-License-Identifier: MIT
#version 450
// What a loop inside a loop leaves behind is read by some lanes in the same round, by all of them
// in the next one and at the end.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, kept = 0u, ones = 0u;
    for (uint q = 0u; q < (a[i] & 15u); q++) {
        for (uint r = 0u; r < (i & 7u); r++)
            kept = 256u;
        if ((i & 32u) == 0u)
            ones = uint(bitCount(kept * kept | 15u));
    }
    c[2u * i] = kept;
    c[2u * i + 1u] = ones;
}
