// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) readonly buffer Words { uint word[]; };
layout(buffer_reference, std430) readonly buffer Longs { uint64_t word[]; };
layout(set = 0, binding = 0) readonly buffer A { Words words; Longs longs; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    uint sum = 0;
    if (i >= 5 && i < 55)
        sum += words.word[i - 5] + uint(longs.word[i - 5]);
    if ((i & 1) == 0 && i < 100)
        sum += words.word[i / 2];
    c[i] = sum;
}
