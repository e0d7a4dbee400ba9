/* SPDX-License-Identifier: MIT */
/* Where an operation's memory is, and moving 16 lanes between it and registers.
 */
#ifndef RP_COMPUTE_EXEC_ACCESS_H
#define RP_COMPUTE_EXEC_ACCESS_H

#include "compute/exec/strided.h"
#include "compute/exec/vec.h"
#include "compute/exec/words.h"

/* Memory of an operation and what to add to its offsets. Offsets from an address are signed: the
 * base is moved so that they become unsigned. */
struct access_memory {
    uint8_t *ptr;
    uint64_t size_B;
    uint32_t bias;
};

static inline struct access_memory
access_memory(const struct rp_op *o, const char *R, const struct rp_exec *x)
{
    if (o->i >= 0)
        return (struct access_memory){x->memory[o->i].ptr, x->memory[o->i].size_B, 0};
    if (o->i == RP_MEMORY_ADDRESS) {
        uint8_t *base = (uint8_t *)(uintptr_t)get_l(R, o->b);
        return (struct access_memory){base - 0x80000000u, UINT64_C(1) << 32, 0x80000000u};
    }
    const struct rp_memory m = rp_exec_lookup(x, (uint32_t)get_i(R, o->b));
    return (struct access_memory){m.ptr, m.size_B, 0};
}

static inline bool
access_fits(const struct access_memory *m, uint64_t offset_B, uint64_t size_B)
{
    return offset_B + size_B <= m->size_B;
}

/* Where another component is, `by` bytes behind the first: offsets wrap, as those of accesses that
 * became one do, but for those from an address. */
static inline uint64_t
access_component(const struct access_memory *m, uint64_t offset_B, uint32_t by)
{
    return m->bias ? offset_B + by : (uint32_t)(offset_B + by);
}

/* base + x * sx + y * sy + z * sz over the lanes. */
struct access_line {
    uint32_t base;
    uint32_t sx, sy, sz;
    uint32_t block_stride; /* when is_even or has_parts: from a block to the next */
    bool is_line;          /* y and z do not matter */
    bool has_rows;         /* each block is a line of its own */
    bool is_even;          /* and the blocks are the same distance apart */
    bool has_parts;        /* within the same z they are */
};

static inline struct access_line
access_line(const struct rp_op *o, const struct rp_op_more *more, const char *R,
            const struct rp_exec *x, uint32_t bias)
{
    const struct rp_geometry *g = x->geometry;
    struct access_line line = {
        .base = (uint32_t)get_i(R, o->a) + more->r[6] + bias,
        .sx = (uint32_t)get_i(R, o->c),
        .is_line = g->is_line,
        .has_rows = true,
        .is_even = true,
    };
    line.block_stride = line.sx * 16;
    if (g->is_line)
        return line;
    line.sy = g->height > 1 ? (uint32_t)get_i(R, more->r[4]) : line.sx * g->width;
    line.sz = (uint32_t)get_i(R, more->r[5]);
    const bool is_cube = g->is_flat || line.sz == line.sy * g->height;
    line.is_line = line.sy == line.sx * g->width && is_cube;
    if (line.is_line)
        return line;
    line.has_rows = g->has_rows;
    line.is_even = g->width == 16 && is_cube;
    line.has_parts = g->part_blocks && (g->width == 16 || line.sy == line.sx * g->width);
    line.block_stride = g->width == 16 ? line.sy : line.sx * 16;
    return line;
}

/* Offset of the first lane of block k. */
static inline uint32_t
access_block(const struct access_line *line, const struct rp_exec *x, int32_t k)
{
    if (line->is_even)
        return line->base + line->block_stride * (uint32_t)k;
    const struct rp_geometry *g = x->geometry;
    return line->base + line->sx * (uint32_t)g->x[k * 16] + line->sy * (uint32_t)g->y[k * 16] +
           line->sz * (uint32_t)g->z[k * 16];
}

