// SPDX-License-Identifier: MIT
// The lesser, the greater and the nearest whole numbers of floats: tests/compute/extremes.c.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { float a[]; };
layout(binding = 1) buffer B { float b[]; };
layout(binding = 2) buffer C { float c[]; };

void main()
{
    const uint id = gl_GlobalInvocationID.x;
    b[id * 8] = min(a[id], c[id]);
    b[id * 8 + 1] = max(a[id], c[id]);
    b[id * 8 + 2] = clamp(a[id], c[id], c[id ^ 1]);
    b[id * 8 + 3] = floor(a[id]);
    b[id * 8 + 4] = ceil(a[id]);
    b[id * 8 + 5] = trunc(a[id]);
    b[id * 8 + 6] = min(a[id], 0.0);
    b[id * 8 + 7] = max(a[id], -0.0);
}
