/* SPDX-License-Identifier: MIT */
/* Subgroup operations on whole blocks of 16 lanes, which are RP_NS vectors each: a row of lanes is
 * a block or a part of it, or several blocks. Compiled once for each instruction set.
 *
 * Blocks of a row are combined lane by lane, then lanes in pairs, then pairs of pairs; scans take
 * in 1, 2, 4 and 8 lanes below, then all blocks below. The order is the same on every instruction
 * set.
 */
#include "compute/exec/subgroup.h"

#include "compute/exec/op_list.h"
#include "compute/exec/vec.h"
#include "compute/lane_ops.h"

#define PICK_IADD(a, b) VI(VU(a) + VU(b))
#define PICK_IMUL(a, b) VI(VU(a) * VU(b))
#define PICK_SMIN(a, b) vi_select((a) < (b), a, b)
#define PICK_SMAX(a, b) vi_select((a) > (b), a, b)
#define PICK_UMIN(a, b) vi_select(VI(VU(a) < VU(b)), a, b)
#define PICK_UMAX(a, b) vi_select(VI(VU(a) > VU(b)), a, b)
#define PICK_AND(a, b) ((a) & (b))
#define PICK_OR(a, b) ((a) | (b))
#define PICK_XOR(a, b) ((a) ^ (b))
#define PICK_FADD(a, b) VI(VF(a) + VF(b))
#define PICK_FMUL(a, b) VI(VF(a) * VF(b))
#define PICK_FMIN(a, b) vi_select((VF(a) < VF(b)) | (VF(b) != VF(b)), a, b)
#define PICK_FMAX(a, b) vi_select((VF(a) > VF(b)) | (VF(b) != VF(b)), a, b)

struct block {
    vi part[RP_NS];
};

/* How many blocks rows of so many lanes lie in. */
static inline int32_t
row_blocks(uint32_t lanes)
{
    return lanes > RP_BLOCK_LANES ? (int32_t)(lanes / RP_BLOCK_LANES) : 1;
}

/* Where lanes are not active: the identity. */
static inline void
block_get(struct block *v, const struct rp_op *o, const char *R, const struct rp_exec *x, int32_t k,
          int32_t identity)
{
    const uint16_t bits = x->is_full ? 0xffff : x->levels[o->level].bits[k];
    for (int32_t j = 0; j < RP_NS; j++)
        v->part[j] = vi_mask_select(mask_part(&bits, j), ((const vi *)(R + o->a))[k * RP_NS + j],
                                    vi_splat(identity));
}

static inline void
block_put(const struct block *v, const struct rp_op *o, char *R, int32_t k)
{
    for (int32_t j = 0; j < RP_NS; j++)
        ((vi *)(R + o->d))[k * RP_NS + j] = v->part[j];
}

/* Lane l gets lane l ^ n: within vectors, or vector by vector. Lane l gets lane l - n, the first n
 * lanes the identity. */
#define BEFORE(v, j, none) ((j) ? (v).part[(j) - ((j) > 0)] : (none))
/* clang-format off */
#if RP_VW == 16
#define SWAP_1(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 1, 0, 3, 2, \
                            5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define RISE_1(v, j, none) \
    __builtin_shufflevector(none, (v).part[j], 15, 16, 17, 18, 19, 20, 21, 22, \
                            23, 24, 25, 26, 27, 28, 29, 30)
#define SWAP_2(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 2, 3, 0, 1, \
                            6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)
#define RISE_2(v, j, none) \
    __builtin_shufflevector(none, (v).part[j], 14, 15, 16, 17, 18, 19, 20, 21, \
                            22, 23, 24, 25, 26, 27, 28, 29)
#define SWAP_4(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 4, 5, 6, 7, \
                            0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11)
#define RISE_4(v, j, none) \
    __builtin_shufflevector(none, (v).part[j], 12, 13, 14, 15, 16, 17, 18, 19, \
                            20, 21, 22, 23, 24, 25, 26, 27)
#define SWAP_8(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 8, 9, 10, 11, \
                            12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)
#define RISE_8(v, j, none) \
    __builtin_shufflevector(none, (v).part[j], 8, 9, 10, 11, 12, 13, 14, 15, \
                            16, 17, 18, 19, 20, 21, 22, 23)
