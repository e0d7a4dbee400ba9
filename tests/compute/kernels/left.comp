#version 450
// SPDX-License-Identifier: MIT
// What a loop changed before it was left, be it by its condition, a break or a return.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 2) buffer C { uint c[]; };

// Both ways out keep the last round's value: no choice between values where they meet.
void short_loop(uint v, uint most, inout uint x)
{
    for (uint k = 0; k < min(2, most); k++) {
        if ((v & 1) != 0)
            return;
        x = v + k;
    }
}

void long_loop(uint v, uint most, inout uint x)
{
    for (uint k = 0; k < most; k++) {
        if (x * 7 + k > v)
            return;
        x = x * 3 + 1;
    }
}

void nested_loops(uint v, uint most, inout uint x)
{
    for (uint k = 0; k < most; k++) {
        for (uint n = 0; n < v % 9; n++) {
            if (x % 11 == v % 11)
                return;
            if (x % 5 == 3)
                break;
            x = x * 5 + n;
        }
        x += k;
    }
}

void main()
{
    const uint i = gl_GlobalInvocationID.x, v = a[1 + i];
    uint x = 0, y = v >> 28, z = v >> 24;

    short_loop(v, a[0], x);
    long_loop(v, a[0], y);
    nested_loops(v, a[0], z);
    c[3 * i] = x;
    c[3 * i + 1] = y;
    c[3 * i + 2] = z;
}
