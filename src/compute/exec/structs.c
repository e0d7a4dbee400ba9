/* SPDX-License-Identifier: MIT */
/* Loads and stores of the words of structures, each lane its own: block by block all of them, so
 * that each line of memory is touched once.
 */
#include "compute/exec/blocks.h"
#include "compute/exec/op_list.h"

#define MORE_OF(op) ((const struct rp_op_more *)((op) + 1))
#define MORE MORE_OF(o)

#if RP_VW >= 8
static inline void
transpose8(__m256i r[8])
{
    __m256i t[8];
#pragma GCC unroll 2
    for (uint32_t n = 0; n < 8; n += 4) {
        const __m256i low01 = _mm256_unpacklo_epi32(r[n], r[n + 1]);
        const __m256i high01 = _mm256_unpackhi_epi32(r[n], r[n + 1]);
        const __m256i low23 = _mm256_unpacklo_epi32(r[n + 2], r[n + 3]);
        const __m256i high23 = _mm256_unpackhi_epi32(r[n + 2], r[n + 3]);
        t[n] = _mm256_unpacklo_epi64(low01, low23);
        t[n + 1] = _mm256_unpackhi_epi64(low01, low23);
        t[n + 2] = _mm256_unpacklo_epi64(high01, high23);
        t[n + 3] = _mm256_unpackhi_epi64(high01, high23);
    }
#pragma GCC unroll 4
    for (uint32_t n = 0; n < 4; n++) {
        r[n] = _mm256_permute2x128_si256(t[n], t[n + 4], 0x20);
        r[n + 4] = _mm256_permute2x128_si256(t[n], t[n + 4], 0x31);
    }
}

/* The next member lies side by side with o, four words each: they are moved together. */
static inline bool
is_pair(const struct rp_op *o, const struct rp_op *end)
{
    const struct rp_op *next = o + 2;
    return o->n == 4 && next < end && next->n == 4 && MORE_OF(next)->r[6] - MORE->r[6] == 16;
}

/* Two members of four words. */
static __attribute__((noinline)) void
load_pair(const struct rp_op *o, char *R, const uint8_t *from, size_t stride, int32_t k)
{
    const uint32_t *low = MORE->r, *high = MORE_OF(o + 2)->r;
    for (int32_t at = k * 64; at < (k + 1) * 64; at += 32, from += 8 * stride) {
        __m256i r[8];
#pragma GCC unroll 8
        for (uint32_t n = 0; n < 8; n++)
            r[n] = _mm256_loadu_si256((const __m256i *)(from + n * stride));
        transpose8(r);
#pragma GCC unroll 8
        for (uint32_t n = 0; n < 8; n++)
            _mm256_storeu_si256((__m256i *)(R + (n < 4 ? low[n] : high[n - 4]) + at), r[n]);
    }
}

static __attribute__((noinline)) void
store_pair(const struct rp_op *o, const char *R, uint8_t *to, size_t stride, int32_t k)
{
    const uint32_t *low = MORE->r, *high = MORE_OF(o + 2)->r;
    for (int32_t at = k * 64; at < (k + 1) * 64; at += 32, to += 8 * stride) {
        __m256i r[8];
#pragma GCC unroll 8
        for (uint32_t n = 0; n < 8; n++)
            r[n] = _mm256_loadu_si256((const __m256i *)(R + (n < 4 ? low[n] : high[n - 4]) + at));
        transpose8(r);
#pragma GCC unroll 8
        for (uint32_t n = 0; n < 8; n++)
            _mm256_storeu_si256((__m256i *)(to + n * stride), r[n]);
    }
}

/* What lies inside, of a block whose lanes are in a row. */
static inline void
move_member(const struct rp_op *o, uint32_t count, uint32_t kind, char *R, uint8_t *at,
            size_t stride, int32_t k)
{
    if (count == 2 && kind == RP_STRUCT_STORE)
        store_pair(o, R, at, stride, k);
    else if (count == 2)
        load_pair(o, R, at, stride, k);
    else if (kind == RP_STRUCT_STORE)
        store_block32(o, R, at, stride, k);
    else if (kind == RP_STRUCT_LOAD)
        load_block32(o, R, at, stride, k);
    else
        load_block64(o, R, at, stride, k);
}

/* Members [o, end) of the structures of a block's lanes; the line is that of those at offset 0. */
static inline void
move_members(const struct rp_op *o, const struct rp_op *end, uint32_t kind, char *R,
             const struct rp_exec *x, const struct access_memory *m, struct access_line line,
             int32_t k)
{
    const uint32_t active = access_bits(o, x, k), at = access_block(&line, x, k);
    const uint32_t base = line.base, lane_B = kind == RP_STRUCT_LOAD_LONG ? 8 : 4;
    const bool is_row = line.has_rows && (active == 0xffff || (kind && !m->bias));
    if (kind == RP_STRUCT_STORE && !active)
        return;
    for (uint32_t count; o < end; o += 2 * count) {
        const uint32_t from = at + MORE->r[6];
        line.base = base + MORE->r[6];
        count = lane_B == 4 && is_pair(o, end) && is_row && access_block_fits(m, from, line.sx, 32)
                    ? 2
                    : 1;
        if (count == 2 || (is_row && access_block_fits(m, from, line.sx, o->n * lane_B)))
            move_member(o, count, kind, R, m->ptr + from, line.sx, k);
        else if (kind == RP_STRUCT_STORE)
            store_slow32(o, R, x, m, &line, k);
        else if (kind == RP_STRUCT_LOAD)
            load_slow32(o, R, x, m, &line, k);
        else
            load_slow64(o, R, x, m, &line, k);
    }
}
#endif

/* Block by block: each line of memory is touched once. Vectors of four lanes go member by
 * member. */
RP_OP(STRUCT)
{
    const struct rp_op *const first = o + 1;
#if RP_VW >= 8
    const struct rp_op *const end = first + 2 * (size_t)o->n;
    const struct access_memory m = access_memory(first, R, x);
    struct access_line line = access_line(first, MORE_OF(first), R, x, m.bias);
    line.base -= MORE_OF(first)->r[6];
    if (line.sx >= 32) {
        for (int32_t k = x->k0; k < x->k1; k++)
            move_members(first, end, (uint32_t)o->i, R, x, &m, line, k);
        RP_MUSTTAIL return RP_GO(end);
    }
#endif
    RP_MUSTTAIL return RP_GO(first);
}
