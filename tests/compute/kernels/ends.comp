// SPDX-License-Identifier: MIT
// Functions at the ends of what a float can be.
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uvec2 a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float x = uintBitsToFloat(a[i].x);
    b[3 * i] = floatBitsToUint(ldexp(x, int(a[i].y)));
    b[3 * i + 1] = floatBitsToUint(sinh(x));
    b[3 * i + 2] = floatBitsToUint(cosh(x));
}
