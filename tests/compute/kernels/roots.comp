// SPDX-License-Identifier: MIT
// Roots by themselves, and in a row of operations; one is 1.
#version 450
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(push_constant) uniform P { float one; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float x = a[i];
    b[4 * i] = floatBitsToUint(sqrt(x));
    b[4 * i + 1] = floatBitsToUint(sqrt(x * one) * one);
    b[4 * i + 2] = floatBitsToUint(inversesqrt(x));
    b[4 * i + 3] = floatBitsToUint(inversesqrt(x * one) * one);
}
