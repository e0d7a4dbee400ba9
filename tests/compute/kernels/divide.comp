// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform P { uint n; uint d; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    uint x = a[i], y = b[i];
    c[6u * i] = x / y;
    c[6u * i + 1u] = x % y;
    c[6u * i + 2u] = uint(int(x) / int(y));
    c[6u * i + 3u] = uint(int(x) % int(y));
    c[6u * i + 4u] = x / d;
    c[6u * i + 5u] = uint(int(x) % int(d));
}
