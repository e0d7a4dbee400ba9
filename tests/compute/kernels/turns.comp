// SPDX-License-Identifier: MIT
// Invocations of their own workgroups that wait for each other, by turns or by a lock, without a
// barrier: each adds 1 to a word.
#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const bool has_lock = false;
layout(set = 0, binding = 2, std430) volatile buffer C
{
    uint turn;
    uint count;
};

void main()
{
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (has_lock) {
        while (atomicCompSwap(turn, 0u, 1u) != 0u) {
        }
    } else {
        while (turn != group) {
        }
    }
    count = count + 1u;
    if (has_lock)
        atomicExchange(turn, 0u);
    else
        turn = group + 1u;
}
