/* SPDX-License-Identifier: MIT */
/* Loads and stores at offsets or addresses of the lanes: whole vectors of words where the
 * instruction set can, else lane by lane.
 */
#include "compute/exec/access.h"
#include "compute/exec/op_list.h"

#define MORE ((const struct rp_op_more *)(o + 1))

/* Memory of one lane, when lanes differ in it. before: that of another lane, or -1, which is *m. */
static inline struct access_memory
lane_memory(const struct rp_op *o, const char *R, const struct rp_exec *x, int32_t lane,
            int32_t before, const struct access_memory *m)
{
    if (o->i == RP_MEMORY_ADDRESSES) {
        uint8_t *base = (uint8_t *)(uintptr_t)((const int64_t *)(R + o->b))[lane];
        return (struct access_memory){base - 0x80000000u, UINT64_C(1) << 32, 0x80000000u};
    }
    const uint32_t *handle = (const uint32_t *)(R + o->b);
    if (before >= 0 && handle[lane] == handle[before])
        return *m;
    const struct rp_memory found = rp_exec_lookup(x, handle[lane]);
    return (struct access_memory){found.ptr, found.size_B, 0};
}

#define DEFINE_GATHER(bits) \
    static void gather_lanes##bits(const struct rp_op *o, char *R, const struct rp_exec *x, \
                                   bool is_store) \
    { \
        const bool is_varying = o->i <= RP_MEMORY_VARYING; \
        struct access_memory m = {0}; \
        int32_t before = -1; \
        if (!is_varying) \
            m = access_memory(o, R, x); \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            for (uint32_t left = access_bits(o, x, k); left; left &= left - 1) { \
                const int32_t lane = k * 16 + __builtin_ctz(left); \
                if (is_varying) \
                    m = lane_memory(o, R, x, lane, before, &m); \
                before = lane; \
                const uint64_t offset = \
                    (uint32_t)(((const uint32_t *)(R + o->a))[lane] + MORE->r[6] + m.bias); \
                for (uint32_t c = 0; c < o->n; c++) { \
                    const uint64_t at = offset + c * (bits / 8); \
                    const bool fits = access_fits(&m, at, bits / 8); \
                    if (!is_store) \
                        get##bits(R, MORE->r[c], lane, fits ? m.ptr + at : NULL); \
                    else if (fits) \
                        put##bits(R, MORE->r[c], lane, m.ptr + at); \
                } \
            } \
        } \
    }
DEFINE_GATHER(8)
DEFINE_GATHER(16)
DEFINE_GATHER(32)
DEFINE_GATHER(64)

