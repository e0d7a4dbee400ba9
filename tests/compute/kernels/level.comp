// SPDX-License-Identifier: MIT
// The later lanes of a group fetch from a level that all of them name.
#version 450
layout(local_size_x = 256) in;
layout(binding = 0) uniform sampler2D t;
layout(binding = 2, std430) buffer V { float v[]; };
layout(push_constant) uniform P { int lod; uint from; } p;
void main() {
    barrier();
    uint i = gl_LocalInvocationIndex;
    if (i >= p.from) v[i] = texelFetch(t, ivec2(int(i) & 3, 0), p.lod).x;
}
