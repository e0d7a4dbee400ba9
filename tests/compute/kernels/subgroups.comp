// SPDX-License-Identifier: MIT
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 64, local_size_x_id = 0) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform Push { uint family; uint operation; uvec2 mask; };

#define ROTATE(T)                                                                                  \
    spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [6026], id = 4431)  \
    T rotate(uint scope, T v, uint by);                                                            \
    spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [6026], id = 4431)  \
    T rotate(uint scope, T v, uint by, uint cluster);
ROTATE(uint)
ROTATE(int)
ROTATE(float)
ROTATE(int64_t)
ROTATE(int16_t)
#define SCOPE 3u // subgroup

uint word(uint x) { return x; }
uint word(int x) { return uint(x); }
uint word(float x) { return uint(int(x)); }
uint word(int64_t x) { return uint(x) ^ uint(x >> 32); }
uint word(int16_t x) { return uint(int(x)); }

#define ARITHMETIC(name, T)                                                                        \
    uint name(uint operation, T v)                                                                 \
    {                                                                                              \
        switch (operation) {                                                                       \
        case 0u: return word(subgroupAdd(v));                                                      \
        case 1u: return word(subgroupInclusiveAdd(v));                                             \
        case 2u: return word(subgroupExclusiveAdd(v));                                             \
        case 3u: return word(subgroupMin(v));                                                      \
        case 4u: return word(subgroupInclusiveMin(v));                                             \
        case 5u: return word(subgroupMax(v));                                                      \
        case 6u: return word(subgroupInclusiveMax(v));                                             \
        case 7u: return word(subgroupMul(v));                                                      \
        case 8u: return word(subgroupClusteredAdd(v, 2u));                                         \
        case 9u: return word(subgroupClusteredAdd(v, 4u));                                         \
        case 10u: return word(subgroupClusteredMax(v, 8u));                                        \
        case 11u: return word(subgroupClusteredMin(v, 16u));                                       \
        case 12u: return word(subgroupShuffleXor(v, 3u));                                          \
        case 13u: return word(subgroupBroadcastFirst(v));                                          \
        case 14u: return word(subgroupQuadSwapVertical(v));                                        \
        case 15u: return word(subgroupQuadBroadcast(v, 2u));                                       \
        case 16u: return word(subgroupShuffle(v, (gl_SubgroupInvocationID * 5u + 3u) & 15u));      \
        case 17u: return subgroupAllEqual(v) ? 1u : 0u;                                            \
        case 19u: return word(subgroupClusteredAdd(v, 16u));                                       \
        case 20u: return word(subgroupClusteredMax(v, 32u));                                       \
        case 21u: return word(subgroupClusteredAdd(v, 64u));                                       \
        case 22u: return word(subgroupExclusiveMul(v));                                            \
        case 23u: return word(subgroupExclusiveMax(v));                                            \
        case 24u: return word(subgroupInclusiveMul(v));                                            \
        case 25u: return word(subgroupShuffleXor(v, gl_SubgroupSize - 1u));                        \
        case 26u: return word(subgroupShuffleUp(v, 5u));                                           \
        case 27u: return word(subgroupShuffleDown(v, 9u));                                         \
        case 28u: return word(rotate(SCOPE, v, 7u));                                               \
        case 29u: return word(rotate(SCOPE, v, 3u, 8u));                                           \
        case 30u: return word(rotate(SCOPE, v, 21u, 16u));                                         \
        case 31u: return word(subgroupQuadSwapDiagonal(v));                                        \
        case 32u: return word(subgroupShuffle(v, operation * gl_SubgroupInvocationID * 7u + 1u &   \
                                                     gl_SubgroupSize - 1u));                       \
        case 33u: return word(subgroupBroadcast(v, 13u));                                          \
        default: return word(subgroupBroadcast(v, 4u));                                            \
        }                                                                                          \
    }