#define DEFINE_GATHER_OPS(bits) \
    RP_OP(LOAD##bits##_G) \
    { \
        gather_lanes##bits(o, R, x, false); \
        RP_MUSTTAIL return RP_GO(o + 2); \
    } \
    RP_OP(STORE##bits##_G) \
    { \
        gather_lanes##bits(o, R, x, true); \
        RP_MUSTTAIL return RP_GO(o + 2); \
    }
DEFINE_GATHER_OPS(8)
DEFINE_GATHER_OPS(16)
DEFINE_GATHER_OPS(64)

/* Words that follow each other, with one break at most: two runs of them. */
struct runs {
    int32_t first; /* offsets of lane 0, had it been in the run */
    int32_t second;
    vi is_first;
};

/* False: they are not, or a whole vector of a run is not inside. */
static inline bool
find_runs(const struct access_memory *m, vi offset, struct runs *out)
{
    const vi numbers = 4 * lane_numbers(0);
    const int32_t first = offset[0], second = offset[RP_VW - 1] - 4 * (RP_VW - 1);
    const vi is_first = offset == first + numbers;
    const uint32_t last = (uint32_t)(first > second ? first : second);
    *out = (struct runs){first, second, is_first};
    return vi_bits(is_first | (offset == second + numbers)) == (1u << RP_VW) - 1 &&
           (first | second) >= 0 && last + RP_VB <= m->size_B;
}

#define MAX_MISSES 4u /* vectors without runs, until none is looked for */

/* Words from one buffer of less than 2 GiB: runs, or vector gathers, checked in the mask. */
static inline void
gather_words(const struct rp_op *o, char *R, struct rp_exec *x, const struct access_memory *m)
{
    const vu last = VU(vi_splat((int32_t)(m->size_B - 4)));
    const vi *a = (const vi *)(R + o->a);
    const uintptr_t here = (uintptr_t)m->ptr + (uint32_t)a[x->k0 * RP_NS][0];
    const uintptr_t ahead = access_ahead(x, o, here);
    uint32_t misses = o->n == 1 ? 0 : MAX_MISSES;
    for (int32_t s = x->k0 * RP_NS; s < x->k1 * RP_NS; s++) {
        const vi offset = a[s] + (int32_t)MORE->r[6];
        struct runs runs;
        if (misses < MAX_MISSES && !find_runs(m, offset, &runs)) {
            misses++;
        } else if (misses < MAX_MISSES) {
            const uint8_t *first = m->ptr + runs.first, *second = m->ptr + runs.second;
            access_fetch((uintptr_t)first + ahead);
            access_fetch((uintptr_t)second + RP_VB + ahead);
            ((vi *)(R + MORE->r[0]))[s] =
                vi_select(runs.is_first, *(const vi_u *)first, *(const vi_u *)second);
            continue;
        }
        const vi inside = VI(VU(offset) <= last);
        for (uint32_t c = 0; c < o->n; c++) {
            const vi at = offset + (int32_t)(4 * c);
            const uint32_t fits = vi_bits(inside & VI(VU(at) <= last));
            ((vi *)(R + MORE->r[c]))[s] = gather_vector(m->ptr, at, fits);
        }
    }
}

/* The first lanes to the first run, the rest to the second: in the order of lanes. */
static inline bool
store_runs(const struct access_memory *m, vi offset, vi value)
{
    struct runs runs;
    if (!find_runs(m, offset, &runs))
        return false;
    const uint32_t bits = vi_bits(runs.is_first), all = (1u << RP_VW) - 1;
    if (bits == all) {
        *(vi_u *)(m->ptr + runs.first) = value;
        return true;
    }
#if RP_VW == 16
    if ((bits & (bits + 1)) == 0) {
        _mm512_mask_storeu_epi32(m->ptr + runs.first, (__mmask16)bits, (__m512i)value);
        _mm512_mask_storeu_epi32(m->ptr + runs.second, (__mmask16)~bits, (__m512i)value);
        return true;
    }
#elif RP_VW == 8
    if ((bits & (bits + 1)) == 0) {
        _mm256_maskstore_epi32((int *)(void *)(m->ptr + runs.first), (__m256i)runs.is_first,
                               (__m256i)value);
        _mm256_maskstore_epi32((int *)(void *)(m->ptr + runs.second), (__m256i)~runs.is_first,
                               (__m256i)value);
        return true;
    }
#endif
    return false;
}

static inline void
scatter_words(const struct rp_op *o, const char *R, const struct rp_exec *x,
              const struct access_memory *m)
{
    const vu last = VU(vi_splat((int32_t)(m->size_B - 4)));
    const vi *a = (const vi *)(R + o->a);
    for (int32_t s = x->k0 * RP_NS; s < x->k1 * RP_NS; s++) {
        const uint16_t block = (uint16_t)access_bits(o, x, s / RP_NS);
        const uint32_t active = mask_part(&block, s % RP_NS) & ((1u << RP_VW) - 1);
        const vi offset = a[s] + (int32_t)MORE->r[6];
        const vi inside = VI(VU(offset) <= last);
        if (!active || (o->n == 1 && active == (1u << RP_VW) - 1 &&
                        store_runs(m, offset, ((const vi *)(R + MORE->r[0]))[s])))
            continue;
        for (uint32_t c = 0; c < o->n; c++) {
            const vi at = offset + (int32_t)(4 * c);
            const uint32_t fits = vi_bits(inside & VI(VU(at) <= last)) & active;
            scatter_vector(m->ptr, at, fits, ((const vi *)(R + MORE->r[c]))[s]);
        }
    }
}

/* Words around an address: what active lanes ask for, unchecked. */
static void
address_words(const struct rp_op *o, char *R, const struct rp_exec *x,
              const struct access_memory *m, bool is_store)
{
    uint8_t *base = m->ptr + m->bias;
    const vi *a = (const vi *)(R + o->a);
    for (int32_t s = x->k0 * RP_NS; s < x->k1 * RP_NS; s++) {
        const uint16_t block = (uint16_t)access_bits(o, x, s / RP_NS);
        const uint32_t active = mask_part(&block, s % RP_NS) & ((1u << RP_VW) - 1);
        const vi offset = a[s] + (int32_t)MORE->r[6];
        for (uint32_t c = 0; c < o->n && active; c++) {
            vi *value = (vi *)(R + MORE->r[c]) + s;
            if (is_store)
                scatter_vector(base, offset + (int32_t)(4 * c), active, *value);
            else
                *value = gather_vector(base, offset + (int32_t)(4 * c), active);
        }
    }
}

#if RP_VW == 16
/* Each lane has an address: what active lanes ask for, unchecked. */
static void
addresses_words(const struct rp_op *o, char *R, const struct rp_exec *x, bool is_store)
{
    const __m512i *address = (const __m512i *)(R + o->b);
    const __m256i none = _mm256_setzero_si256();
    for (int32_t k = x->k0; k < x->k1; k++) {
        const uint32_t active = access_bits(o, x, k);
        const __m512i offset = (__m512i)(((const vi *)(R + o->a))[k] + (int32_t)MORE->r[6]);
        __m512i low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(offset));
        __m512i high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(offset, 1));
        low = _mm512_add_epi64(low, address[2 * k]);
        high = _mm512_add_epi64(high, address[2 * k + 1]);
        for (uint32_t c = 0; c < o->n && active; c++) {
            __m512i *value = (__m512i *)(R + MORE->r[c]) + k;
            const __m512i at0 = _mm512_add_epi64(low, _mm512_set1_epi64(4 * (int64_t)c));
            const __m512i at1 = _mm512_add_epi64(high, _mm512_set1_epi64(4 * (int64_t)c));
            const __mmask8 bits0 = (__mmask8)active, bits1 = (__mmask8)(active >> 8);
            if (is_store) {
                _mm512_mask_i64scatter_epi32(NULL, bits0, at0, _mm512_castsi512_si256(*value), 1);
                _mm512_mask_i64scatter_epi32(NULL, bits1, at1, _mm512_extracti64x4_epi64(*value, 1),
                                             1);
                continue;
            }
            *value = _mm512_inserti64x4(
                _mm512_castsi256_si512(_mm512_mask_i64gather_epi32(none, bits0, at0, NULL, 1)),
                _mm512_mask_i64gather_epi32(none, bits1, at1, NULL, 1), 1);
        }
    }
}
#else
static void
addresses_words(const struct rp_op *o, char *R, const struct rp_exec *x, bool is_store)
{
    gather_lanes32(o, R, x, is_store);
}
#endif

RP_OP(LOAD32_G)
{
    struct access_memory m = {0};
    if (o->i > RP_MEMORY_VARYING)
        m = access_memory(o, R, x);
    if (has_offset_limit(&m))
        gather_words(o, R, x, &m);
    else if (m.bias)
        address_words(o, R, x, &m, false);
    else if (o->i == RP_MEMORY_ADDRESSES)
        addresses_words(o, R, x, false);
    else
        gather_lanes32(o, R, x, false);
    RP_MUSTTAIL return RP_GO(o + 2);
}

RP_OP(STORE32_G)
{
    struct access_memory m = {0};
    if (o->i > RP_MEMORY_VARYING)
        m = access_memory(o, R, x);
    if (has_offset_limit(&m))
        scatter_words(o, R, x, &m);
    else if (m.bias)
        address_words(o, R, x, &m, true);
    else if (o->i == RP_MEMORY_ADDRESSES)
        addresses_words(o, R, x, true);
    else
        gather_lanes32(o, R, x, true);
    RP_MUSTTAIL return RP_GO(o + 2);
}
