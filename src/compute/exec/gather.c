/* SPDX-License-Identifier: MIT */
/* Loads and stores at offsets or addresses of the lanes: whole vectors of words where the
 * instruction set can, else lane by lane.
 */
#include "compute/exec/access.h"
#include "compute/exec/op_list.h"

#define MORE ((const struct rp_op_more *)(o + 1))

#define NO_HANDLE UINT64_MAX

/* Memory of one lane, when lanes differ in it; *handle: of what is in *m, or NO_HANDLE. (What was
 * loaded for the lane in front may stand where its handle was.) */
static inline struct access_memory
lane_memory(const struct rp_op *o, const char *R, const struct rp_exec *x, int32_t lane,
            uint64_t *handle, const struct access_memory *m)
{
    if (o->i == RP_MEMORY_ADDRESSES) {
        uint8_t *base = (uint8_t *)(uintptr_t)((const int64_t *)(R + o->b))[lane];
        return (struct access_memory){base - 0x80000000u, UINT64_C(1) << 32, 0x80000000u};
    }
    const uint32_t own = ((const uint32_t *)(R + o->b))[lane];
    if (own == *handle)
        return *m;
    *handle = own;
    const struct rp_memory found = rp_exec_lookup(x, own);
    return (struct access_memory){found.ptr, found.size_B, 0};
}

/* One value for each active lane, from its own address. */
#define DEFINE_LOAD_ADDRESSES(bits) \
    static inline void load_addresses##bits(const struct rp_op *o, char *R, \
                                            const struct rp_exec *x) \
    { \
        const uint32_t by = MORE->r[6] + 0x80000000u; \
        const uint32_t *a = (const uint32_t *)(R + o->a); \
        const int64_t *b = (const int64_t *)(R + o->b); \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            for (uint32_t left = access_bits(o, x, k); left; left &= left - 1) { \
                const int32_t lane = k * 16 + __builtin_ctz(left); \
                const uint32_t at = a[lane] + by; \
                const uint8_t *base = (const uint8_t *)(uintptr_t)b[lane] - 0x80000000u; \
                const bool fits = at <= UINT32_MAX - (bits / 8 - 1); \
                get##bits(R, MORE->r[0], lane, fits ? base + at : NULL); \
            } \
        } \
    }

/* One value of each active lane, to one memory. */
#define DEFINE_STORE_ONE(bits) \
    static inline void store_one##bits(const struct rp_op *o, const char *R, \
                                       const struct rp_exec *x, const struct access_memory *m) \
    { \
        const uint32_t last = (uint32_t)m->size_B - bits / 8, by = MORE->r[6]; \
        const uint32_t *a = (const uint32_t *)(R + o->a); \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            for (uint32_t left = access_bits(o, x, k); left; left &= left - 1) { \
                const int32_t lane = k * 16 + __builtin_ctz(left); \
                const uint32_t at = a[lane] + by; \
                if (at <= last) \
                    put##bits(R, MORE->r[0], lane, m->ptr + at); \
            } \
        } \
    }

