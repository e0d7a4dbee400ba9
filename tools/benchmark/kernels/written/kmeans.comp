#version 450
// SPDX-License-Identifier: MIT
// The nearest of 32 centres in four dimensions, which are the first points.
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer X { vec4 x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
layout(push_constant) uniform P { uint n; };
shared vec4 centres[32];
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (gl_LocalInvocationID.x < 32)
        centres[gl_LocalInvocationID.x] = x[gl_LocalInvocationID.x * 977];
    barrier();
    if (i >= n)
        return;
    const vec4 p = x[i];
    float best = 1e30;
    uint which = 0;
    for (uint c = 0; c < 32; c++) {
        const vec4 d = p - centres[c];
        const float distance = dot(d, d);
        if (distance < best) {
            best = distance;
            which = c;
        }
    }
    y[i] = which;
}
