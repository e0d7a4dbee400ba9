// SPDX-License-Identifier: MIT
#version 450
// Loops with counted trips: nested, downwards, with holes, left early, strided over the workgroup.
layout(local_size_x = 12, local_size_y = 5) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared uint tile[150];
const uint table[6] = uint[6](3u, 1u, 4u, 1u, 5u, 9u);

uint counted(uint i, uint v)
{
    uint t[6], moving[4];
    for (uint k = 0u; k < 6u; k++)
        t[k] = v * (k + table[k]) ^ i;
    for (uint k = 0u; k < 4u; k++)
        moving[k] = t[k + 1u];
    uint s = 0u;
    for (int k = 5; k >= 0; k--) {
        if ((v >> k & 1u) == 1u)
            continue;
        s = s * 3u + t[k];
        if (s % 13u == 7u)
            break;
        t[k] = s;
    }
    for (uint x = 0u; x < 4u; x++)
        for (uint y = 0u; y < x; y++)
            s += t[y] * (x + 1u);
    for (uint m = 32u; m > 0u; m >>= 1)
        s += (v & m) != 0u ? t[m % 6u] : m;
    s += moving[(i + s) % 4u];
    uint w = 0u;
    do {
        s ^= s << 3;
        w++;
    } while (w < 3u);
    for (uint q = 0u; q < 5u; q++) {
        if ((s >> q & 3u) == 2u)
            continue; /* over the way out */
        s += q;
        if (q == 2u)
            return s;
    }
    for (uint q = 0u; q < 5u; q++)
        if ((s ^ q) % 17u == 3u)
            return s + q * 1000u;
    return s;
}

void main()
{
    uint l = gl_LocalInvocationIndex, group = gl_WorkGroupID.x;
    uint last = 0u;
    for (uint i = l; i < 150u; i += 60u) {
        tile[i] = counted(i, a[group * 150u + i]);
        last = i;
    }
    barrier();
    uint sum = last;
    for (uint i = 0u; i < 3u; i++)
        sum = sum * 5u + tile[(l * 7u + i * 50u) % 150u];
    c[group * 60u + l] = sum;
}
