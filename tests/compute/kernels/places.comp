// SPDX-License-Identifier: MIT
#version 450
// Where an invocation is in its workgroup and in the grid. USES_X: also within the workgroup's row.
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 3) const uint USES_X = 0u;
layout(set = 0, binding = 2) writeonly buffer C { uvec4 c[]; };

void main()
{
    uvec3 g = gl_GlobalInvocationID, size = gl_NumWorkGroups * gl_WorkGroupSize;
    uvec3 l = gl_LocalInvocationID, w = gl_WorkGroupID;
    uvec4 place = uvec4(l.y, l.z, w.y, w.z);
    if (USES_X != 0u)
        place += uvec4(l.x * 16u, w.x * 16u, gl_LocalInvocationIndex * 16u, 0u);
    c[(g.z * size.y + g.y) * size.x + g.x] = place;
}
