#version 450
// SPDX-License-Identifier: MIT
// Prefix sums of blocks of 1,024, four elements to an invocation, as Blelloch has them.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer X { uvec4 x[]; };
layout(std430, binding = 1) buffer Y { uvec4 y[]; };
layout(push_constant) uniform P { uint n; };
shared uint sums[256];
void main()
{
    const uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
    uvec4 v = x[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    sums[l] = v.w;
    uint offset = 1;
    for (uint d = 128; d > 0; d >>= 1) {
        barrier();
        if (l < d)
            sums[offset * (2 * l + 2) - 1] += sums[offset * (2 * l + 1) - 1];
        offset *= 2;
    }
    if (l == 0)
        sums[255] = 0;
    for (uint d = 1; d < 256; d *= 2) {
        offset >>= 1;
        barrier();
        if (l < d) {
            const uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
            const uint t = sums[a];
            sums[a] = sums[b];
            sums[b] += t;
        }
    }
    barrier();
    y[i] = v + sums[l];
}
