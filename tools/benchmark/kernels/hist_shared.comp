#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint bins[256]; };
layout(push_constant) uniform P { uint n; };
shared uint local_bins[256];
void main()
{
    uint l = gl_LocalInvocationID.x;
    local_bins[l] = 0u;
    barrier();
    for (uint i = gl_WorkGroupID.x * 4096u + l; i < min(n, (gl_WorkGroupID.x + 1u) * 4096u); i += 256u) {
        uint v = x[i];
        for (uint k = 0u; k < 4u; k++)
            atomicAdd(local_bins[v >> (8u * k) & 255u], 1u);
    }
    barrier();
    atomicAdd(bins[l], local_bins[l]);
}
