// SPDX-License-Identifier: MIT
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
// Eight words that lie side by side; one from the second half comes first, and is read at once.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x, at = i * 8u;
    uint five = a[at + 5u], other = subgroupShuffleXor(five, 1u);
    c[i] = other ^ a[at] * 3u ^ a[at + 1u] * 5u ^ a[at + 2u] * 7u ^ a[at + 3u] * 11u ^
           a[at + 4u] * 13u ^ five * 17u ^ a[at + 6u] * 19u ^ a[at + 7u] * 23u;
}
