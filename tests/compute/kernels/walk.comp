// SPDX-License-Identifier: MIT
#version 450
// Each invocation goes along a row of its own: as far as the row says, in pieces that not all take
// part in, two words at a time, and backwards.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint stride; uint most; uint first; };
void main()
{
    const uint count = most & 7u;
    const uint row = gl_GlobalInvocationID.x * stride + first, length = a[row] & 15u;
    uint sum = 0u;
    for (uint i = 0u; i < length; i++)
        sum = sum * 31u + a[row + i];
    for (uint piece = 0u; piece < count; piece++)
        if (gl_GlobalInvocationID.x < 32u || piece % 2u == 1u)
            for (uint i = 0u; i < count; i++)
                sum = sum * 31u + a[row + piece * count + i];
    for (uint i = 0u; i < 4u * count; i += 2u)
        sum = sum * 31u + a[row + i];
    for (uint i = 4u * count; i > 0u; i--)
        sum = sum * 31u + a[row + i];
    c[gl_GlobalInvocationID.x] = sum;
}
