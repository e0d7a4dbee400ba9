/* SPDX-License-Identifier: MIT */
/* Loads and stores. Each checks its bounds once where that is enough, else block by block, else
 * lane by lane: what is out of bounds reads as zero and is not written.
 */
#include "compute/exec/blocks.h"
#include "compute/exec/op_list.h"
#include "compute/exec/parts.h"
#include "compute/exec/triples.h"

#define MORE ((const struct rp_op_more *)(o + 1))

/* Behind an address only what the active lanes ask for may be touched: nothing bounds the rest. */
static inline bool
is_all_readable(const struct access_memory *m, uint32_t active)
{
    return m->bias == 0 || active == 0xffff;
}

/* Lane by lane, for blocks that are not wholly inside. */
#define DEFINE_SLOW(bits) \
    static void slow_load##bits(const struct rp_op *o, char *R, const struct rp_exec *x, \
                                const struct access_memory *m, const struct access_line *line, \
                                int32_t k) \
    { \
        for (uint32_t left = m->bias ? access_bits(o, x, k) : 0xffff; left; left &= left - 1) { \
            const int32_t lane = k * 16 + __builtin_ctz(left); \
            const uint64_t offset = access_lane(line, x, lane); \
            for (uint32_t c = 0; c < o->n; c++) { \
                const uint64_t at = access_component(m, offset, c * (bits / 8)); \
                get##bits(R, MORE->r[c], lane, access_fits(m, at, bits / 8) ? m->ptr + at : NULL); \
            } \
        } \
    } \
    static void slow_store##bits(const struct rp_op *o, const char *R, const struct rp_exec *x, \
                                 const struct access_memory *m, const struct access_line *line, \
                                 int32_t k) \
    { \
        for (uint32_t left = access_bits(o, x, k); left; left &= left - 1) { \
            const int32_t lane = k * 16 + __builtin_ctz(left); \
            const uint64_t offset = access_lane(line, x, lane); \
            for (uint32_t c = 0; c < o->n; c++) { \
                const uint64_t at = access_component(m, offset, c * (bits / 8)); \
                if (access_fits(m, at, bits / 8)) \
                    put##bits(R, MORE->r[c], lane, m->ptr + at); \
            } \
        } \
    }
DEFINE_SLOW(8)
DEFINE_SLOW(16)
DEFINE_SLOW(32)
DEFINE_SLOW(64)

/* A block that is inside: stride bytes from lane to lane. */
#define DEFINE_BLOCK(bits) \
    static inline __attribute__((unused)) void load_block##bits##_any( \
        const struct rp_op *o, char *R, const uint8_t *from, size_t stride, int32_t k) \
    { \
        for (uint32_t c = 0; c < o->n; c++) \
            for (int32_t l = 0; l < 16; l++) \
                get##bits(R, MORE->r[c], k * 16 + l, from + (size_t)l * stride + c * (bits / 8)); \
    } \
    static inline void store_block##bits##_any(const struct rp_op *o, const char *R, uint8_t *to, \
                                               size_t stride, int32_t k) \
    { \
        for (int32_t l = 0; l < 16; l++) \
            for (uint32_t c = 0; c < o->n; c++) \
                put##bits(R, MORE->r[c], k * 16 + l, to + (size_t)l * stride + c * (bits / 8)); \
    }
DEFINE_BLOCK(8)
DEFINE_BLOCK(16)
DEFINE_BLOCK(32)
DEFINE_BLOCK(64)

/* Elements of less than a word: mostly one of each lane, or a word of them, which stay in the
 * caller's code. */
#define DEFINE_SMALL_BLOCK(bits) \
    static __attribute__((noinline)) void load_parts##bits( \
        const struct rp_op *o, char *R, const uint8_t *from, size_t stride, int32_t k) \
    { \
        if (!load_joined(R, MORE->r, o->n, bits, from, stride, k)) \
            load_block##bits##_any(o, R, from, stride, k); \
    } \
    static __attribute__((noinline)) void store_parts##bits(const struct rp_op *o, const char *R, \
                                                            uint8_t *to, size_t stride, int32_t k) \
    { \
        if (!store_joined(R, MORE->r, o->n, bits, to, stride, k)) \
            store_block##bits##_any(o, R, to, stride, k); \
    } \
    RP_ALWAYS_INLINE void load_block##bits(const struct rp_op *o, char *R, const uint8_t *from, \
                                           size_t stride, int32_t k) \
    { \
        if (o->n == 1 && stride == bits / 8) \
            widen##bits((vi *)(R + MORE->r[0] + k * 64), from); \
        else if (o->n == 32 / bits) \
            (void)load_joined(R, MORE->r, 32 / bits, bits, from, stride, k); \
        else \
            load_parts##bits(o, R, from, stride, k); \
    } \
    RP_ALWAYS_INLINE void store_block##bits(const struct rp_op *o, const char *R, uint8_t *to, \
                                            size_t stride, int32_t k) \
    { \
        if (o->n == 1 && stride == bits / 8) \
            narrow##bits(to, (const vi *)(R + MORE->r[0] + k * 64)); \
        else \
            store_parts##bits(o, R, to, stride, k); \
    }
