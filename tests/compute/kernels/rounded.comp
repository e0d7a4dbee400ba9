// SPDX-License-Identifier: MIT
#version 450
// Indices of words from positions of bytes, and pairs of operations that become one.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 0) readonly buffer Pairs { uvec2 pairs[]; };
layout(set = 0, binding = 0) readonly buffer Fours { uvec4 fours[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer D { uint d[]; };
layout(push_constant) uniform P { uint base; uint shift; };
uint mixed(uint p)
{
    int r = int(p & 255u), g = int(p >> 8 & 255u), b = int(p >> 16 & 255u);
    int luma = (66 * r + 129 * g + 25 * b + 4224) >> 8;
    int chroma = (-38 * r - 74 * g + 112 * b + 131584) >> 10;
    int wide = int(p & 0x7fffu);
    uint large = uint(wide * 32767) ^ uint(wide * -32768) ^ (p & 0xffffu) * 32771u;
    uint shifted = (p + 0x12345678u) >> 5;
    uint x = p ^ p << 13;
    x ^= x >> 17;
    x ^= x << 5;
    uint y = p ^ p >> shift;
    y ^= y << 9;
    return uint(luma) + uint(chroma) * 7u + large + shifted + x * 3u + y * 5u;
}
void main()
{
    uint i = gl_GlobalInvocationID.x, four = base + i * 4u, eight = base + i * 8u;
    uint sum = a[four / 4u] + 3u * a[(eight >> 3) * 2u + 1u] + 5u * a[(four >> 3) * 2u];
    uvec4 wide = fours[four / 4u]; // its index is of words, its place of elements
    sum += 7u * wide.y + 11u * wide.w + 13u * pairs[four >> 1].y + 17u * a[(eight / 8u) * 3u];
    sum += 19u * fours[eight / 16u].x; // lanes share it
    d[i] = sum + mixed(a[i]);
    c[four / 4u] = i + 1u;
}
