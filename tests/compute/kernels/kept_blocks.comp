// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// The same bytes of workgroup memory under several names: whole words, halves and pairs of them, an
// index, and words that have one name alone, or the same one twice. An index may be any word of
// all these blocks: no word is kept then.
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint PART = 0u;
const uint INDEXED = 8u;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(buffer_reference) buffer Elsewhere { uint word; };
shared Words { uint words[10], last[2]; };
shared Pairs { layout(offset = 8) uint64_t pair; };
shared Halves { layout(offset = 16) uint16_t halves[2]; };
shared Vectors { layout(offset = 32) uvec2 vector; };
shared Others { layout(offset = 4) uint other; layout(offset = 24) float number; };

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    words[4] = a[4]; // the first one: it is not kept
    words[0] = a[0], words[1] = a[1], words[2] = a[2], words[3] = a[3];
    words[5] = a[5], words[6] = a[6], words[7] = a[7], words[8] = a[8], words[9] = a[9];
    last[0] = a[10], last[1] = a[11];
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
            last[PART == INDEXED ? words[0] & 1u : 1u] += last[0] + n;
            if (a[20] == 0u) // never: an address leads to none of these words
                Elsewhere(uint64_t(n) * 64ul).word = n;
            if ((words[0] & 3u) == 2u)
                words[7] += words[5];
            words[5] = words[5] * 7u + words[6];
        }
    }
    barrier();
    uint sum = lane;
    sum = (((sum * 31u + words[0]) * 31u + words[1]) * 31u + words[2]) * 31u + words[3];
    sum = (((sum * 31u + words[4]) * 31u + words[5]) * 31u + words[6]) * 31u + words[7];
    sum = (((sum * 31u + words[8]) * 31u + words[9]) * 31u + last[0]) * 31u + last[1];
    c[gl_WorkGroupID.x * 32u + lane] = sum;
}
