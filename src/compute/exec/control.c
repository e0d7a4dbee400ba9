/* SPDX-License-Identifier: MIT */
/* Control flow: jumps and the mask levels. Compiled once for each instruction set. */
#include "compute/exec/expr.h"
#include "compute/exec/masks.h"
#include "compute/exec/op_list.h"

#define MASK(at) ((uint16_t *)(R + (at)))

RP_OP(END)
{
    (void)o, (void)R, (void)x;
    return NULL;
}

RP_OP(JMP)
{
    o += o->i;
    RP_MUSTTAIL return RP_GO(o);
}

/* Backwards: through the caller, so that nothing nests deeper than the program is long. */
RP_OP(LOOPBACK)
{
    (void)R;
    if (--x->fuel == 0 && rp_exec_refuel(x))
        return NULL;
    return o + o->i;
}

RP_OP(IF_S)
{
    o += get_i(R, o->a) ? 1 : o->i;
    RP_MUSTTAIL return RP_GO(o);
}

#define DEFINE_IF(name, op) \
    RP_OP(name) \
    { \
        const int32_t r = get_i(R, o->a) op get_i(R, o->b); \
        *(int32_t *)(R + o->d) = r; \
        o += r ? 1 : o->i; \
        RP_MUSTTAIL return RP_GO(o); \
    }
DEFINE_IF(IF_AND, &)
DEFINE_IF(IF_OR, |)

/* Into a level whose bits were just made within the window, or over it. */
static inline const struct rp_op *
enter_or_jump(const struct rp_op *o, struct rp_exec *x, struct rp_level *level,
              struct mask_count count)
{
    if (!mask_settle(level, &count))
        return o + o->i;
    rp_level_enter(x, level);
    return o + 1;
}

/* The lanes of the level that is left, which x knows the window of: where all are active nobody has
 * to wait for what was just written. */
static inline const uint16_t *
outer_bits(const struct rp_op *o, const struct rp_exec *x)
{
    return x->is_full ? mask_ones : x->levels[o->n].bits;
}

RP_OP(IF_V)
{
    struct rp_level *level = &x->levels[o->level];
    o = enter_or_jump(o, x, level,
                      mask_and(level->bits, outer_bits(o, x), MASK(o->a), false, x->k0, x->k1));
    RP_MUSTTAIL return RP_GO(o);
}

RP_OP(ELSE_V)
{
    struct rp_level *level = &x->levels[o->level];
    rp_level_enter(x, &x->levels[o->n]);
    o = enter_or_jump(o, x, level,
                      mask_and(level->bits, outer_bits(o, x), MASK(o->a), true, x->k0, x->k1));
    RP_MUSTTAIL return RP_GO(o);
}

