// SPDX-License-Identifier: MIT
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
// Rows that nobody writes; each load of the shared variable is made visible to its workgroup.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
layout(push_constant) uniform P { uint stride; uint most; };
shared uint factor;
void main()
{
    const uint count = most & 7u;
    const uint row = gl_GlobalInvocationID.x * stride;
    uint sum = 0u;
    if (gl_LocalInvocationIndex == 0u)
        factor = 31u + count;
    barrier();
    for (uint i = 0u; i < 4u * count; i++)
        sum = sum * factor + a[row + i];
    c[gl_GlobalInvocationID.x] = sum;
}