#define DEFINE_GATHER(bits) \
    DEFINE_LOAD_ADDRESSES(bits) \
    DEFINE_STORE_ONE(bits) \
    static void gather_lanes##bits(const struct rp_op *o, char *R, const struct rp_exec *x, \
                                   bool is_store) \
    { \
        const bool is_varying = o->i <= RP_MEMORY_VARYING; \
        struct access_memory m = {0}; \
        uint64_t handle = NO_HANDLE; \
        if (!is_varying) \
            m = access_memory(o, R, x); \
        if (o->n == 1 && !is_store && o->i == RP_MEMORY_ADDRESSES) { \
            load_addresses##bits(o, R, x); \
            return; \
        } \
        if (o->n == 1 && is_store && has_offset_limit(&m) && m.size_B >= bits / 8) { \
            store_one##bits(o, R, x, &m); \
            return; \
        } \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            for (uint32_t left = access_bits(o, x, k); left; left &= left - 1) { \
                const int32_t lane = k * 16 + __builtin_ctz(left); \
                if (is_varying) \
                    m = lane_memory(o, R, x, lane, &handle, &m); \
                const uint64_t offset = \
                    (uint32_t)(((const uint32_t *)(R + o->a))[lane] + MORE->r[6] + m.bias); \
                for (uint32_t c = 0; c < o->n; c++) { \
                    const uint64_t at = access_component(&m, offset, c * (bits / 8)); \
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

#define DEFINE_GATHER_STORE(bits) \
    RP_OP(STORE##bits##_G) \
    { \
        gather_lanes##bits(o, R, x, true); \
        RP_MUSTTAIL return RP_GO(o + 2); \
    }
DEFINE_GATHER_STORE(8)
DEFINE_GATHER_STORE(16)
DEFINE_GATHER_STORE(64)

RP_OP(LOAD64_G)
{
    gather_lanes64(o, R, x, false);
    RP_MUSTTAIL return RP_GO(o + 2);
}

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

/* Do the pairs of words of each four lanes follow each other? *inside_out: of all lanes both words
 * are inside. */
static inline bool
are_pairs_by_four(const struct access_memory *m, vi offset, bool *inside_out)
{
    const vu last = VU(vi_splat((int32_t)(m->size_B - 8)));
    const vi numbers = 8 * (lane_numbers(0) & 3);
#if RP_VW == 16
    const vi first = (vi)_mm512_shuffle_epi32((__m512i)offset, 0);
#elif RP_VW == 8
    const vi first = (vi)_mm256_shuffle_epi32((__m256i)offset, 0);
#else
    const vi first = vi_splat(offset[0]);
#endif
    *inside_out = m->size_B >= 8 && vi_bits(VI(VU(offset) <= last)) == (1u << RP_VW) - 1;
    return vi_bits(offset == first + numbers) == (1u << RP_VW) - 1;
}

/* Four lanes of a vector. */
static inline void
store_four_pairs(uint8_t *to, const int32_t *even, const int32_t *odd)
{
#if defined(__SSE4_1__)
    const __m128i a = _mm_loadu_si128((const __m128i *)even);
    const __m128i b = _mm_loadu_si128((const __m128i *)odd);
    _mm_storeu_si128((__m128i *)to, _mm_unpacklo_epi32(a, b));
    _mm_storeu_si128((__m128i *)(to + 16), _mm_unpackhi_epi32(a, b));
#else
    for (int32_t l = 0; l < 4; l++) {
        memcpy(to + 8 * l, even + l, 4);
        memcpy(to + 8 * l + 4, odd + l, 4);
    }
#endif
}

static inline void
load_four_pairs(int32_t *even, int32_t *odd, const uint8_t *from)
{
#if defined(__SSE4_1__)
    const __m128 low = _mm_loadu_ps((const float *)(const void *)from);
    const __m128 high = _mm_loadu_ps((const float *)(const void *)(from + 16));
    _mm_storeu_ps((float *)(void *)even, _mm_shuffle_ps(low, high, 0x88));
    _mm_storeu_ps((float *)(void *)odd, _mm_shuffle_ps(low, high, 0xdd));
#else
    for (int32_t l = 0; l < 4; l++) {
        memcpy(even + l, from + 8 * l, 4);
        memcpy(odd + l, from + 8 * l + 4, 4);
    }
#endif
}

/* The pairs of one vector of lanes; false: not all are inside, and nothing was done. */
static inline bool
gather_pairs(const struct access_memory *m, vi offset, vi *even, vi *odd)
{
    bool is_inside;
    const bool are_by_four = are_pairs_by_four(m, offset, &is_inside);
    if (!is_inside)
        return false;
    if (are_by_four) {
        for (int32_t l = 0; l < RP_VW; l += 4)
            load_four_pairs((int32_t *)even + l, (int32_t *)odd + l, m->ptr + offset[l]);
        return true;
    }
#if RP_VW == 16
    const __m256i at0 = _mm512_castsi512_si256((__m512i)offset);
    const __m256i at1 = _mm512_extracti64x4_epi64((__m512i)offset, 1);
    const __m512i low = _mm512_i32gather_epi64(at0, m->ptr, 1);
    const __m512i high = _mm512_i32gather_epi64(at1, m->ptr, 1);
    const __m512i first = (__m512i)(2 * lane_numbers(0));
    *even = (vi)_mm512_permutex2var_epi32(low, first, high);
    *odd = (vi)_mm512_permutex2var_epi32(low, (__m512i)(2 * lane_numbers(0) + 1), high);
    return true;
#else
    return false;
#endif
}

/* The same to memory, in the order of lanes. */
static inline bool
scatter_pairs(const struct access_memory *m, vi offset, const vi *even, const vi *odd)
{
    bool is_inside;
    const bool are_by_four = are_pairs_by_four(m, offset, &is_inside);
    if (!is_inside)
        return false;
    if (are_by_four) {
        for (int32_t l = 0; l < RP_VW; l += 4)
            store_four_pairs(m->ptr + offset[l], (const int32_t *)even + l,
                             (const int32_t *)odd + l);
        return true;
    }
#if RP_VW == 16
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    const __m512i a = (__m512i)*even, b = (__m512i)*odd;
    _mm512_i32scatter_epi64(m->ptr, _mm512_castsi512_si256((__m512i)offset),
                            _mm512_permutex2var_epi32(a, first, b), 1);
    _mm512_i32scatter_epi64(m->ptr, _mm512_extracti64x4_epi64((__m512i)offset, 1),
                            _mm512_permutex2var_epi32(a, second, b), 1);
    return true;
#else
    return false;
#endif
}

#if RP_VW == 16

/* Words that are among 32 that follow each other, from where the first lane's cache line begins. */
struct near_words {
    int32_t base;
    vi number; /* of each lane's */
};

/* False: they are not, or not all 32 are inside. */
static inline bool
find_near(const struct access_memory *m, vi offset, struct near_words *out)
{
    const int32_t base = offset[0] & -64;
    const __m512i number = _mm512_ror_epi32((__m512i)(offset - base), 2);
    *out = (struct near_words){base, (vi)number};
    return base >= 0 && (uint32_t)base + 128 <= m->size_B &&
           _mm512_cmplt_epu32_mask(number, _mm512_set1_epi32(32)) == 0xffff;
}

static inline bool
load_near(const struct access_memory *m, vi offset, vi *value)
{
    struct near_words near;
    if (!find_near(m, offset, &near))
        return false;
    const __m512i low = _mm512_loadu_si512(m->ptr + near.base);
    const __m512i high = _mm512_loadu_si512(m->ptr + near.base + 64);
    *value = (vi)_mm512_permutex2var_epi32(low, (__m512i)near.number, high);
    return true;
}

/* Where each lane's word is behind that of the lane before: they are packed, and spread to their
 * places again. */
static inline bool
store_near(const struct access_memory *m, vi offset, vi value, uint32_t active)
{
    struct near_words near;
    if (!find_near(m, offset, &near))
        return false;
    const __m512i number = (__m512i)near.number;
    const __m512i before = _mm512_alignr_epi32(number, _mm512_set1_epi32(-1), 15);
    if (_mm512_cmpgt_epi32_mask(number, before) != 0xffff)
        return false;
    const __m512i places = _mm512_sllv_epi32(_mm512_set1_epi32(1), number);
    const uint32_t written = _pdep_u32(active, (uint32_t)_mm512_reduce_or_epi32(places));
    const __m512i packed = _mm512_maskz_compress_epi32((__mmask16)active, (__m512i)value);
    const vi behind = lane_numbers(0) + __builtin_popcount(written & 0xffff);
    const __m512i rest = _mm512_permutexvar_epi32((__m512i)behind, packed);
    const __mmask16 low = (__mmask16)written, high = (__mmask16)(written >> 16);
    uint8_t *to = m->ptr + near.base;
    _mm512_mask_storeu_epi32(to, low, _mm512_maskz_expand_epi32(low, packed));
    _mm512_mask_storeu_epi32(to + 64, high, _mm512_maskz_expand_epi32(high, rest));
    return true;
}

#else

static inline bool
load_near(const struct access_memory *m, vi offset, vi *value)
{
    (void)m, (void)offset, (void)value;
    return false;
}

static inline bool
store_near(const struct access_memory *m, vi offset, vi value, uint32_t active)
{
    (void)m, (void)offset, (void)value, (void)active;
    return false;
}

#endif

#define MAX_MISSES 4u /* vectors without runs, until none is looked for */

#if RP_NS > 1
/* A block whose words all follow each other. */
RP_ALWAYS_INLINE bool
load_block_run(const struct access_memory *m, const vi *a, uint32_t by, uintptr_t ahead, vi *d)
{
    const int32_t begin = *(const int32_t *)a;
    vi is_same = vi_splat(-1);
    for (int32_t j = 0; j < RP_NS; j++)
        is_same &= a[j] == begin + 4 * lane_numbers(j);
    const uint32_t first = (uint32_t)begin + by;
    if (vi_bits(is_same) != (1u << RP_VW) - 1 || (uint64_t)first + 64 > m->size_B)
        return false;
    access_fetch((uintptr_t)m->ptr + first + ahead);
    copy_block32((int32_t *)d, m->ptr + first);
    return true;
}
#endif

/* Words of one vector; `at`: where their offsets are, but for `by`. */
RP_ALWAYS_INLINE vi
gather_one(const struct access_memory *m, const vi *at, uint32_t by)
{
    const vu last = VU(vi_splat((int32_t)(m->size_B - 4)));
    const vi offset = *at + (int32_t)by;
    const uint32_t fits = vi_bits(VI(VU(offset) <= last));
#if RP_VW != 16 && defined(__SSE4_1__)
    if (fits == (1u << RP_VW) - 1)
        return gather_all(m->ptr, (const uint32_t *)at, by);
#endif
    return gather_vector(m->ptr, offset, fits);
}

/* Bytes or halves of one buffer of less than 2 GiB, all in one word of each lane. */
#define DEFINE_GATHER_PARTS(bits) \
    static inline void lanes_of_parts##bits(const struct rp_op *o, char *R, \
                                            const struct access_memory *m, int32_t s) \
    { \
        for (int32_t lane = s * RP_VW; lane < (s + 1) * RP_VW; lane++) { \
            const uint32_t offset = ((const uint32_t *)(R + o->a))[lane] + MORE->r[6]; \
            for (uint32_t c = 0; c < o->n; c++) { \
                const uint64_t at = access_component(m, offset, c * (bits / 8)); \
                const bool fits = access_fits(m, at, bits / 8); \
                get##bits(R, MORE->r[c], lane, fits ? m->ptr + at : NULL); \
            } \
        } \
    } \
    static void gather_parts##bits(const struct rp_op *o, char *R, const struct rp_exec *x, \
                                   const struct access_memory *m) \
    { \
        const vu last = VU(vi_splat((int32_t)(m->size_B - 4))); \
        for (int32_t s = x->k0 * RP_NS; s < x->k1 * RP_NS; s++) { \
            const vi *a = (const vi *)(R + o->a) + s; \
            const vi fits = VI(VU(*a + (int32_t)MORE->r[6]) <= last); \
            if (vi_bits(fits) != (1u << RP_VW) - 1) { \
                lanes_of_parts##bits(o, R, m, s); \
                continue; \
            } \
            const vu words = VU(gather_one(m, a, MORE->r[6])); \
            for (uint32_t c = 0; c < o->n; c++) \
                ((vi *)(R + MORE->r[c]))[s] = VI(words >> bits * c & ((1u << bits) - 1)); \
        } \
    } \
    RP_OP(LOAD##bits##_G) \
    { \
        struct access_memory m = {0}; \
        if (o->i > RP_MEMORY_VARYING && o->n * bits <= 32) \
            m = access_memory(o, R, x); \
        if (has_offset_limit(&m)) \
            gather_parts##bits(o, R, x, &m); \
        else \
            gather_lanes##bits(o, R, x, false); \
        RP_MUSTTAIL return RP_GO(o + 2); \
    }
DEFINE_GATHER_PARTS(8)
DEFINE_GATHER_PARTS(16)

/* Words of one vector, for each component: runs of them, or each for itself. */
RP_ALWAYS_INLINE void
gather_vectors(const struct rp_op *o, char *R, const struct access_memory *m, int32_t s,
               uintptr_t ahead, uint32_t *misses)
{
    const vi *a = (const vi *)(R + o->a) + s;
    vi *d = (vi *)(R + MORE->r[0]) + s;
    const vi offset = *a + (int32_t)MORE->r[6];
    struct runs runs;
    if (*misses < MAX_MISSES && !find_runs(m, offset, &runs)) {
        if (load_near(m, offset, d))
            return;
        ++*misses;
    } else if (*misses < MAX_MISSES) {
        const uint8_t *first = m->ptr + runs.first, *second = m->ptr + runs.second;
        access_fetch((uintptr_t)first + ahead);
        access_fetch((uintptr_t)second + RP_VB + ahead);
        *d = vi_select(runs.is_first, *(const vi_u *)first, *(const vi_u *)second);
        return;
    }
    if (o->n == 1) {
        *d = gather_one(m, a, MORE->r[6]);
        return;
    }
    if (o->n == 2 && gather_pairs(m, offset, d, (vi *)(R + MORE->r[1]) + s))
        return;
    for (uint32_t c = 0; c < o->n; c++) {
        const vi at = offset + (int32_t)(4 * c);
        ((vi *)(R + MORE->r[c]))[s] = gather_one(m, &at, 0);
    }
}

/* Words from one buffer of less than 2 GiB. */
RP_ALWAYS_INLINE void
gather_words(const struct rp_op *o, char *R, struct rp_exec *x, const struct access_memory *m)
{
    const vi *a = (const vi *)(R + o->a);
    const uintptr_t here = (uintptr_t)m->ptr + (uint32_t)a[x->k0 * RP_NS][0];
    const uintptr_t ahead = access_ahead(x, o, here);
    uint32_t misses = o->n == 1 ? 0 : MAX_MISSES;
    uint32_t block_misses = misses;
    for (int32_t k = x->k0; k < x->k1; k++) {
#if RP_NS > 1
        if (block_misses < MAX_MISSES) {
            if (load_block_run(m, a + k * RP_NS, MORE->r[6], ahead,
                               (vi *)(R + MORE->r[0]) + k * RP_NS))
                continue;
            block_misses++;
        }
#endif
        for (int32_t s = k * RP_NS; s < (k + 1) * RP_NS; s++)
            gather_vectors(o, R, m, s, ahead, &misses);
    }
    (void)block_misses;
}

/* Those of the active lanes. Nobody else looks at a thread's own memory, so that the others' words
 * may be written, too. */
static inline void
store_lanes(uint8_t *to, uint32_t active, vi value, bool is_own)
{
#if RP_VW == 16
    (void)is_own;
    _mm512_mask_storeu_epi32(to, (__mmask16)active, (__m512i)value);
#else
    if (is_own) {
        *(vi_u *)to = vi_mask_select(active, value, *(const vi_u *)to);
        return;
    }
#if RP_VW == 8
    _mm256_maskstore_epi32((int *)(void *)to, (__m256i)vi_mask(active), (__m256i)value);
#else
    for (int32_t l = 0; l < RP_VW; l++)
        if (active >> l & 1)
            memcpy(to + 4 * l, (const int32_t *)&value + l, 4);
#endif
#endif
}

/* The first lanes to the first run, the rest to the second: in the order of lanes. */
static inline bool
store_runs(const struct access_memory *m, vi offset, vi value, uint32_t active, bool is_own)
{
    const uint32_t all = (1u << RP_VW) - 1;
    struct runs runs;
    if (!find_runs(m, offset, &runs))
        return false;
    const uint32_t bits = vi_bits(runs.is_first);
    if (bits == all && active == all) {
        *(vi_u *)(m->ptr + runs.first) = value;
        return true;
    }
    if ((bits & (bits + 1)) != 0)
        return false;
    store_lanes(m->ptr + runs.first, bits & active, value, is_own);
    if (bits != all)
        store_lanes(m->ptr + runs.second, ~bits & active, value, is_own);
    return true;
}

/* Words to one buffer of less than 2 GiB, when something faster than a scatter can. */
static inline bool
scatter_near(const struct access_memory *m, vi offset, vi value, uint32_t active, bool is_own)
{
    return store_runs(m, offset, value, active, is_own) || store_near(m, offset, value, active);
}

RP_ALWAYS_INLINE void
scatter_words(const struct rp_op *o, const char *R, const struct rp_exec *x,
              const struct access_memory *m)
{
    const vu last = VU(vi_splat((int32_t)(m->size_B - 4)));
    const vi *a = (const vi *)(R + o->a);
    const uint32_t all = (1u << RP_VW) - 1;
    const bool is_own = o->i >= (int32_t)RP_STATIC_BINDINGS;
    uint32_t misses = o->n == 1 ? 0 : MAX_MISSES;
    for (int32_t s = x->k0 * RP_NS; s < x->k1 * RP_NS; s++) {
        const uint16_t block = (uint16_t)access_bits(o, x, s / RP_NS);
        const uint32_t active = mask_part(&block, s % RP_NS) & all;
        const vi offset = a[s] + (int32_t)MORE->r[6];
        const vi *first = (const vi *)(R + MORE->r[0]) + s;
        if (!active)
            continue;
        if (misses < MAX_MISSES) {
            if (scatter_near(m, offset, *first, active, is_own))
                continue;
            misses++;
        }
        if (o->n == 2 && active == all &&
            scatter_pairs(m, offset, first, (const vi *)(R + MORE->r[1]) + s))
            continue;
        for (uint32_t c = 0; c < o->n; c++) {
            const vi at = offset + (int32_t)(4 * c);
            const uint32_t fits = vi_bits(VI(VU(at) <= last)) & active;
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
