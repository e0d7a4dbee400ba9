/* SPDX-License-Identifier: MIT */
/* Registers: live intervals over the list, PHIs joined with their operands where that is safe,
 * then a linear scan with one pool for each bank.
 */
#include "compute/ir/coalesce.h"
#include "compute/ir/emit.h"
#include "compute/ir/limits.h"
#include "compute/ir/passes.h"
#include "util/compiler.h"

#include <stdlib.h>
#include <string.h>

/* Where a value of the list is alive, in positions of the list. */
struct ir_interval {
    uint32_t start;
    uint32_t stop;
    uint32_t last_read;     /* by others than PHIs, as stop */
    uint32_t phi_count;     /* operands of PHIs that it is */
    struct ir_instr *share; /* same register as this one */
    bool is_coalesced;      /* by coalesce.c, which knows more of it than its interval says */
    bool is_float;          /* arithmetic of floats makes it, or reads it */
};

enum ir_bank
ir_bank_of(const struct ir_instr *value)
{
    if (value->cls == IR_UNIFORM)
        return IR_BANK_SCALAR;
    return value->type == IR_B ? IR_BANK_MASK : value->type == IR_L ? IR_BANK_LONG : IR_BANK_WORD;
}

static bool
has_register(const struct ir_instr *i)
{
    if (i->type == IR_VOID || i->op == IR_CONST || i->op == IR_BUILTIN)
        return false;
    return i->op != IR_IMAGE && (i->op != IR_LOAD || i->comps == 1);
}

static struct ir_instr *
group_of(struct ir_instr *i)
{
    for (; i->live->share; i = i->live->share)
        if (i->live->share->live->share)
            i->live->share = i->live->share->live->share; /* PHIs of PHIs make groups grow */
    return i;
}

static void
widen(struct ir_instr *value, uint32_t at)
{
    if (at < value->live->start)
        value->live->start = at;
    if (at > value->live->stop)
        value->live->stop = at;
}

static bool
is_inside(const struct ir_instr *value, const struct ir_instr *loop)
{
    for (const struct ir_instr *l = value->loop; l; l = l->loop)
        if (l == loop)
            return true;
    return false;
}

/* value is read at instruction `at`: it stays alive to the end of every loop it came into. */
static void
use(struct ir_instr *value, const struct ir_instr *at)
{
    if (!value || !has_register(value))
        return;
    widen(value, at->index);
    for (const struct ir_instr *l = at->loop; l && !is_inside(value, l); l = l->loop)
        widen(value, l->region.end->index);
}

static void
use_in_phi(struct ir_instr *value, const struct ir_instr *at)
{
    use(value, at);
    if (value && value->live)
        value->live->phi_count++;
}

/* Of a PHI: from where its operands are written to it. */
static void
begin_phi(struct ir_instr *phi)
{
    const struct ir_instr *marker = ir_phi_marker(phi), *begin = marker->region.end;
    const bool is_block = marker->op != IR_LOOP && marker->op != IR_ENDIF;

    /* ENDBLOCK: lanes that leave early keep their value here */
    phi->live->start = is_block && begin->region.is_divergent ? begin->index : marker->index;
    phi->live->stop = marker->index;
}

/* When all PHIs have begun: an operand may be a PHI that stands behind this one. */
static void
use_phi(const struct ir_instr *phi)
{
    const struct ir_instr *marker = ir_phi_marker(phi);
    const struct ir_instr *begin = marker->region.end;

    switch (marker->op) {
    case IR_LOOP:
        use_in_phi(phi->args[0], marker);
        use_in_phi(phi->args[1], marker->region.end);
        break;
    case IR_ENDIF:
        use_in_phi(phi->args[0], marker->region.other);
        use_in_phi(phi->args[1], marker);
        break;
    default:
        for (uint32_t e = 0; e < phi->arg_count; e++)
            use_in_phi(phi->args[e],
                       e < begin->region.edge_count ? begin->region.edges[e] : marker);
        break;
    }
}

