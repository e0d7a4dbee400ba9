/* SPDX-License-Identifier: MIT */
/* Loads and stores at offsets or addresses of the lanes: whole vectors of words where the
 * instruction set can, else lane by lane.
 */
#include "compute/exec/access.h"
#include "compute/exec/masks.h"
#include "compute/exec/op_list.h"
#include "compute/exec/word_rows.h"
#include "compute/exec/word_runs.h"
#include "compute/exec/word_table.h"

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

#define MAX_MISSES 4u /* vectors without runs, until none is looked for */
#define MAX_RESTS 15u /* executions without a search, after one that was all in vain */

#if RP_NS > 1
/* A block whose first words all follow each other. */
RP_ALWAYS_INLINE bool
load_block_run(const struct rp_op *o, char *R, const struct access_memory *m, int32_t k,
               uintptr_t ahead)
{
    const vi *a = (const vi *)(R + o->a) + k * RP_NS;
    const int32_t begin = *(const int32_t *)a;
    vi is_same = vi_splat(-1);
    for (int32_t j = 0; j < RP_NS; j++)
        is_same &= a[j] == begin + 4 * lane_numbers(j);
    const uint32_t first = (uint32_t)begin + MORE->r[6];
    if (vi_bits(is_same) != (1u << RP_VW) - 1 || first + 60ull + 4 * o->n > m->size_B)
        return false;
    access_fetch((uintptr_t)m->ptr + first + ahead);
    for (uint32_t c = 0; c < o->n; c++)
        copy_block32((int32_t *)(R + MORE->r[c]) + 16 * k, m->ptr + first + 4 * c);
    return true;
}
#endif

