/* SPDX-License-Identifier: MIT */
/* What operation number n makes of three words. This file is both GLSL and C++ (with GLM's names
 * for GLSL's types and functions): the kernel runs it, and so does its judge.
 */

/* A float of a few thousand values around zero, a positive one, one below 1 (from any word). */
float
small_of(uint x)
{
    return float(int(x & 0xffffu) - 32768) * 0.0078125f;
}

float
positive_of(uint x)
{
    return float((x >> 3) & 0xffffu) * 0.015625f + 0.25f;
}

float
unit_of(uint x)
{
    return float(x & 0xfffu) * 0.00024414062f;
}

vec3
vector_of(uint a, uint b, uint c)
{
    return vec3(small_of(a), small_of(b), small_of(c));
}

mat3
matrix_of(uint a, uint b, uint c)
{
    return mat3(vec3(small_of(a), 1.0f, small_of(b)), vec3(0.5f, positive_of(c), 2.0f),
                vec3(small_of(c), small_of(a >> 7), 3.0f));
}

uint
sum_of(vec3 v)
{
    return floatBitsToUint(v.x) ^ floatBitsToUint(v.y) * 3u ^ floatBitsToUint(v.z) * 5u;
}

uint
bits_of(bool x, bool y, bool z)
{
    return (x ? 1u : 0u) | (y ? 2u : 0u) | (z ? 4u : 0u);
}

uint
integers(uint n, uint a, uint b, uint c)
{
    int i = int(a);
    int j = int(b);
    uint low;
    uint high;
    switch (n) {
    case 0u:
        return a + b * c - (a ^ b);
    case 1u:
        return a / (b | 1u) + a % (c | 1u);
    case 2u:
        return uint(i / ((j & 0x3fff) + 1)) ^ uint((i & 0x7fffffff) % ((j & 0x7fff) + 3));
    case 3u:
        return (a << (b & 31u)) | (c >> (a & 31u));
    case 4u:
        return uint(i >> (b & 31u)) ^ ~c;
    case 5u:
        return uint(bitCount(a)) + 100u * uint(bitCount(i ^ j));
    case 6u:
        return bitfieldReverse(a) ^ b;
    case 7u:
        return uint(findLSB(a)) * 64u + uint(findMSB(b)) + uint(findMSB(c & 0xffu)) * 4096u;
    case 8u:
        return bitfieldInsert(a, b, int(c & 15u), int((c >> 4) & 15u) + 1);
    case 9u:
        return bitfieldExtract(a, int(b & 15u), int((c >> 4) & 15u) + 1);
    case 10u:
        low = uaddCarry(a, b, high);
        return low ^ (high * 0x80808080u);
    case 11u:
        low = usubBorrow(a, b, high);
        return low ^ (high * 0x80808080u);
    case 12u:
        umulExtended(a, b, high, low);
        return low ^ (high * 3u);
    case 13u:
        return min(a, b) ^ max(b, c) ^ clamp(a, min(b, c), max(b, c));
    case 14u:
        return uint(min(i, j)) ^ uint(max(j, int(c))) ^ uint(abs(i >> 1)) ^ uint(sign(j) + 1);
    case 15u:
        return bits_of(a < b, i < j, a == (b & c)) | bits_of(i >= int(c), a != c, j > 5) << 3;
    default:
        return (i < 0 ? a : b) + (all(lessThan(uvec2(a, b), uvec2(c))) ? 1u : 0u) +
               (any(equal(ivec2(i, j), ivec2(j, 3))) ? 2u : 0u);
    }
}

uint
wide_integers(uint n, uint a, uint b, uint c)
{
    uint64_t x = (uint64_t(a) << 32) | uint64_t(b);
    uint64_t y = (uint64_t(c) << 17) + uint64_t(a);
    int64_t s = int64_t(x);
    uint64_t r;
    switch (n) {
    case 0u:
        r = x + y * x - (x ^ y);
        break;
    case 1u:
        r = x / (y | uint64_t(1)) + x % (uint64_t(c) + uint64_t(3));
        break;
    case 2u:
        r = uint64_t(s / int64_t((b & 0xffffu) + 1u)) + uint64_t(s >> int(c & 63u));
        break;
    case 3u:
        r = (x << int(b & 63u)) | (y >> int(a & 63u));
        break;
    case 4u:
        r = min(x, y) ^ max(x, uint64_t(c)) ^ uint64_t(abs(s >> 1));
        break;
    case 5u:
        r = (x < y ? x : y) + (s < int64_t(y) ? uint64_t(1) : uint64_t(2)) +
            (x == y ? uint64_t(4) : uint64_t(8));
        break;
    default:
        r = uint64_t(int64_t(int(a))) ^ (uint64_t(double(int(b & 0x7fffffffu))) + ~y);
        break;
    }
    return uint(r) ^ uint(r >> 32) * 7u;
}

