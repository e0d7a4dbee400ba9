// SPDX-License-Identifier: MIT
// What views of one image show: sizes, and the texel at x = 1 of slices.
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32ui) readonly uniform uimage3D part;
layout(set = 0, binding = 1, r32ui) readonly uniform uimage2D slice;
layout(set = 0, binding = 2, r32ui) readonly uniform uimage2DArray layers;
layout(set = 0, binding = 3) buffer Result { uint result[]; };
layout(set = 0, binding = 4) uniform utexture3D whole; // the first one, as a sampler sees it

void main()
{
    result[0] = imageSize(part).z;
    for (int z = 0; z < 3; z++)
        result[1 + z] = imageLoad(part, ivec3(1, 0, z)).x;
    result[4] = imageLoad(slice, ivec2(1, 0)).x;
    result[5] = imageSize(layers).z;
    result[6] = imageLoad(layers, ivec3(1, 0, 0)).x;
    result[7] = imageLoad(layers, ivec3(1, 0, 1)).x;
    result[8] = textureSize(whole, 0).z;
    result[9] = texelFetch(whole, ivec3(1, 0, 1), 0).x;
}
