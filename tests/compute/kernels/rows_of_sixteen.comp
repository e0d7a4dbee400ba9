#version 450
// SPDX-License-Identifier: MIT
// Four words a lane in a workgroup 16 wide: 256 bytes from row to row, and from lane to lane
// none, 16 or 32.
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer A { vec4 a[]; };
layout(std430, binding = 1) readonly buffer B { vec4 b[]; };
layout(std430, binding = 2) writeonly buffer C { vec4 c[]; };
shared vec4 s[256];

void main()
{
    const uint l = gl_LocalInvocationIndex, x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    s[l] = b[l];
    barrier();
    c[l] = a[y * 16u];
    c[256u + l] = s[y * 16u + 3u];
    c[512u + l] = b[y * 16u + 2u * x];
    c[768u + l] = b[y * 16u + x];
}
