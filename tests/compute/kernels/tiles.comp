// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
// Every expression of tiles.glsl with every kind of operand: the value that was made last (T), one
// that was loaded, one that is the same for all. T is x by two operations that no other slot has: a
// tile takes three.
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(set = 0, binding = 0) readonly buffer A { uint given[]; }; // four values an invocation
layout(set = 0, binding = 2) writeonly buffer C { uint made[]; };
layout(push_constant) uniform P { uint n; uint s; uint r; uint small_s; uint small_r; uint zero; };

#define a_int() int(a)
#define float_bits(f) floatBitsToUint(f)
#define field_of(a, b, c) bitfieldExtract(a, int(b), int(c))
#define unpackSnorm(a) unpackSnorm4x8(a).x
#define signed_field_of(a, b, c) bitfieldExtract(int(a), int(b), int(c))
#define T ((x ^ zero * (slot + 1u)) + zero * (slot + 1u))
#define AS_IS(v) v

// An expression with its operands bound.
#define WITH1(type, as, back, p, e) { type a = as(p); made[slot++ * n + i] = back(e); }
#define WITH2(type, as, back, p, q, e) \
    { type a = as(p), b = as(q); made[slot++ * n + i] = back(e); }
#define WITH3(type, as, back, p, q, v, e) \
    { type a = as(p), b = as(q), c = as(v); made[slot++ * n + i] = back(e); }
#define ALL2(type, as, back, y, s, e) \
    WITH2(type, as, back, T, y, e) WITH2(type, as, back, T, s, e) \
    WITH2(type, as, back, y, T, e) WITH2(type, as, back, s, T, e)
#define ALL3(type, as, back, y, z, s, r, e) \
    WITH3(type, as, back, T, y, z, e) WITH3(type, as, back, T, y, s, e) \
    WITH3(type, as, back, T, s, z, e) WITH3(type, as, back, T, s, r, e) \
    WITH3(type, as, back, y, z, T, e) WITH3(type, as, back, y, s, T, e)

#define I1(e) WITH1(uint, AS_IS, AS_IS, T, e)
#define F1(e) WITH1(float, uintBitsToFloat, floatBitsToUint, T, e)
#define I2(e) ALL2(uint, AS_IS, AS_IS, y, s, e)
#define F2(e) ALL2(float, uintBitsToFloat, floatBitsToUint, y, s, e)
#define S2(e) WITH2(uint, AS_IS, AS_IS, T, small, e) WITH2(uint, AS_IS, AS_IS, T, small_s, e)
#define I3(e) ALL3(uint, AS_IS, AS_IS, y, z, s, r, e)
#define F3(e) ALL3(float, uintBitsToFloat, floatBitsToUint, y, z, s, r, e)
#define S3(e) \
    WITH3(uint, AS_IS, AS_IS, T, small, small, e) WITH3(uint, AS_IS, AS_IS, T, small, small_s, e) \
    WITH3(uint, AS_IS, AS_IS, T, small_s, small, e) \
    WITH3(uint, AS_IS, AS_IS, T, small_s, small_r, e)
// Selections of T, in each place, and of conditions that are combined.
#define CHOICES(type, as, p, q, e) \
    { \
        uint t = T; \
        type a = as(p), b = as(q); \
        bool is = e; \
        made[slot++ * n + i] = is ? t : z; \
        made[slot++ * n + i] = (is && t != z ? t : s) ^ t; \
        made[slot++ * n + i] = (is || t > z ? z : t) + y; \
        made[slot++ * n + i] = (is != (t < z) ? s : t) - z; \
        made[slot++ * n + i] = (is && !(t < z) ? y : z) ^ t; \
        uint last = t + y; \
        made[slot++ * n + i] = (is ? z : last) ^ t; \
        bool c1 = t < z, c2 = y < t, c3 = s < y, c4 = z == s, c5 = (t ^ y) < z; \
        uint v = c5 ? t : y; \
        v = c4 ? v : v ^ z; \
        v = c3 ? v + t : v; \
        v = c2 ? s : v; \
        v = c1 ? v : v - y; \
        v = is ? v : v + z; \
        made[slot++ * n + i] = c1 ? v ^ s : v; \
    }
#define B2(e) \
    CHOICES(uint, AS_IS, t, y, e) CHOICES(uint, AS_IS, t, s, e) CHOICES(uint, AS_IS, y, t, e) \
    CHOICES(uint, AS_IS, s, t, e)
#define G2(e) \
    CHOICES(float, uintBitsToFloat, t, y, e) CHOICES(float, uintBitsToFloat, t, s, e) \
    CHOICES(float, uintBitsToFloat, y, t, e) CHOICES(float, uintBitsToFloat, s, t, e)

void main()
{
    uint width = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    uint i = gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x;
    if (i >= n)
        return;
    uint x = given[i], y = given[n + i], z = given[2u * n + i], small = given[3u * n + i];
    uint slot = 0u;
#include "tiles.glsl"
}