static inline uint32_t
access_lane(const struct access_line *line, const struct rp_exec *x, int32_t lane)
{
    if (line->is_line)
        return line->base + line->sx * (uint32_t)lane;
    const struct rp_geometry *g = x->geometry;
    return line->base + line->sx * (uint32_t)g->x[lane] + line->sy * (uint32_t)g->y[lane] +
           line->sz * (uint32_t)g->z[lane];
}

/* The offsets in the s-th vector. */
static inline vi
access_vector(const struct access_line *line, const struct rp_exec *x, int32_t s)
{
    if (line->is_line)
        return VI(VU(lane_numbers(0) + s * RP_VW) * line->sx + line->base);
    const struct rp_geometry *g = x->geometry;
    const vu lx = VU(((const vi *)g->x)[s]), ly = VU(((const vi *)g->y)[s]);
    const vu lz = VU(((const vi *)g->z)[s]);
    return VI(lx * line->sx + ly * line->sy + lz * line->sz + line->base);
}

/* Every block of the window is a line, evenly apart, and inside. */
static inline bool
access_is_whole(const struct access_line *line, const struct access_memory *m,
                const struct rp_exec *x, uint32_t size_B)
{
    const uint64_t first = line->base + (uint64_t)line->block_stride * (uint32_t)x->k0;
    const uint64_t last = line->base + (uint64_t)line->block_stride * (uint32_t)(x->k1 - 1);
    return line->is_even && line->sx < 0x100000u && line->block_stride < 0x1000000u &&
           first <= UINT32_MAX && last + 15 * line->sx + size_B <= m->size_B;
}

/* From the base to the last lane of the window, where no stride is negative. */
static inline uint64_t
access_reach(const struct access_line *line, const struct rp_exec *x)
{
    const struct rp_geometry *g = x->geometry;
    return (uint64_t)line->sx * (g->width - 1) + (uint64_t)line->sy * (g->height - 1) +
           (uint64_t)line->sz * (uint32_t)g->z[x->k1 * 16 - 1];
}

/* Rows of several blocks, or parts of blocks that lie in one row: every lane of the window is
 * inside. */
static inline bool
access_is_inside(const struct access_line *line, const struct access_memory *m,
                 const struct rp_exec *x, uint32_t size_B)
{
    const struct rp_geometry *g = x->geometry;
    if (line->is_line || !g->run || line->sx > 0xfffffu || line->sy > 0xffffffu ||
        line->sz > 0xfffffffu)
        return false;
    return line->base + access_reach(line, x) + size_B <= m->size_B;
}

/* The blocks from k on of the same z, where the line has parts: the offset of the first one's first
 * lane. Returns the end, of those in the window. */
static inline int32_t
access_part(const struct access_line *line, const struct rp_exec *x, int32_t k, uint32_t *at_out)
{
    const struct rp_geometry *g = x->geometry;
    const int32_t end = (g->z[k * 16] + 1) * g->part_blocks;
    *at_out = access_lane(line, x, k * 16);
    return end < x->k1 ? end : x->k1;
}

/* Offsets from the line's base by runs, for the window. */
static inline void
access_runs(const struct access_line *line, const struct rp_exec *x, uint32_t *at)
{
    const struct rp_geometry *g = x->geometry;
    const vu *rx = (const vu *)g->run_x, *ry = (const vu *)g->run_y, *rz = (const vu *)g->run_z;
    const uint32_t first = (uint32_t)x->k0 * 16 >> g->run_log2;
    const uint32_t end = (uint32_t)x->k1 * 16 >> g->run_log2;
    for (uint32_t s = first / RP_VW; s * RP_VW < end; s++)
        ((vu *)at)[s] = rx[s] * line->sx + ry[s] * line->sy + rz[s] * line->sz;
}

#if RP_VW >= 8
static inline __m128i
run_of_four(const uint8_t *from, bool is_spread)
{
    int32_t value;
    if (!is_spread)
        return _mm_loadu_si128((const __m128i *)from);
    memcpy(&value, from, 4);
    return _mm_set1_epi32(value);
}
#endif

#if RP_VW == 16
static inline __m256i
run_of_eight(const uint8_t *from, bool is_spread)
{
    int32_t value;
    if (!is_spread)
        return _mm256_loadu_si256((const __m256i *)from);
    memcpy(&value, from, 4);
    return _mm256_set1_epi32(value);
}
#endif

