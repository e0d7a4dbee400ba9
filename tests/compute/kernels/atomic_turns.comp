#version 450
// SPDX-License-Identifier: MIT
// Each operation on words, by all invocations on one word, or on some words, in a buffer and in
// workgroup memory; what was there is wanted or not.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint word[]; };
layout(std430, binding = 1) buffer B { uint b[]; };
layout(std430, binding = 2) writeonly buffer C { uint c[]; };
layout(std430, binding = 3) buffer D { int d[]; };
layout(push_constant) uniform P { uint op; uint skipped; uint is_shared; };
shared uint s[16];
uint value(uint i) { return i * 2654435761u >> 11; }
#define EACH(m, at) \
    switch (op) { \
    case 0: old = atomicAdd(m[at], v); break; \
    case 1: old = atomicMin(m[at], v); break; \
    case 2: old = atomicMax(m[at], v); break; \
    case 3: old = atomicAnd(m[at], v | 0xff00ffu); break; \
    case 4: old = atomicOr(m[at], v & 0xff00ffu); break; \
    case 5: old = atomicXor(m[at], v); break; \
    case 6: old = atomicExchange(m[at], v); break; \
    case 7: old = atomicCompSwap(m[at], (i & 1u) == 0 ? 77u : v - 1u, v); break; \
    case 8: atomicAdd(m[at], v); break; \
    case 9: atomicMax(m[at], v); break; \
    }
void main()
{
    const uint i = gl_GlobalInvocationID.x, v = value(i);
    uint old = 0x5555u;
    if (gl_LocalInvocationID.x < 16)
        s[gl_LocalInvocationID.x] = 77u;
    barrier();
    if (i % skipped != 1) {
        const uint at = word[i];
        if (is_shared == 1) {
            EACH(s, at)
        } else if (is_shared == 2) { /* the same word for all, known when compiled */
            EACH(b, 3)
        } else if (op == 10) {
            old = uint(atomicMin(d[at], int(v << 11)));
        } else if (op == 11) {
            old = uint(atomicMax(d[at], int(v << 11)));
        } else {
            EACH(b, at)
        }
    }
    barrier();
    c[i] = old;
    if (is_shared == 1 && gl_LocalInvocationID.x < 16)
        b[16 * gl_WorkGroupID.x + gl_LocalInvocationID.x] = s[gl_LocalInvocationID.x];
}
