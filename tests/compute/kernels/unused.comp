// SPDX-License-Identifier: MIT
// A block that no invocation reads when there are no rounds: its memory need not be there.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) uniform B { uvec4 b[4]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform P { uint count; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    uint sum = a[i];
    for (uint k = 0u; k < count; k++)
        sum = sum * 3u + b[2].y;
    c[i] = sum;
}