/* The s-th vector of words that lie in runs of 2^log2 lanes, or one word for each run. */
RP_ALWAYS_INLINE vi
run_vector(const uint8_t *from, const uint32_t *at, uint32_t log2, int32_t s, bool is_spread)
{
    const uint32_t lane = (uint32_t)s * RP_VW, run = lane >> log2;
    if (1u << log2 >= RP_VW) {
        const uint8_t *p = from + at[run] + (is_spread ? 0 : (lane & ((1u << log2) - 1)) * 4);
        int32_t value;
        if (!is_spread)
            return *(const vi_u *)p;
        memcpy(&value, p, 4);
        return vi_splat(value);
    }
#if RP_VW == 16
    if (log2 == 3)
        return (vi)_mm512_inserti64x4(
            _mm512_castsi256_si512(run_of_eight(from + at[run], is_spread)),
            run_of_eight(from + at[run + 1], is_spread), 1);
    __m512i r = _mm512_castsi128_si512(run_of_four(from + at[run], is_spread));
    r = _mm512_inserti32x4(r, run_of_four(from + at[run + 1], is_spread), 1);
    r = _mm512_inserti32x4(r, run_of_four(from + at[run + 2], is_spread), 2);
    return (vi)_mm512_inserti32x4(r, run_of_four(from + at[run + 3], is_spread), 3);
#elif RP_VW == 8
    return (vi)_mm256_inserti128_si256(
        _mm256_castsi128_si256(run_of_four(from + at[run], is_spread)),
        run_of_four(from + at[run + 1], is_spread), 1);
#else
    return (vi){0}; /* a run has four lanes or more */
#endif
}

#define ACCESS_LINE_B 64u /* of the caches */
#define ACCESS_AHEAD 2u   /* chunks: what one takes is less than memory may take */

/* How far from now on in memory operation o will be some chunks later, when it moves on as it did
 * since it ran last, and some lines at least; 0: not known. What is fetched there line by line, as
 * the operation goes along, is near when it is wanted; all at once it would be in its own way. */
static inline uintptr_t
access_ahead(struct rp_exec *x, const struct rp_op *o, uintptr_t at)
{
    struct rp_trail *trail = &x->trails[(uintptr_t)o / sizeof(*o) % RP_TRAIL_COUNT];
    const uintptr_t advance = trail->op == o ? at - trail->at : 0;
    trail->op = o;
    trail->at = at;
    return ACCESS_AHEAD * (advance - 1 < ACCESS_LINE_B - 1 ? ACCESS_LINE_B : advance);
}

/* Any address will do. */
static inline void
access_fetch(uintptr_t at)
{
    __builtin_prefetch((const void *)at);
}

/* The lanes [offset, offset + 15 * stride + size) of a block lie inside and do not wrap. */
static inline bool
access_block_fits(const struct access_memory *m, uint32_t offset, uint32_t stride, uint32_t size_B)
{
    return stride < 0x08000000u && (uint64_t)offset + 15ull * stride + size_B <= m->size_B;
}

static inline uint32_t
access_bits(const struct rp_op *o, const struct rp_exec *x, int32_t k)
{
    return x->is_full ? 0xffff : x->levels[o->level].bits[k];
}

/* 32-bit lanes. */

static inline void
copy_block32(int32_t *to, const uint8_t *from)
{
    for (int32_t j = 0; j < RP_NS; j++)
        ((vi *)to)[j] = ((const vi_u *)from)[j];
}

/* Words of a block that follow each other, of the active lanes alone. */
static inline void
store_active(uint8_t *to, uint16_t active, const vi *words)
{
#if RP_VW == 16
    _mm512_mask_storeu_epi32(to, active, (__m512i)*words);
#else
    for (int32_t j = 0; j < RP_NS; j++, to += RP_VB) {
        uint32_t left = mask_part(&active, j) & ((1u << RP_VW) - 1);
        if (left == (1u << RP_VW) - 1) {
            *(vi_u *)to = words[j];
            continue;
        }
        for (; left; left &= left - 1) {
            const int32_t lane = __builtin_ctz(left);
            memcpy(to + 4 * lane, (const int32_t *)(words + j) + lane, 4);
        }
    }
#endif
}

