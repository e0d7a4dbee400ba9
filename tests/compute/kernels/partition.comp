// SPDX-License-Identifier: MIT
#version 450
#extension GL_NV_shader_subgroup_partitioned : require
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const uint v = a[i];
    if (v % 7 == 0)
        return;
    const uvec4 part = subgroupPartitionNV(u64vec2(v % 3, uint64_t(v & 1) << 40));
    c[4 * i] = part.x;
    c[4 * i + 1] = subgroupPartitionedAddNV(v, part);
    c[4 * i + 2] = subgroupPartitionedInclusiveMaxNV(v, part);
    c[4 * i + 3] = subgroupPartitionedExclusiveXorNV(v, part);
}
