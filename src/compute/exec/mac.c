/* SPDX-License-Identifier: MIT */
/* Multiply-accumulate (MAC): a sum of products, which the IR has as a run of MAD or IMAD, in one
 * operation, which keeps the sum in a register and reads its factors from memory where they are. It
 * does so when all of that memory is whole rows in bounds; else the ordinary operations behind it
 * run.
 */
#include "compute/exec/access.h"
#include "compute/exec/math.h"
#include "compute/exec/op_list.h"

#define MAX_TERMS RP_MAC_MAX_TERMS
#define VECTORS 8               /* sums at a time: what hides the latency of an addition */
#define GROUP (VECTORS / RP_NS) /* the same in blocks */

/* A factor in block k0: one element for all lanes of a block (or run), or one for each. */
struct factor {
    const uint8_t *at;
    size_t step; /* to the next block */
    bool is_spread;
    const uint32_t *runs; /* NULL, or offsets by runs of all lanes */
};

/* Where the runs of lanes lie, for some strides. */
struct pattern {
    uint32_t sx, sy, sz;
    _Alignas(64) uint32_t at[RP_MAX_RUNS];
};

#define MAX_PATTERNS 4u

/* How the factors of a product lie, as far as there is something to gain. */
enum term_kind {
    TERM_ANY,
    TERM_SAME,  /* a is one element for all lanes */
    TERM_OUTER, /* a is one element for each block, b the same row for all */
};

struct term {
    struct factor a; /* spread, when one of them is */
    struct factor b;
    enum term_kind kind;
};

/* A load that was looked at: the next one often differs in its constant offset alone. */
struct seen {
    const struct rp_op *load; /* NULL: none */
    struct factor factor;
    uint64_t reach_B; /* from the base to behind the last element */
    uint64_t size_B;  /* of the memory */
    uint32_t base;
};

struct mac {
    struct term terms[MAX_TERMS];
    struct factor first; /* what the products are added to */
    uint32_t count;
    struct seen seen[2]; /* by operand */
    uint32_t pattern_count;
    struct pattern patterns[MAX_PATTERNS];
};

static const uint32_t *
find_pattern(struct mac *c, const struct access_line *line, const struct rp_exec *x)
{
    for (uint32_t p = 0; p < c->pattern_count; p++)
        if (c->patterns[p].sx == line->sx && c->patterns[p].sy == line->sy &&
            c->patterns[p].sz == line->sz)
            return c->patterns[p].at;
    if (c->pattern_count == MAX_PATTERNS)
        return NULL;
    struct pattern *p = &c->patterns[c->pattern_count++];
    p->sx = line->sx;
    p->sy = line->sy;
    p->sz = line->sz;
    access_runs(line, x, p->at);
    return p->at;
}

/* The factor a load was found to be, moved on. Field by field: what was just written in parts is
 * slow to read as a whole. */
RP_ALWAYS_INLINE void
factor_from(struct factor *out, const struct factor *from, ptrdiff_t distance_B)
{
    out->at = from->at + distance_B;
    out->step = from->step;
    out->is_spread = from->is_spread;
    out->runs = from->runs;
}

/* The same load at another constant offset. */
RP_ALWAYS_INLINE bool
find_again(const struct seen *seen, const struct rp_op *load, struct factor *out)
{
    const struct rp_op *old = seen->load;
    if (!old || old->a != load->a || old->c != load->c || old->i != load->i)
        return false;
    const uint32_t *r = ((const struct rp_op_more *)(load + 1))->r;
    const uint32_t *old_r = ((const struct rp_op_more *)(old + 1))->r;
    const uint32_t base = seen->base + (r[6] - old_r[6]);
    if (r[4] != old_r[4] || r[5] != old_r[5] || base + seen->reach_B > seen->size_B)
        return false;
    factor_from(out, &seen->factor, (ptrdiff_t)base - (ptrdiff_t)seen->base);
    return true;
}

static __attribute__((noinline)) bool
find_load(struct mac *c, const struct rp_op *load, const char *R, const struct rp_exec *x,
          uint32_t size_B, struct seen *seen)
{
    const struct access_memory m = access_memory(load, R, x);
    const struct access_line line =
        access_line(load, (const struct rp_op_more *)(load + 1), R, x, m.bias);
    seen->load = NULL;
    if (m.bias || (line.sx != size_B && line.sx != 0))
        return false;
    seen->base = line.base;
    seen->size_B = m.size_B;
    seen->factor.is_spread = line.sx == 0;
    if (access_is_whole(&line, &m, x, size_B)) {
        const uint64_t step = line.block_stride;
        seen->factor.at = m.ptr + line.base + step * (uint32_t)x->k0;
        seen->factor.step = step;
        seen->factor.runs = NULL;
        seen->reach_B = step * (uint32_t)(x->k1 - 1) + 15 * line.sx + size_B;
    } else {
        if (size_B != 4 || !access_is_inside(&line, &m, x, 4))
            return false;
        seen->factor.at = m.ptr + line.base;
        seen->factor.step = 0;
        seen->factor.runs = find_pattern(c, &line, x);
        seen->reach_B = access_reach(&line, x) + 4;
        if (!seen->factor.runs)
            return false;
    }
    seen->load = load->i >= 0 ? load : NULL; /* others' memory is not told by i */
    return true;
}

