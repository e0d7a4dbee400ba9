// SPDX-License-Identifier: MIT
#version 450
// Stores that may go past the caches: of results, of copies, and of what is read again at once.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; }; // the same memory as C
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };
layout(set = 0, binding = 3) writeonly buffer D { uint d[]; };
layout(push_constant) uniform P { uint count; uint from; uint to; };
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i >= count)
        return;
    c[to + i] = a[i] * 3u + 1u;
    const uint before = b[to + i];
    c[to + i] = before * 5u + i;
    d[i] = a[from + i];
    d[count + i] = b[to + i] ^ before;
}
