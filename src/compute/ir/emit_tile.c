/* SPDX-License-Identifier: MIT */
/* Writes runs of arithmetic as tiles (exec/tile.c): what an operation makes stays in vector
 * registers for the next one, and is stored only when somebody else reads it.
 */
#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "compute/ir/emitter.h"

#define MIN_RUN 2u  /* below that what a tile costs is more than it saves */
#define MAX_RUN 64u /* handlers nest that deep where they cannot jump */

static const uint16_t tile_codes[IR_OP_COUNT] = {
#define CODE_UN(name) [IR_##name] = RP_X_TILE_##name##_T,
#define CODE_BIN(name) [IR_##name] = RP_X_TILE_##name##_TV,
#define CODE_TRI(name) [IR_##name] = RP_X_TILE_##name##_TVV,
#define CODE_MASK(name) [IR_##name] = RP_X_TILE_##name##_BB,
    RP_TILE_I_I(CODE_UN) RP_TILE_I_II(CODE_BIN) RP_OPS_B_II(CODE_BIN) RP_OPS_I_III(CODE_TRI)
        RP_TILE_B_BB(CODE_MASK)[IR_SEL] = RP_X_TILE_SEL_TV,
};

static bool
is_lanes(const struct ir_instr *value)
{
    return value->cls == IR_VARYING;
}

/* A selection of two scalars makes T, and reads none. */
static bool
is_choice(const struct ir_instr *i)
{
    return i->op == IR_SEL && i->args[1]->cls == IR_UNIFORM && i->args[2]->cls == IR_UNIFORM;
}

static bool
can_tile(const struct ir_instr *i)
{
    if (!tile_codes[i->op] || !is_lanes(i))
        return false;
    bool has_lanes = false; /* a value that T can be */
    for (uint32_t a = 0; a < i->arg_count; a++) {
        const struct ir_instr *arg = i->args[a];
        if (arg->cls == IR_LINEAR || (arg->type == IR_B && !is_lanes(arg)))
            return false;
        has_lanes |= is_lanes(arg) && arg->type == IR_I;
    }
    if ((i->op >= IR_BAND && i->op <= IR_BXOR) || is_choice(i))
        return true;
    return has_lanes && (i->arg_count < 3 || i->op == IR_SEL || is_lanes(i->args[0]));
}

bool
ir_emit_is_tiled(const struct ir_instr *i)
{
    return !i->chain.steps && can_tile(i) && !ir_emit_is_exit_compare(i);
}

/* Which operand of i is T, when T holds t, and how that form of the operation follows the first. */
struct form {
    uint32_t t; /* NO_T: none */
    uint32_t code;
    uint32_t also_t; /* bits of the other operands that are T */
};

#define NO_T UINT32_MAX

/* T V, T S, V T, S T */
static struct form
two_form(const struct ir_instr *a, const struct ir_instr *b, const struct ir_instr *t)
{
    const bool is_first = is_lanes(a) && (a == t || b != t);
    if (is_first)
        return (struct form){.t = 0, .code = is_lanes(b) ? 0 : 1};
    return is_lanes(b) ? (struct form){.t = 1, .code = is_lanes(a) ? 2 : 3}
                       : (struct form){.t = 0, .code = 1};
}

/* T V V, T V S, T S V, T S S, V V T, V S T */
static struct form
three_form(const struct ir_instr *i, const struct ir_instr *t)
{
    const bool s1 = !is_lanes(i->args[1]), s2 = !is_lanes(i->args[2]);
    if (i->args[0] != t && i->args[2] == t)
        return (struct form){.t = 2, .code = s1 ? 5 : 4};
    return (struct form){.t = 0, .code = (s1 ? 2u : 0u) + (s2 ? 1u : 0u)};
}

/* Has it forms with T twice, and two operands that are the same? */
static bool
is_twice(const struct ir_instr *i)
{
    return (i->op == IR_MAD || i->op == IR_IMAD) &&
           (i->args[0] == i->args[1]) != (i->args[0] == i->args[2]);
}

