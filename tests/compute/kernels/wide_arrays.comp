// SPDX-License-Identifier: MIT
// Words side by side in one of several buffers, which all invocations agree on or not:
// tests/compute/wide_words.c.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool is_same = true;
layout(binding = 0) buffer A { uint w[]; } a[3];
layout(binding = 1) buffer B { uint w[]; } b[3];
layout(push_constant) uniform Push { uint from; uint to; uint before; };

void move(uint f, uint t, uint at)
{
    uint x[5];
    for (uint i = 0u; i < 5u; i++)
        x[i] = a[nonuniformEXT(f)].w[at + i];
    for (uint i = 0u; i < 5u; i++)
        b[nonuniformEXT(t)].w[at + i] = x[i] * (i + 3u);
}

void main()
{
    const uint id = gl_GlobalInvocationID.x, at = id * 5u - before;
    if (is_same)
        move(from, to, at);
    else
        move((id + from) % 3u, (id / 2u + to) % 3u, at);
}