#elif RP_VW == 8
#define SWAP_1(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 1, 0, 3, 2, 5, 4, 7, 6)
#define RISE_1(v, j, none) \
    __builtin_shufflevector(BEFORE(v, j, none), (v).part[j], 7, 8, 9, 10, 11, 12, 13, 14)
#define SWAP_2(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 2, 3, 0, 1, 6, 7, 4, 5)
#define RISE_2(v, j, none) \
    __builtin_shufflevector(BEFORE(v, j, none), (v).part[j], 6, 7, 8, 9, 10, 11, 12, 13)
#define SWAP_4(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 4, 5, 6, 7, 0, 1, 2, 3)
#define RISE_4(v, j, none) \
    __builtin_shufflevector(BEFORE(v, j, none), (v).part[j], 4, 5, 6, 7, 8, 9, 10, 11)
#define SWAP_8(v, j) ((v).part[(j) ^ 1])
#define RISE_8(v, j, none) BEFORE(v, j, none)
#else
#define SWAP_1(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 1, 0, 3, 2)
#define RISE_1(v, j, none) \
    __builtin_shufflevector(BEFORE(v, j, none), (v).part[j], 3, 4, 5, 6)
#define SWAP_2(v, j) \
    __builtin_shufflevector((v).part[j], (v).part[j], 2, 3, 0, 1)
#define RISE_2(v, j, none) \
    __builtin_shufflevector(BEFORE(v, j, none), (v).part[j], 2, 3, 4, 5)
#define SWAP_4(v, j) ((v).part[(j) ^ 1])
#define RISE_4(v, j, none) BEFORE(v, j, none)
#define SWAP_8(v, j) ((v).part[(j) ^ 2])
#define RISE_8(v, j, none) ((j) < 2 ? (none) : (v).part[(j) & 1])
#endif
/* clang-format on */

#define BLOCK_SWAP(to, v, n) \
    for (int32_t j = 0; j < RP_NS; j++) \
        (to).part[j] = SWAP_##n(v, j);
#define BLOCK_RISE(to, v, n, none) \
    for (int32_t j = 0; j < RP_NS; j++) \
        (to).part[j] = RISE_##n(v, j, none);

#define COMBINE(name, v, other) \
    for (int32_t j = 0; j < RP_NS; j++) \
        (v).part[j] = PICK_##name((other).part[j], (v).part[j]);

/* The blocks of a row that are in the window: no lane of the others is active. */
struct row {
    int32_t k0;
    int32_t k1;
};

static inline struct row
row_at(const struct rp_exec *x, int32_t first, int32_t blocks)
{
    return (struct row){RP_MAX(first, x->k0), RP_MIN(first + blocks, x->k1)};
}

/* Rows of so many blocks; first: the block that one begins with. */
#define FOR_ROWS(blocks) for (int32_t first = x->k0 & -(blocks); first < x->k1; first += (blocks))

static inline vi
last_lane(const struct block *v)
{
    return vi_splat(v->part[RP_NS - 1][RP_VW - 1]);
}

