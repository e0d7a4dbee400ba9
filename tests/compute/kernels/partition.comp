// SPDX-License-Identifier: MIT
#version 450
#extension GL_NV_shader_subgroup_partitioned : require
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uvec2 part[256]; uint sums[]; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const uint v = a[i];
    if (v % 7 == 0)
        return;
    const uvec4 equal = subgroupPartitionNV(u64vec2(v % 3, uint64_t(v & 1) << 40));
    part[i] = equal.xy;
    sums[3 * i] = subgroupPartitionedAddNV(v, equal);
    sums[3 * i + 1] = subgroupPartitionedInclusiveMaxNV(v, equal);
    sums[3 * i + 2] = subgroupPartitionedExclusiveXorNV(v, equal);
}
