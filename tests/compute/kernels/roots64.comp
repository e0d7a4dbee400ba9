// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { double a[]; };
layout(set = 0, binding = 1) buffer B { double b[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    b[2 * i] = sqrt(a[i]);
    b[2 * i + 1] = inversesqrt(a[i]);
}