/* T V T, T S T, T T V, T T S */
static struct form
twice_form(const struct ir_instr *i)
{
    const bool is_square = i->args[0] == i->args[1];
    const bool s = !is_lanes(i->args[is_square ? 2 : 1]);
    const uint32_t first = i->op == IR_MAD ? RP_X_TILE_MAD_TVT : RP_X_TILE_IMAD_TVT;
    return (struct form){
        .code = first - tile_codes[i->op] + (is_square ? 2u : 0u) + (s ? 1u : 0u),
        .also_t = is_square ? 1u << 1 : 1u << 2,
    };
}

static struct form
form_of(const struct ir_instr *i, const struct ir_instr *t)
{
    if (i->op >= IR_BAND && i->op <= IR_BXOR)
        return (struct form){.t = NO_T, .code = 0};
    if (is_choice(i))
        return (struct form){.t = NO_T, .code = RP_X_TILE_SEL_SS - RP_X_TILE_SEL_TV};
    if (i->op == IR_SEL) {
        struct form f = two_form(i->args[1], i->args[2], t);
        f.t++;
        return f;
    }
    if (i->op == IR_FMUL && i->args[0] == i->args[1])
        return (struct form){.code = RP_X_TILE_FMUL_TT - RP_X_TILE_FMUL_TV, .also_t = 1u << 1};
    if (is_twice(i))
        return twice_form(i);
    if (i->arg_count == 2)
        return two_form(i->args[0], i->args[1], t);
    return i->arg_count == 3 ? three_form(i, t) : (struct form){.t = 0, .code = 0};
}

static bool
is_comparison(const struct ir_instr *i)
{
    return i->type == IR_B && (i->op < IR_BAND || i->op > IR_BXOR);
}

/* Is T as it was? */
static bool
keeps_t(const struct ir_instr *i)
{
    return i->type == IR_B;
}

/* Masks that comparisons keep for the selections behind them. */
struct kept {
    const struct ir_instr *mask;
    uint32_t left; /* selections by it that were not written yet; 0: there is room */
};

/* Are all that read mask selections in front of end? */
static bool
is_for_selections(const struct ir_instr *mask, const struct ir_instr *end)
{
    uint32_t count = 0;
    for (const struct ir_instr *n = mask->next; n != end; n = n->next)
        count += n->op == IR_SEL && n->args[0] == mask;
    return count && count == mask->use_count;
}

/* Of what was just written: a comparison, or a selection. */
static void
keep_mask(struct ir_emitter *e, struct kept *kept, const struct ir_instr *i,
          const struct ir_instr *end)
{
    const uint32_t last = e->out->op_count - 1;
    struct rp_op *op = &e->out->ops[last];
    const bool is_selection = i->op == IR_SEL;
    for (uint32_t k = 0; k < RP_TILE_KEPT_COUNT; k++) {
        const bool is_its = is_selection && kept[k].left && kept[k].mask == i->args[0];
        const bool is_room = !is_selection && !kept[k].left;
        if (!is_its && !(is_room && is_for_selections(i, end)))
            continue;
        op->c = e->out->regs.kept_B + k * RP_TILE_KEPT_B;
        if (is_selection) {
            ir_emit_set_code(e, last, e->out->codes[last] + RP_X_TILE_PICK_TV - RP_X_TILE_SEL_TV);
            kept[k].left--;
        } else {
            op->n |= RP_TILE_KEEPS;
            kept[k] = (struct kept){i, i->use_count};
        }
        return;
    }
}

/* Are all that read i in front of end? */
static bool
is_local(const struct ir_instr *i, const struct ir_instr *end)
{
    uint32_t count = 0;
    for (const struct ir_instr *n = i->next; n != end; n = n->next)
        for (uint32_t a = 0; a < n->arg_count; a++)
            count += n->args[a] == i;
    return count == i->use_count;
}

