#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
shared uint part[256];
layout(push_constant) uniform P { uint n; };
void main()
{
    uint l = gl_LocalInvocationID.x;
    uint i = gl_WorkGroupID.x * 512u + l;
    part[l] = (i < n ? x[i] : 0u) + (i + 256u < n ? x[i + 256u] : 0u);
    barrier();
    for (uint s = 128u; s > 0u; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier();
    }
    if (l == 0u)
        y[gl_WorkGroupID.x] = part[0];
}