RP_ALWAYS_INLINE bool
find_factor(struct mac *c, const struct rp_op *o, const uint32_t r[3], const char *R,
            const struct rp_exec *x, uint32_t size_B, struct seen *seen, struct factor *out)
{
    if (r[0] != RP_MAC_LOAD) {
        const bool is_vector = r[0] == RP_MAC_VECTOR;
        out->at = (const uint8_t *)R + r[1] + (is_vector ? (size_t)x->k0 * 64 : 0);
        out->step = is_vector ? 64 : 0;
        out->is_spread = !is_vector;
        out->runs = NULL;
        return !is_vector || size_B == 4;
    }
    if (find_again(seen, o + r[1], out))
        return true;
    if (!find_load(c, o + r[1], R, x, size_B, seen))
        return false;
    factor_from(out, &seen->factor, 0);
    return true;
}

static inline enum term_kind
kind_of(const struct factor *a, const struct factor *b)
{
    if (!a->is_spread || a->runs || b->is_spread || b->runs)
        return TERM_ANY;
    return !a->step ? TERM_SAME : !b->step ? TERM_OUTER : TERM_ANY;
}

static inline bool
find_mac(const struct rp_op *o, const char *R, const struct rp_exec *x, uint32_t size_B,
         struct mac *c)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    c->count = o->n;
    c->pattern_count = 0;
    c->seen[0].load = c->seen[1].load = NULL;
    if (!find_factor(c, o, more[0].r, R, x, size_B, &c->seen[0], &c->first))
        return false;
    for (uint32_t t = 0; t < c->count; t++) {
        struct term *term = &c->terms[t];
        struct factor a, b;
        if (!find_factor(c, o, more[1 + t].r, R, x, size_B, &c->seen[0], &a) ||
            !find_factor(c, o, more[1 + t].r + 3, R, x, size_B, &c->seen[1], &b) ||
            (a.is_spread && b.is_spread && !c->pattern_count))
            return false;
        term->kind = b.is_spread ? kind_of(&b, &a) : kind_of(&a, &b);
        factor_from(b.is_spread ? &term->b : &term->a, &a, 0);
        factor_from(b.is_spread ? &term->a : &term->b, &b, 0);
    }
    return true;
}

_Static_assert(sizeof(struct mac) <= RP_KEPT_MAC_B, "room for a MAC");

/* Finds the MAC, in `fresh` or where it is kept; NULL: the operations behind it must run. */
static inline const struct mac *
mac_of(const struct rp_op *o, const char *R, struct rp_exec *x, uint32_t size_B, struct mac *fresh)
{
    const uint32_t slot = ((const struct rp_op_more *)(o + 1))->r[2];
    if (!slot)
        return find_mac(o, R, x, size_B, fresh) ? fresh : NULL;
    struct rp_kept_mac *kept = &x->macs[slot - 1];
    struct mac *c = (struct mac *)(void *)kept->mac;
    if (kept->op == o && kept->k0 == x->k0 && kept->k1 == x->k1)
        return c;
    kept->op = NULL;
    if (!find_mac(o, R, x, size_B, c))
        return NULL;
    kept->op = o;
    kept->k0 = x->k0;
    kept->k1 = x->k1;
    return c;
}

/* The i-th vector of a group of blocks that starts `block` behind the first. */
static inline const uint8_t *
vector_at(const struct factor *f, size_t block, int32_t i)
{
    return f->at + (block + (size_t)(i / RP_NS)) * f->step + (size_t)(i % RP_NS) * RP_VB;
}

static inline vi
spread_at(const struct factor *f, size_t block, int32_t i)
{
    int32_t value;
    memcpy(&value, f->at + (block + (size_t)(i / RP_NS)) * f->step, 4);
    return vi_splat(value);
}

/* Vector i of a group of blocks where some factors lie in runs. */
RP_ALWAYS_INLINE vi
any_vector(const struct factor *f, size_t block, int32_t k0, int32_t i, uint32_t log2)
{
    if (f->runs)
        return run_vector(f->at, f->runs, log2, ((int32_t)block + k0) * RP_NS + i, f->is_spread);
    return f->is_spread ? spread_at(f, block, i) : (vi) * (const vi_u *)vector_at(f, block, i);
}

