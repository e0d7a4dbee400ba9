#version 450
// SPDX-License-Identifier: MIT
// Adds to each word what another invocation of its workgroup knows.
layout(local_size_x = 20) in;
layout(binding = 0, std430) buffer Sums { uint sums[]; };
shared uint known[20];
void main()
{
    uint i = gl_LocalInvocationID.x;
    known[i] = gl_WorkGroupID.x * 1000 + i;
    barrier();
    sums[gl_GlobalInvocationID.x] += known[19 - i];
}
