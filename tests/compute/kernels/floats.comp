// SPDX-License-Identifier: MIT
// Atomics on floats of every width, in buffers and in shared memory, and of 64 bits on integers.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer B {
    float f[4];
    double d[4];
    float16_t h[4];
    int64_t s[6];
    uint64_t u[8];
};
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared float shared_f[3];
shared double shared_d[3];
shared int64_t shared_s[2];

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float x = float(i) - 50.0;
    if (gl_LocalInvocationIndex == 0) {
        shared_f[0] = shared_f[1] = shared_f[2] = 0.0;
        shared_d[0] = shared_d[1] = shared_d[2] = 0.0lf;
        shared_s[0] = shared_s[1] = 0l;
    }
    barrier();
    atomicAdd(f[0], x);
    atomicMin(f[1], x);
    atomicMax(f[2], x);
    atomicExchange(f[3], 7.5);
    atomicAdd(d[0], double(x) * 0.5lf);
    atomicMin(d[1], double(x));
    atomicMax(d[2], double(x));
    atomicExchange(d[3], -2.5lf);
    atomicAdd(h[0], float16_t(0.25));
    atomicMin(h[1], float16_t(x));
    atomicMax(h[2], float16_t(x));
    atomicExchange(h[3], float16_t(3));
    atomicMin(s[0], int64_t(x) << 33);
    atomicMax(s[1], int64_t(x) << 33);
    atomicAdd(s[2], int64_t(x) << 33);
    atomicMin(u[0], uint64_t(i + 5) << 40);
    atomicMax(u[1], uint64_t(i + 5) << 40);
    atomicAnd(u[2], ~(uint64_t(1) << (i & 63)));
    atomicOr(u[3], uint64_t(1) << ((i * 2) & 63));
    atomicXor(u[4], uint64_t(i) << 35);
    atomicExchange(u[5], uint64_t(99) << 32);
    atomicCompSwap(u[6], uint64_t(i), uint64_t(i + 1));
    atomicAdd(shared_f[0], 1.5);
    atomicMin(shared_f[1], x);
    atomicMax(shared_f[2], x);
    atomicAdd(shared_d[0], 0.75lf);
    atomicMin(shared_d[1], double(x));
    atomicMax(shared_d[2], double(x));
    atomicMin(shared_s[0], int64_t(x) << 40);
    atomicMax(shared_s[1], int64_t(x) << 40);
    barrier();
    if (gl_LocalInvocationIndex == 0) {
        const uint at = gl_WorkGroupID.x * 8;
        c[at] = floatBitsToUint(shared_f[0]);
        c[at + 1] = floatBitsToUint(shared_f[1]);
        c[at + 2] = floatBitsToUint(shared_f[2]);
        c[at + 3] = floatBitsToUint(float(shared_d[0]));
        c[at + 4] = floatBitsToUint(float(shared_d[1]));
        c[at + 5] = floatBitsToUint(float(shared_d[2]));
        c[at + 6] = uint(shared_s[0] >> 40);
        c[at + 7] = uint(shared_s[1] >> 40);
    }
}
