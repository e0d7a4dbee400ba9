#version 450
// SPDX-License-Identifier: MIT
// What words of push constants and of a uniform block decide: rounds of a loop, a divisor, a way to
// go, factors.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
layout(binding = 2) uniform U { uint scale; uint way; float factor; float pad; vec4 weights[4]; };
layout(push_constant) uniform P { uint rounds; uint divisor; uint serial; double wide; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint v = x[i], s = scale, w = way;
    float sum = 0.0, f = factor;
    for (uint k = 0u; k < rounds; k++) {
        v = v / divisor + v % divisor * s + k;
        sum += weights[k % 4u][k / 4u % 4u] * float(v & 255u);
    }
    if (w == 1u)
        v ^= floatBitsToUint(sum * f);
    else if (w == 2u)
        v += uint(abs(sum)) + uint(wide * 3.0);
    else
        v = floatBitsToUint(uintBitsToFloat(v) * f);
    y[i] = v + serial;
}