#define DEFINE_REDUCE(name) \
    static void reduce_##name(const struct rp_op *o, char *R, const struct rp_exec *x, \
                              uint32_t cluster, int32_t identity) \
    { \
        const int32_t blocks = row_blocks(cluster); \
        FOR_ROWS(blocks) \
        { \
            const struct row row = row_at(x, first, blocks); \
            struct block v, other; \
            block_get(&v, o, R, x, row.k0, identity); \
            for (int32_t k = row.k0 + 1; k < row.k1; k++) { \
                block_get(&other, o, R, x, k, identity); \
                COMBINE(name, other, v) \
                v = other; \
            } \
            if (cluster > 1) { \
                BLOCK_SWAP(other, v, 1) \
                COMBINE(name, v, other) \
            } \
            if (cluster > 2) { \
                BLOCK_SWAP(other, v, 2) \
                COMBINE(name, v, other) \
            } \
            if (cluster > 4) { \
                BLOCK_SWAP(other, v, 4) \
                COMBINE(name, v, other) \
            } \
            if (cluster > 8) { \
                BLOCK_SWAP(other, v, 8) \
                COMBINE(name, v, other) \
            } \
            for (int32_t k = row.k0; k < row.k1; k++) \
                block_put(&v, o, R, k); \
        } \
    } \
    static void scan_block_##name(struct block *v, vi none, bool is_exclusive) \
    { \
        struct block other; \
        if (is_exclusive) { \
            BLOCK_RISE(other, *v, 1, none) \
            *v = other; \
        } \
        BLOCK_RISE(other, *v, 1, none) \
        COMBINE(name, *v, other) \
        BLOCK_RISE(other, *v, 2, none) \
        COMBINE(name, *v, other) \
        BLOCK_RISE(other, *v, 4, none) \
        COMBINE(name, *v, other) \
        BLOCK_RISE(other, *v, 8, none) \
        COMBINE(name, *v, other) \
    } \
    static void scan_##name(const struct rp_op *o, char *R, const struct rp_exec *x, \
                            int32_t blocks, bool is_exclusive, int32_t identity) \
    { \
        const vi none = vi_splat(identity); \
        FOR_ROWS(blocks) \
        { \
            const struct row row = row_at(x, first, blocks); \
            vi below = none; \
            for (int32_t k = row.k0; k < row.k1; k++) { \
                struct block v; \
                block_get(&v, o, R, x, k, identity); \
                const vi last = last_lane(&v); \
                scan_block_##name(&v, none, is_exclusive); \
                for (int32_t j = 0; k > row.k0 && j < RP_NS; j++) \
                    v.part[j] = PICK_##name(below, v.part[j]); \
                below = last_lane(&v); \
                if (is_exclusive) \
                    below = PICK_##name(below, last); \
                block_put(&v, o, R, k); \
            } \
        } \
    }

#define REDUCTIONS(X) \
    X(IADD) \
    X(IMUL) X(SMIN) X(UMIN) X(SMAX) X(UMAX) X(AND) X(OR) X(XOR) X(FADD) X(FMUL) X(FMIN) X(FMAX)
REDUCTIONS(DEFINE_REDUCE)

static void
reduce_words(const struct rp_op *o, char *R, const struct rp_exec *x, const struct rp_op_more *more)
{
    const int32_t identity = (int32_t)rp_subgroup_identity(more->r[1], false);
    switch ((enum ir_reduce)more->r[1]) {
#define CASE(name) \
    case IR_RED_##name: \
        if (more->r[3] == 0) \
            reduce_##name(o, R, x, more->r[2], identity); \
        else \
            scan_##name(o, R, x, row_blocks(more->r[2]), more->r[3] == IR_SCAN_EXCLUSIVE, \
                        identity); \
        break;
        REDUCTIONS(CASE)
    case IR_RED_COUNT:
        break;
    }
}

/* The bits of a row's lanes, from a mask for each block. */
static inline uint64_t
row_bits(const uint16_t *masks, const struct row *row, int32_t first)
{
    uint64_t bits = 0;
    for (int32_t k = row->k0; k < row->k1; k++)
        bits |= (uint64_t)masks[k] << (k - first) * 16;
    return bits;
}

static inline uint64_t
row_active(const struct rp_op *o, const struct rp_exec *x, const struct row *row, int32_t first)
{
    const int32_t lanes = (row->k1 - row->k0) * 16;
    if (x->is_full)
        return UINT64_MAX >> (64 - lanes) << (row->k0 - first) * 16;
    return row_bits(x->levels[o->level].bits, row, first);
}

/* ELECT, ALL and ANY give a mask. */
static void
vote(const struct rp_op *o, char *R, const struct rp_exec *x, const struct rp_op_more *more)
{
    const int32_t blocks = row_blocks(more->r[2]);
    uint16_t *const masks = (uint16_t *)(R + o->d);
    FOR_ROWS(blocks)
    {
        const struct row row = row_at(x, first, blocks);
        const uint64_t active = row_active(o, x, &row, first);
        uint64_t bits;
        if (more->r[0] == IR_SG_ELECT) {
            bits = active & -active;
        } else {
            const uint64_t votes = row_bits((const uint16_t *)(R + o->a), &row, first) & active;
            const bool is_so = more->r[0] == IR_SG_ALL ? votes == active : votes != 0;
            bits = is_so ? UINT64_MAX : 0;
        }
        for (int32_t k = row.k0; k < row.k1; k++)
            masks[k] = (uint16_t)(bits >> (k - first) * 16);
    }
}