/* bits: of enum rp_tile_bits; half: RP_X_HALF, or 0. */
static void
emit_tiled(struct ir_emitter *e, const struct ir_instr *i, const struct ir_instr *t, uint32_t bits,
           uint32_t half)
{
    const struct form form = form_of(i, t);
    ir_emit_op(e, (tile_codes[i->op] + form.code) | half);
    struct rp_op *op = ir_emit_last(e);
    uint32_t others[3] = {0, 0, 0}, count = is_choice(i) ? 0 : 1;
    others[0] = form.t == NO_T ? 0 : i->args[form.t]->reg;
    for (uint32_t a = i->op == IR_SEL; a < i->arg_count; a++)
        if (a != form.t && !(form.also_t >> a & 1))
            others[count++] = i->args[a]->reg;
    op->d = i->reg;
    op->a = others[0];
    op->b = others[1];
    op->c = i->op == IR_SEL ? i->args[0]->reg : others[2];
    op->n = (uint16_t)((form.t != NO_T && i->args[form.t] != t ? RP_TILE_LOADS : 0) | bits);
}

/* What T holds behind i. */
static const struct ir_instr *
t_behind(const struct ir_instr *i, const struct ir_instr *t)
{
    if (!keeps_t(i))
        return i;
    const uint32_t a = form_of(i, t).t;
    return a == NO_T ? t : i->args[a];
}

/* As often as i is read from T, as long as it is there. */
static uint32_t
taken_count(const struct ir_instr *i, const struct ir_instr *end)
{
    const struct ir_instr *t = i;
    uint32_t count = 0;
    for (const struct ir_instr *n = i->next; n != end && t == i; n = n->next) {
        const struct form form = form_of(n, t);
        if (form.t != NO_T && n->args[form.t] == i)
            count += 1 + (uint32_t)__builtin_popcount(form.also_t);
        t = t_behind(n, t);
    }
    return count;
}

/* A comparison that a loop is left by, of what was just made. */
static bool
is_exit_of(const struct ir_instr *i, const struct ir_instr *last)
{
    return i && last && can_tile(i) && ir_emit_is_exit_compare(i) &&
           (i->args[0] == last || i->args[1] == last);
}

/* What stands behind a TILE; returns the index of its end. */
static uint32_t
emit_run(struct ir_emitter *e, struct ir_instr *first, const struct ir_instr *end, uint32_t half)
{
    const struct ir_instr *t = NULL;
    struct kept kept[RP_TILE_KEPT_COUNT] = {0};
    for (struct ir_instr *i = first; i != end; i = i->next) {
        i->tile = i == first ? IR_TILE_FIRST : IR_TILE_REST;
        const bool is_stored = i->type != IR_B && i->use_count > taken_count(i, end);
        emit_tiled(e, i, t,
                   (is_stored ? RP_TILE_STORES : 0) | (is_local(i, end) ? RP_TILE_LOCAL : 0), half);
        if (i->op == IR_SEL || is_comparison(i))
            keep_mask(e, kept, i, end);
        t = t_behind(i, t);
    }
    return ir_emit_op(e, RP_X_TILE_END | half);
}

struct ir_instr *
ir_emit_tile(struct ir_emitter *e, struct ir_instr *first)
{
    struct ir_instr *last = NULL, *end = first;
    uint32_t count = 0;
    for (; end && count < MAX_RUN && ir_emit_is_tiled(end); end = end->next, count++)
        last = end;
    if (is_exit_of(end, last)) {
        e->made_exit = last = end;
        end = end->next;
        count++;
    }
    if (count < MIN_RUN)
        return NULL;

    const uint32_t at = ir_emit_op(e, RP_X_TILE);
    uint32_t done = emit_run(e, first, end, 0);
    if (e->table->half_tile) {
        e->out->ops[at].a = done + 1 - at;
        const uint32_t whole = done;
        done = emit_run(e, first, end, RP_X_HALF);
        e->out->half_op_count += done - whole;
    }
    e->out->ops[at].i = (int32_t)(done + 1 - at);
    return last;
}