RP_OP(BLOCK_V)
{
    const uint16_t *bits = outer_bits(o, x);
    struct rp_level *level = &x->levels[o->level];
    const struct mask_count count = mask_and(level->bits, bits, bits, false, x->k0, x->k1);
    (void)mask_settle(level, &count);
    rp_level_enter(x, level);
    (void)R;
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(BR_V)
{
    const struct rp_level *level = &x->levels[o->level];
    for (uint32_t l = o->n; l < o->level; l++)
        mask_remove(x->levels[l].bits, level->bits, x->k0, x->k1);
    memset(x->levels[o->level].bits + x->k0, 0, (size_t)(x->k1 - x->k0) * sizeof(uint16_t));
    (void)R;
    RP_MUSTTAIL return RP_GO(o + 1);
}

/* IF_V and BR_V in one, for what only leaves: the moves of values that are kept follow, in the
 * window as it was, then a RETURN. */

static inline const struct rp_op *
leave(const struct rp_op *o, struct rp_exec *x, uint64_t blocks, bool is_alive)
{
    struct rp_level *level = &x->levels[o->level];
    level->blocks = blocks;
    for (uint32_t l = o->n; l + 1 < o->level; l++)
        mask_remove(x->levels[l].bits, level->bits, x->k0, x->k1);
    mask_shrink(level - 1, is_alive);
    return o + 1;
}

/* The lanes of one block, or four at once, that leave and that stay. */
#define EXIT_STEP(type, bits) \
    { \
        type here, leaves, rest; \
        memcpy(&here, stay + k, sizeof(here)); \
        leaves = (type)(here & (bits)); \
        rest = (type)(here ^ leaves); \
        memcpy(gone + k, &leaves, sizeof(leaves)); \
        memcpy(stay + k, &rest, sizeof(rest)); \
        any |= leaves; \
        alive |= rest; \
    }

#if RP_VW == 16

/* Eight at once. The blocks that they leave are counted here: whole registers of masks that were
 * just stored in parts would be waited for. */
#define EXIT_EIGHT(bits) \
    { \
        const __m128i here = _mm_loadu_si128((const __m128i *)(stay + k)); \
        const __m128i leaves = _mm_and_si128(here, bits), rest = _mm_xor_si128(here, leaves); \
        _mm_storeu_si128((__m128i *)(gone + k), leaves); \
        _mm_storeu_si128((__m128i *)(stay + k), rest); \
        blocks |= (uint64_t)_mm_test_epi16_mask(leaves, leaves) << k; \
        rests = _mm_or_si128(rests, rest); \
    }
#define EXIT_ONE(bits) \
    { \
        any = 0; \
        EXIT_STEP(uint16_t, bits) \
        blocks |= (uint64_t)(any != 0) << k; \
    }
#define EXIT_BLOCKS(CONDITION, name, first, second) \
    struct rp_level *inner = &x->levels[o->level]; \
    uint16_t *const stay = inner[-1].bits, *const gone = inner->bits; \
    uint64_t blocks = 0, any, alive = 0; \
    __m128i rests = _mm_setzero_si128(); \
    int32_t k = x->k0; \
    for (; k + 8 <= x->k1; k += 8) \
        EXIT_EIGHT(CONDITION##_8(name, first, second, k)) \
    for (; k < x->k1; k++) \
        EXIT_ONE(CONDITION(name, first, second, k)) \
    alive |= !_mm_testz_si128(rests, rests); \
    o = blocks ? leave(o, x, blocks, alive != 0) : o + o->i; \
    RP_MUSTTAIL return RP_GO(o);

#else

#define EXIT_BLOCKS(CONDITION, name, first, second) \
    struct rp_level *inner = &x->levels[o->level]; \
    uint16_t *const stay = inner[-1].bits, *const gone = inner->bits; \
    uint64_t any = 0, alive = 0; \
    int32_t k = x->k0; \
    for (; k + 4 <= x->k1; k += 4) \
        EXIT_STEP(uint64_t, CONDITION##_4(name, first, second, k)) \
    for (; k < x->k1; k++) \
        EXIT_STEP(uint16_t, CONDITION(name, first, second, k)) \
    o = any ? leave(o, x, mask_blocks(gone, x->k0, x->k1), alive != 0) : o + o->i; \
    RP_MUSTTAIL return RP_GO(o);

#endif

#define MASK_BITS(name, first, second, k) ((uint32_t)(a[k] ^ flipped))
#define MASK_BITS_4(name, first, second, k) (four_masks(a + (k)) ^ flipped)
#define MASK_BITS_8(name, first, second, k) \
    _mm_xor_si128(_mm_loadu_si128((const __m128i *)(a + (k))), _mm_set1_epi64x((int64_t)flipped))

static inline __attribute__((unused)) uint64_t
four_masks(const uint16_t *a)
{
    uint64_t bits;
    memcpy(&bits, a, sizeof(bits));
    return bits;
}

RP_OP(EXIT_V)
{
    const uint16_t *a = MASK(o->a);
    const uint64_t flipped = 0 - (uint64_t)o->b;
    EXIT_BLOCKS(MASK_BITS, , , )
}

#define VEC(at) ((const vi *)(R + (at)))
#define SCALAR(at) vi_splat(get_i(R, at))

#if RP_NS == 1
#define BLOCK_BITS(name, first, second, k) E_BITS(name, first(k), second(k))
#elif RP_NS == 2
#define BLOCK_BITS(name, first, second, k) \
    (E_BITS(name, first(2 * (k)), second(2 * (k))) | \
     E_BITS(name, first(2 * (k) + 1), second(2 * (k) + 1)) << 8)
#elif defined(RP_NEON)
#define BLOCK_BITS(name, first, second, k) \
    vi_block_bits(VI(E_##name(first(4 * (k)), second(4 * (k)))), \
                  VI(E_##name(first(4 * (k) + 1), second(4 * (k) + 1))), \
                  VI(E_##name(first(4 * (k) + 2), second(4 * (k) + 2))), \
                  VI(E_##name(first(4 * (k) + 3), second(4 * (k) + 3))))
#else
#define BLOCK_BITS(name, first, second, k) \
    (E_BITS(name, first(4 * (k)), second(4 * (k))) | \
     E_BITS(name, first(4 * (k) + 1), second(4 * (k) + 1)) << 4 | \
     E_BITS(name, first(4 * (k) + 2), second(4 * (k) + 2)) << 8 | \
     E_BITS(name, first(4 * (k) + 3), second(4 * (k) + 3)) << 12)
#endif

/* The bits of four blocks. */
#if RP_VW == 16
#define BLOCK_BITS_4(name, first, second, k) \
    ((uint64_t)_mm512_kunpackd(_mm512_kunpackw(BLOCK_BITS(name, first, second, (k) + 3), \
                                               BLOCK_BITS(name, first, second, (k) + 2)), \
                               _mm512_kunpackw(BLOCK_BITS(name, first, second, (k) + 1), \
                                               BLOCK_BITS(name, first, second, k))))
#define BLOCK_BITS_8(name, first, second, k) \
    _mm_set_epi64x((int64_t)BLOCK_BITS_4(name, first, second, (k) + 4), \
                   (int64_t)BLOCK_BITS_4(name, first, second, k))
#elif RP_VW == 8
#define ONE_VECTOR(name, first, second, s) VI(E_##name(first(s), second(s)))
#define TWO_BLOCKS(name, first, second, s) \
    mask_two_blocks(ONE_VECTOR(name, first, second, s), ONE_VECTOR(name, first, second, (s) + 1), \
                    ONE_VECTOR(name, first, second, (s) + 2), \
                    ONE_VECTOR(name, first, second, (s) + 3))
#define BLOCK_BITS_4(name, first, second, k) \
    (TWO_BLOCKS(name, first, second, 2 * (k)) | TWO_BLOCKS(name, first, second, 2 * (k) + 4) << 32)
#else
#define BLOCK_BITS_4(name, first, second, k) \
    ((uint64_t)(BLOCK_BITS(name, first, second, k) | BLOCK_BITS(name, first, second, (k) + 1) \
                                                         << 16) | \
     (uint64_t)(BLOCK_BITS(name, first, second, (k) + 2) | \
                BLOCK_BITS(name, first, second, (k) + 3) << 16) \
         << 32)
#endif
#define A_LANES(s) a[s]
#define B_LANES(s) b[s]
#define A_SAME(s) a
#define B_SAME(s) b

#define DEFINE_EXIT(name) \
    RP_OP(EXIT_##name##_VV) \
    { \
        const vi *a = VEC(o->a), *b = VEC(o->b); \
        EXIT_BLOCKS(BLOCK_BITS, name, A_LANES, B_LANES) \
    } \
    RP_OP(EXIT_##name##_VS) \
    { \
        const vi *a = VEC(o->a), b = SCALAR(o->b); \
        EXIT_BLOCKS(BLOCK_BITS, name, A_LANES, B_SAME) \
    } \
    RP_OP(EXIT_##name##_SV) \
    { \
        const vi a = SCALAR(o->a), *b = VEC(o->b); \
        EXIT_BLOCKS(BLOCK_BITS, name, A_SAME, B_LANES) \
    }
RP_OPS_B_II(DEFINE_EXIT)

RP_OP(RETURN)
{
    const struct rp_level *level = &x->levels[o->level];
    rp_level_enter(x, level);
    o += level->k0 < level->k1 ? 1 : o->i;
    (void)R;
    RP_MUSTTAIL return RP_GO(o);
}

RP_OP(REJOIN)
{
    struct rp_level *level = &x->levels[o->level];
    bool is_empty = false;
    if (o->b) {
        struct mask_count count = {0, 0};
        if (level->k0 < level->k1)
            count = mask_and(level->bits, level->bits, level->bits, false, level->k0, level->k1);
        is_empty = !mask_settle(level, &count);
    }
    rp_level_enter(x, level);
    o += is_empty ? o->i : 1;
    (void)R;
    RP_MUSTTAIL return RP_GO(o);
}
