#version 450
// SPDX-License-Identifier: MIT
// Fourier transforms of 1,024 complex numbers by radix 4, as Stockham has them, in shared memory.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { vec2 x[]; };
layout(std430, binding = 1) buffer Y { vec2 y[]; };
layout(push_constant) uniform P { uint n; };
shared vec2 data[1024];
vec2 product(vec2 a, vec2 b)
{
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
void main()
{
    const uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 1024;
    vec2 v[4];
    for (uint i = 0; i < 4; i++)
        v[i] = x[base + l + i * 256];
    for (uint ns = 1; ns < 1024; ns *= 4) {
        const float angle = -6.28318530718 * float(l % ns) / float(ns * 4);
        for (uint i = 1; i < 4; i++)
            v[i] = product(v[i], vec2(cos(angle * float(i)), sin(angle * float(i))));
        const vec2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
        v[0] = a + c;
        v[1] = b + vec2(d.y, -d.x);
        v[2] = a - c;
        v[3] = b - vec2(d.y, -d.x);
        const uint to = l / ns * ns * 4 + l % ns;
        barrier();
        for (uint i = 0; i < 4; i++)
            data[to + i * ns] = v[i];
        barrier();
        for (uint i = 0; i < 4; i++)
            v[i] = data[l + i * 256];
    }
    for (uint i = 0; i < 4; i++)
        y[base + l + i * 256] = v[i];
}
