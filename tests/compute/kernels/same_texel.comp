// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Texels that all invocations which are there read, after others wrote them, and where some have
// left; those that all of them write.
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, r32ui) coherent uniform uimage2D images[3];
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
layout(set = 0, binding = 2) uniform utextureBuffer words;
layout(set = 0, binding = 3) uniform usampler2D texture3;
layout(push_constant) uniform Push { int which; int word; int level; };
void main()
{
    const uint lane = gl_LocalInvocationID.x;
    const int group = int(gl_WorkGroupID.x);
    const uint size = gl_WorkGroupSize.x;
    uint sum = 0u;

    for (uint turn = 0u; turn < size; turn += 5u) {
        if (lane == turn)
            imageStore(images[0], ivec2(group, 1), uvec4(turn * 7u + 1u));
        memoryBarrierImage();
        barrier();
        sum = sum * 31u + imageLoad(images[0], ivec2(group, 1)).x;
        barrier();
    }
    uint some = 5u;
    if ((lane & 3u) == 1u)
        some = imageLoad(images[0], ivec2(group, 2)).x;
    else if ((lane & 3u) == 2u)
        some += imageLoad(images[0], ivec2(group, 3)).x;
    sum = sum * 31u + some;

    uint last = 0u;
    for (uint round = 0u;; round++) {
        last = imageLoad(images[0], ivec2(group, 4 + int(round))).x;
        if (round == (lane & 7u))
            break;
    }
    sum = sum * 31u + last;
    sum = sum * 31u + imageLoad(images[which], ivec2(group, 2)).x;
    sum = sum * 31u + imageLoad(images[1], ivec2(-1, 2)).x + imageLoad(images[1], ivec2(0, 1 << 20)).x;
    sum = sum * 31u + texelFetch(words, word).x;
    sum = sum * 31u + texelFetch(texture3, ivec2(group, 5), level).x;
    b[gl_GlobalInvocationID.x] = sum;

    imageStore(images[1], ivec2(group, 0), uvec4(uint(group) * 3u + 0x10007u));
    imageStore(images[1], ivec2(group, -1), uvec4(1u));
    if ((lane & 3u) == 1u)
        imageStore(images[1], ivec2(group, 1), uvec4(uint(group) + 5u));
    imageStore(images[which], ivec2(group, 12), uvec4(uint(level)));
}