/* What BALLOT and FIRST give to all lanes of a row. */
static inline uint32_t
row_value(const struct rp_op *o, const char *R, const struct rp_exec *x, const struct row *row,
          int32_t first)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    const uint64_t active = row_active(o, x, row, first);
    if (more->r[0] == IR_SG_BALLOT) {
        const uint64_t votes = row_bits((const uint16_t *)(R + o->a), row, first) & active;
        return (uint32_t)(votes >> 32 * more->r[1]);
    }
    const int32_t lane = active ? __builtin_ctzll(active) : (row->k0 - first) * 16;
    return ((const uint32_t *)(R + o->a))[first * 16 + lane];
}

static void
broadcast(const struct rp_op *o, char *R, const struct rp_exec *x, const struct rp_op_more *more)
{
    const int32_t blocks = row_blocks(more->r[2]);
    FOR_ROWS(blocks)
    {
        const struct row row = row_at(x, first, blocks);
        const vi value = vi_splat((int32_t)row_value(o, R, x, &row, first));
        for (int32_t i = row.k0 * RP_NS; i < row.k1 * RP_NS; i++)
            ((vi *)(R + o->d))[i] = value;
    }
}

/* clang-format off */
#if RP_VW == 16
static void
shuffle_blocks(const struct rp_op *o, char *R, const struct rp_exec *x)
{
    for (int32_t k = x->k0; k < x->k1; k++) {
        const __m512i from = ((const __m512i *)(R + o->b))[k];
        const __m512i value = ((const __m512i *)(R + o->a))[k];
        const __mmask16 inside = _mm512_cmplt_epu32_mask(from, _mm512_set1_epi32(16));
        ((__m512i *)(R + o->d))[k] = _mm512_maskz_permutexvar_epi32(inside, from, value);
    }
}

static void
shuffle_words(const struct rp_op *o, char *R, const struct rp_exec *x, int32_t blocks)
{
    const __m512i *const a = (const __m512i *)(R + o->a), *const b = (const __m512i *)(R + o->b);
    const __m512i lanes = _mm512_set1_epi32(16 * blocks);
    if (blocks == 1) {
        shuffle_blocks(o, R, x);
        return;
    }
    FOR_ROWS(blocks)
    {
        const struct row row = row_at(x, first, blocks);
        __m512i v[4] = {_mm512_setzero_si512()};
        for (int32_t k = row.k0; k < row.k1; k++)
            v[k - first] = a[k];
        for (int32_t k = row.k0; k < row.k1; k++) {
            const __m512i from = b[k];
            const __mmask16 inside = _mm512_cmplt_epu32_mask(from, lanes);
            __m512i r = _mm512_permutex2var_epi32(v[0], from, v[1]);
            if (blocks == 4)
                r = _mm512_mask_blend_epi32(_mm512_test_epi32_mask(from, _mm512_set1_epi32(32)), r,
                                            _mm512_permutex2var_epi32(v[2], from, v[3]));
            ((__m512i *)(R + o->d))[k] = _mm512_maskz_mov_epi32(inside, r);
        }
    }
}
#elif RP_VW == 8
/* Of two vectors the second where the bit of lane numbers is set. */
static inline __m256i
shuffle_pick(__m256i low, __m256i high, __m256i from, int bit)
{
    const __m256 is_high = (__m256)_mm256_slli_epi32(from, 31 - bit);
    return (__m256i)_mm256_blendv_ps((__m256)low, (__m256)high, is_high);
}