DEFINE_SMALL_BLOCK(8)
DEFINE_SMALL_BLOCK(16)

void
load_block32(const struct rp_op *o, char *R, const uint8_t *from, size_t stride, int32_t k)
{
    const struct rp_op_more *more = MORE;
    if (o->n == 1 && stride == 4) {
        copy_block32((int32_t *)(R + more->r[0]) + k * 16, from);
    } else if (stride == 0) {
        for (uint32_t c = 0; c < o->n; c++) {
            int32_t value;
            memcpy(&value, from + 4 * c, 4);
            for (int32_t j = 0; j < RP_NS; j++)
                ((vi *)(R + more->r[c] + k * 64))[j] = vi_splat(value);
        }
    } else if (o->n == 2 && stride == 8) {
        load_pairs((int32_t *)(R + more->r[0]) + k * 16, (int32_t *)(R + more->r[1]) + k * 16,
                   from);
    } else if (o->n == 2) {
        load_strided_pairs((int32_t *)(R + more->r[0]) + k * 16,
                           (int32_t *)(R + more->r[1]) + k * 16, from, stride);
    } else if (o->n == 3) {
        int32_t *const d[3] = {(int32_t *)(R + more->r[0]), (int32_t *)(R + more->r[1]),
                               (int32_t *)(R + more->r[2])};
        load_rows3(d, k * 16, from, stride);
    } else if (o->n == 4) {
        int32_t *const d[4] = {(int32_t *)(R + more->r[0]), (int32_t *)(R + more->r[1]),
                               (int32_t *)(R + more->r[2]), (int32_t *)(R + more->r[3])};
        load_rows4(d, k * 16, from, stride);
    } else {
        for (uint32_t c = 0; c < o->n; c++)
            load_strided32((int32_t *)(R + more->r[c]) + k * 16, from + 4 * c, stride);
    }
}

void
store_block32(const struct rp_op *o, const char *R, uint8_t *to, size_t stride, int32_t k)
{
    const struct rp_op_more *more = MORE;
    if (o->n == 1 && stride == 4) {
        for (int32_t j = 0; j < RP_NS; j++)
            ((vi_u *)to)[j] = ((const vi *)(R + more->r[0] + k * 64))[j];
    } else if (o->n == 2 && stride == 8) {
        store_pairs(to, (const int32_t *)(R + more->r[0]) + k * 16,
                    (const int32_t *)(R + more->r[1]) + k * 16);
    } else if (o->n == 2) {
        store_strided_pairs(to, stride, (const int32_t *)(R + more->r[0]) + k * 16,
                            (const int32_t *)(R + more->r[1]) + k * 16);
    } else if (o->n == 4) {
        int32_t *const a[4] = {(int32_t *)(R + more->r[0]), (int32_t *)(R + more->r[1]),
                               (int32_t *)(R + more->r[2]), (int32_t *)(R + more->r[3])};
        store_rows4(to, stride, a, k * 16);
    } else if (o->n == 3) {
        int32_t *const a[3] = {(int32_t *)(R + more->r[0]), (int32_t *)(R + more->r[1]),
                               (int32_t *)(R + more->r[2])};
        store_rows3(to, stride, a, k * 16);
    } else {
        store_block32_any(o, R, to, stride, k);
    }
}

