/* SPDX-License-Identifier: MIT */
/* Brings arithmetic together, so that it becomes long tiles (emit_tile.c), each value right in
 * front of what reads it where that is possible.
 *
 * Within a straight stretch of code, operations that are not for tiles run as early as they can;
 * what they load does not pile up, though.
 */
#include "compute/ir/build.h"
#include "compute/ir/emitter.h"
#include "compute/ir/passes.h"

#define MAX_STRETCH 4096u /* instructions that are looked at together */
#define MAX_WAITING 12u   /* values of lanes that are loaded in front of their time */

struct node {
    struct ir_instr *instr;
    uint32_t missing;    /* operands that are not placed yet */
    uint32_t first_user; /* in users */
    uint32_t user_count;
    uint32_t unread; /* users that are not placed yet */
    bool is_tiled;
    bool is_placed;
};

struct stretch {
    struct ir_program *ir;
    struct node *nodes;
    uint32_t count;
    uint32_t *users;
    uint64_t *ready[2]; /* bits of nodes: not tiled, tiled */
    uint32_t waiting;
    struct ir_instr *before; /* what was placed last */
};

static bool
ends_stretch(const struct ir_instr *i)
{
    return ir_has_effect(i) || i->op == IR_PHI || ir_emit_is_exit_compare(i) ||
           i->op == IR_SUBGROUP;
}

static struct node *
node_of(const struct stretch *s, const struct ir_instr *value)
{
    const uint32_t n = value ? value->index : UINT32_MAX;
    return n < s->count && s->nodes[n].instr == value ? &s->nodes[n] : NULL;
}

static void
set_ready(struct stretch *s, uint32_t n)
{
    s->ready[s->nodes[n].is_tiled][n / 64] |= UINT64_C(1) << n % 64;
}

static void
link_users(struct stretch *s)
{
    for (uint32_t n = 0; n < s->count; n++)
        for (uint32_t a = 0; a < s->nodes[n].instr->arg_count; a++) {
            struct node *from = node_of(s, s->nodes[n].instr->args[a]);
            if (!from)
                continue;
            from->user_count++;
            s->nodes[n].missing++;
        }
    uint32_t total = 0;
    for (uint32_t n = 0; n < s->count; n++) {
        s->nodes[n].first_user = total;
        total += s->nodes[n].user_count;
        s->nodes[n].user_count = 0;
    }
    s->users = ir_alloc(s->ir, total + 1, sizeof(s->users[0]));
    for (uint32_t n = 0; n < s->count; n++) {
        for (uint32_t a = 0; a < s->nodes[n].instr->arg_count; a++) {
            struct node *from = node_of(s, s->nodes[n].instr->args[a]);
            if (from)
                s->users[from->first_user + from->user_count++] = n;
        }
        if (!s->nodes[n].missing)
            set_ready(s, n);
    }
}

/* Does it make lanes that stay in a register until they are read? */
static bool
is_waiting(const struct node *n)
{
    const struct ir_instr *i = n->instr;
    return !n->is_tiled && n->user_count && i->cls == IR_VARYING && i->type == IR_I &&
           (i->comps <= 1 || i->op == IR_PROJ);
}

static bool
is_cheap(const struct node *n)
{
    return n->instr->cls == IR_UNIFORM || n->instr->op == IR_PROJ;
}

#define NONE UINT32_MAX

static uint32_t
first_ready(const struct stretch *s, bool is_tiled, bool is_cheap_only)
{
    for (uint32_t w = 0; w * 64 < s->count; w++)
        for (uint64_t bits = s->ready[is_tiled][w]; bits; bits &= bits - 1) {
            const uint32_t n = w * 64 + (uint32_t)__builtin_ctzll(bits);
            if (!is_cheap_only || is_cheap(&s->nodes[n]))
                return n;
        }
    return NONE;
}

/* The first of those for tiles that read `last`, else the first of all. */
static uint32_t
next_tiled(const struct stretch *s, uint32_t last)
{
    const struct node *from = last == NONE ? NULL : &s->nodes[last];
    for (uint32_t u = 0; from && u < from->user_count; u++) {
        const uint32_t n = s->users[from->first_user + u];
        if (s->nodes[n].is_tiled && !s->nodes[n].is_placed && !s->nodes[n].missing)
            return n;
    }
    return first_ready(s, true, false);
}

static void
place(struct stretch *s, uint32_t n)
{
    struct node *node = &s->nodes[n];
    node->is_placed = true;
    s->ready[node->is_tiled][n / 64] &= ~(UINT64_C(1) << n % 64);
    s->waiting += is_waiting(node);
    node->unread = node->user_count;
    for (uint32_t u = 0; u < node->user_count; u++) {
        const uint32_t user = s->users[node->first_user + u];
        if (--s->nodes[user].missing == 0)
            set_ready(s, user);
    }
    for (uint32_t a = 0; a < node->instr->arg_count; a++) {
        struct node *from = node_of(s, node->instr->args[a]);
        if (from && --from->unread == 0)
            s->waiting -= is_waiting(from);
    }
    ir_remove(s->ir, node->instr);
    s->ir->cursor = s->before;
    ir_place(s->ir, node->instr);
    s->before = node->instr;
}

static void
schedule(struct stretch *s)
{
    for (uint32_t placed = 0; placed < s->count;) {
        uint32_t n;
        while ((n = first_ready(s, false, s->waiting >= MAX_WAITING)) != NONE) {
            place(s, n);
            placed++;
        }
        for (uint32_t last = NONE; (n = next_tiled(s, last)) != NONE; last = n) {
            place(s, n);
            placed++;
        }
        n = placed < s->count ? first_ready(s, false, false) : NONE;
        if (n != NONE) {
            place(s, n);
            placed++;
        }
    }
}

static void
reorder(struct ir_program *ir, struct ir_instr *first, uint32_t count, uint32_t tiled_count)
{
    if (tiled_count < 2 || count > MAX_STRETCH)
        return;
    struct stretch s = {.ir = ir, .count = count, .before = first->prev};
    s.nodes = ir_alloc(ir, count, sizeof(s.nodes[0]));
    for (uint32_t r = 0; r < 2; r++)
        s.ready[r] = ir_alloc(ir, count / 64 + 1, sizeof(uint64_t));
    struct ir_instr *i = first;
    for (uint32_t n = 0; n < count; n++, i = i->next) {
        s.nodes[n].instr = i;
        s.nodes[n].is_tiled = ir_emit_is_tiled(i);
        i->index = n;
    }
    link_users(&s);
    schedule(&s);
}

void
ir_tile(struct ir_program *ir)
{
    struct ir_instr *first = ir->first;
    uint32_t count = 0, tiled_count = 0;

    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        if (!ends_stretch(i)) {
            count++;
            tiled_count += ir_emit_is_tiled(i);
            next = i->next;
            if (next)
                continue;
        }
        next = i->op == IR_MAC ? i->mac.last->next : i->next;
        if (count)
            reorder(ir, first, count, tiled_count);
        first = next;
        count = tiled_count = 0;
    }
}
