// SPDX-License-Identifier: MIT
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 10, local_size_y = 6) in;
layout(derivative_group_linearNV) in;
layout(set = 0, binding = 2) buffer C { float c[]; };
void main()
{
    const uint i = gl_LocalInvocationIndex;
    const float f = float(i * i);
    c[2 * i] = dFdxCoarse(f);
    c[2 * i + 1] = dFdy(f);
}
