#version 450
// SPDX-License-Identifier: MIT
// Points in a circle, by an xorshift of each invocation's own.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    uint state = x[gl_GlobalInvocationID.x] | 1, inside = 0;
    for (uint i = 0; i < n; i++) {
        vec2 p;
        for (int k = 0; k < 2; k++) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            p[k] = float(state >> 8) / 16777216.0;
        }
        inside += dot(p, p) < 1.0 ? 1 : 0;
    }
    y[gl_GlobalInvocationID.x] = inside;
}
