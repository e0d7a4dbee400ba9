// SPDX-License-Identifier: MIT
#version 450
// More words of workgroup memory at constant places than the compiler keeps as scalars.
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared uint words[72];

#define EIGHT(DO, i) DO(i) DO(i + 1) DO(i + 2) DO(i + 3) DO(i + 4) DO(i + 5) DO(i + 6) DO(i + 7)
#define ALL(DO) \
    EIGHT(DO, 0) EIGHT(DO, 8) EIGHT(DO, 16) EIGHT(DO, 24) EIGHT(DO, 32) EIGHT(DO, 40) EIGHT(DO, 48) \
    EIGHT(DO, 56) DO(64) DO(65) DO(66) DO(67) DO(68) DO(69) DO(70)
#define FIRST(i) words[i] = a[(i) & 63] + i;
#define STEP(i) words[i] = words[i] * 3u + words[i + 1] + n;
#define SUM(i) sum = sum * 31u + words[i];

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    ALL(FIRST) FIRST(71)
    barrier();
    if (lane == 3u) {
        for (uint n = 0u; n < a[0] % 7u + 20u; n++) {
            ALL(STEP)
            words[71] = words[71] * 5u + words[0];
        }
    }
    barrier();
    uint sum = lane;
    ALL(SUM) SUM(71)
    c[gl_WorkGroupID.x * 32u + lane] = sum;
}