void
load_block64(const struct rp_op *o, char *R, const uint8_t *from, size_t stride, int32_t k)
{
#if RP_VW >= 8
    if (o->n == 4 && stride) {
        load_longs4(R, MORE->r, from, stride, k);
        return;
    }
#endif
    for (uint32_t c = 0; c < o->n; c++, from += 8) {
        vl *d = (vl *)(R + MORE->r[c] + k * 128);
        int64_t value;
        memcpy(&value, from, sizeof(value));
        if (stride == 0)
            for (int32_t j = 0; j < 2 * RP_NS; j++)
                d[j] = vl_splat(value);
        else if (stride == 8)
            memcpy(d, from, 128);
        else
            for (int32_t l = 0; l < 16; l += 2)
                load_two_longs((int64_t *)d + l, from + (size_t)l * stride, stride);
    }
}

static inline void
store_block64(const struct rp_op *o, const char *R, uint8_t *to, size_t stride, int32_t k)
{
    if (o->n == 1 && stride == 8)
        memcpy(to, R + MORE->r[0] + k * 128, 128);
    else
        store_block64_any(o, R, to, stride, k);
}

#define load_slow8 slow_load8
#define load_slow16 slow_load16
#define store_slow8 slow_store8
#define store_slow16 slow_store16
#define store_slow64 slow_store64

void
load_slow64(const struct rp_op *o, char *R, const struct rp_exec *x, const struct access_memory *m,
            const struct access_line *line, int32_t k)
{
    slow_load64(o, R, x, m, line, k);
}

/* Words that are not in rows, or not all inside: each lane's offset for itself. */
void
load_slow32(const struct rp_op *o, char *R, const struct rp_exec *x, const struct access_memory *m,
            const struct access_line *line, int32_t k)
{
    if (!has_offset_limit(m)) {
        slow_load32(o, R, x, m, line, k);
        return;
    }
    const vu last = VU(vi_splat((int32_t)(m->size_B - 4)));
    for (int32_t s = k * RP_NS; s < (k + 1) * RP_NS; s++) {
        const vi offset = access_vector(line, x, s);
        for (uint32_t c = 0; c < o->n; c++) {
            const vi at = offset + (int32_t)(4 * c);
            const uint32_t fits = vu_bits_le(VU(at), last);
            ((vi *)(R + MORE->r[c]))[s] = gather_vector(m->ptr, at, fits);
        }
    }
}

/* Words side by side, of the active lanes alone. */
static inline bool
store_partly32(const struct rp_op *o, const char *R, const struct access_memory *m,
               const struct access_line *line, uint32_t at, uint32_t active, int32_t k)
{
    if (o->n != 1 || line->sx != 4 || !line->has_rows || !has_offset_limit(m) ||
        !access_block_fits(m, at, 4, 4))
        return false;
    store_active(m->ptr + at, (uint16_t)active, (const vi *)(R + MORE->r[0] + k * 64));
    return true;
}

#define store_partly8(o, R, m, line, at, active, k) false
#define store_partly16(o, R, m, line, at, active, k) false
#define store_partly64(o, R, m, line, at, active, k) false

void
store_slow32(const struct rp_op *o, const char *R, const struct rp_exec *x,
             const struct access_memory *m, const struct access_line *line, int32_t k)
{
    if (!has_offset_limit(m)) {
        slow_store32(o, R, x, m, line, k);
        return;
    }
    const vu last = VU(vi_splat((int32_t)(m->size_B - 4)));
    const uint16_t active = (uint16_t)access_bits(o, x, k);
    for (int32_t j = 0; j < RP_NS; j++) {
        const int32_t s = k * RP_NS + j;
        const vi offset = access_vector(line, x, s);
        for (uint32_t c = 0; c < o->n; c++) {
            const vi at = offset + (int32_t)(4 * c);
            const uint32_t fits = vu_bits_le(VU(at), last);
            scatter_vector(m->ptr, at, fits & mask_part(&active, j),
                           ((const vi *)(R + MORE->r[c]))[s]);
        }
    }
}

/* Workgroups side by side, one after the other: each has its words, or one word, in one piece. */
static inline void
load_parts(char *R, uint32_t to, const struct rp_exec *x, const uint8_t *memory,
           const struct access_line *line)
{
    for (int32_t k = x->k0, end; k < x->k1; k = end) {
        uint32_t first;
        end = access_part(line, x, k, &first);
        if (line->sx)
            load_words(R, to, memory + first, line->block_stride, k, end);
        else
            load_spread(R, to, memory + first, line->block_stride, k, end);
    }
}

