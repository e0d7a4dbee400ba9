// SPDX-License-Identifier: MIT
#version 450
// Reads from the other end what another dispatch wrote, and writes over it.
layout(local_size_x = 64) in;
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer D { uint d[]; };
layout(push_constant) uniform P { uint count; uint first; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
    d[i] = c[first + count - 1u - i];
}
