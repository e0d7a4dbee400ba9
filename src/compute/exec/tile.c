/* SPDX-License-Identifier: MIT */
/* Arithmetic on tiles: the value that one operation makes stays in vector registers for the next
 * one, which is jumped to with them as arguments. Half of the loads and most of the stores of
 * alu32.c are not there. Compiled once for each instruction set.
 */
#include "compute/exec/tile.h"

#include "compute/exec/expr.h"
#include "compute/exec/masks.h"
#include "compute/exec/op_list.h"

#define PARAMETERS \
    const struct rp_op *o, char *R, char *V, vi t0, vi t1, vi t2, vi t3, vi t4, vi t5, vi t6, vi t7
#define VALUES t0, t1, t2, t3, t4, t5, t6, t7
/* STEP for each vector of the tile. */
#define EACH(STEP, name) \
    STEP(0, name) \
    STEP(1, name) \
    STEP(2, name) STEP(3, name) STEP(4, name) STEP(5, name) STEP(6, name) STEP(7, name)

#define LANES(at) ((vi *)(V + (at)))
#define SCALAR(at) vi_splat(get_i(R, at))
#define MASK(at) (R + (at) + ((V - R) >> 5)) /* 2 bytes where a register has 64 */
#define KEPT(at) ((vi *)(R + (at)))          /* a mask as lanes, of this tile alone */

#define LOAD_STEP(k, name) t##k = from[k];
#define LOAD() \
    if (o->n & RP_TILE_LOADS) { \
        const vi *const from = LANES(o->a); \
        EACH(LOAD_STEP, ) \
    }
#define STORE_STEP(k, name) to[k] = t##k;
#define STORE() \
    if (o->n & RP_TILE_STORES) { \
        vi *const to = LANES(o->d); \
        EACH(STORE_STEP, ) \
    }

#define CALL(o, ...) (((rp_tile_handler *)(void (*)(void))(o)->fn)((o), R, __VA_ARGS__))

/* A handler: the operands are declared, then STEP makes vector after vector of T. */
#define DEFINE(code, name, STEP, END, ...) \
    const struct rp_op *RP_FN(code)(PARAMETERS); \
    const struct rp_op *RP_FN(code)(PARAMETERS) \
    { \
        LOAD() \
        __VA_ARGS__; \
        EACH(STEP, name) \
        END() \
        RP_MUSTTAIL return CALL(o + 1, V, VALUES); \
    }

void
RP_FN(tile_run)(const struct rp_op *first, char *R, int32_t k)
{
    const vi none = {0};
    (void)CALL(first, R + (size_t)k * 64, none, none, none, none, none, none, none, none);
}

#if RP_VW == 16
/* What lies beside the window takes time as the rest does, and much more where it happens to be
 * denormal numbers: four blocks are a tile of AVX2. */
static inline bool
run_half(const struct rp_op *o, char *R, const struct rp_exec *x, int32_t k)
{
    const bool is_high = x->k0 - k >= RP_TILE_BLOCKS / 2;
    if (!is_high && x->k1 - k > RP_TILE_BLOCKS / 2)
        return false;
    rp_x_tile_run_v3(o + o->a, R, is_high ? k + RP_TILE_BLOCKS / 2 : k);
    return true;
}
#else
static inline bool
run_half(const struct rp_op *o, char *R, const struct rp_exec *x, int32_t k)
{
    (void)o, (void)R, (void)x, (void)k;
    return false;
}
#endif

RP_OP(TILE)
{
    for (int32_t k = x->k0 & ~(RP_TILE_BLOCKS - 1); k < x->k1; k += RP_TILE_BLOCKS)
        if (!run_half(o, R, x, k))
            RP_FN(tile_run)(o + 1, R, k);
    o += o->i;
    RP_MUSTTAIL return RP_GO(o);
}

const struct rp_op *RP_FN(TILE_END)(PARAMETERS);
const struct rp_op *
RP_FN(TILE_END)(PARAMETERS)
{
    (void)R, (void)V, (void)t0, (void)t1, (void)t2, (void)t3;
    (void)t4, (void)t5, (void)t6, (void)t7;
    return o;
}

#define VB const vi *const b = LANES(o->b)
#define SB const vi b = SCALAR(o->b)
#define VC const vi *const c = LANES(o->c)
#define SC const vi c = SCALAR(o->c)

