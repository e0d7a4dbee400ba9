/* SPDX-License-Identifier: MIT */
/* Chains of products and sums, each of which takes in the one before: their values stay in vector
 * registers from the first step to the last. Where only 16 bits or fewer of them are wanted, lanes
 * of two blocks share a vector. Compiled once for each instruction set.
 */
#include "compute/exec/expr.h"
#include "compute/exec/op_list.h"

/* STEP for each vector: as many as hide how long a product takes. */
#define FOUR(STEP, name) STEP(0, name) STEP(1, name) STEP(2, name) STEP(3, name)
#define EIGHT(STEP, name) FOUR(STEP, name) STEP(4, name) STEP(5, name) STEP(6, name) STEP(7, name)

/* Of halves, no more than registers are sure to have. */
#if RP_VW == 16
#define HALVES_EACH FOUR
#define HALVES 4
#else
#define HALVES_EACH EIGHT
#define HALVES 8
#endif

/* Lanes of 16 bits: those of one vector, and of another one in the upper halves. */
typedef uint16_t vh __attribute__((vector_size(RP_VB), may_alias));

RP_ALWAYS_INLINE vh
join_halves(vi low, vi high)
{
#if RP_VW == 8
    return (vh)_mm256_blend_epi16((__m256i)low, (__m256i)(high << 16), 0xaa);
#else
    return (vh)((low & 0xffff) | VI(VU(high) << 16));
#endif
}

#define VECTORS(at) ((vi *)(R + (at) + (size_t)k * 64))

#define LOAD(k, x) vu x##k = VU(x[k]);
#define STORE(k, x) x##_out[k] = VI(x##k);
#define LOAD_HALVES(k, x) vh x##k = join_halves(x[k], x[HALVES + (k)]);
#define STORE_HALVES(k, x) x##_out[k] = VI(x##k), x##_out[HALVES + (k)] = VI(VU(x##k) >> 16);

/* A product that stays one: t * (s + 1) would be quicker than s * t + t, but for the register that
 * the 1 takes; there are no more than the values take. */
#if RP_VW == 8 || (RP_VW == 4 && defined(__SSE4_1__))
#define KEEP(v) __asm__("" : "+x"(v))
#else
#define KEEP(v)
#endif

/* s = s * s + c */
#define SQUARE(k, unused) s##k = s##k * s##k + c##k;
/* Of the last two results the older one becomes the next. */
#define NEXT_S(k, type) \
    { \
        type product = s##k * t##k; \
        KEEP(product); \
        s##k = product + t##k; \
    }
#define NEXT_T(k, type) \
    { \
        type product = s##k * t##k; \
        KEEP(product); \
        t##k = product + s##k; \
    }

#define FOR_GROUPS(blocks) for (int32_t k = x->k0 & ~((blocks)-1); k < x->k1; k += (blocks))

#define DEFINE_SQUARES(code, EACH, blocks, LOAD_, STORE_) \
    RP_OP(code) \
    { \
        const vi summand = vi_splat(get_i(R, o->b)); \
        const vi all[2 * 8] = {[0 ... 15] = summand}; \
        FOR_GROUPS(blocks) \
        { \
            const vi *const s = VECTORS(o->a), *const c = o->i ? all : VECTORS(o->b); \
            vi *const s_out = VECTORS(o->d); \
            EACH(LOAD_, s) \
            EACH(LOAD_, c) \
            uint32_t n = o->n; \
            do { \
                EACH(SQUARE, ) \
            } while (--n); \
            EACH(STORE_, s) \
        } \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
DEFINE_SQUARES(SQUARES_I32, EIGHT, 8 / RP_NS, LOAD, STORE)
DEFINE_SQUARES(SQUARES_I16, HALVES_EACH, 2 * HALVES / RP_NS, LOAD_HALVES, STORE_HALVES)

#define DEFINE_TURNS(code, type, EACH, blocks, LOAD_, STORE_) \
    RP_OP(code) \
    { \
        FOR_GROUPS(blocks) \
        { \
            const vi *const s = VECTORS(o->b), *const t = VECTORS(o->a); \
            vi *const s_out = VECTORS(o->c), *const t_out = VECTORS(o->d); \
            EACH(LOAD_, s) \
            EACH(LOAD_, t) \
            uint32_t n = o->n; \
            do { \
                EACH(NEXT_S, type) \
                EACH(NEXT_T, type) \
            } while (--n); \
            EACH(STORE_, s) \
            EACH(STORE_, t) \
        } \
        RP_MUSTTAIL return RP_GO(o + 1); \
    }
DEFINE_TURNS(TURNS_I32, vu, EIGHT, 8 / RP_NS, LOAD, STORE)
DEFINE_TURNS(TURNS_I16, vh, HALVES_EACH, 2 * HALVES / RP_NS, LOAD_HALVES, STORE_HALVES)
