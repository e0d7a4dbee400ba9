// SPDX-License-Identifier: MIT
// Workgroups that wait for each other: each adds 1 to a word that a lock guards.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 2, std430) coherent buffer C
{
    uint lock;
    uint count;
};
shared uint seen[64];

void main()
{
    const uint lane = gl_LocalInvocationIndex;
    if (lane == 0u)
        while (atomicCompSwap(lock, 0u, 1u) != 0u) {
        }
    barrier();
    memoryBarrierBuffer();
    seen[lane] = count;
    barrier();
    if (lane == 0u) {
        count = seen[63] + 1u;
        memoryBarrierBuffer();
        atomicExchange(lock, 0u);
    }
}
