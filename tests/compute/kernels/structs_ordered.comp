// SPDX-License-Identifier: MIT
// A neighbour's vector, which it wrote in front of a memory barrier.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 16) in;
layout(binding = 0, std430) buffer A { uvec4 a[]; };
shared uvec4 s[48];

void main()
{
    const uint i = gl_LocalInvocationID.x;
    s[2u * i] = uvec4(i);
    s[2u * i + 1u] = uvec4(100u + i);
    s[32u + i] = uvec4(0u);
    barrier();
    s[2u * i] = s[2u * i + 1u] + 1000u;
    subgroupMemoryBarrierShared();
    a[i] = s[2u * i + 2u];
}
