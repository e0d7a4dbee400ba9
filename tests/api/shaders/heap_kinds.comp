// SPDX-License-Identifier: MIT
// Buffers and images that are only read, or written as well: mappings tell them apart.
#version 450
layout(local_size_x = 1) in;

layout(set = 0, binding = 0) buffer Result { uint result[]; };
layout(set = 0, binding = 1) readonly buffer Values { uint value; uint other; };
layout(set = 0, binding = 2, r32ui) readonly uniform uimageBuffer texels;
layout(set = 0, binding = 3, r32ui) uniform uimageBuffer written;

void main()
{
    result[0] = value;
    result[1] = imageLoad(texels, 1).r;
    result[2] = imageLoad(written, 1).r;
    result[3] = result.length();
}
