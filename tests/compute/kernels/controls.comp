#version 460
// SPDX-License-Identifier: MIT
// Arithmetic and conversions of each width; the test adds the execution modes.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uvec4 pair[]; }; // x and y, 64 bits each
layout(std430, binding = 1) writeonly buffer B { uint word[]; };
layout(std430, binding = 2) buffer C { float sum[]; };

#define WORDS 24

uint pack(float16_t low, float16_t high)
{
    return packFloat2x16(f16vec2(low, high));
}

uvec2 bits(double value)
{
    return unpackUint2x32(doubleBitsToUint64(value));
}

void main()
{
    const uint i = gl_GlobalInvocationID.x, at = i * WORDS;
    const uvec4 p = pair[i];
    const float x = uintBitsToFloat(p.x), y = uintBitsToFloat(p.z);
    const float16_t h = unpackFloat2x16(p.x).x, k = unpackFloat2x16(p.z).x;
    const double d = uint64BitsToDouble(packUint2x32(p.xy)), e = uint64BitsToDouble(packUint2x32(p.zw));
    const int power = int(p.w % 4000) - 2000;

    word[at] = floatBitsToUint(x + y);
    word[at + 1] = floatBitsToUint(x - y);
    word[at + 2] = floatBitsToUint(x * y);
    word[at + 3] = floatBitsToUint(x / y);
    word[at + 4] = floatBitsToUint(sqrt(x));
    word[at + 5] = floatBitsToUint(ldexp(x, power / 8));
    word[at + 6] = pack(h + k, h - k);
    word[at + 7] = pack(h * k, h / k);
    word[at + 8] = pack(float16_t(x), float16_t(d));
    word[at + 9] = floatBitsToUint(float(d));
    word[at + 10] = floatBitsToUint(float(int(p.x)));
    word[at + 11] = floatBitsToUint(float(packInt2x32(ivec2(p.xy))));
    const uvec2 results[] = {bits(d + e), bits(d - e), bits(d * e), bits(ldexp(d, power)),
                             bits(double(packInt2x32(ivec2(p.xy))))};
    for (uint r = 0; r < 5; r++) {
        word[at + 12 + 2 * r] = results[r].x;
        word[at + 13 + 2 * r] = results[r].y;
    }
    word[at + 22] = floatBitsToUint(fract(x));
    word[at + 23] = pack(float16_t(int(p.x)), float16_t(packUint2x32(p.xy)));
    atomicAdd(sum[i], y);
}
