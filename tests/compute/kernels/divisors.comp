// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint D = 3u;
const int S = int(D);
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer B { uint b[]; };
spirv_instruction(id = 138) int remainder(int x, int y); // OpSRem
void main()
{
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i], small = x >> 9, other = a[i ^ 1u], low;
    int s = int(x), positive = int(x >> 1), ignored, high;
    uint first = i / 64u * 1024u + (i & 63u);
    b[first] = x / D;
    b[first + 64u] = x % D;
    b[first + 128u] = uint(s / S);
    b[first + 192u] = uint(s % S);
    b[first + 256u] = uint(remainder(s, S));
    b[first + 320u] = small / D;
    b[first + 384u] = small % D;
    b[first + 448u] = uint(positive / S);
    b[first + 512u] = uint(positive % S);
    b[first + 576u] = uint(remainder(positive, S));
    umulExtended(x, other, b[first + 640u], low);
    imulExtended(s, int(other), high, ignored);
    b[first + 704u] = uint(high);
    umulExtended(x, D, b[first + 768u], low);
    imulExtended(s, S, high, ignored);
    b[first + 832u] = uint(high);
}
