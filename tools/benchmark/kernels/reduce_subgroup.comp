#version 450
// SPDX-License-Identifier: MIT
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
shared uint part[256];
layout(push_constant) uniform P { uint n; };
void main()
{
    uint l = gl_LocalInvocationID.x;
    uint i = gl_WorkGroupID.x * 512u + l;
    uint sum = subgroupAdd((i < n ? x[i] : 0u) + (i + 256u < n ? x[i + 256u] : 0u));
    if (gl_SubgroupInvocationID == 0u)
        part[gl_SubgroupID] = sum;
    barrier();
    if (l == 0u) {
        uint total = 0u;
        for (uint s = 0u; s < gl_NumSubgroups; s++)
            total += part[s];
        y[gl_WorkGroupID.x] = total;
    }
}
