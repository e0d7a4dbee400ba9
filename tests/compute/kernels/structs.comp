// SPDX-License-Identifier: MIT
// Structures of many words, each invocation its own: their words are read and written in turn.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x_id = 0, local_size_y_id = 1) in;
struct S {
    uvec4 v[5];
    uint f, g, h, k;
};
layout(binding = 0, std430) readonly buffer In { S given[]; };
layout(binding = 1, std430) buffer Out { S made[]; };
layout(binding = 2, std430) readonly buffer Longs { u64vec4 longs[]; };
layout(binding = 3, std430) buffer Words { uint words[]; };
layout(push_constant) uniform P { uint every, zero; };

void main()
{
    const uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x * gl_WorkGroupSize.y +
                   gl_LocalInvocationID.y * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i % every != 0u)
        return;
    const S s = given[i];
    for (int c = 0; c < 4; c++)
        for (int w = 0; w < 4; w++)
            made[i].v[c][w] = s.v[c][w] * 3u + uint(4 * c + w);
    made[i].v[4] = s.v[4].zyxw + made[i].v[2];
    const u64vec4 a = longs[3u * i], b = longs[3u * i + 1u];
    const uint64_t sum = a.x + 3ul * a.y + 5ul * a.z + 7ul * a.w + 9ul * b.x + 11ul * b.y +
                         13ul * b.z + 15ul * b.w;
    made[i].f = uint(sum);
    made[i].g = uint(sum >> 32) + s.g;
    made[i].k = s.k + s.f;

    // The same word by another place: order is kept.
    words[24u * i + 2u] = s.h;
    words[24u * i + 3u] = 5u;
    words[24u * i + 4u] = words[24u * i + 2u + zero] + 1u;
    words[24u * i + 3u + zero] = 6u;
    words[24u * i + 7u] = 7u;
    words[24u * i + 7u + zero] = words[24u * i + 3u] + 8u;
}
