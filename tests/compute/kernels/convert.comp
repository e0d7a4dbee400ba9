// SPDX-License-Identifier: MIT
// Conversions between numbers of every width, 32 results of each invocation.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { int n[128]; float f[128]; };
layout(set = 0, binding = 2) writeonly buffer C { uint c[]; };

uint half_bits(float16_t h)
{
    return packFloat2x16(f16vec2(h, float16_t(0)));
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const int x = n[i];
    const float y = f[i];
    const double d = double(y) * 0.125lf;
    const int64_t l = int64_t(x) * 1234567l;
    const float16_t h = float16_t(y);
    const u16vec2 shorts = unpack16(uint(x));
    const u8vec4 bytes = unpack8(uint(x));
    uint r[32];

    r[0] = half_bits(h);
    r[1] = half_bits(float16_t(x));
    r[2] = uint(int(h));
    r[3] = uint(abs(h));
    r[4] = half_bits(float16_t(double(y) * 1.0009765625lf)); // may lie between two halves
    r[5] = floatBitsToUint(float(double(x) * 1.0000000001lf));
    r[6] = unpackDouble2x32(d).x;
    r[7] = unpackDouble2x32(d).y;
    r[8] = uint(int(d));
    r[9] = uint(abs(d));
    r[10] = uint(int64_t(d * 1048576.0lf));
    r[11] = uint(int64_t(d * 1048576.0lf) >> 32);
    r[12] = uint(uint64_t(abs(y)));
    r[13] = floatBitsToUint(float(l));
    r[14] = floatBitsToUint(float(uint64_t(l)));
    r[15] = half_bits(float16_t(int64_t(x)));
    r[16] = uint(int(int8_t(x)));
    r[17] = uint(uint8_t(x));
    r[18] = uint(int(int16_t(x)));
    r[19] = uint(uint16_t(x));
    r[20] = floatBitsToUint(float(int8_t(x)));
    r[21] = half_bits(float16_t(uint8_t(x)));
    r[22] = uint(int(int16_t(h)));
    r[23] = uint(int(int8_t(y * 0.03125)));
    r[24] = uint(uint64_t(int64_t(int8_t(x))) >> 32);
    r[25] = unpackDouble2x32(double(l)).x;
    r[26] = unpackDouble2x32(double(l)).y;
    r[27] = uint(pack64(u16vec4(shorts.y, shorts.x, 7us, shorts.y)) >> 16);
    r[28] = pack32(bytes.wzyx);
    r[29] = uint(pack16(bytes.yw)) << 16 | uint(unpack8(shorts.x).y);
    r[30] = pack32(unpack16(uint64_t(l)).zx);
    r[31] = floatBitsToUint(float(unpackFloat2x16(uint(x & 0x7bff)).x)) ^ unpack32(uint64_t(l)).y;
    for (uint k = 0; k < 32; k++)
        c[32 * i + k] = r[k];
}
