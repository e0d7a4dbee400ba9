#version 450
// SPDX-License-Identifier: MIT
// Blocks whose lanes are known in advance.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Words { uint words[]; };

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    uint sum = 0;
    if ((lane & 1) != 0)
        sum += words[lane];
    if (lane < 37)
        sum += words[lane * 3];
    switch (lane % 4) {
    case 0: sum += words[1]; break;
    case 1: sum *= words[2]; break;
    case 2: sum ^= words[3]; break;
    default: sum -= words[4]; break;
    }
    for (uint i = 0; i <= lane; i++)
        sum += words[i & 15] * i;
    words[256 + gl_GlobalInvocationID.x] = sum;
}
