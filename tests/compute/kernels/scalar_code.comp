// SPDX-License-Identifier: MIT
// What the compiler does with scalars, their places and short branches, one part each:
// tests/compute/scalar_code.c.
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 512) in;
layout(constant_id = 0) const uint part = 0;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 0) buffer A8 { uint8_t a8[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform Push { uint step; };

// The way that a lane takes costs less than a mask, whatever its neighbours are.
void short_branches(uint id)
{
    uint x = a[id], y = c[id];
    if ((x & 1) != 0)
        y += 3;
    if ((y & 2) != 0)
        x ^= y;
    else
        y -= x;
    if (x < y)
        x += 5;
    b[id] = x ^ y * 3;
}

// Halves and bytes of workgroup memory that one number is kept in, with rubbish above them.
shared int16_t half_word;
shared uint16_t other_half;
shared uint8_t byte_word;

void narrow_words(uint id)
{
    half_word = int16_t(step);
    other_half = uint16_t(7);
    byte_word = uint8_t(step);
    for (uint n = 0; n < 20; n++) {
        const uint before = uint(other_half);
        other_half = uint16_t(before * 40503u + n);
        half_word = int16_t(int(half_word) * 3 - int(before));
        if ((before & 4u) != 0u)
            byte_word = uint8_t(uint(byte_word) * 5u + n + 200u);
    }
    b[id] = uint(other_half) + uint(int(half_word)) * 3u + uint(byte_word) * 7u + id;
}

// Places of scalars: a sum, a shift and a constant, inside the buffer and outside of it.
void scalar_places(uint id)
{
    uint sum = step;
    for (uint n = 0; n < 16; n++) {
        const uint at = (sum & 255) * 2 + step * 5;
        sum = sum * 3 + a[at + 1] + uint(a8[sum & 1023]) + a[(sum >> 16) * 4096 + step]
            + uint(a8[(sum & 63) * 8 + step]) + uint(a8[step * 3 + (sum & 15) * 16]);
        c[(sum & 63) + step] = sum;
    }
    b[id] = sum;
}

// What is cut off needs no extension in front.
void cut_numbers(uint id)
{
    const int16_t x = int16_t(a[id]), y = int16_t(c[id]);
    const int16_t difference = x - y;
    const uint byte = a[id] >> 3 & 255u;
    b[id] = (uint(difference) & 255u) + uint(int(int16_t(int8_t(uint8_t(byte))))) +
            uint(int(int16_t(uint8_t(a[id] * 3u)))) + uint(uint16_t(int16_t(int8_t(uint8_t(a[id] * 5u))))) + (int(a[id] >> 31) != 0 ? 1000u : 0u);
}

// A loop that takes one of two ways with what it had: nothing has to be moved on either.
void two_ways(uint id)
{
    uint low = step, count = 0u, range = 0xff00u;
    for (uint n = 0u; n < 30u; n++) {
        uint place = count, code = low;
        if ((low & 3u) != 0u) {
            code = low * 5u + n;
            place = count + 8u;
            low = code >> 1;
        } else {
            low = code + range;
            if (n > 10u)
                place = count * 3u;
        }
        range = range * 7u ^ place;
        count = place + (code & 1u);
    }
    b[id] = low ^ count * 3u ^ range;
}

// A function that returns in each branch of its last IF, and in both of one inside of that.
uint length_of(uint code, uint order)
{
    const uint limit = 4u << (order & 3u);
    if (code >= limit) {
        const uint rest = code - limit / 2u;
        if ((rest & 1u) != 0u)
            return rest * 2u + order;
        else
            return order != 0u ? rest / order : rest;
    } else {
        return (code >> (order & 3u)) + order + 1u;
    }
}

void returns(uint id)
{
    b[id] = length_of(a[id] >> 24, c[id] & 7u) + 3u * length_of(id & 63u, step) +
            5u * length_of(step * 7u, 2u);
}

void main()
{
    const uint id = gl_LocalInvocationIndex;
    switch (part) {
    case 0: short_branches(id); break;
    case 1: narrow_words(id); break;
    case 2: scalar_places(id); break;
    case 3: cut_numbers(id); break;
    case 4: two_ways(id); break;
    case 5: returns(id); break;
    }
}
