// SPDX-License-Identifier: MIT
// Three words of each invocation, side by side with those of the others, or four or seven words
// apart.
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { uint every; };
layout(binding = 0, std430) readonly buffer A { uint a[]; };
layout(binding = 1, std430) buffer B { uint b[]; };
layout(binding = 2, std430) buffer C { uvec3 c[]; };
layout(binding = 3, std430) buffer D { uint d[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i % every != 0u)
        return;
    const uvec3 v = uvec3(a[3u * i], a[3u * i + 1u], a[3u * i + 2u]);
    const uvec3 w = c[i];
    b[3u * i] = v.z + w.x;
    b[3u * i + 1u] = v.x + w.y;
    b[3u * i + 2u] = v.y + w.z;
    c[i] = w.zxy * 5u + v;
    for (uint k = 0u; k < 7u; k++)
        d[7u * i + k] = 3u * a[7u * i + 6u - k] + k;
}
