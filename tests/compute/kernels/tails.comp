// SPDX-License-Identifier: MIT
// A value that is chosen where a way out of a block stands inside of one of the two ways.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0, std430) readonly buffer In { uint values[]; };
layout(binding = 1, std430) writeonly buffer Out { uint results[]; };
layout(push_constant) uniform P { uint mask; };

uint chosen(uint x, uint way)
{
    const uint a = x * 3u, b = x ^ 9u;
    uint v = 0u;
    switch (0) {
    default:
        if ((way & 1u) != 0u) {
            if ((way & 2u) != 0u) {
                v = x + 5u;
                break;
            }
            v = a;
        } else {
            v = b;
        }
    }
    return v;
}

uint left(uint x, uint way)
{
    const uint a = x * 5u, b = x ^ 17u;
    uint v;
    if ((way & 1u) != 0u) {
        if ((way & 2u) != 0u)
            return x + 7u;
        v = a;
    } else {
        v = b;
    }
    return v;
}

void main()
{
    const uint i = gl_GlobalInvocationID.x, x = values[i];
    results[4u * i] = chosen(x, x >> 2);
    results[4u * i + 1u] = left(x, x >> 2);
    results[4u * i + 2u] = chosen(x, mask);
    results[4u * i + 3u] = left(x, mask);
}
