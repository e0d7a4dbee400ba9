// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shader_image_int64 : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D words[3];
layout(set = 0, binding = 1, r64ui) uniform u64image2D longs[3];
void main()
{
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageAtomicAdd(words[0], at, 0x01010101u);
    imageAtomicAdd(longs[0], at, 0x0101010101010101ul);
    if (at.y == 0)
        imageAtomicMax(longs[1], ivec2(at.x % 4, 0), (uint64_t(at.x) << 40) + 7ul);
}