RP_ALWAYS_INLINE void
shuffle_rows(const struct rp_op *o, char *R, const struct rp_exec *x, int32_t blocks)
{
    const __m256i *const a = (const __m256i *)(R + o->a), *const b = (const __m256i *)(R + o->b);
    const __m256i last = _mm256_set1_epi32(16 * blocks - 1);
    FOR_ROWS(blocks)
    {
        const struct row row = row_at(x, first, blocks);
        __m256i v[8], p[8];
#pragma GCC unroll 8
        for (int32_t i = 0; i < blocks * 2; i++) {
            const bool is_there = first + i / 2 >= row.k0 && first + i / 2 < row.k1;
            v[i] = is_there ? a[first * 2 + i] : _mm256_setzero_si256();
        }
        for (int32_t k = row.k0 * 2; k < row.k1 * 2; k++) {
            const __m256i from = b[k];
#pragma GCC unroll 8
            for (int32_t i = 0; i < blocks * 2; i++)
                p[i] = _mm256_permutevar8x32_epi32(v[i], from);
#pragma GCC unroll 8
            for (int32_t i = 0; i < blocks; i++)
                p[i] = shuffle_pick(p[2 * i], p[2 * i + 1], from, 3);
#pragma GCC unroll 8
            for (int32_t i = 0; i < blocks / 2; i++)
                p[i] = shuffle_pick(p[2 * i], p[2 * i + 1], from, 4);
            if (blocks == 4)
                p[0] = shuffle_pick(p[0], p[1], from, 5);
            const __m256i inside = _mm256_cmpeq_epi32(_mm256_min_epu32(from, last), from);
            ((__m256i *)(R + o->d))[k] = _mm256_and_si256(p[0], inside);
        }
    }
}

static void
shuffle_words(const struct rp_op *o, char *R, const struct rp_exec *x, int32_t blocks)
{
    if (blocks == 1)
        shuffle_rows(o, R, x, 1);
    else if (blocks == 2)
        shuffle_rows(o, R, x, 2);
    else
        shuffle_rows(o, R, x, 4);
}
#elif defined(RP_NEON)
/* What four lanes get of a block whose first lane has the number `base`: 0 from others. */
static inline uint8x16_t
shuffle_four(uint8x16x4_t block, vu from, uint32_t base)
{
    /* The bytes of the lane; beyond the block, which gives 0, where there is none. */
    const vu lane = from - base;
    const vu bytes = lane * 0x04040404u + 0x03020100u;
    const vu at = VU(vi_select(VI(lane < 16), VI(bytes), vi_splat(-1)));
    return vqtbl4q_u8(block, (uint8x16_t)at);
}

static void
shuffle_words(const struct rp_op *o, char *R, const struct rp_exec *x, int32_t blocks)
{
    FOR_ROWS(blocks)
    {
        const struct row row = row_at(x, first, blocks);
        uint8x16x4_t v[4];
        for (int32_t k = row.k0; k < row.k1; k++)
            v[k - first] = vld1q_u8_x4((const uint8_t *)(R + o->a) + 64 * k);
        for (int32_t i = row.k0 * RP_NS; i < row.k1 * RP_NS; i++) {
            const vu from = ((const vu *)(R + o->b))[i];
            uint8x16_t r = vdupq_n_u8(0);
            for (int32_t k = row.k0; k < row.k1; k++)
                r = vorrq_u8(r, shuffle_four(v[k - first], from, (uint32_t)(k - first) * 16));
            ((vu *)(R + o->d))[i] = (vu)r;
        }
    }
}
#endif
/* clang-format on */

RP_OP(SUBGROUP)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    /* Reductions, scans of rows that are no part of a block; not those over lanes that are
     * named. */
    const bool is_whole = more->r[3] == 0 || (more->r[3] <= 2 && more->r[2] >= 16);
    if (more->r[0] == IR_SG_REDUCE && is_whole)
        reduce_words(o, R, x, more);
    else if (more->r[0] <= IR_SG_ANY)
        vote(o, R, x, more);
    else if (more->r[0] <= IR_SG_FIRST)
        broadcast(o, R, x, more);
/* clang-format off */
#if RP_VW >= 8 || defined(RP_NEON)
    else if (more->r[0] == IR_SG_SHUFFLE)
        shuffle_words(o, R, x, row_blocks(more->r[2]));
#endif
    /* clang-format on */
    else
        rp_subgroup_lanes(o, R, x);
    RP_MUSTTAIL return RP_GO(o + 2);
}