static inline void
store_parts(const char *R, uint32_t from, const struct rp_exec *x, uint8_t *memory,
            const struct access_line *line)
{
    for (int32_t k = x->k0, end; k < x->k1; k = end) {
        uint32_t first;
        end = access_part(line, x, k, &first);
        store_words(R, from, memory + first, line->block_stride, k, end);
    }
}

/* When all that is asked for is inside, and lies in rows shorter than a block or in parts. */
static inline bool
load_runs(const struct rp_op *o, char *R, const struct rp_exec *x, const struct access_memory *m,
          const struct access_line *line)
{
    _Alignas(64) uint32_t at[RP_MAX_RUNS];
    if (o->n != 1 || (line->sx != 4 && line->sx != 0) || !access_is_inside(line, m, x, 4))
        return false;
    if (line->has_parts) {
        load_parts(R, MORE->r[0], x, m->ptr, line);
        return true;
    }
    access_runs(line, x, at);
    const uint32_t log2 = x->geometry->run_log2;
    const uint8_t *from = m->ptr + line->base;
    vi *d = (vi *)(R + MORE->r[0]);
    if (log2 == 3 && line->sx == 4)
        for (int32_t s = x->k0 * RP_NS; s < x->k1 * RP_NS; s++)
            d[s] = run_vector(from, at, 3, s, false);
    else if (log2 == 3)
        for (int32_t s = x->k0 * RP_NS; s < x->k1 * RP_NS; s++)
            d[s] = run_vector(from, at, 3, s, true);
    else
        for (int32_t s = x->k0 * RP_NS; s < x->k1 * RP_NS; s++)
            d[s] = run_vector(from, at, log2, s, line->sx == 0);
    return true;
}

static inline bool
store_runs(const struct rp_op *o, const char *R, const struct rp_exec *x,
           const struct access_memory *m, const struct access_line *line)
{
    _Alignas(64) uint32_t at[RP_MAX_RUNS];
    const struct rp_geometry *g = x->geometry;
    if (o->n != 1 || line->sx != 4 || !access_is_inside(line, m, x, 4))
        return false;
    if (line->has_parts) {
        store_parts(R, MORE->r[0], x, m->ptr, line);
        return true;
    }
    access_runs(line, x, at);
    for (int32_t lane = x->k0 * 16; lane < x->k1 * 16; lane += (int32_t)g->run) {
        uint8_t *to = m->ptr + line->base + at[lane >> g->run_log2];
        const int32_t *from = (const int32_t *)(R + MORE->r[0]) + lane;
        if (g->run == 16)
            memcpy(to, from, 64);
        else
            memcpy(to, from, g->run == 8 ? 32 : 16);
    }
    return true;
}

#define load_runs8(o, R, x, m, line) false
#define load_runs16(o, R, x, m, line) false
#define load_runs32 load_runs
#define load_runs64(o, R, x, m, line) false
#define store_runs8(o, R, x, m, line) false
#define store_runs16(o, R, x, m, line) false
#define store_runs32 store_runs
#define store_runs64(o, R, x, m, line) false

/* Four words of each lane, side by side: fetches what follows while it loads. */
static inline void
load_dense4(const struct rp_op *o, char *R, struct rp_exec *x, const uint8_t *from)
{
    const uintptr_t ahead = access_ahead(x, o, (uintptr_t)from);
    for (int32_t k = x->k0; k < x->k1; k++, from += 256) {
        load_block32(o, R, from, 16, k);
        for (uint32_t b = 0; b < 256; b += ACCESS_LINE_B)
            access_fetch((uintptr_t)from + ahead + b);
    }
}

