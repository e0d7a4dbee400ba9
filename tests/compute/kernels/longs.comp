#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Integers and floats of 64 bits beside values that all invocations share.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint64_t a[]; };
layout(std430, binding = 1) writeonly buffer B { uint64_t b[]; };
layout(push_constant) uniform P { uint shift; uint64_t other; };

uint64_t
turned(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

uint64_t
dbits(double d)
{
    return packUint2x32(unpackDouble2x32(d));
}

void
main()
{
    const uint i = gl_GlobalInvocationID.x, to = 24 * i;
    const uint64_t x = a[i];
    const double d = double(int64_t(x) >> 20), e = double(int64_t(other) >> 20);
    b[to] = x + 0x9e3779b97f4a7c15ul;
    b[to + 1] = x - other;
    b[to + 2] = other - x;
    b[to + 3] = x * 0xbf58476d1ce4e5b9ul;
    b[to + 4] = x & other;
    b[to + 5] = other | x;
    b[to + 6] = x ^ 0x0123456789abcdeful;
    b[to + 7] = x << shift;
    b[to + 8] = x >> 35;
    b[to + 9] = uint64_t(int64_t(x) >> shift);
    b[to + 10] = other << uint(x & 63ul);
    b[to + 11] = other >> uint(x & 63ul);
    b[to + 12] = turned(x, 31);
    b[to + 13] = turned(x, 1) + turned(x ^ 5ul, 63);
    b[to + 14] = x ^ x >> 30;
    b[to + 15] = x ^ x << 13;
    b[to + 16] = x << 29 | x >> 32; // no rotation
    b[to + 17] = x << 20 ^ x >> 44;
    b[to + 18] = dbits(d + e);
    b[to + 19] = dbits(d - 3.0lf);
    b[to + 20] = dbits(3.0lf - d);
    b[to + 21] = dbits(d * e);
    b[to + 22] = dbits(d / e);
    b[to + 23] = dbits(e / d) + dbits(sqrt(abs(d)));
}
