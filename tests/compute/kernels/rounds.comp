// SPDX-License-Identifier: MIT
// Loops whose values move on from one variable to the next, and functions of single bits:
// tests/compute/rounds.c.
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint part = 0;
layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
layout(push_constant) uniform Push { uint count; };

uint turned(uint v, uint by)
{
    return v << by | v >> (32 - by);
}

// The new value of a round and the oldest one in it.
uint mixed(uint h[5], uint i)
{
    return turned(h[0], 7) ^ h[1] + h[4] * 3u ^ i;
}

void shift(inout uint h[5], uint next)
{
    for (uint j = 4; j > 0; j--)
        h[j] = h[j - 1];
    h[0] = next;
}

uint sum(uint h[5])
{
    return h[0] + 3u * h[1] + 5u * h[2] + 7u * h[3] + 11u * h[4];
}

void main()
{
    const uint id = gl_GlobalInvocationID.x;
    uint h[5] = uint[5](a[id], a[id] * 3u, id, 17u, 5u);
    const uint x = a[id], y = a[id + 64], z = a[id + 128];
    uint i = 0;
    switch (part) {
    case 0: // left in front of a round
        for (; i < 300; i++)
            shift(h, mixed(h, i));
        break;
    case 1: // left behind one
        do {
            shift(h, mixed(h, i));
        } while (++i < 311);
        break;
    case 2: // left in the middle of an IF, too, by some lanes
        for (; i < 320; i++) {
            const uint next = mixed(h, i);
            if ((next & 1u) != 0) {
                if ((next & 0x7cu) == 0x7cu)
                    break;
                h[2] += 1u;
            }
            shift(h, next);
        }
        break;
    case 3: // left by some lanes in any round
        for (; i < 320; i++) {
            const uint next = mixed(h, i);
            if ((next & 0x1fu) == 0x1fu)
                break;
            shift(h, next);
        }
        break;
    case 4: // nobody knows when
        for (; i < count; i++)
            shift(h, mixed(h, i));
        break;
    case 5: // a loop inside
        for (; i < 300; i++) {
            uint next = mixed(h, i);
            for (uint j = 0; j < count; j++)
                if ((next = next * 5u + j) % 16u == 0)
                    break;
            shift(h, next);
        }
        break;
    case 6: // one that is left by a round's number, and one by a value
        for (; i < 400; i++) {
            if (i == 277)
                break;
            shift(h, mixed(h, i));
        }
        break;
    case 10: h[0] = x & y ^ x & z ^ y & z; break;
    case 11: h[0] = x & y | z & (x | y); break;
    case 12: h[0] = x & y | z & (x ^ y); break;
    case 13: h[0] = x & y ^ ~x & z; break;
    case 14: h[0] = z ^ x & (y ^ z); break;
    case 15: h[0] = x & y | z & ~x; break;
    case 16: h[0] = x ^ y ^ z; break;
    case 17: h[0] = turned(x, 9); break;
    case 18: h[0] = (x << 9) + (x >> 23); break;
    case 19: h[0] = x << 9 | x >> 22; break; // not turned
    case 20: h[0] = x << 9 | y >> 23; break; // not turned
    case 21: h[0] = turned(x, 9) ^ turned(x, 20) ^ y; break;
    case 22: h[0] = y >> 5 ^ z; break;
    case 23: h[0] = x & count ^ ~x & z; break;
    case 24: h[0] = count & x | ~count & z; break; // one number for all lanes chooses
    case 25: h[0] = x & y & z; break; // of which none knows
    case 26: h[0] = x << 9 ^ x >> 23; break;
    case 27: { // the AND has another reader
        const uint both = x & y;
        h[0] = both ^ x & z ^ y & z;
        h[1] = both;
        break;
    }
    }
    b[id] = sum(h) + i;
}