/* Roots of some vectors come from the divider, while the others' are worked out. */
#undef E_SQRT
#undef E_RSQRT
#define E_SQRT(a) VI(vector % 2 ? vf_sqrt(VF(a)) : vf_sqrt_divider(VF(a)))
#define E_RSQRT(a) VI(vector % 3 ? vf_rsqrt(VF(a)) : vf_rsqrt_divider(VF(a)))
#define STEP_T(k, name) \
    { \
        enum { vector = k }; \
        t##k = E_##name(t##k); \
    }
#define DEFINE_UN(name) DEFINE(TILE_##name##_T, name, STEP_T, STORE, )
RP_TILE_I_I(DEFINE_UN)

#define STEP_TV(k, name) t##k = E_##name(t##k, b[k]);
#define STEP_TS(k, name) t##k = E_##name(t##k, b);
#define STEP_VT(k, name) t##k = E_##name(b[k], t##k);
#define STEP_ST(k, name) t##k = E_##name(b, t##k);
#define DEFINE_BIN(name) \
    DEFINE(TILE_##name##_TV, name, STEP_TV, STORE, VB) \
    DEFINE(TILE_##name##_TS, name, STEP_TS, STORE, SB) \
    DEFINE(TILE_##name##_VT, name, STEP_VT, STORE, VB) \
    DEFINE(TILE_##name##_ST, name, STEP_ST, STORE, SB)
RP_TILE_I_II(DEFINE_BIN)

#define STEP_TT(k, name) t##k = E_##name(t##k, t##k);
DEFINE(TILE_FMUL_TT, FMUL, STEP_TT, STORE, )

#define STEP_TVV(k, name) t##k = E_##name(t##k, b[k], c[k]);
#define STEP_TVS(k, name) t##k = E_##name(t##k, b[k], c);
#define STEP_TSV(k, name) t##k = E_##name(t##k, b, c[k]);
#define STEP_TSS(k, name) t##k = E_##name(t##k, b, c);
#define STEP_VVT(k, name) t##k = E_##name(b[k], c[k], t##k);
#define STEP_VST(k, name) t##k = E_##name(b[k], c, t##k);
#define DEFINE_TRI(name) \
    DEFINE(TILE_##name##_TVV, name, STEP_TVV, STORE, VB; VC) \
    DEFINE(TILE_##name##_TVS, name, STEP_TVS, STORE, VB; SC) \
    DEFINE(TILE_##name##_TSV, name, STEP_TSV, STORE, SB; VC) \
    DEFINE(TILE_##name##_TSS, name, STEP_TSS, STORE, SB; SC) \
    DEFINE(TILE_##name##_VVT, name, STEP_VVT, STORE, VB; VC) \
    DEFINE(TILE_##name##_VST, name, STEP_VST, STORE, VB; SC)
RP_OPS_I_III(DEFINE_TRI)

#define STEP_TVT(k, name) t##k = E_##name(t##k, b[k], t##k);
#define STEP_TST(k, name) t##k = E_##name(t##k, b, t##k);
#define STEP_TTV(k, name) t##k = E_##name(t##k, t##k, b[k]);
#define STEP_TTS(k, name) t##k = E_##name(t##k, t##k, b);
#define DEFINE_TWICE(name) \
    DEFINE(TILE_##name##_TVT, name, STEP_TVT, STORE, VB) \
    DEFINE(TILE_##name##_TST, name, STEP_TST, STORE, SB) \
    DEFINE(TILE_##name##_TTV, name, STEP_TTV, STORE, VB) \
    DEFINE(TILE_##name##_TTS, name, STEP_TTS, STORE, SB)
DEFINE_TWICE(MAD)
DEFINE_TWICE(IMAD)

/* Comparisons make a mask and leave T as it is. */
#if RP_VW == 16
#define BITS
#define SET_BITS(k, name, p, q) const __mmask16 is##k = (__mmask16)E_BITS(name, p, q);
#define FOUR_BLOCKS(k0, k1, k2, k3) \
    (uint64_t) _mm512_kunpackd(_mm512_kunpackw(k3, k2), _mm512_kunpackw(k1, k0))
#elif RP_VW == 8
#define BITS
#define SET_BITS(k, name, p, q) const vi is##k = VI(E_##name(p, q));
#define STORE_BITS() \
    const uint64_t bits = \
        mask_two_blocks(is0, is1, is2, is3) | mask_two_blocks(is4, is5, is6, is7) << 32; \
    memcpy(MASK(o->d), &bits, sizeof(bits));
#elif defined(RP_NEON)
#define BITS
#define SET_BITS(k, name, p, q) const vi is##k = VI(E_##name(p, q));
#define STORE_BITS() \
    const uint32_t bits = vi_block_bits(is0, is1, is2, is3) | vi_block_bits(is4, is5, is6, is7) \
                                                                  << 16; \
    memcpy(MASK(o->d), &bits, sizeof(bits));
#else
#define BITS
#define SET_BITS(k, name, p, q) const vi is##k = VI(E_##name(p, q));
#define BITS_OF(k, name) | vi_bits(is##k) << ((k)*RP_VW)
#define STORE_BITS() \
    const uint32_t bits = 0 EACH(BITS_OF, ); \
    memcpy(MASK(o->d), &bits, sizeof(bits));
#endif

/* What only selections want is kept as it comes: as lanes, where masks have no registers. */
#if RP_VW == 16
#define KEEP_BITS() \
    const uint64_t bits[2] = {FOUR_BLOCKS(is0, is1, is2, is3), FOUR_BLOCKS(is4, is5, is6, is7)}; \
    memcpy(o->n &RP_TILE_KEEPS ? R + o->c : MASK(o->d), bits, sizeof(bits));
#else
_Static_assert(RP_TILE_VECTORS *RP_VB <= RP_TILE_KEPT_B, "they fit");
#define KEEP_STEP(k, name) kept[k] = is##k;
#define KEEP_BITS() \
    if (o->n & RP_TILE_KEEPS) { \
        vi *const kept = KEPT(o->c); \
        EACH(KEEP_STEP, ) \
    } else { \
        STORE_BITS() \
    }
#endif
#define BITS_TV(k, name) SET_BITS(k, name, t##k, b[k])
#define BITS_TS(k, name) SET_BITS(k, name, t##k, b)
#define BITS_VT(k, name) SET_BITS(k, name, b[k], t##k)
#define BITS_ST(k, name) SET_BITS(k, name, b, t##k)
#define DEFINE_CMP(name) \
    DEFINE(TILE_##name##_TV, name, BITS_TV, KEEP_BITS, VB; BITS) \
    DEFINE(TILE_##name##_TS, name, BITS_TS, KEEP_BITS, SB; BITS) \
    DEFINE(TILE_##name##_VT, name, BITS_VT, KEEP_BITS, VB; BITS) \
    DEFINE(TILE_##name##_ST, name, BITS_ST, KEEP_BITS, SB; BITS)
RP_OPS_B_II(DEFINE_CMP)

/* Selections by a mask's bits, or by what a comparison kept. */
#define BY_BITS(k, p, q) vi_pick(c, (k) / RP_NS, (k) % RP_NS, p, q)
#define BY_LANES(k, p, q) vi_select(c[k], p, q)
#define SEL_TV(k, by) t##k = by(k, t##k, b[k]);
#define SEL_TS(k, by) t##k = by(k, t##k, b);
#define SEL_VT(k, by) t##k = by(k, b[k], t##k);
#define SEL_ST(k, by) t##k = by(k, b, t##k);
#define SEL_SS(k, by) t##k = by(k, a, b);
#define BITS_AT(at) const uint16_t *const c = (const uint16_t *)(at)
#if RP_VW == 16
#define BY_KEPT BY_BITS
#define KEPT_C BITS_AT(R + o->c)
#else
#define BY_KEPT BY_LANES
#define KEPT_C const vi *const c = KEPT(o->c)
#endif
#define DEFINE_SEL(form, ...) \
    DEFINE(TILE_SEL_##form, BY_BITS, SEL_##form, STORE, __VA_ARGS__; BITS_AT(MASK(o->c))) \
    DEFINE(TILE_PICK_##form, BY_KEPT, SEL_##form, STORE, __VA_ARGS__; KEPT_C)
DEFINE_SEL(TV, VB)
DEFINE_SEL(TS, SB)
DEFINE_SEL(VT, VB)
DEFINE_SEL(ST, SB)
DEFINE_SEL(SS, const vi a = SCALAR(o->a); SB)

/* Masks of a tile. */
typedef uint16_t tile_mask __attribute__((vector_size(2 * RP_TILE_BLOCKS), aligned(2), may_alias));

#define DEFINE_MASK(name, expression) \
    const struct rp_op *RP_FN(TILE_##name##_BB)(PARAMETERS); \
    const struct rp_op *RP_FN(TILE_##name##_BB)(PARAMETERS) \
    { \
        const tile_mask a = *(const tile_mask *)MASK(o->b), b = *(const tile_mask *)MASK(o->c); \
        *(tile_mask *)MASK(o->d) = (expression); \
        RP_MUSTTAIL return CALL(o + 1, V, VALUES); \
    }
DEFINE_MASK(BAND, a &b)
DEFINE_MASK(BOR, a | b)
DEFINE_MASK(BXOR, a ^ b)
