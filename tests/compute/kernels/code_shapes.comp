// SPDX-License-Identifier: MIT
// Code of which the shape after the compiler's passes is known, one part each:
// tests/compute/code_shapes.c.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint part = 0;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(binding = 2) buffer C { uint c[]; };
layout(buffer_reference) readonly buffer Words { uint w[]; };
layout(push_constant) uniform Push { uint step; Words words; };

// Scalars: each comparison moves in front of its IF, over what does not read its operands.
void conditions(uint id)
{
    uint x = step, y = step * 7u + 3u, z = step ^ 5u, count = 0u;
    for (uint n = 0u; n < 100u; n++) {
        const bool is_less = x < y;
        z = z * 5u + n;
        if (is_less) {
            x = x * 3u + z;
            count += 2u;
        } else {
            y += z >> 3;
            x >>= 1;
        }
        const bool is_equal = (x & 7u) == (z & 7u), is_odd = (z & 1u) != 0u;
        y ^= count;
        if (is_equal)
            count += y & 3u;
        if (is_odd)
            count = count * 3u + 1u;
    }
    b[id] = x ^ y * 3u ^ z * 5u ^ count * 7u;
}

// Branches of lanes with an operation that takes longer than a mask: each stays.
void dear_branches(uint id)
{
    const uint x = a[id], y = c[id];
    const float f = float(x >> 8);
    uint sum = 0u;
    if ((x & 1u) != 0u)
        sum += uint(sqrt(f));
    if ((x & 2u) != 0u) {
        int exponent;
        frexp(f, exponent);
        sum += uint(exponent);
    }
    if ((x & 4u) != 0u)
        sum += y / (x | 1u);
    if ((x & 8u) != 0u)
        sum += uint(int(y >> 1) % int(x >> 2 | 1u));
    if ((x & 16u) != 0u)
        sum += uint(ldexp(float(y & 255u), int(x >> 30)));
    b[id] = sum;
}

// All lanes go the same way: a choice between what is there is cheaper than a branch.
void one_choice(uint id)
{
    const uint x = a[id];
    uint r = c[id];
    if ((step & 2u) != 0u)
        r = x;
    b[id] = r * 3u;
}

// Two of them are not.
void two_choices(uint id)
{
    const uint x = a[id], y = x * 5u;
    uint r = c[id], s = id;
    if ((step & 2u) != 0u) {
        r = x;
        s = y;
    }
    b[id] = r * 3u ^ s;
}

// Functions of three bits: each may have the scalar at any place but for the chooser's.
void bits_of_three(uint id)
{
    const uint u = step * 0x9e3779b9u, x = a[id], y = c[id];
    uint r = (u & x) | (~u & y);
    r = r * 3u + (u ^ x ^ y);
    r = r * 5u + ((u & x) ^ (u & y) ^ (x & y));
    r = r * 7u + ((x & u) | (~x & y));
    r = r * 9u + ((x & y) | (~x & u));
    r = r * 11u + (y ^ (x & (u ^ y)));
    b[id] = r;
}

// Words of a table at places that are known, the last one among them.
void table_words(uint id)
{
    const uint factors[6] = uint[6](3u, 5u, 7u, 9u, 11u, 13u);
    const uint64_t wide[3] = uint64_t[3](17ul << 20, 34ul << 20, 51ul << 20);
    uint sum = factors[step % 6u] + uint(wide[step % 3u] >> 20);
    for (uint i = 0u; i < 6u; i++)
        sum += factors[i] * a[id + i];
    uint64_t all = 0ul;
    for (uint i = 0u; i < 3u; i++)
        all += wide[i];
    b[id] = sum ^ uint(all >> 20);
}

// Rows of an invocation's own are read ahead where they are long enough for that.
void rows(uint id, uint length)
{
    uint sum = 0u;
    for (uint i = 0u; i < step; i++)
        sum = sum * 31u + a[id * length + i];
    b[id] = sum;
}

// Words of workgroup memory on both sides of an array are kept, whatever its index is.
shared uint front;
shared uint row[8];
shared uint back;

void neighbours(uint id)
{
    row[id & 7u] = 3u;
    barrier();
    if (id == 0u) {
        front = step;
        back = 7u;
        for (uint n = 0u; n < 70u; n++) {
            row[back & 7u] += front;
            front = front * 5u + n;
            back = back * 3u ^ front;
        }
    }
    barrier();
    b[id] = front + back * 3u + row[id & 7u];
}

// Four words of each invocation are one load where nobody knows how far invocations are apart.
void words_in_steps(uint id)
{
    const uint at = id * step;
    b[id] = a[at] + a[at + 1u] * 3u + a[at + 2u] * 5u + a[at + 3u] * 7u;
}

// A scalar that stands first changes places with what it is multiplied with.
void scaled(uint id)
{
    b[id] = step * a[id] + c[id];
}

// Rounds that some lanes leave early go on in the other arm: there is no block but the loop's.
void continued(uint id)
{
    uint x = a[id], y = id, z = 7u;
    for (uint n = 0u; n < 60u; n++) {
        x = x * 5u + n;
        if ((x & 96u) == 0u)
            continue;
        y = y * 3u + x % (n + step + 1u);
        if ((y & 24u) == 8u)
            continue;
        z = z * 7u + y % (x | 1u);
    }
    b[id] = x ^ y * 3u ^ z * 5u;
}

// What is at an address is no word of workgroup memory.
void neighbours_of_addresses(uint id)
{
    if (id == 0u) {
        front = step;
        for (uint n = 0u; n < 70u; n++)
            front = front * 5u + words.w[front & 63u];
    }
    barrier();
    b[id] = front + id;
}

void main()
{
    const uint id = gl_LocalInvocationIndex;
    switch (part) {
    case 0: conditions(id); break;
    case 1: dear_branches(id); break;
    case 2: one_choice(id); break;
    case 3: two_choices(id); break;
    case 4: bits_of_three(id); break;
    case 5: table_words(id); break;
    case 6: rows(id, 3u); break;
    case 7: rows(id, 4u); break;
    case 8: neighbours(id); break;
    case 9: words_in_steps(id); break;
    case 10: scaled(id); break;
    case 11: neighbours_of_addresses(id); break;
    case 12: continued(id); break;
    }
}
