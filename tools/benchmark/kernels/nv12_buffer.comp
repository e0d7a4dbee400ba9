#version 450
// SPDX-License-Identifier: MIT
// RGBA8 to NV12, four by two pixels an invocation, BT.601 narrow in integers.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer X { uint rgba[]; };
layout(std430, binding = 1) writeonly buffer Y { uint nv12[]; };
layout(push_constant) uniform P { uint width; uint height; };
uint luma(uint p)
{
    uint r = p & 255u, g = p >> 8 & 255u, b = p >> 16 & 255u;
    return (66u * r + 129u * g + 25u * b + 4224u) >> 8;
}
void main()
{
    uint x = gl_GlobalInvocationID.x * 4u, y = gl_GlobalInvocationID.y * 2u;
    if (x >= width || y >= height)
        return;
    uint uv = 0u;
    uint rows[2] = uint[2](0u, 0u);
    for (uint i = 0u; i < 2u; i++) {
        uint sum_r = 0u, sum_g = 0u, sum_b = 0u;
        for (uint j = 0u; j < 2u; j++)
            for (uint k = 0u; k < 2u; k++) {
                uint p = rgba[(y + k) * width + x + 2u * i + j];
                rows[k] |= luma(p) << (8u * (2u * i + j));
                sum_r += p & 255u;
                sum_g += p >> 8 & 255u;
                sum_b += p >> 16 & 255u;
            }
        int r = int(sum_r), g = int(sum_g), b = int(sum_b);
        uint u = uint((-38 * r - 74 * g + 112 * b + 131584) >> 10);
        uint v = uint((112 * r - 94 * g - 18 * b + 131584) >> 10);
        uv |= (u | v << 8) << (16u * i);
    }
    nv12[(y * width + x) / 4u] = rows[0];
    nv12[((y + 1u) * width + x) / 4u] = rows[1];
    nv12[(height * width + y / 2u * width + x) / 4u] = uv;
}