/* Any linear access. Apart from the handlers of words, which need no stack for the usual case. */
#define DEFINE_LINEAR(bits) \
    static __attribute__((noinline)) \
    const struct rp_op *load_linear##bits(const struct rp_op *o, char *R, struct rp_exec *x) \
    { \
        const struct access_memory m = access_memory(o, R, x); \
        const struct access_line line = access_line(o, MORE, R, x, m.bias); \
        if ((m.bias == 0 || x->is_full) && access_is_whole(&line, &m, x, o->n * (bits / 8))) { \
            const size_t step = line.block_stride; \
            const uint8_t *from = m.ptr + line.base + (uint64_t)step * (uint32_t)x->k0; \
            if (bits == 32 && o->n == 4 && line.sx == 16 && step == 256) { \
                load_dense4(o, R, x, from); \
                RP_MUSTTAIL return RP_GO(o + 2); \
            } \
            for (int32_t k = x->k0; k < x->k1; k++, from += step) \
                load_block##bits(o, R, from, line.sx, k); \
            RP_MUSTTAIL return RP_GO(o + 2); \
        } \
        if ((m.bias == 0 || x->is_full) && load_runs##bits(o, R, x, &m, &line)) { \
            RP_MUSTTAIL return RP_GO(o + 2); \
        } \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            const uint32_t at = access_block(&line, x, k); \
            if (line.has_rows && is_all_readable(&m, access_bits(o, x, k)) && \
                access_block_fits(&m, at, line.sx, o->n * (bits / 8))) \
                load_block##bits(o, R, m.ptr + at, line.sx, k); \
            else \
                load_slow##bits(o, R, x, &m, &line, k); \
        } \
        RP_MUSTTAIL return RP_GO(o + 2); \
    } \
    static __attribute__((noinline)) \
    const struct rp_op *store_linear##bits(const struct rp_op *o, char *R, struct rp_exec *x) \
    { \
        const struct access_memory m = access_memory(o, R, x); \
        const struct access_line line = access_line(o, MORE, R, x, m.bias); \
        if (x->is_full && access_is_whole(&line, &m, x, o->n * (bits / 8))) { \
            const size_t step = line.block_stride; \
            uint8_t *to = m.ptr + line.base + (uint64_t)step * (uint32_t)x->k0; \
            for (int32_t k = x->k0; k < x->k1; k++, to += step) \
                store_block##bits(o, R, to, line.sx, k); \
            RP_MUSTTAIL return RP_GO(o + 2); \
        } \
        if (x->is_full && store_runs##bits(o, R, x, &m, &line)) { \
            RP_MUSTTAIL return RP_GO(o + 2); \
        } \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            const uint32_t at = access_block(&line, x, k); \
            if (!access_bits(o, x, k)) \
                continue; \
            if (line.has_rows && access_bits(o, x, k) == 0xffff && \
                access_block_fits(&m, at, line.sx, o->n * (bits / 8))) \
                store_block##bits(o, R, m.ptr + at, line.sx, k); \
            else if (!store_partly##bits(o, R, &m, &line, at, access_bits(o, x, k), k)) \
                store_slow##bits(o, R, x, &m, &line, k); \
        } \
        RP_MUSTTAIL return RP_GO(o + 2); \
    }
DEFINE_LINEAR(8)
DEFINE_LINEAR(16)
DEFINE_LINEAR(32)
DEFINE_LINEAR(64)

