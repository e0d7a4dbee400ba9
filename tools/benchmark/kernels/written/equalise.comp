#version 450
// SPDX-License-Identifier: MIT
// Histogram equalisation of tiles of 64x64 pixels, a workgroup for each (CLAHE without its limit).
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer X { uint8_t x[]; };
layout(std430, binding = 1) buffer Y { uint8_t y[]; };
layout(push_constant) uniform P { int width; int height; };
shared uint bins[256];
void main()
{
    const uint l = gl_LocalInvocationIndex;
    const ivec2 tile = ivec2(gl_WorkGroupID.xy) * 64;
    bins[l] = 0;
    barrier();
    for (int j = int(gl_LocalInvocationID.y); j < 64; j += 16)
        for (int i = int(gl_LocalInvocationID.x); i < 64; i += 16)
            atomicAdd(bins[uint(x[(tile.y + j) * width + tile.x + i])], 1);
    barrier();
    for (uint step = 1; step < 256; step *= 2) {
        const uint before = l >= step ? bins[l - step] : 0;
        barrier();
        bins[l] += before;
        barrier();
    }
    for (int j = int(gl_LocalInvocationID.y); j < 64; j += 16)
        for (int i = int(gl_LocalInvocationID.x); i < 64; i += 16) {
            const int at = (tile.y + j) * width + tile.x + i;
            y[at] = uint8_t(bins[uint(x[at])] * 255 / 4096);
        }
}