/* What other instructions read, of values without their PHIs. */
static void
use_args(const struct ir_instr *i)
{
    for (uint32_t a = 0; a < i->arg_count; a++) {
        use(i->args[a], i);
        /* The texture unit may write one lane's result before it reads another's operands. */
        if (i->op == IR_IMAGE && has_register(i->args[a]))
            widen(i->args[a], i->index + 1);
    }
    if (i->op == IR_IF && i->region.is_divergent) /* read again at ELSE */
        use(i->args[0], i->region.other);
}

/* What the prologue makes for the chunks stays: they come again and again. */
static void
keep_prologue(struct ir_program *ir)
{
    const struct ir_instr *marker = ir->first;
    while (marker && marker->op != IR_PROLOGUE)
        marker = marker->next;
    for (struct ir_instr *i = ir->first; marker && i != marker; i = i->next)
        if (i->live->stop > marker->index)
            i->live->stop = ir->last->index + 1;
}

static void
intervals(struct ir_program *ir)
{
    uint32_t index = 0;
    ir_nest(ir);
    for (const struct ir_instr *i = ir->first; i; i = i->next)
        index++;
    struct ir_interval *live = ir_alloc(ir, index + 1, sizeof(*live));
    index = 0;
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        i->index = index++;
        i->live = live++;
        i->live->start = i->live->stop = i->op == IR_PROJ ? i->args[0]->index : i->index;
        if (i->op == IR_PHI)
            begin_phi(i);
    }
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (i->op != IR_PHI && i->op != IR_PROJ)
            use_args(i);
    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->live->last_read = i->live->stop;
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (i->op == IR_PHI)
            use_phi(i);
    keep_prologue(ir);
}

static void
join(struct ir_instr *phi, struct ir_instr *value)
{
    struct ir_instr *a = group_of(phi), *b = group_of(value);
    b->live->share = a;
    widen(a, b->live->start);
    widen(a, b->live->stop);
}

static struct ir_lifetime
lifetime_of(const struct ir_instr *i)
{
    return (struct ir_lifetime){has_register(i), i->live->start, i->live->stop};
}

static void
join_coalesced(struct ir_instr *to, struct ir_instr *from)
{
    to->live->is_coalesced = from->live->is_coalesced = true;
    join(to, from);
}

static bool
can_join(const struct ir_instr *phi, const struct ir_instr *value)
{
    return value && has_register(value) && !value->live->share && !value->live->is_coalesced &&
           !phi->live->is_coalesced && ir_bank_of(value) == ir_bank_of(phi);
}

static bool
is_between(const struct ir_instr *value, const struct ir_instr *from, const struct ir_instr *to)
{
    return value->live->start > from->index && value->live->stop <= to->index;
}

/* A value from before the IF, for whose one way the PHI goes on from it: on the other way nobody
 * wants it any more when the register gets something else. */
static bool
passes_by(const struct ir_instr *value, const struct ir_instr *phi, const struct ir_instr *begin,
          const struct ir_instr *marker)
{
    if (!can_join(phi, value) || (value->op == IR_PHI && ir_phi_marker(value)->op == IR_LOOP))
        return false;
    return value->live->start < begin->index && value->live->stop <= marker->index &&
           value->live->phi_count == 1 && value->loop == begin->loop && value->cls == phi->cls;
}

/* Made on one of the two ways, when what passes by was read there for the last time. */
static bool
is_made_between(const struct ir_instr *value, const struct ir_instr *phi,
                const struct ir_instr *from, const struct ir_instr *to,
                const struct ir_instr *passed)
{
    return can_join(phi, value) && value->use_count == 1 && value->op != IR_PHI &&
           is_between(value, from, to) && value->loop == to->loop &&
           (!passed || value->live->start >= passed->live->last_read);
}

static void
join_if(struct ir_instr *phi, const struct ir_instr *marker)
{
    const struct ir_instr *begin = marker->region.end, *other = begin->region.other;
    struct ir_instr *yes = phi->args[0], *no = phi->args[1], *passed = NULL;

    if (passes_by(no, phi, begin, marker))
        passed = no;
    else if (passes_by(yes, phi, begin, marker))
        passed = yes;
    if (passed)
        join(phi, passed);
    if (is_made_between(yes, phi, begin, other, passed))
        join(phi, yes);
    if (is_made_between(no, phi, other, marker, passed))
        join(phi, no);
}