/* Adds products of a term to the sums of a group: a value for all lanes with rows; a value for each
 * block with the same row; else what both are. */
#define DEFINE_TERMS(name, type, cast) \
    RP_ALWAYS_INLINE void name##_same(const struct term *term, type *sums, size_t block, \
                                      int32_t count) \
    { \
        const type a = cast(spread_at(&term->a, 0, 0)); \
        const uint8_t *b = term->b.at + block * term->b.step; \
        for (int32_t i = 0; i < count; i += RP_NS, b += term->b.step) \
            for (int32_t j = 0; j < RP_NS; j++) \
                sums[i + j] += a * cast(*(const vi_u *)(b + j * RP_VB)); \
    } \
    RP_ALWAYS_INLINE void name##_outer(const struct term *term, type *sums, size_t block, \
                                       int32_t count) \
    { \
        const uint8_t *a = term->a.at + block * term->a.step; \
        type row[RP_NS]; \
        for (int32_t j = 0; j < RP_NS; j++) \
            row[j] = cast(*(const vi_u *)(term->b.at + j * RP_VB)); \
        for (int32_t i = 0; i < count; i += RP_NS, a += term->a.step) { \
            int32_t value; \
            memcpy(&value, a, 4); \
            for (int32_t j = 0; j < RP_NS; j++) \
                sums[i + j] += cast(vi_splat(value)) * row[j]; \
        } \
    } \
    RP_ALWAYS_INLINE void name##_any(const struct term *term, type *sums, size_t block, \
                                     int32_t count) \
    { \
        if (term->a.is_spread) { \
            for (int32_t i = 0; i < count; i++) \
                sums[i] += cast(spread_at(&term->a, block, i)) * \
                           cast(*(const vi_u *)vector_at(&term->b, block, i)); \
        } else { \
            for (int32_t i = 0; i < count; i++) \
                sums[i] += cast(*(const vi_u *)vector_at(&term->a, block, i)) * \
                           cast(*(const vi_u *)vector_at(&term->b, block, i)); \
        } \
    }
DEFINE_TERMS(f32, vf, VF)
DEFINE_TERMS(i32, vu, VU)

#define DEFINE_MAC32(name, number, type, cast) \
    RP_ALWAYS_INLINE void name##_vectors(const struct mac *c, vi *d, size_t block, int32_t count) \
    { \
        type sums[VECTORS]; \
        for (int32_t i = 0; i < count; i++) \
            sums[i] = c->first.is_spread ? cast(spread_at(&c->first, block, i)) \
                                         : cast(*(const vi_u *)vector_at(&c->first, block, i)); \
        for (const struct term *t = c->terms, *end = t + c->count; t < end; t++) { \
            if (t->kind == TERM_OUTER) \
                number##_outer(t, sums, block, count); \
            else if (t->kind == TERM_SAME) \
                number##_same(t, sums, block, count); \
            else \
                number##_any(t, sums, block, count); \
        } \
        for (int32_t i = 0; i < count; i++) \
            d[i] = VI(sums[i]); \
    } \
    RP_ALWAYS_INLINE void name##_runs(const struct mac *c, vi *d, size_t block, int32_t k0, \
                                      int32_t count, uint32_t log2) \
    { \
        type sums[VECTORS]; \
        for (int32_t i = 0; i < count; i++) \
            sums[i] = cast(any_vector(&c->first, block, k0, i, log2)); \
        for (const struct term *t = c->terms, *end = t + c->count; t < end; t++) { \
            if (t->a.is_spread && t->a.runs && !t->b.is_spread && t->b.runs) { \
                const uint32_t *ar = t->a.runs, *br = t->b.runs; \
                for (int32_t i = 0; i < count; i++) { \
                    const int32_t s = ((int32_t)block + k0) * RP_NS + i; \
                    sums[i] += cast(run_vector(t->a.at, ar, log2, s, true)) * \
                               cast(run_vector(t->b.at, br, log2, s, false)); \
                } \
                continue; \
            } \
            for (int32_t i = 0; i < count; i++) \
                sums[i] += cast(any_vector(&t->a, block, k0, i, log2)) * \
                           cast(any_vector(&t->b, block, k0, i, log2)); \
        } \
        for (int32_t i = 0; i < count; i++) \
            d[i] = VI(sums[i]); \
    } \
    static __attribute__((noinline)) void name##_all_runs(const struct mac *c, vi *d, \
                                                          const struct rp_exec *x) \
    { \
        const size_t end = (size_t)(x->k1 - x->k0); \
        const uint32_t log2 = x->geometry->run_log2; \
        size_t block = 0; \
        for (; log2 == 3 && block + GROUP <= end; block += GROUP) \
            name##_runs(c, d + block * RP_NS, block, x->k0, VECTORS, 3); \
        for (; block < end; block++) \
            name##_runs(c, d + block * RP_NS, block, x->k0, RP_NS, log2); \
    } \
    static __attribute__((noinline)) void name##_all_long_runs(const struct mac *c, vi *d, \
                                                               const struct rp_exec *x) \
    { \
        const size_t end = (size_t)(x->k1 - x->k0); \
        size_t block = 0; \
        for (; block + GROUP <= end; block += GROUP) \
            name##_runs(c, d + block * RP_NS, block, x->k0, VECTORS, 4); \
        for (; block < end; block++) \
            name##_runs(c, d + block * RP_NS, block, x->k0, RP_NS, 4); \
    } \
    static __attribute__((noinline)) \
    const struct rp_op *name##_next(const struct rp_op *o, char *R, struct rp_exec *x) \
    { \
        struct mac fresh; \
        const struct mac *c = mac_of(o, R, x, 4, &fresh); \
        if (!c) \
            return o + o->n + 2u; \
        vi *d = (vi *)(R + o->d) + (size_t)x->k0 * RP_NS; \
        if (c->pattern_count) { \
            if (x->geometry->run_log2 == 4) \
                name##_all_long_runs(c, d, x); \
            else \
                name##_all_runs(c, d, x); \
            return o + o->i; \
        } \
        const size_t end = (size_t)(x->k1 - x->k0); \
        size_t block = 0; \
        for (; block + GROUP <= end; block += GROUP) \
            name##_vectors(c, d + block * RP_NS, block, VECTORS); \
        for (; block < end; block++) \
            name##_vectors(c, d + block * RP_NS, block, RP_NS); \
        return o + o->i; \
    } \
    RP_OP(name) \
    { \
        o = name##_next(o, R, x); /* the MAC is gone when the next operation begins */ \
        RP_MUSTTAIL return RP_GO(o); \
    }
