/* SPDX-License-Identifier: MIT */
/* Linear values against a bound: the tests of invocations against the size of what they work on.
 * Compiled once for each instruction set.
 */
#include "compute/exec/op_list.h"
#include "compute/exec/vec.h"

struct line {
    uint32_t base;
    uint32_t stride[3];
    uint32_t bound;
    uint32_t kind;
};

static inline bool
compare(const struct line *line, uint32_t value)
{
    const bool is_signed = line->kind & RP_LCMP_SIGNED;
    bool r;
    if ((line->kind & 3) == RP_LCMP_EQ)
        r = value == line->bound;
    else if ((line->kind & 3) == RP_LCMP_LT)
        r = is_signed ? (int32_t)value < (int32_t)line->bound : value < line->bound;
    else
        r = is_signed ? (int32_t)line->bound < (int32_t)value : line->bound < value;
    return r != ((line->kind & RP_LCMP_NOT) != 0);
}

/* The value's range over the window as 64-bit numbers; false when it wraps around. */
static bool
range(const struct line *line, const struct rp_exec *x, int64_t *low_out, int64_t *high_out)
{
    const struct rp_geometry *g = x->geometry;
    const bool is_signed = line->kind & RP_LCMP_SIGNED;
    const int64_t base = is_signed ? (int32_t)line->base : (int64_t)line->base;
    int64_t low = base, high = base;
    int64_t last[3] = {x->k1 * 16 - 1, 0, 0}, first[3] = {x->k0 * 16, 0, 0};

    if (!g->is_line) {
        first[0] = 0;
        last[0] = g->width - 1;
        last[1] = g->height - 1;
        last[2] = g->z[x->k1 * 16 - 1];
    }
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t stride = (int32_t)line->stride[i];
        low += stride * (stride < 0 ? last[i] : first[i]);
        high += stride * (stride < 0 ? first[i] : last[i]);
    }
    *low_out = low;
    *high_out = high;
    return is_signed ? low >= INT32_MIN && high <= INT32_MAX : low >= 0 && high <= UINT32_MAX;
}

/* The value in the s-th vector. */
static inline vi
line_vector(const struct line *line, const struct rp_geometry *g, int32_t s)
{
    if (g->is_line)
        return VI(VU(lane_numbers(0) + s * RP_VW) * line->stride[0] + line->base);
    const vu x = VU(((const vi *)g->x)[s]), y = VU(((const vi *)g->y)[s]);
    const vu z = VU(((const vi *)g->z)[s]);
    return VI(x * line->stride[0] + y * line->stride[1] + z * line->stride[2] + line->base);
}

#define COMPARE_BLOCKS(a_op_b) \
    for (int32_t k = x->k0; k < x->k1; k++) { \
        uint32_t bits = invert; \
        for (int32_t j = 0; j < RP_NS; j++) { \
            const vi a = line_vector(line, x->geometry, k * RP_NS + j); \
            bits ^= vi_bits((vi)(a_op_b)) << (j * RP_VW); \
        } \
        d[k] = (uint16_t)bits; \
    }

static void
compare_blocks(const struct line *line, const struct rp_exec *x, uint16_t *d)
{
    const vi b = vi_splat((int32_t)line->bound);
    const uint32_t invert = line->kind & RP_LCMP_NOT ? 0xffff : 0;

    switch (line->kind & (3 | RP_LCMP_SIGNED)) {
    case RP_LCMP_LT:
        COMPARE_BLOCKS(VU(a) < VU(b))
        break;
    case RP_LCMP_GT:
        COMPARE_BLOCKS(VU(a) > VU(b))
        break;
    case RP_LCMP_LT | RP_LCMP_SIGNED:
        COMPARE_BLOCKS(a < b)
        break;
    case RP_LCMP_GT | RP_LCMP_SIGNED:
        COMPARE_BLOCKS(a > b)
        break;
    default:
        COMPARE_BLOCKS(a == b)
        break;
    }
}