/* Words of one vector; `at`: where their offsets are, but for `by`. */
RP_ALWAYS_INLINE vi
gather_one(const struct access_memory *m, const vi *at, int32_t by)
{
    const vu last = VU(vi_splat((int32_t)(m->size_B - 4)));
    const vi offset = *at + by;
    const uint32_t fits = vu_bits_le(VU(offset), last);
#if RP_VW != 16
    if (fits == (1u << RP_VW) - 1 && has_signed_offsets(m, by))
        return gather_all(m->ptr + by, (const int32_t *)at);
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
            if (vu_bits_le(VU(*a + (int32_t)MORE->r[6]), last) != (1u << RP_VW) - 1) { \
                lanes_of_parts##bits(o, R, m, s); \
                continue; \
            } \
            const vu words = VU(gather_one(m, a, (int32_t)MORE->r[6])); \
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

/* Words of the vectors from s to end, each for itself. */
static void
gather_vectors(const struct rp_op *o, char *R, const struct access_memory *m, int32_t s,
               int32_t end)
{
    const int32_t by = (int32_t)MORE->r[6];
    for (; s < end; s++) {
        char *to = R + (size_t)s * RP_VB;
        const vi *a = (const vi *)(to + o->a);
        const vi offset = *a + by;
        if (o->n == 2 && gather_pairs(m, offset, (vi *)(to + MORE->r[0]), (vi *)(to + MORE->r[1])))
            continue;
        if (o->n != 1 && load_rows(m, a, by, o->n, to, MORE->r))
            continue;
        for (uint32_t c = 0; c < o->n; c++) {
            const vi at = offset + (int32_t)(4 * c);
            *(vi *)(to + MORE->r[c]) = gather_one(m, &at, 0);
        }
    }
}

/* Zeros, where nobody looks: what was there before may be a slow operand of what comes next. */
static inline void
clear_block(const struct rp_op *o, char *R, int32_t k)
{
    for (uint32_t c = 0; c < o->n; c++)
        for (int32_t s = k * RP_NS; s < (k + 1) * RP_NS; s++)
            ((vi *)(R + MORE->r[c]))[s] = (vi){0};
}

/* One word of each lane of the blocks from k on. */
static void
gather_singles(const struct rp_op *o, char *R, const struct rp_exec *x,
               const struct access_memory *m, int32_t k)
{
    const int32_t by = (int32_t)MORE->r[6], end = x->k1;
    const uint16_t *const levels = x->is_full ? NULL : x->levels[o->level].bits;
    const uint8_t *const from = m->ptr;
    const vi last = vi_splat((int32_t)(m->size_B - 4));
    const vi *a = (const vi *)(R + o->a) + k * RP_NS;
    vi *d = (vi *)(R + MORE->r[0]) + k * RP_NS;
#if RP_VW != 16
    const uint8_t *const base = has_signed_offsets(m, by) ? from + by : NULL;
#endif
    for (; k < end; k++, a += RP_NS, d += RP_NS) {
        const uint32_t active = levels ? levels[k] : 0xffff;
        if (!active) {
            clear_block(o, R, k);
            continue;
        }
#if RP_VW == 16
        const __m512i at = (__m512i)(*a + by);
        const __mmask16 fits = _mm512_mask_cmple_epu32_mask((__mmask16)active, at, (__m512i)last);
        *d = gather_vector(from, (vi)at, fits);
#else
        vi outside = {0};
        for (int32_t j = 0; j < RP_NS; j++)
            outside |= (a[j] + by) | (a[j] + by > last);
        if (vi_bits(outside) || !base) {
            gather_vectors(o, R, m, k * RP_NS, (k + 1) * RP_NS);
            continue;
        }
#pragma GCC unroll 4
        for (int32_t j = 0; j < RP_NS; j++)
            d[j] = gather_all(base, (const int32_t *)(a + j));
#endif
    }
}

/* Words of the blocks from k on, each for itself. */
static void
gather_blocks(const struct rp_op *o, char *R, const struct rp_exec *x,
              const struct access_memory *m, int32_t k)
{
    if (o->n == 1) {
        gather_singles(o, R, x, m, k);
        return;
    }
    while (k < x->k1) {
        if (!access_bits(o, x, k)) {
            clear_block(o, R, k++);
            continue;
        }
        const int32_t first = k;
        while (k < x->k1 && access_bits(o, x, k))
            k++;
        gather_vectors(o, R, m, first * RP_NS, k * RP_NS);
    }
}

/* Words of one vector whose first ones are in one or two runs, or single words near each other;
 * false: they are not, and nothing was done. */
RP_ALWAYS_INLINE bool
load_runs(const struct rp_op *o, char *R, const struct access_memory *m, int32_t s, uintptr_t ahead)
{
    const vi offset = ((const vi *)(R + o->a))[s] + (int32_t)MORE->r[6];
    struct runs runs;
    if (!find_runs(m, offset, 4u * (o->n - 1u), &runs))
        return o->n == 1 && load_near(m, offset, (vi *)(R + MORE->r[0]) + s);
    const uint8_t *first = m->ptr + runs.first, *second = m->ptr + runs.second;
    access_fetch((uintptr_t)first + ahead);
    access_fetch((uintptr_t)second + RP_VB + ahead);
    for (uint32_t c = 0; c < o->n; c++, first += 4, second += 4)
        ((vi *)(R + MORE->r[c]))[s] =
            vi_select(runs.is_first, *(const vi_u *)first, *(const vi_u *)second);
    return true;
}

#if TABLE_PARTS
/* Words of a block that lie in the table; false: not all do. */
RP_ALWAYS_INLINE bool
take_from_table(const struct rp_op *o, char *R, const struct table *table, int32_t k,
                uint32_t active, uint32_t count)
{
    const vi *a = (const vi *)(R + o->a + k * 64);
    vi offset[RP_NS]; /* a value may take the register's place */
    for (int32_t j = 0; j < RP_NS; j++)
        offset[j] = a[j];
    if (!is_in_table(table, offset, active))
        return false;
    for (uint32_t c = 0; c < count; c++) {
        vi *d = (vi *)(R + MORE->r[c] + k * 64);
        for (int32_t j = 0; j < RP_NS; j++)
            d[j] = table_words(table, offset[j] + (int32_t)(4 * c));
    }
    return true;
}

/* May it be a table's? */
static inline bool
is_near_zero(const struct rp_op *o, const char *R, const struct rp_exec *x)
{
    return ((const uint32_t *)(R + o->a))[x->k0 * 16] < TABLE_B;
}

/* Words of the first blocks, as long as they lie near that of offset 0: returns the first block of
 * other ones. */
static inline int32_t
gather_table(const struct rp_op *o, char *R, const struct rp_exec *x, const struct access_memory *m)
{
    const int32_t end = x->k1;
    const uint16_t *const levels = x->is_full ? mask_ones : x->levels[o->level].bits;
    int32_t k = x->k0;
    struct table table;
    if (!is_near_zero(o, R, x) || !load_table(m, MORE->r[6], o->n, &table))
        return k;
    if (o->n == 1)
        while (k < end && take_from_table(o, R, &table, k, levels[k], 1))
            k++;
    else
        while (k < end && take_from_table(o, R, &table, k, levels[k], o->n))
            k++;
    return k;
}
#else
#define is_near_zero(o, R, x) false
#define gather_table(o, R, x, m) (x)->k0
#endif

/* Words from one buffer of less than 2 GiB. */
RP_ALWAYS_INLINE void
gather_words(const struct rp_op *o, char *R, struct rp_exec *x, const struct access_memory *m)
{
    const vi *a = (const vi *)(R + o->a);
    uint8_t *rests = &x->rests[(uintptr_t)o / sizeof(*o) % RP_REST_COUNT];
    if (*rests) {
        --*rests;
        gather_blocks(o, R, x, m, x->k0);
        return;
    }
    int32_t k = gather_table(o, R, x, m);
    if (k == x->k1)
        return;
    const uintptr_t here = (uintptr_t)m->ptr + (uint32_t)a[k * RP_NS][0];
    const uintptr_t ahead = access_ahead(x, o, here);
    /* Gathers of several words are fast enough to look for runs only where one begins. */
    const int32_t *const first = (const int32_t *)(a + k * RP_NS);
    uint32_t misses = o->n == 1 ? 0 : first[1] - first[0] == 4 ? MAX_MISSES - 1 : MAX_MISSES;
    bool has_runs = false;
    for (; k < x->k1 && misses < MAX_MISSES; k++) {
#if RP_NS > 1
        if (load_block_run(o, R, m, k, ahead)) {
            has_runs = true;
            continue;
        }
#endif
        for (int32_t s = k * RP_NS; s < (k + 1) * RP_NS; s++) {
            if (load_runs(o, R, m, s, ahead)) {
                has_runs = true;
                continue;
            }
            misses++;
            gather_vectors(o, R, m, s, s + 1);
        }
    }
    const bool was_vain = k != x->k0 || is_near_zero(o, R, x);
    *rests = was_vain && !has_runs ? MAX_RESTS : 0;
    gather_blocks(o, R, x, m, k);
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
    if (!find_runs(m, offset, 0, &runs))
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
            const uint32_t fits = vu_bits_le(VU(at), last) & active;
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
