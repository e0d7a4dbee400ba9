#version 450
// SPDX-License-Identifier: MIT
// Bitonic sort of blocks of 512 in shared memory.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uint x[]; };
layout(std430, binding = 1) buffer Y { uint y[]; };
layout(push_constant) uniform P { uint n; };
shared uint keys[512];
void main()
{
    const uint l = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 512;
    keys[l] = x[base + l];
    keys[l + 256] = x[base + l + 256];
    for (uint size = 2; size <= 512; size *= 2) {
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            barrier();
            const uint i = 2 * l - (l & (stride - 1));
            const bool is_up = (i & size) == 0;
            const uint a = keys[i], b = keys[i + stride];
            if ((a > b) == is_up) {
                keys[i] = b;
                keys[i + stride] = a;
            }
        }
    }
    barrier();
    y[base + l] = keys[l];
    y[base + l + 256] = keys[l + 256];
}
