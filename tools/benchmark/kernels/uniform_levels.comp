#version 450
// SPDX-License-Identifier: MIT
// Bytes of pixels, with what is to be done to them told when it is dispatched: a curve of so many
// segments, exchanged channels, an inverted picture.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) writeonly buffer Y { uint y[]; };
layout(push_constant) uniform P { uint n; uint segments; uint order; uint inverts; };
uint curve(uint v)
{
    uint sum = 0u;
    for (uint k = 0u; k < segments; k++) {
        uint first = k * 256u / segments;
        sum += v >= first ? min(v - first, 256u / segments) * (k + 1u) / segments : 0u;
    }
    return inverts != 0u ? 255u - min(sum, 255u) : min(sum, 255u);
}
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    uint p = x[i], result = 0u;
    for (uint c = 0u; c < 4u; c++)
        result |= curve(p >> 8u * c & 255u) << 8u * (order >> 2u * c & 3u);
    y[i] = result;
}