#define DEFINE_LINEAR_OPS(bits) \
    RP_OP(LOAD##bits##_L) \
    { \
        RP_MUSTTAIL return load_linear##bits(o, R, x); \
    } \
    RP_OP(STORE##bits##_L) \
    { \
        RP_MUSTTAIL return store_linear##bits(o, R, x); \
    }
DEFINE_LINEAR_OPS(8)
DEFINE_LINEAR_OPS(16)

/* Is an access of longs one piece of memory, all inside? *at_out: where it begins. */
static inline bool
is_piece64(const struct rp_op *o, const char *R, const struct rp_exec *x, uint8_t **at_out)
{
    if (o->i < 0 || o->n != 1)
        return false;
    const struct access_memory m = {x->memory[o->i].ptr, x->memory[o->i].size_B, 0};
    const struct access_line line = access_line(o, MORE, R, x, 0);
    *at_out = m.ptr + line.base + 128ull * (uint32_t)x->k0;
    return line.sx == 8 && line.block_stride == 128 && access_is_whole(&line, &m, x, 8);
}

RP_OP(LOAD64_L)
{
    uint8_t *from;
    if (is_piece64(o, R, x, &from)) {
        load_words(R, MORE->r[0], from, 64, 2 * x->k0, 2 * x->k1);
        RP_MUSTTAIL return RP_GO(o + 2);
    }
    RP_MUSTTAIL return load_linear64(o, R, x);
}

RP_OP(STORE64_L)
{
    uint8_t *to;
    if (x->is_full && is_piece64(o, R, x, &to)) {
        store_words(R, MORE->r[0], to, 64, 2 * x->k0, 2 * x->k1);
        RP_MUSTTAIL return RP_GO(o + 2);
    }
    RP_MUSTTAIL return store_linear64(o, R, x);
}

/* Whole lines go past the caches. */
static void
stream_copy(uint8_t *to, const uint8_t *from, size_t size_B)
{
    const size_t to_line_B = (64 - (uintptr_t)to % 64) % 64;
    const size_t head_B = to_line_B < size_B ? to_line_B : size_B;
    memcpy(to, from, head_B);
    size_t at = head_B;
#ifdef __SSE4_1__
    for (; at + 64 <= size_B; at += 64)
        for (size_t v = 0; v < 64; v += RP_VB) {
#if RP_VW == 16
            _mm512_stream_si512((void *)(to + at + v), _mm512_loadu_si512(from + at + v));
#elif RP_VW == 8
            _mm256_stream_si256((__m256i *)(to + at + v),
                                _mm256_loadu_si256((const __m256i *)(from + at + v)));
#else
            _mm_stream_si128((__m128i *)(to + at + v),
                             _mm_loadu_si128((const __m128i *)(from + at + v)));
#endif
        }
#endif
    memcpy(to + at, from + at, size_B - at);
}

RP_OP(LOAD32_L)
{
    if (o->i >= 0 && o->n == 1) {
        const struct access_memory m = {x->memory[o->i].ptr, x->memory[o->i].size_B, 0};
        const struct access_line line = access_line(o, MORE, R, x, 0);
        if ((line.sx == 4 || line.sx == 0) && access_is_whole(&line, &m, x, 4)) {
            const size_t step = line.block_stride;
            const uint8_t *from = m.ptr + line.base + (uint64_t)step * (uint32_t)x->k0;
            if (line.sx == 4)
                load_words(R, MORE->r[0], from, step, x->k0, x->k1);
            else
                load_spread(R, MORE->r[0], from, step, x->k0, x->k1);
            RP_MUSTTAIL return RP_GO(o + 2);
        }
    }
    RP_MUSTTAIL return load_linear32(o, R, x);
}

RP_OP(STORE32_L)
{
    if (o->i >= 0 && o->n == 1 && x->is_full) {
        const struct access_memory m = {x->memory[o->i].ptr, x->memory[o->i].size_B, 0};
        const struct access_line line = access_line(o, MORE, R, x, 0);
        if (line.sx == 4 && access_is_whole(&line, &m, x, 4)) {
            const size_t step = line.block_stride;
            uint8_t *to = m.ptr + line.base + (uint64_t)step * (uint32_t)x->k0;
            if (o->d && step == 64 && x->grid_lanes * 4 >= x->stream_min_B) {
                stream_copy(to, (const uint8_t *)(R + MORE->r[0]) + (size_t)x->k0 * 64,
                            (size_t)(x->k1 - x->k0) * 64);
                x->has_streamed = true;
            } else {
                store_words(R, MORE->r[0], to, step, x->k0, x->k1);
            }
            RP_MUSTTAIL return RP_GO(o + 2);
        }
    }
    RP_MUSTTAIL return store_linear32(o, R, x);
}

static inline bool
is_apart(const uint8_t *a, const uint8_t *b, size_t size_B)
{
    return a + size_B <= b || b + size_B <= a;
}

/* In front of a load and the store of what it loaded: moves it all at once when both are one piece
 * of memory and every lane takes part. */
RP_OP(COPY_L)
{
    const struct rp_op *load = o + 1, *store = o + 3;
    const struct access_memory from = access_memory(load, R, x), to = access_memory(store, R, x);
    const struct access_line in =
        access_line(load, (const struct rp_op_more *)(load + 1), R, x, from.bias);
    const struct access_line out =
        access_line(store, (const struct rp_op_more *)(store + 1), R, x, to.bias);
    if (x->is_full && in.is_line && out.is_line && in.sx == o->n && out.sx == o->n &&
        access_is_whole(&in, &from, x, o->n) && access_is_whole(&out, &to, x, o->n)) {
        const size_t first_B = (size_t)o->n * 16 * (uint32_t)x->k0;
        const size_t size_B = (size_t)o->n * 16 * (uint32_t)(x->k1 - x->k0);
        uint8_t *target = to.ptr + out.base + first_B;
        const uint8_t *source = from.ptr + in.base + first_B;
        if (o->i && x->grid_lanes * o->n >= x->stream_min_B && is_apart(target, source, size_B)) {
            stream_copy(target, source, size_B);
            x->has_streamed = true;
        } else {
            memmove(target, source, size_B);
        }
        o += 4;
    }
    RP_MUSTTAIL return RP_GO(o + 1);
}
