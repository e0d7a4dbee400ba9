// SPDX-License-Identifier: MIT
#version 450
// What one invocation of a workgroup does alone, symbol after symbol, with a state that all of them
// fetch and put back: an adaptive entropy coder's shape. The size is specialized.
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint WIDTH = 1u;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared uint range;
shared uint state[WIDTH];

void main()
{
    uint at = gl_LocalInvocationIndex;
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (at == 0u)
        range = group;
    for (uint n = 0u; n < 4u; n++) {
        uint symbol = a[(group + n) % 997u] & 15u;
        state[at] = c[group * WIDTH + at];
        barrier();
        if (at == 0u) {
            for (uint i = 0u; i < symbol; i++) {
                uint bit = (symbol + n) >> (i & 3u) & 1u;
                range = range * 5u + state[i % WIDTH] + bit;
                if (range >= 0x10000u)
                    range = range >> 9 ^ i;
                state[i % WIDTH] += bit == 0u ? range & 7u : 1u;
            }
        }
        barrier();
        c[group * WIDTH + at] = state[at] + (range & 3u);
        barrier();
    }
}