/* The next round's value is made when this round's is read for the last time, or later. */
static void
join_loop(struct ir_instr *phi, const struct ir_instr *loop)
{
    struct ir_instr *before = phi->args[0], *next = phi->args[1];

    if (can_join(phi, next) && is_inside(next, loop) && next->op != IR_PHI &&
        next->live->start >= phi->live->stop && next->live->start > loop->index &&
        next->live->stop <= loop->region.end->index)
        join(phi, next);
    if (can_join(phi, before) && before->op != IR_PHI && before->use_count == 1 &&
        before->loop == loop->loop && before->live->stop == loop->index)
        join(phi, before);
}

static void
join_phis(struct ir_program *ir)
{
    for (struct ir_instr *phi = ir->first; phi; phi = phi->next) {
        if (phi->op != IR_PHI || phi->live->share)
            continue;
        const struct ir_instr *marker = ir_phi_marker(phi);
        const struct ir_instr *begin = marker->region.end;
        if (marker->op == IR_LOOP) {
            join_loop(phi, marker);
        } else if (marker->op == IR_ENDIF && !begin->region.is_divergent) {
            join_if(phi, marker);
        }
    }
}

/* Linear scan. */

struct free_register {
    uint32_t number;
    bool held_float;
};

struct pool {
    struct free_register *free; /* last freed first */
    uint32_t free_count;
    uint32_t count;
};

struct scan {
    struct ir_instr **values; /* by start */
    uint32_t count;
    struct ir_instr **active; /* heap by stop */
    uint32_t active_count;
    struct pool pools[IR_BANK_COUNT];
};

static int
by_start(const void *a, const void *b)
{
    const struct ir_instr *x = *(struct ir_instr *const *)a, *y = *(struct ir_instr *const *)b;
    if (x->live->start != y->live->start)
        return x->live->start < y->live->start ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void
heap_push(struct scan *scan, struct ir_instr *value)
{
    uint32_t at = scan->active_count++;
    while (at && scan->active[(at - 1) / 2]->live->stop > value->live->stop) {
        scan->active[at] = scan->active[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    scan->active[at] = value;
}

static struct ir_instr *
heap_pop(struct scan *scan)
{
    struct ir_instr *top = scan->active[0];
    struct ir_instr *last = scan->active[--scan->active_count];
    uint32_t at = 0;

    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= scan->active_count)
            break;
        if (child + 1 < scan->active_count &&
            scan->active[child + 1]->live->stop < scan->active[child]->live->stop)
            child++;
        if (last->live->stop <= scan->active[child]->live->stop)
            break;
        scan->active[at] = scan->active[child];
        at = child;
    }
    scan->active[at] = last;
    return top;
}

/* An interval that ends where another begins leaves its register to it: operations read a lane
 * before they write it. Values that are never read end where they begin and must not. */
static void
expire(struct scan *scan, uint32_t start)
{
    while (scan->active_count && scan->active[0]->live->stop <= start &&
           scan->active[0]->live->start < start) {
        const struct ir_instr *done = heap_pop(scan);
        struct pool *pool = &scan->pools[ir_bank_of(done)];
        pool->free[pool->free_count++] = (struct free_register){done->reg, done->live->is_float};
    }
}

/* Lanes that are not active, or lie beside the window, keep what was in the register, and are
 * worked on, too: what were integers are denormal numbers to floats, which processors of Intel take
 * a hundred times as long for. So no register holds both. */
static uint32_t
take_register(struct pool *pool, bool is_float)
{
    uint32_t at = pool->free_count;
    while (at > 0 && pool->free[at - 1].held_float != is_float)
        at--;
    if (at == 0)
        return pool->count++;
    const uint32_t number = pool->free[--at].number;
    pool->free_count--;
    memmove(&pool->free[at], &pool->free[at + 1], (pool->free_count - at) * sizeof(pool->free[0]));
    return number;
}

static void
assign(struct ir_program *ir, struct scan *scan)
{
    for (uint32_t b = 0; b < IR_BANK_COUNT; b++)
        scan->pools[b].free = ir_alloc(ir, scan->count + 1, sizeof(struct free_register));
    for (uint32_t i = 0; i < scan->count; i++) {
        struct ir_instr *value = scan->values[i];
        struct pool *pool = &scan->pools[ir_bank_of(value)];
        expire(scan, value->live->start);
        value->reg = take_register(pool, value->live->is_float);
        heap_push(scan, value);
    }
}

static uint32_t
round_up(uint32_t value, uint32_t align)
{
    return (value + align - 1) / align * align;
}

/* What passes have left of lane memory. */
static void
measure_lane_memory(struct ir_program *ir)
{
    ir->lane_slot_count = 0;
    ir->lane_slot_B = 4;
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        if (i->op != IR_LANE_LOAD && i->op != IR_LANE_STORE)
            continue;
        ir->lane_slot_count = RP_MAX(ir->lane_slot_count, i->lane.base_slot + i->lane.slot_count);
        if (i->type == IR_L || (i->op == IR_LANE_STORE && i->args[1]->type == IR_L))
            ir->lane_slot_B = 8;
    }
}

