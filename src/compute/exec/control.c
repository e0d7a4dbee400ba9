/* SPDX-License-Identifier: MIT */
/* Control flow: jumps and the mask levels. Compiled once for each instruction set. */
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

RP_OP(IF_V)
{
    struct rp_level *level = &x->levels[o->level];
    o = enter_or_jump(o, x, level,
                      mask_and(level->bits, x->levels[o->n].bits, MASK(o->a), false, x->k0, x->k1));
    RP_MUSTTAIL return RP_GO(o);
}

RP_OP(ELSE_V)
{
    struct rp_level *level = &x->levels[o->level];
    rp_level_enter(x, &x->levels[o->n]);
    o = enter_or_jump(o, x, level,
                      mask_and(level->bits, x->levels[o->n].bits, MASK(o->a), true, x->k0, x->k1));
    RP_MUSTTAIL return RP_GO(o);
}

RP_OP(BLOCK_V)
{
    const struct rp_level *outer = &x->levels[o->n];
    struct rp_level *level = &x->levels[o->level];
    const struct mask_count count =
        mask_and(level->bits, outer->bits, outer->bits, false, x->k0, x->k1);
    (void)mask_settle(level, &count);
    rp_level_enter(x, level);
    (void)R;
    RP_MUSTTAIL return RP_GO(o + 1);
}

RP_OP(BR_V)
{
    const struct rp_level *level = &x->levels[o->level];
    for (uint32_t l = o->n; l < o->level; l++)
        (void)mask_and(x->levels[l].bits, x->levels[l].bits, level->bits, true, x->k0, x->k1);
    memset(x->levels[o->level].bits + x->k0, 0, (size_t)(x->k1 - x->k0) * sizeof(uint16_t));
    (void)R;
    RP_MUSTTAIL return RP_GO(o + 1);
}

/* IF_V and BR_V in one, for what only leaves: the moves of values that are kept follow, then a
 * REJOIN. */
RP_OP(EXIT_V)
{
    struct rp_level *level = &x->levels[o->level];
    const struct mask_count count = mask_and(level->bits, x->levels[o->level - 1u].bits,
                                             MASK(o->a), false, x->k0, x->k1);
    if (!mask_settle(level, &count)) {
        o += o->i;
        RP_MUSTTAIL return RP_GO(o);
    }
    rp_level_enter(x, level);
    for (uint32_t l = o->n; l < o->level; l++)
        (void)mask_and(x->levels[l].bits, x->levels[l].bits, level->bits, true, x->k0, x->k1);
    RP_MUSTTAIL return RP_GO(o + 1);
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
