#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) writeonly buffer C { float c[]; };
layout(std430, binding = 2) readonly buffer B { float b[]; };
layout(push_constant) uniform P { uint n; };
shared float ta[8][8];
shared float tb[8][8];
void main()
{
    uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
    float sum = 0.0;
    for (uint t = 0u; t < n; t += 8u) {
        ta[l.y][l.x] = a[g.y * n + t + l.x];
        tb[l.y][l.x] = b[(t + l.y) * n + g.x];
        barrier();
        for (uint k = 0u; k < 8u; k++)
            sum += ta[l.y][k] * tb[k][l.x];
        barrier();
    }
    c[g.y * n + g.x] = sum;
}
