#version 450
// SPDX-License-Identifier: MIT
// Words that other workgroups look at meanwhile: flags in front of and behind what they are for.
layout(local_size_x = 64) in;
layout(std430, binding = 0) volatile buffer A { uint a[]; };
layout(std430, binding = 1) readonly buffer B { uint places[]; };
layout(std430, binding = 2) writeonly buffer C { uint c[]; };

void
main()
{
    const uint i = gl_GlobalInvocationID.x, at = places[i];
    const uint flag = a[at + 1];
    memoryBarrierBuffer();
    const uint data = a[at];
    c[3 * i] = flag;
    c[3 * i + 2] = data;
    a[at + 3] = data;
    memoryBarrierBuffer();
    a[at + 2] = flag;
    const uint last = a[8 * i + 7], third = a[8 * i + 6], second = a[8 * i + 5];
    c[3 * i + 1] = last + third + second + a[8 * i + 4];
}