uint
narrow_integers(uint n, uint a, uint b, uint c)
{
    int8_t i8 = int8_t(a);
    uint8_t u8 = uint8_t(b);
    int16_t i16 = int16_t(b);
    uint16_t u16 = uint16_t(c);
    switch (n) {
    case 0u:
        return uint(int(int8_t(i8 + int8_t(c)))) ^ uint(uint8_t(u8 * uint8_t(a)));
    case 1u:
        return uint(int(int16_t(i16 - int16_t(a)))) ^ uint(uint16_t(u16 * uint16_t(b)));
    case 2u:
        return uint(int(int16_t(i16 >> int16_t(3)))) ^ uint(uint8_t(u8 >> uint8_t(2))) << 8;
    case 3u:
        return uint(int(i8)) + uint(u8) + uint(int(i16)) + uint(u16);
    case 4u:
        return uint(int(int8_t(i16))) ^ uint(uint16_t(i8)) ^ uint(uint8_t(u16)) << 16;
    case 5u:
        return bits_of(i8<int8_t(b), u8> uint8_t(c), i16 == int16_t(u16)) |
               bits_of(u16 >= uint16_t(a), i8 != int8_t(c), i16 <= int16_t(0)) << 3;
    case 6u:
        return uint(float(i8) + float(u8) * 256.0f + 300000.0f) ^ uint(int(float(i16)));
    case 7u:
        return floatBitsToUint(float(u16) * 0.5f) ^ uint(int64_t(i16) >> 1) ^ uint(uint64_t(u8));
    case 8u:
        return uint(int(int8_t(i8 / int8_t((b & 7u) + 1u)))) ^
               uint(uint16_t(u16 / uint16_t((a & 15u) + 1u)));
    default:
        return uint(int(min(i16, int16_t(c)))) ^ uint(max(u8, uint8_t(c))) << 7;
    }
}

uint
doubles(uint n, uint a, uint b, uint c)
{
    double x = double(int(a)) * 0.00390625;
    double y = double(b | 1u) * 0.5;
    double r;
    switch (n) {
    case 0u:
        r = x + y * 2.0 - x / y;
        break;
    case 1u:
        r = sqrt(y) + floor(x) + ceil(y * 0.25) + trunc(x * 0.125);
        break;
    case 2u:
        r = min(x, y) - max(x, double(c)) + abs(x);
        break;
    case 3u:
        r = double(float(x)) + double(uint64_t(y)) + double(int64_t(x));
        break;
    case 4u:
        r = x < y ? x : (x == y ? 1.0 : y - 1.0);
        break;
    case 5u:
        r = dot(dvec2(x, 2.0), dvec2(0.5, y)) + double(int(x)) + double(uint(y));
        break;
    default:
        r = fract(x) + sign(x) + clamp(x, -3.0, 7.0) + step(2.0, y);
        break;
    }
    uint64_t bits = uint64_t(int64_t(r * 256.0));
    return uint(bits) ^ uint(bits >> 32);
}

/* Floats whose result is exact. */
uint
floats(uint n, uint a, uint b, uint c)
{
    float x = small_of(a);
    float y = positive_of(b);
    float z = unit_of(c);
    switch (n) {
    case 0u:
        return floatBitsToUint(x + y) ^ floatBitsToUint(x * z);
    case 1u:
        return floatBitsToUint(floor(x)) ^ floatBitsToUint(ceil(y)) * 3u;
    case 2u:
        return floatBitsToUint(trunc(x)) ^ floatBitsToUint(roundEven(x)) * 3u;
    case 3u:
        return floatBitsToUint(fract(x)) ^ floatBitsToUint(abs(x)) * 3u;
    case 4u:
        return floatBitsToUint(sign(x)) ^ floatBitsToUint(step(y, x)) * 3u;
    case 5u:
        return floatBitsToUint(min(x, y)) ^ floatBitsToUint(max(x, z)) * 3u ^
               floatBitsToUint(clamp(x, -y, y)) * 5u;
    case 6u:
        return uint(int(x)) ^ uint(y) ^ floatBitsToUint(float(a)) ^ floatBitsToUint(float(int(b)));
    case 7u:
        return bits_of(x<y, x> z, x == -y) | bits_of(x <= 0.0f, y >= x, y != z) << 3 |
               bits_of(isnan(x), isinf(y), true) << 6;
    case 8u:
        return packUnorm4x8(vec4(z, unit_of(a), unit_of(b), 1.0f));
    case 9u:
        return packUnorm2x16(vec2(z, unit_of(a)));
    case 10u:
        return floatBitsToUint(uintBitsToFloat(a & 0x3fffffffu) * 2.0f);
    case 11u:
        return floatBitsToUint(unpackHalf2x16(a & 0x7bff7bffu).x) ^
               floatBitsToUint(unpackHalf2x16(b & 0xfbfffbffu).y) * 3u;
    case 12u:
        return packSnorm4x8(vec4(z, -unit_of(a), -1.0f, 0.0f));
    case 13u:
        return packHalf2x16(vec2(float(int(a & 0x7ffu) - 1024) * 0.125f, float(b & 0x7ffu)));
    case 14u:
        return sum_of(matrix_of(a, b, c)[1]) ^ sum_of(transpose(matrix_of(c, a, b))[2]);
    case 15u:
        return sum_of(vector_of(a, b, c) + vec3(y)) ^ sum_of(-vector_of(c, b, a) * z);
    case 16u:
        return floatBitsToUint(uintBitsToFloat((a & 0x7fffffu) | 0x3f800000u) - 1.0f);
    case 17u:
        return floatBitsToUint(ldexp(z, int(a & 15u) - 7));
    default:
        return sum_of(mix(vector_of(a, b, c), vector_of(c, a, b), bvec3(a > b, b > c, true)));
    }
}

