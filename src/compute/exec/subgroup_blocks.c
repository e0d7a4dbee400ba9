/* SPDX-License-Identifier: MIT */
/* Subgroup operations on whole blocks: a subgroup is the 16 lanes of a block, and a block is one
 * vector here, whatever the registers' size. Compiled once for each instruction set.
 *
 * Lanes are combined in pairs, then pairs of pairs; scans take in 1, 2, 4 and 8 lanes below. The
 * order is the same on every instruction set.
 */
#include "compute/exec/op_list.h"
#include "compute/exec/subgroup.h"
#include "compute/exec/vec.h"
#include "compute/ir/ir.h"

typedef int32_t wi __attribute__((vector_size(64), may_alias));
typedef uint32_t wu __attribute__((vector_size(64), may_alias));
typedef float wf __attribute__((vector_size(64), may_alias));

#define SELECT(mask, a, b) (((mask) & (a)) | (~(mask) & (b)))
#define PICK_IADD(a, b) ((wi)((wu)(a) + (wu)(b)))
#define PICK_IMUL(a, b) ((wi)((wu)(a) * (wu)(b)))
#define PICK_SMIN(a, b) SELECT((a) < (b), a, b)
#define PICK_SMAX(a, b) SELECT((a) > (b), a, b)
#define PICK_UMIN(a, b) SELECT((wi)((wu)(a) < (wu)(b)), a, b)
#define PICK_UMAX(a, b) SELECT((wi)((wu)(a) > (wu)(b)), a, b)
#define PICK_AND(a, b) ((a) & (b))
#define PICK_OR(a, b) ((a) | (b))
#define PICK_XOR(a, b) ((a) ^ (b))
#define PICK_FADD(a, b) ((wi)((wf)(a) + (wf)(b)))
#define PICK_FMUL(a, b) ((wi)((wf)(a) * (wf)(b)))
#define PICK_FMIN(a, b) SELECT(((wf)(a) < (wf)(b)) | ((wf)(b) != (wf)(b)), a, b)
#define PICK_FMAX(a, b) SELECT(((wf)(a) > (wf)(b)) | ((wf)(b) != (wf)(b)), a, b)

static const wi swap8 = {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7};
static const wi swap4 = {4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11};
static const wi swap2 = {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13};
static const wi swap1 = {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14};
/* Lane 16: the identity. */
static const wi below1 = {16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
static const wi below2 = {16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
static const wi below4 = {16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const wi below8 = {16, 16, 16, 16, 16, 16, 16, 16, 0, 1, 2, 3, 4, 5, 6, 7};

static inline void
active_lanes(const struct rp_op *o, const struct rp_exec *x, int32_t k, wi *out)
{
    const wi bit = {1,      2,      4,      8,      0x10,   0x20,   0x40,   0x80,
                    0x100,  0x200,  0x400,  0x800,  0x1000, 0x2000, 0x4000, 0x8000};
    const int32_t bits = x->is_full ? 0xffff : x->levels[o->level].bits[k];
    *out = (bits & bit) != 0;
}

#define DEFINE_REDUCE(name) \
    static void \
    reduce_##name(const struct rp_op *o, char *R, const struct rp_exec *x, uint32_t cluster, \
                  int32_t identity) \
    { \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            wi v = ((const wi *)(R + o->a))[k]; \
            wi active; \
            active_lanes(o, x, k, &active); \
            v = SELECT(active, v, identity - (wi){0}); \
            if (cluster > 1) \
                v = PICK_##name(v, __builtin_shuffle(v, swap1)); \
            if (cluster > 2) \
                v = PICK_##name(v, __builtin_shuffle(v, swap2)); \
            if (cluster > 4) \
                v = PICK_##name(v, __builtin_shuffle(v, swap4)); \
            if (cluster > 8) \
                v = PICK_##name(v, __builtin_shuffle(v, swap8)); \
            ((wi *)(R + o->d))[k] = v; \
        } \
    } \
    static void \
    scan_##name(const struct rp_op *o, char *R, const struct rp_exec *x, bool is_exclusive, \
                int32_t identity) \
    { \
        const wi none = identity - (wi){0}; \
        for (int32_t k = x->k0; k < x->k1; k++) { \
            wi v = ((const wi *)(R + o->a))[k]; \
            wi active; \
            active_lanes(o, x, k, &active); \
            v = SELECT(active, v, none); \
            if (is_exclusive) \
                v = __builtin_shuffle(v, none, below1); \
            v = PICK_##name(__builtin_shuffle(v, none, below1), v); \
            v = PICK_##name(__builtin_shuffle(v, none, below2), v); \
            v = PICK_##name(__builtin_shuffle(v, none, below4), v); \
            v = PICK_##name(__builtin_shuffle(v, none, below8), v); \
            ((wi *)(R + o->d))[k] = v; \
        } \
    }

#define REDUCTIONS(X) \
    X(IADD) X(IMUL) X(SMIN) X(UMIN) X(SMAX) X(UMAX) X(AND) X(OR) X(XOR) X(FADD) X(FMUL) X(FMIN) \
    X(FMAX)
REDUCTIONS(DEFINE_REDUCE)

static void
reduce_words(const struct rp_op *o, char *R, const struct rp_exec *x,
             const struct rp_op_more *more)
{
    const int32_t identity = (int32_t)rp_subgroup_identity(more->r[1], false);
    switch ((enum ir_reduce)more->r[1]) {
#define CASE(name) \
    case IR_RED_##name: \
        if (more->r[3] == 0) \
            reduce_##name(o, R, x, more->r[2], identity); \
        else \
            scan_##name(o, R, x, more->r[3] == 2, identity); \
        break;
        REDUCTIONS(CASE)
    case IR_RED_COUNT:
        break;
    }
}

#if RP_VW == 16
static void
shuffle_words(const struct rp_op *o, char *R, const struct rp_exec *x)
{
    for (int32_t k = x->k0; k < x->k1; k++) {
        const __m512i from = ((const __m512i *)(R + o->b))[k];
        const __m512i value = ((const __m512i *)(R + o->a))[k];
        const __mmask16 inside = _mm512_cmplt_epu32_mask(from, _mm512_set1_epi32(16));
        ((__m512i *)(R + o->d))[k] = _mm512_maskz_permutexvar_epi32(inside, from, value);
    }
}
#endif

RP_OP(SUBGROUP)
{
    const struct rp_op_more *more = (const struct rp_op_more *)(o + 1);
    /* Reductions, scans of all lanes; not those over lanes that are named. */
    const bool is_whole = more->r[3] == 0 || (more->r[3] <= 2 && more->r[2] == 16);
    if (more->r[0] == IR_SG_REDUCE && is_whole)
        reduce_words(o, R, x, more);
#if RP_VW == 16
    else if (more->r[0] == IR_SG_SHUFFLE)
        shuffle_words(o, R, x);
#endif
    else
        rp_subgroup_lanes(o, R, x);
    RP_MUSTTAIL return RP_GO(o + 2);
}
