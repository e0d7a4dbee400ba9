#version 450
// SPDX-License-Identifier: MIT
// Sums of 512 words by workgroups of 64.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
shared uint part[64];
layout(push_constant) uniform P { uint n; };
void main()
{
    uint l = gl_LocalInvocationID.x, sum = 0u;
    for (uint i = gl_WorkGroupID.x * 512u + l; i < gl_WorkGroupID.x * 512u + 512u; i += 64u)
        sum += i < n ? x[i] : 0u;
    part[l] = sum;
    barrier();
    for (uint s = 32u; s > 0u; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier();
    }
    if (l == 0u)
        y[gl_WorkGroupID.x] = part[0];
}
