// SPDX-License-Identifier: MIT
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_ARB_shader_clock : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 1) buffer H { float16_t half_sum[2]; float16_t half_max[2]; };
layout(set = 0, binding = 2) buffer C { uint64_t c[]; };
struct Cell { uint count; uint64_t sum; };
shared uint before;
shared Cell cells[2];
shared float16_t shared_half;
void main()
{
    const uint i = gl_LocalInvocationIndex;
    const uint64_t start = clockARB();
    if (i < 2) {
        cells[i].count = 0;
        cells[i].sum = 0ul;
        shared_half = float16_t(0);
    }
    barrier();
    atomicAdd(cells[i & 1].count, 1);
    atomicAdd(cells[i & 1].sum, uint64_t(i) << 32);
    atomicAdd(shared_half, float16_t(0.5));
    atomicAdd(half_sum[1], float16_t(2));
    atomicMax(half_max[1], float16_t(i));
    barrier();
    if (i < 2)
        c[i] = cells[i].sum + cells[i].count;
    if (i == 2)
        c[2] = uint64_t(shared_half);
    c[3 + i] = clockARB() - start;
}
