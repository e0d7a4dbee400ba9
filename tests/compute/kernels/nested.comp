#version 450
// SPDX-License-Identifier: MIT
// Lanes that are known in advance, too: of loops in loops, of a function that is called twice,
// behind an early return.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };

uint stirred(uint value)
{
    return value * 1664525u + 1013904223u;
}

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    uint sum = words[lane];
    for (uint i = 0; i <= lane % 4; i++)
        for (uint j = 0; j <= i; j++)
            sum += words[i * 4 + j];
    if (lane < 32)
        sum = stirred(sum);
    sum = stirred(sum);
    words[256 + gl_GlobalInvocationID.x] = sum;
    if (lane >= 48)
        return;
    words[512 + gl_GlobalInvocationID.x] = sum * sum;
}
