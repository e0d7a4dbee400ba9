// SPDX-License-Identifier: MIT
// Writes a texel, and copies a descriptor inside of the heap that it was found in.
#version 450
layout(local_size_x = 1) in;

layout(set = 0, binding = 0, r32ui) uniform writeonly uimage2D img;
layout(set = 0, binding = 1) buffer Heap { uvec4 halves[]; }; // of descriptors
layout(push_constant) uniform Push { uint value; uint from; uint to; };

void main()
{
    imageStore(img, ivec2(0), uvec4(value));
    for (uint i = 0; i < 2; i++)
        halves[2 * to + i] = halves[2 * from + i];
}
