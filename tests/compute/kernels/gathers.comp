#version 450
// SPDX-License-Identifier: MIT
// Words behind each other at places of the invocations' own, in any order, by some invocations; and
// constants there, of one size and of several.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) readonly buffer B { int places[]; };
layout(std430, binding = 2) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint every; };

struct mixed {
    bool is_wide;
    double wide;
    uint narrow;
};
const uvec3 threes[5] = uvec3[5](uvec3(1, 2, 3), uvec3(11, 12, 13), uvec3(21, 22, 23),
                                 uvec3(31, 32, 33), uvec3(41, 42, 43));
const bool flags[3] = bool[3](true, false, true);
const mixed several[3] = mixed[3](mixed(true, 1e9, 1u), mixed(false, 2e9, 2u), mixed(true, 3e9, 3u));

void
main()
{
    const uint i = gl_GlobalInvocationID.x, to = 15 * i;
    const int at = places[i];
    uint r[15] = uint[15](1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    if (i % 64 % every == 0) {
        r[0] = a[at + 1];
        r[1] = a[at];
        const int two = 3 * places[i + 1];
        r[2] = a[two];
        r[3] = a[two + 1];
        r[4] = a[two + 2];
        const int four = 5 * at + 2;
        r[5] = a[four + 1];
        r[6] = a[four];
        r[7] = a[four + 2];
        r[8] = a[four + 3];
        r[9] = a[7 * at - 1];
        r[10] = a[7 * at];
        r[11] = a[9 * at];
        const uint which = uint(at) % 3;
        const uvec3 three = threes[uint(at) % 5];
        r[12] = three.x * 10000 + three.y * 100 + three.z;
        r[13] = flags[which] ? 7 : 8;
        r[14] = several[which].is_wide ? uint(several[which].wide) : several[which].narrow;
    }
    for (uint k = 0; k < 15; k++)
        c[to + k] = r[k];
}
