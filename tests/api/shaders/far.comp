// SPDX-License-Identifier: MIT
// Reads and writes `distance` words further on.
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint words[]; };
layout(push_constant) uniform Push { uint distance; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    words[i] = 5u + words[i + distance];
    words[i + distance * 3u] = 7u;
}
