// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32, local_size_y = 1, local_size_z = 3) in;
layout(set = 0, binding = 0, r8ui) readonly uniform uimage2D from[3];
layout(set = 0, binding = 1, r8ui) writeonly uniform uimage2D to[3];
layout(set = 0, binding = 2) buffer C { uint c[]; };
void main()
{
    const uint plane = gl_LocalInvocationID.z;
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    const ivec2 size = imageSize(from[nonuniformEXT(plane)]);
    const uint other = (gl_LocalInvocationIndex * 5 + at.y) % 3;
    c[at.y * 96 + gl_LocalInvocationIndex] =
        imageLoad(from[nonuniformEXT(other)], ivec2(at.x / 4, at.y / 4)).x + 1000 * size.x + 100000 * size.y;
    if (at.x < size.x && at.y < size.y)
        imageStore(to[nonuniformEXT(plane)], size - 1 - at, imageLoad(from[nonuniformEXT(plane)], at));
}
