// SPDX-License-Identifier: MIT
// Words side by side, of which some lanes store the second.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0, std430) readonly buffer In { uint values[]; };
layout(binding = 1, std430) buffer Out { uint words[]; };
layout(push_constant) uniform P { uint mask; };

void main()
{
    const uint i = gl_GlobalInvocationID.x, x = values[i], at = 8u * (x & 127u);
    words[8u * i] = x;
    if ((x & 128u) != 0u)
        words[8u * i + 1u] = x + 1u;
    words[at + 2u] = x + 2u;
    if ((mask & 1u) != 0u)
        words[at + 3u] = x + 3u;
    words[at + 5u] = x + 5u;
    if ((x & 256u) != 0u)
        words[at + 4u] = x + 4u;
}
