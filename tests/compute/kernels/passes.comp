// SPDX-License-Identifier: MIT
// What single passes of the compiler do, one part each: tests/compute/passes.c.
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint part = 0;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 0) buffer AF { float af[]; };
layout(binding = 0) buffer A8 { uint8_t a8[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 1) buffer BF { float bf[]; };
layout(binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform Push { uint step; uint taps; };

void signed_compare(uint id)
{
    uint sum = 0;
    for (uint i = 0; i < 4; i++)
        sum += int((a[id + i] & 0xff) + 0x80000000u) < 5 ? 1 : 100;
    b[id] = sum;
}

void deep_range(uint id)
{
    uint sum = 0;
    for (uint i = 0; i < 4; i++) {
        const uint small = (((a[id + i] & 7) * 3 + 5) >> 1) * 7 + 1;
        sum += small < 1000 ? small : a[small];
    }
    b[id] = sum;
}

void products(uint id)
{
    float sum = 0.0;
    for (uint i = 0; i < 8; i++)
        sum += af[id + i] * af[id + 64 + i];
    bf[id] = sum;
}

void small_product(uint id)
{
    b[id] = (a[id] & 0xff) * 37 ^ c[id];
}

void offset(uint id)
{
    uint sum = 0;
    for (uint i = 1; i < 4; i++)
        sum += uint(a8[(c[id] & 63) + i]);
    b[id] = sum;
}

// The words behind the first are read again when they have been written.
void loads_and_stores(uint id)
{
    const uint first = a[4 * id];
    c[id] = first;
    a[4 * id + 1] = first + 10;
    a[4 * id + 2] = first + 20;
    a[4 * id + 3] = first + 30;
    memoryBarrierBuffer();
    b[id] = a[4 * id + 1] * 3 + a[4 * id + 2] * 5 + a[4 * id + 3] * 7;
}

void odd_steps(uint id)
{
    b[id] = a[id * step & ~1u];
}

void rounded_down(uint id)
{
    b[id] = a[(id * 8 + step) & ~3u];
}

void wide_products(uint id)
{
    const uint64_t wide = uint64_t(a[id]) << 20 | c[id];
    b[id] = uint(wide * 1ul >> 24) + uint(wide * 0ul >> 8);
}

// Left where something does not hold, which is no other comparison of floats.
void until(uint id)
{
    float x = float(a[id] & 0xfff) * 0.001;
    uint rounds = 0;
    for (; rounds < 20 && x < 3.0; rounds++)
        x = x * 1.125 + 0.125;
    b[id] = rounds;
}

void main()
{
    const uint id = gl_GlobalInvocationID.x;
    switch (part) {
    case 0: signed_compare(id); break;
    case 1: deep_range(id); break;
    case 2: products(id); break;
    case 3: bf[id] = 2.5 * af[id] + bf[id]; break;
    case 4: b[id] = a[id]; break;
    case 5: small_product(id); break;
    case 6: offset(id); break;
    case 7: loads_and_stores(id); break;
    case 8: odd_steps(id); break;
    case 9: rounded_down(id); break;
    case 10: wide_products(id); break;
    case 11: until(id); break;
    }
}