/* Floats that may be a few units in the last place off. */
float
near_floats(uint n, uint a, uint b, uint c)
{
    float x = small_of(a);
    float y = positive_of(b);
    float z = unit_of(c);
    float whole;
    int power;
    vec3 v = vector_of(a, b, c);
    vec3 w = vector_of(b, c, a) + vec3(0.5f);
    switch (n) {
    case 0u:
        return x / y;
    case 1u:
        return sqrt(y) + inversesqrt(y);
    case 2u:
        return sin(z * 6.0f - 3.0f);
    case 3u:
        return cos(z * 3.0f - 1.5f);
    case 4u:
        return tan(z * 1.4f - 0.7f) + 2.0f;
    case 5u:
        return asin(z * 1.8f - 0.9f) + 3.0f;
    case 6u:
        return acos(z * 1.8f - 0.9f);
    case 7u:
        return atan(x) + 3.0f;
    case 8u:
        return atan(x, y) + 4.0f;
    case 9u:
        return exp(z * 8.0f - 4.0f);
    case 10u:
        return exp2(z * 8.0f - 4.0f);
    case 11u:
        return log(y) + 3.0f;
    case 12u:
        return log2(y) + 5.0f;
    case 13u:
        return pow(y, z * 2.0f);
    case 14u:
        return sinh(z * 4.0f) + cosh(z * 2.0f);
    case 15u:
        return tanh(z * 3.0f) + asinh(z) + acosh(y + 1.0f);
    case 16u:
        return atanh(z * 0.9f) + 1.0f;
    case 17u:
        return mod(x, y) + 1.0f;
    case 18u:
        return mix(x, y, z) + 1000.0f;
    case 19u:
        return smoothstep(-y, y, x);
    case 20u:
        return fma(z, y, 1.0f);
    case 21u:
        return length(v) + distance(v, w);
    case 22u:
        return dot(v, v) + 1.0f;
    case 23u:
        return cross(v, w).y * 0.0001f + 100.0f;
    case 24u:
        return normalize(w + vec3(0.0f, 0.0f, 600.0f)).z;
    case 25u:
        return reflect(v, vec3(0.0f, 1.0f, 0.0f)).y + 400.0f;
    case 26u:
        return refract(normalize(w + vec3(0.0f, 0.0f, 900.0f)), vec3(0.0f, 0.0f, -1.0f), 0.75f).z;
    case 27u:
        return faceforward(v, w, vec3(1.0f, 0.0f, 0.0f)).x + 400.0f;
    case 28u:
        return radians(x) + degrees(z) + 100.0f;
    case 29u:
        return modf(x, whole) + whole * 2.0f + 1000.0f;
    case 30u:
        return frexp(y, power) + float(power) * 4.0f;
    case 31u:
        return (matrix_of(a, b, c) * v).x * 0.001f + 1000.0f;
    case 32u:
        return (v * matrix_of(c, a, b)).z * 0.001f + 1000.0f;
    case 33u:
        return (matrix_of(a, b, c) * matrix_of(b, c, a))[1].y * 0.001f + 1000.0f;
    case 34u:
        return outerProduct(v, w)[2].x * 0.001f + 200.0f;
    case 35u:
        return determinant(mat2(vec2(y, 0.25f), vec2(z, 2.0f)));
    case 36u:
        return inverse(mat2(vec2(y, 0.125f), vec2(z * 0.25f, 2.0f)))[0].x;
    case 37u:
        return unpackUnorm4x8(a).y + unpackUnorm2x16(b).x + 1.0f;
    case 38u:
        return unpackSnorm4x8(a).z + unpackSnorm2x16(b).y + 3.0f;
    case 39u:
        return radians(y) * 10.0f + exp2(float(int(c & 7u)));
    default:
        return round(x + 0.3f) + 500.0f;
    }
}
