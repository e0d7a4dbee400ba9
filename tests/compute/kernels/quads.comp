// SPDX-License-Identifier: MIT
#version 450
#extension GL_NV_compute_shader_derivatives : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 12, local_size_y = 6) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 2) buffer C { float c[]; };
void main()
{
    const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    const uint at = 4 * gl_LocalInvocationIndex;
    const float f = float(x * x * 3 + y * y * 5 + x * y);
    c[at] = dFdx(f);
    c[at + 1] = dFdyFine(f);
    c[at + 2] = fwidth(f);
    c[at + 3] = subgroupQuadBroadcast(f, 2);
}