/* Of workgroups, or of a chunk of a row. */
static bool
has_large_lane_memory(const struct ir_program *ir, uint32_t lanes)
{
    return (uint64_t)ir->lane_slot_count * ir->lane_slot_B * lanes > IR_MAX_LANE_MEMORY_B;
}

static uint32_t
register_bytes(const struct ir_registers *regs, uint32_t lanes)
{
    return (regs->count[IR_BANK_WORD] + 2 * regs->count[IR_BANK_LONG]) * lanes * 4;
}

/* Workgroups side by side: their registers and their memory stay in the first-level cache. */
static uint32_t
choose_packed_lanes(const struct ir_program *ir, const struct ir_registers *regs)
{
    const uint32_t lanes = ir->local_size[0] * ir->local_size[1];
    uint32_t pack = ir->pack;
    while (pack > 1 && pack * lanes > 128 && register_bytes(regs, pack * lanes) > IR_MAX_CHUNK_B)
        pack /= 2;
    while (pack > 1 && (uint64_t)pack * ir->shared_stride_B > IR_MAX_CHUNK_B)
        pack /= 2;
    while (pack > 1 && has_large_lane_memory(ir, pack * lanes))
        pack /= 2;
    return round_up(pack * lanes, RP_BLOCK_LANES);
}

static bool
has_loop(const struct ir_program *ir)
{
    for (const struct ir_instr *i = ir->first; i; i = i->next)
        if (i->op == IR_LOOP)
            return true;
    return false;
}

/* Lanes of a chunk so that the registers stay in the first-level cache. */
static uint32_t
choose_lanes(const struct ir_program *ir, const struct ir_registers *regs)
{
    const uint32_t *size = ir->local_size;
    if (ir->pack > 1)
        return choose_packed_lanes(ir, regs);
    if (!ir->has_rows)
        return round_up(size[0] * size[1] * size[2], RP_BLOCK_LANES);

    uint32_t lanes = IR_CHUNK_LANES;
    if (register_bytes(regs, 2 * lanes) <= IR_MAX_CHUNK_B / 4 * 3 && !has_loop(ir))
        lanes *= 2; /* little is done with each lane: what a chunk itself costs counts */
    while (lanes > 128 && register_bytes(regs, lanes) > IR_MAX_CHUNK_B)
        lanes /= 2;
    while (lanes > 64 && has_large_lane_memory(ir, lanes))
        lanes /= 2;
    return lanes;
}

