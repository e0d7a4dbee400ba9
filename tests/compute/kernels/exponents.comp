// SPDX-License-Identifier: MIT
// Functions by themselves, and in a row of operations; one is 1.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(push_constant) uniform P { float one; };

#define BOTH(n, f) \
    b[16 * i + 2 * n] = floatBitsToUint(f(x)); \
    b[16 * i + 2 * n + 1] = floatBitsToUint(f(x * one) * one);

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float x = a[i];
    BOTH(0, exp)
    BOTH(1, exp2)
    BOTH(2, log)
    BOTH(3, log2)
    BOTH(4, sin)
    BOTH(5, cos)
    BOTH(6, inversesqrt)
    BOTH(7, fract)
}
