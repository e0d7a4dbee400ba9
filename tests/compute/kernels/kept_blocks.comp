// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// The same bytes of workgroup memory under several names: whole words, halves and pairs of them, an
// index, and a word that has one name alone.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared Words { uint words[12]; };
shared Pairs { layout(offset = 8) uint64_t pair; };
shared Halves { layout(offset = 16) uint16_t halves[2]; };
shared Vectors { layout(offset = 32) uvec2 vector; };
shared Others { layout(offset = 4) uint other; layout(offset = 24) float number; };

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    if (lane < 12u)
        words[lane] = a[lane];
    barrier();
    if (lane == 3u) {
        for (uint n = 0u; n < 40u; n++) {
            words[0] = words[0] * 3u + words[1];
            other += words[0] >> 7; // words[1]
            pair = pair * 0x100000005ul + words[0];
            words[2] ^= words[3];
            halves[1] += uint16_t(words[4] + n);
            words[4] = words[4] * 5u + halves[0];
            number = number * 0.5 + float(n + 1u);
            words[6] ^= n;
            vector += uvec2(words[9], words[8] + n);
            words[10 + (words[0] & 1u)] += words[10] + n;
            if ((words[0] & 3u) == 2u)
                words[7] += words[5];
            words[5] = words[5] * 7u + words[6];
        }
    }
    barrier();
    uint sum = lane;
    for (uint i = 0u; i < 12u; i++)
        sum = sum * 31u + words[i];
    c[gl_WorkGroupID.x * 32u + lane] = sum;
}
