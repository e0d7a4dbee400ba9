// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 2) writeonly buffer C { uvec4 c[]; };
layout(push_constant) uniform P { uint count; uint from; uint to; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < count)
        c[to + i] = a[from + i];
}
