#version 450
// SPDX-License-Identifier: MIT
// Words behind each other at places of the invocations' own, in any order, by some invocations.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) readonly buffer B { int places[]; };
layout(std430, binding = 2) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint every; };

void
main()
{
    const uint i = gl_GlobalInvocationID.x, to = 12 * i;
    const int at = places[i];
    uint r[12] = uint[12](1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
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
    }
    for (uint k = 0; k < 12; k++)
        c[to + k] = r[k];
}
