// SPDX-License-Identifier: MIT
// What flushing denormal numbers, or rounding other than to the nearest, would change.
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint denormal; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float x = uintBitsToFloat(denormal + i), third = uintBitsToFloat(0x33c00000u); // 1.5 * 2^-24
    if ((i & 1) == 0)
        words[i] = floatBitsToUint(x * 4.0);
    else
        words[i] = floatBitsToUint(1.0 + third) + packHalf2x16(vec2(unpackHalf2x16(i).x, 0));
}
