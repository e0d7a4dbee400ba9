// SPDX-License-Identifier: MIT
// Makes the luma plane of a picture darker.
#version 450

layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0, r8) uniform image2D luma;

void main()
{
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(luma, at, imageLoad(luma, at) * 0.75);
}
