#version 450
// SPDX-License-Identifier: MIT
// Words at places of the invocations' own, with arithmetic between: places that others' words say,
// in loops, by some invocations, from memory of the workgroup's, and between stores to the same.
layout(local_size_x_id = 0) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) readonly buffer B { int places[]; };
layout(std430, binding = 2) writeonly buffer C { uint c[]; };
layout(std430, binding = 3) buffer D { uint own[]; }; // 16 words of each invocation's
layout(constant_id = 1) const uint SIZE = 64u;
layout(push_constant) uniform P { uint every; };
shared uint words[SIZE];
uint i, to;

uint
mix(uint x, uint y)
{
    return (x ^ x >> 15) * 0x2c1b3c6du + y;
}

void
result(uint x)
{
    c[to] = x;
    to++;
}

uint
near(int at)
{
    const uint first = a[mix(uint(at), 1u) >> 22], second = a[(mix(first, 2u) >> 22) + 1u];
    const uint third = a[at + 2], fourth = a[at - 3];
    const uint least = first < second ? third ^ 5u : second + fourth;
    result(third);
    result(fourth);
    return mix(least, first) ^ mix(a[(mix(least, third) >> 23) + 40u], second);
}

uint
rounds(uint h, uint count)
{
    for (uint k = 0u; k < count; k++) {
        h = mix(h, k) ^ a[mix(h, 3u * k) >> 22];
        if ((h & 3u) == 1u)
            h += mix(a[mix(h, 7u) >> 23], a[(mix(h, k) >> 24) + 3u]);
    }
    return h;
}

uint
shared_words(uint h)
{
    const uint l = gl_LocalInvocationID.x;
    words[l] = h;
    barrier();
    const uint first = words[mix(h, 1u) % SIZE], second = words[mix(first, h) % SIZE];
    barrier();
    words[l] = mix(second, i);
    barrier();
    const uint third = words[mix(second, 2u) % SIZE];
    barrier();
    if ((third & 1u) == 0u)
        atomicAdd(words[l], third);
    barrier();
    return mix(first, second) ^ mix(third, words[mix(third, 3u) % SIZE]);
}

uint
own_words(uint h)
{
    const uint first = 16u * i;
    const uint d0 = own[first + (mix(h, 1u) & 15u)];
    own[first + (mix(h, 2u) & 15u)] = d0 + 1u;
    const uint d1 = own[first + (mix(d0, h) & 15u)];
    own[first + (mix(d1, 3u) & 15u)] = mix(d1, d0);
    const uint d2 = own[first + (mix(d1, d0) & 15u)], d3 = own[first + (mix(d2, 5u) & 15u)];
    atomicAdd(own[first + (mix(d3, 2u) & 15u)], d2);
    return mix(mix(own[first + (mix(d3, 4u) & 15u)], d3), d1);
}

void
main()
{
    i = gl_GlobalInvocationID.x;
    to = 12u * i;
    const int at = places[2u * i];
    uint h = near(at);
    result(h);
    if (i % every == 0u) {
        h = near(places[2u * i + 1u]);
        result(h);
    } else {
        result(1u);
        result(2u);
        result(3u);
    }
    h = rounds(h, h >> 3 & 7u);
    result(h);
    h = shared_words(h);
    result(h);
    if (i % every == every / 2u)
        h = own_words(h);
    result(h);
}