static void
lay_out(const struct ir_program *ir, struct ir_registers *regs, uint32_t const_count)
{
    for (uint32_t b = 0; b < IR_BANK_COUNT; b++)
        regs->temp[b] = regs->count[b]++;
    regs->lanes = choose_lanes(ir, regs);
    regs->size_B[IR_BANK_SCALAR] = 8;
    regs->size_B[IR_BANK_MASK] = RP_MASK_B;
    const uint32_t lanes = round_up(regs->lanes, RP_TILE_MAX_LANES);
    regs->size_B[IR_BANK_WORD] = lanes * 4;
    regs->size_B[IR_BANK_LONG] = lanes * 8;

    uint64_t at = (IR_BUILTIN_COUNT + const_count) * 8;
    for (uint32_t b = 0; b < IR_BANK_COUNT; b++) {
        at = (at + 63) & ~(uint64_t)63;
        regs->base_B[b] = (uint32_t)at;
        at += (uint64_t)regs->count[b] * regs->size_B[b];
        regs->temp[b] = regs->base_B[b] + regs->temp[b] * regs->size_B[b];
    }
    at = (at + 63) & ~(uint64_t)63;
    regs->kept_B = (uint32_t)at;
    at += RP_TILE_KEPT_COUNT * RP_TILE_KEPT_B;
    if (at > IR_MAX_REGISTER_B)
        ir_fail(ir->fail, VK_ERROR_UNKNOWN, "the kernel needs too many registers");
    regs->total_B = (uint32_t)at;
}

/* Constants and builtins stand first, 8 bytes each. */
static uint32_t
number_constants(struct ir_program *ir)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < IR_BUILTIN_COUNT; b++)
        if (ir->builtins[b])
            ir->builtins[b]->reg = b * 8;
    for (uint32_t c = 0; c < ir->const_buckets; c++)
        for (struct ir_instr *i = ir->const_table[c]; i; i = i->next)
            i->reg = (IR_BUILTIN_COUNT + count++) * 8;
    return count;
}

/* Operations that take long for denormal numbers. */
static bool
is_float_arithmetic(enum ir_op op)
{
    switch (op) {
    case IR_FADD:
    case IR_FSUB:
    case IR_FMUL:
    case IR_FDIV:
    case IR_SQRT:
    case IR_RSQRT:
    case IR_MAD:
    case IR_MSUB:
    case IR_NMAD:
    case IR_FMUL2:
    case IR_FADD3:
    case IR_FSUBADD:
    case IR_FADDMUL:
    case IR_FDIFF2:
    case IR_FDIFF2ADD:
        return true;
    default:
        return false;
    }
}

static void
mark_float(struct ir_instr *value)
{
    if (has_register(value) && ir_bank_of(value) == IR_BANK_WORD)
        group_of(value)->live->is_float = true;
}

static void
find_floats(struct ir_program *ir)
{
    for (struct ir_instr *i = ir->first; i; i = i->next) {
        if (!is_float_arithmetic(i->op))
            continue;
        mark_float(i);
        for (uint32_t a = 0; a < i->arg_count; a++)
            mark_float(i->args[a]);
    }
}

void
ir_allocate(struct ir_program *ir, struct ir_registers *regs)
{
    struct scan scan = {0};
    uint32_t count = 0;

    intervals(ir);
    ir_coalesce(ir, &(struct ir_coalesced){lifetime_of, join_coalesced});
    join_phis(ir);
    for (struct ir_instr *i = ir->first; i; i = i->next)
        count++;
    scan.values = ir_alloc(ir, count + 1, sizeof(scan.values[0]));
    scan.active = ir_alloc(ir, count + 1, sizeof(scan.active[0]));
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (has_register(i) && !i->live->share)
            scan.values[scan.count++] = i;
    find_floats(ir);
    qsort(scan.values, scan.count, sizeof(scan.values[0]), by_start);
    assign(ir, &scan);
    for (uint32_t b = 0; b < IR_BANK_COUNT; b++)
        regs->count[b] = scan.pools[b].count;
    measure_lane_memory(ir);
    lay_out(ir, regs, number_constants(ir));
    for (uint32_t i = 0; i < scan.count; i++) {
        struct ir_instr *value = scan.values[i];
        const enum ir_bank bank = ir_bank_of(value);
        value->reg = regs->base_B[bank] + value->reg * regs->size_B[bank];
    }
    for (struct ir_instr *i = ir->first; i; i = i->next)
        if (i->live->share)
            i->reg = group_of(i)->reg;
}
