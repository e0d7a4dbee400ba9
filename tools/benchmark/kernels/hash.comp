#version 450
// SPDX-License-Identifier: MIT
// A divergent loop: every invocation hashes its own number of times.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) writeonly buffer Y { uint y[]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    uint v = x[i] | 1u;
    uint rounds = (v >> 16) & 63u;
    for (uint r = 0u; r < rounds; r++) {
        v ^= v << 13;
        v ^= v >> 17;
        v ^= v << 5;
    }
    y[i] = v;
}
