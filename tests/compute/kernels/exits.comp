// SPDX-License-Identifier: MIT
#version 450
// Loops that lanes leave where a comparison holds, or where it does not, which is not the same with
// NaN. The number of lanes is specialized.
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float most = a[i + 1024u];
    uint n = 0u, m = 0u, k = 0u;

    float x = a[i];
    while (x < most) {
        x += 1.0;
        if (++n > 40u)
            break;
    }
    x = a[i + 2048u];
    for (;;) {
        if (!(x >= most))
            break;
        x -= 0.75;
        if (++m > 50u)
            break;
    }
    for (uint round = 0u; round < (i & 3u) + 2u; round++) {
        x = a[(i + 31u * round) & 1023u];
        while (!(x > most)) {
            x += 0.5;
            if (++k > 60u)
                break;
        }
        if (!(x < 8.0))
            break;
    }
    c[i] = n | m << 8 | k << 16;
}
