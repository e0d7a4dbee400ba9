// SPDX-License-Identifier: MIT
#version 450
// Groups whose rows are not one block each: through shared memory, along rows and columns.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform P { uint width; uint height; };
shared uint tile[8][9];
void main()
{
    uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
    tile[l.y][l.x] = a[g.y * width + g.x];
    barrier();
    uint up = tile[(8u - 1u) - l.y][l.x], left = tile[l.y][(8u - 1u) - l.x];
    uint first = tile[0][l.x], column = tile[l.y][3];
    if (g.x < width && g.y < height)
        c[g.y * width + g.x] = up * 3u + left * 5u + first * 7u + column * 11u;
}