ARITHMETIC(of_uint, uint)
ARITHMETIC(of_int, int)
ARITHMETIC(of_float, float)
ARITHMETIC(of_int64, int64_t)
ARITHMETIC(of_int16, int16_t)

// Invocations leave one after the other; each round sums up those that are left.
uint loops(uint v)
{
    uint sum = 0u;
    for (uint round = 0u; round < v % 9u; round++) {
        sum = sum * 5u + subgroupAdd(v);
        if (gl_SubgroupInvocationID % 3u == round)
            sum += subgroupBallotBitCount(subgroupBallot(true));
    }
    return sum;
}

uint bits(uint operation, uint v)
{
    const uint highs = 0xffff8000u;
    const uvec4 ballot = subgroupBallot((v & 1u) != 0u);
    switch (operation) {
    case 0u: return subgroupAnd(v);
    case 1u: return subgroupInclusiveOr(v);
    case 2u: return subgroupXor(v);
    case 3u: return subgroupExclusiveXor(v);
    case 4u: return subgroupClusteredOr(v, 4u);
    case 5u: return ballot.x;
    case 17u: return ballot.y;
    case 6u: return subgroupBallotBitCount(ballot);
    case 7u: return subgroupBallotInclusiveBitCount(ballot);
    case 8u: return subgroupBallotExclusiveBitCount(ballot);
    case 9u: return subgroupBallotFindLSB(ballot & uvec4(highs, ~0u, 0u, 0u));
    case 10u: return subgroupBallotFindMSB(ballot & uvec4(~0u, ~highs, ~0u, ~0u));
    case 11u: return subgroupInverseBallot(ballot) ? 1u : 0u;
    case 12u: return subgroupBallotBitExtract(ballot, 7u) ? 1u : 0u;
    case 13u: return (subgroupAll((v & 3u) != 3u) ? 1u : 0u) | (subgroupAny(v > 200u) ? 2u : 0u);
    case 14u: return subgroupElect() ? 1u : 0u;
    case 15u: return gl_SubgroupEqMask.x ^ gl_SubgroupLtMask.x << 8 ^ gl_SubgroupGeMask.x;
    case 18u: return gl_SubgroupLeMask.x ^ gl_SubgroupGtMask.x << 5 ^ gl_SubgroupGtMask.z;
    case 19u: return gl_SubgroupEqMask.y ^ gl_SubgroupLtMask.y << 8 ^ gl_SubgroupGeMask.y;
    case 20u: return gl_SubgroupLeMask.y ^ gl_SubgroupGtMask.y << 5 ^ gl_SubgroupGtMask.w;
    case 21u: return subgroupInclusiveAnd(v | 64u);
    case 22u: return subgroupClusteredXor(v, 32u);
    case 23u: return subgroupBallotBitExtract(ballot, v & gl_SubgroupSize - 1u) ? 1u : 0u;
    case 24u: return gl_NumSubgroups;
    case 25u: return uint(subgroupShuffle((v & 4u) != 0u, gl_SubgroupInvocationID ^ 17u & gl_SubgroupSize - 1u));
    case 26u: return loops(v);
    default: return gl_SubgroupInvocationID | gl_SubgroupSize << 8 | gl_SubgroupID << 16;
    }
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const uint v = a[i];
    if ((mask[gl_SubgroupInvocationID / 32u] >> gl_SubgroupInvocationID % 32u & 1u) == 0u)
        return;
    switch (family) {
    case 0u: c[i] = of_uint(operation, v); break;
    case 1u: c[i] = of_int(operation, int(v) - 100); break;
    case 2u: c[i] = of_float(operation, float(v & 7u) - 3.0); break;
    case 3u: c[i] = of_int64(operation, (int64_t(v) << 33) - int64_t(v)); break;
    case 4u: c[i] = of_int16(operation, int16_t(v * 91u)); break;
    default: c[i] = bits(operation, v); break;
    }
}