DEFINE_MAC32(MAC_F32, f32, vf, VF)
DEFINE_MAC32(MAC_I32, i32, vu, VU)

/* 16-bit integers: twice as many lanes in a vector, when nobody asks for more bits of the sum. */
typedef uint16_t v16h __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t v16w __attribute__((vector_size(64), may_alias));

#define BLOCKS16 4

RP_ALWAYS_INLINE void
load16(const struct factor *f, size_t block, v16h *out)
{
    const uint8_t *at = f->at + block * f->step;
    uint16_t value;
    if (!f->is_spread) {
        *out = *(const v16h *)at;
        return;
    }
    memcpy(&value, at, 2);
    *out = value - (v16h){0};
}

RP_ALWAYS_INLINE void
mac16_blocks(const struct mac *c, v16w *d, size_t block, size_t count)
{
    v16h sums[BLOCKS16];
    for (size_t i = 0; i < count; i++)
        load16(&c->first, block + i, &sums[i]);
    for (uint32_t t = 0; t < c->count; t++) {
        const struct term *term = &c->terms[t];
        if (term->a.step == 0 && term->a.is_spread) {
            v16h a;
            load16(&term->a, 0, &a);
            for (size_t i = 0; i < count; i++)
                sums[i] += a * *(const v16h *)(term->b.at + (block + i) * term->b.step);
        } else {
            for (size_t i = 0; i < count; i++) {
                v16h a, b;
                load16(&term->a, block + i, &a);
                load16(&term->b, block + i, &b);
                sums[i] += a * b;
            }
        }
    }
    for (size_t i = 0; i < count; i++)
        d[i] = __builtin_convertvector(sums[i], v16w);
}

static __attribute__((noinline)) const struct rp_op *
chain16_next(const struct rp_op *o, char *R, struct rp_exec *x)
{
    struct mac fresh;
    const struct mac *c = mac_of(o, R, x, 2, &fresh);
    if (!c)
        return o + o->n + 2u;
    v16w *d = (v16w *)(R + o->d) + x->k0;
    const size_t end = (size_t)(x->k1 - x->k0);
    size_t block = 0;
    for (; block + BLOCKS16 <= end; block += BLOCKS16)
        mac16_blocks(c, d + block, block, BLOCKS16);
    for (; block < end; block++)
        mac16_blocks(c, d + block, block, 1);
    return o + o->i;
}

RP_OP(MAC_I16)
{
    o = chain16_next(o, R, x);
    RP_MUSTTAIL return RP_GO(o);
}