/* Bit masks of the lanes in front of lane `count`, changed by xor. */
static inline void
front_blocks(uint16_t *d, int32_t k0, int32_t k1, int64_t count, uint32_t change, bool is_first)
{
    const int64_t most = RP_MAX_BLOCKS * 16;
    const int32_t n = (int32_t)(count < 0 ? 0 : count > most ? most : count);
#if RP_VW == 16
    const __m512i numbers = _mm512_set_epi16(
        31 * 16, 30 * 16, 29 * 16, 28 * 16, 27 * 16, 26 * 16, 25 * 16, 24 * 16, 23 * 16, 22 * 16,
        21 * 16, 20 * 16, 19 * 16, 18 * 16, 17 * 16, 16 * 16, 15 * 16, 14 * 16, 13 * 16, 12 * 16,
        11 * 16, 10 * 16, 9 * 16, 8 * 16, 7 * 16, 6 * 16, 5 * 16, 4 * 16, 3 * 16, 2 * 16, 16, 0);
    for (int32_t k = k0 & ~31; k < k1; k += 32) { /* beyond the window too: nobody looks there */
        const __m512i first = _mm512_add_epi16(numbers, _mm512_set1_epi16((short)(k * 16)));
        const __m512i left = _mm512_subs_epu16(_mm512_set1_epi16((short)n), first);
        const __m512i none = _mm512_sllv_epi16(_mm512_set1_epi16(-1), left); /* 0 from 16 on */
        const __m512i bits = _mm512_xor_si512(none, _mm512_set1_epi16((short)~change));
        const __m512i old = is_first ? _mm512_setzero_si512() : _mm512_load_si512(d + k);
        _mm512_store_si512(d + k, _mm512_xor_si512(bits, old));
    }
#elif RP_VW == 8
    const __m256i numbers =
        _mm256_setr_epi16(0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240);
    const __m256i count_n = _mm256_set1_epi16((short)n),
                  inverted = _mm256_set1_epi16((short)change);
    const __m256i part = _mm256_set1_epi16((short)((1u << n % 16) - 1));
    const __m256i begins = _mm256_set1_epi16((short)(n & ~15)); /* the block with the last ones */
    for (int32_t k = k0 & ~15; k < k1; k += 16) { /* beyond the window too: nobody looks there */
        const __m256i first = _mm256_add_epi16(numbers, _mm256_set1_epi16((short)(k * 16)));
        const __m256i last = _mm256_add_epi16(first, _mm256_set1_epi16(15));
        const __m256i bits =
            _mm256_or_si256(_mm256_cmpgt_epi16(count_n, last),
                            _mm256_and_si256(_mm256_cmpeq_epi16(first, begins), part));
        __m256i *const to = (__m256i *)(d + k);
        const __m256i old = is_first ? _mm256_setzero_si256() : _mm256_load_si256(to);
        _mm256_store_si256(to, _mm256_xor_si256(_mm256_xor_si256(bits, inverted), old));
    }
#else
    for (int32_t k = k0; k < k1; k++) {
        const int32_t left = n - k * 16;
        const uint32_t bits = left <= 0 ? 0 : left >= 16 ? 0xffff : (1u << left) - 1;
        d[k] = (uint16_t)(bits ^ change ^ (is_first ? 0u : d[k]));
    }
#endif
}

/* Values that grow by 1 from lane to lane: only where the bound lies matters. */
static void
compare_line(const struct line *line, const struct rp_exec *x, int64_t bound, uint16_t *d)
{
    const int64_t base = line->kind & RP_LCMP_SIGNED ? (int32_t)line->base : (int64_t)line->base;
    const int64_t at = bound - base; /* the lane whose value is the bound */
    const uint32_t change = line->kind & RP_LCMP_NOT ? 0xffff : 0;

    switch (line->kind & 3) {
    case RP_LCMP_LT:
        front_blocks(d, x->k0, x->k1, at, change, true);
        break;
    case RP_LCMP_GT:
        front_blocks(d, x->k0, x->k1, at + 1, change ^ 0xffff, true);
        break;
    default:
        front_blocks(d, x->k0, x->k1, at, 0, true);
        front_blocks(d, x->k0, x->k1, at + 1, change, false);
        break;
    }
}

static inline struct line
line_of(const struct rp_op *o, const char *R)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    return (struct line){
        .base = (uint32_t)get_i(R, o->a),
        .stride = {(uint32_t)get_i(R, o->b), (uint32_t)get_i(R, more->r[0]),
                   (uint32_t)get_i(R, more->r[1])},
        .bound = (uint32_t)get_i(R, o->c),
        .kind = o->n,
    };
}

/* The blocks with active lanes that fail, from the first to the last. */
static bool
find_failed(const struct rp_op *o, struct rp_exec *x, const struct line *line)
{
    _Alignas(64) uint16_t d[RP_MAX_BLOCKS];
    compare_blocks(line, x, d);
    x->failed_k1 = 0;
    for (int32_t k = x->k0; k < x->k1; k++) {
        const uint32_t active = x->is_full ? 0xffff : x->levels[o->level].bits[k];
        if (!(active & ~(uint32_t)d[k]))
            continue;
        if (!x->failed_k1)
            x->failed_k0 = k;
        x->failed_k1 = k + 1;
    }
    return x->failed_k1 != 0;
}

RP_OP(GUARD)
{
    const struct line line = line_of(o, R);
    int64_t low, high;
    if (!(range(&line, x, &low, &high) && compare(&line, (uint32_t)low) &&
          compare(&line, (uint32_t)high)) &&
        find_failed(o, x, &line))
        return NULL;
    RP_MUSTTAIL return RP_GO(o + 2);
}

RP_OP(LCMP)
{
    const struct line line = line_of(o, R);
    uint16_t *d = (uint16_t *)(R + o->d);
    const bool is_signed = line.kind & RP_LCMP_SIGNED;
    const int64_t bound = is_signed ? (int32_t)line.bound : (int64_t)line.bound;
    int64_t low, high;

    const bool is_exact = range(&line, x, &low, &high);
    if (is_exact && (high < bound || low > bound)) {
        const bool is_true = compare(&line, (uint32_t)low);
        front_blocks(d, x->k0, x->k1, 0, is_true ? 0xffff : 0, true);
    } else if (is_exact && x->geometry->is_line && line.stride[0] == 1) {
        compare_line(&line, x, bound, d);
    } else {
        compare_blocks(&line, x, d);
    }
    RP_MUSTTAIL return RP_GO(o + 2);
}