/* 16 lanes of two words that follow each other, to two registers and back. */
static inline void
load_pairs(int32_t *even, int32_t *odd, const uint8_t *from)
{
#if RP_VW == 16
    const __m512i first =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(1));
    const __m512i low = _mm512_loadu_si512(from), high = _mm512_loadu_si512(from + 64);
    _mm512_storeu_si512(even, _mm512_permutex2var_epi32(low, first, high));
    _mm512_storeu_si512(odd, _mm512_permutex2var_epi32(low, second, high));
#elif defined(__SSE4_1__)
    for (int32_t l = 0; l < 16; l += 4) {
        const __m128 low = _mm_loadu_ps((const float *)(const void *)(from + 8 * l));
        const __m128 high = _mm_loadu_ps((const float *)(const void *)(from + 8 * l + 16));
        _mm_storeu_ps((float *)(void *)(even + l), _mm_shuffle_ps(low, high, 0x88));
        _mm_storeu_ps((float *)(void *)(odd + l), _mm_shuffle_ps(low, high, 0xdd));
    }
#else
    for (int32_t l = 0; l < 16; l++) {
        memcpy(even + l, from + 8 * l, 4);
        memcpy(odd + l, from + 8 * l + 4, 4);
    }
#endif
}

static inline void
store_pairs(uint8_t *to, const int32_t *even, const int32_t *odd)
{
#if RP_VW == 16
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    const __m512i a = _mm512_loadu_si512(even), b = _mm512_loadu_si512(odd);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi32(a, first, b));
    _mm512_storeu_si512(to + 64, _mm512_permutex2var_epi32(a, second, b));
#elif defined(__SSE4_1__)
    for (int32_t l = 0; l < 16; l += 4) {
        const __m128i a = _mm_loadu_si128((const __m128i *)(even + l));
        const __m128i b = _mm_loadu_si128((const __m128i *)(odd + l));
        _mm_storeu_si128((__m128i *)(to + 8 * l), _mm_unpacklo_epi32(a, b));
        _mm_storeu_si128((__m128i *)(to + 8 * l + 16), _mm_unpackhi_epi32(a, b));
    }
#else
    for (int32_t l = 0; l < 16; l++) {
        memcpy(to + 8 * l, even + l, 4);
        memcpy(to + 8 * l + 4, odd + l, 4);
    }
#endif
}

/* One element of SIZE bytes between memory and lane of a register, zero-extended. */
#define DEFINE_ELEMENT(bits, reg_type, mem_type) \
    static inline __attribute__((unused)) void get##bits(char *R, uint32_t at, int32_t lane, \
                                                         const uint8_t *from) \
    { \
        mem_type value = 0; \
        if (from) \
            memcpy(&value, from, sizeof(value)); \
        ((reg_type *)(R + at))[lane] = value; \
    } \
    static inline __attribute__((unused)) void put##bits(const char *R, uint32_t at, int32_t lane, \
                                                         uint8_t *to) \
    { \
        const mem_type value = (mem_type)((const reg_type *)(R + at))[lane]; \
        memcpy(to, &value, sizeof(value)); \
    }
DEFINE_ELEMENT(8, uint32_t, uint8_t)
DEFINE_ELEMENT(16, uint32_t, uint16_t)
DEFINE_ELEMENT(32, uint32_t, uint32_t)
DEFINE_ELEMENT(64, uint64_t, uint64_t)
#undef DEFINE_ELEMENT

/* Vectors of 32-bit offsets can be checked against the size. */
static inline bool
has_offset_limit(const struct access_memory *m)
{
    return m->bias == 0 && m->size_B >= 4 && m->size_B <= INT32_MAX;
}

/* Does what lies inside at offset + by, which wraps, lie at the signed offset behind ptr + by? */
static inline bool
has_signed_offsets(const struct access_memory *m, int32_t by)
{
    return by >= 0 || (int64_t)m->size_B - by <= INT32_MAX;
}

#endif
