/* SPDX-License-Identifier: MIT */
#include "compute/machine/machine.h"

#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "compute/machine/shape.h"
#include "compute/machine/tile.h"
#include "platform/pages.h"
#include "reelpipe/cpu.h"
#include "util/alloc.h"

#include <stdatomic.h>
#include <stddef.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT
#define MAX_OPS 65536u

struct jump {
    uint32_t at; /* in the code: where the distance stands */
    uint32_t to; /* record */
};

struct writer {
    struct assembler a;
    struct machine_shape *shapes; /* of each record; MACHINE_NOTHING: the interpreter's */
    bool *is_target;              /* of a jump, or of who runs the program */
    bool *has_group;              /* a group of tiles and gathers begins there */
    bool *is_entry;   /* has code, to which the code in front of it does not lead alone */
    uint32_t *labels; /* where each entry's code begins */
    struct jump *jumps;
    uint32_t jump_count;
    uint32_t *rounds; /* jumps of LOOPBACKs whose fuel is spent */
    struct tile *tile;
    bool has_tile;
};

static bool
has_code(const struct writer *w, uint32_t k)
{
    return k < w->a.source->op_count && w->shapes[k].kind != MACHINE_NOTHING;
}

static struct machine_value
value(uint32_t slot)
{
    return (struct machine_value){slot, 0};
}

static struct machine_value
in_register(uint32_t reg)
{
    return (struct machine_value){MACHINE_NO_SLOT, reg};
}

/* On to a record as handlers do. */
static void
leave(struct writer *w, uint32_t k)
{
    x86_move_number(&w->a.x, X86_RDI, (uintptr_t)&w->a.source->ops[k]);
    x86_op(&w->a.x, false, 0xff, 4, x86_memory(X86_RDI, offsetof(struct rp_op, fn)));
}

static void
jump_to(struct writer *w, uint32_t at, uint32_t to)
{
    w->jumps[w->jump_count++] = (struct jump){at, to};
}

/* The offset in memory: a register, or a number. */
struct place {
    bool has_reg;
    uint32_t reg;
    uint32_t number;
};

/* (a << n) + b + c, which wraps at 32 bits. */
static struct place
place_of(struct assembler *a, const struct rp_op *o)
{
    struct place p = {.number = o->c};
    uint64_t first, second;
    const bool is_first = machine_is_number(a, value(o->a), false, &first);
    const bool is_second = machine_is_number(a, value(o->b), false, &second);
    if (is_first)
        p.number += (uint32_t)first << (o->n & 31u);
    if (is_second)
        p.number += (uint32_t)second;
    if (is_first && is_second)
        return p;
    p.has_reg = true;
    p.reg = machine_copy(a, value(is_first ? o->b : o->a), false);
    if (!is_first && o->n)
        x86_shift_number(&a->x, false, X86_SHL, p.reg, o->n);
    if (!is_first && !is_second)
        x86_arithmetic(&a->x, false, X86_ADD, p.reg, machine_operand(a, value(o->b), false));
    if (p.number)
        x86_arithmetic_number(&a->x, false, X86_ADD, x86_reg(p.reg), (int32_t)p.number);
    return p;
}

static int32_t
memory_at(const struct rp_op *o, size_t member)
{
    return (int32_t)(offsetof(struct rp_exec, memory) + sizeof(struct rp_memory) * (uint32_t)o->i +
                     member);
}

/* Compares the end with the memory's size: a jump that is taken where the place is beyond it. */
static uint32_t
check(struct assembler *a, const struct rp_op *o, const struct place *p, uint32_t size_B)
{
    const struct x86_operand limit =
        x86_memory(X86_RDX, memory_at(o, offsetof(struct rp_memory, size_B)));
    if (!p->has_reg) {
        x86_arithmetic_number(&a->x, false, X86_CMP, limit, (int32_t)(p->number + size_B));
        return x86_jump_if(&a->x, X86_BELOW);
    }
    const uint32_t bound = machine_new(a), end = machine_new(a);
    x86_move(&a->x, false, bound, limit);
    x86_op(&a->x, true, 0x8d, end, x86_memory(p->reg, (int32_t)size_B)); /* lea */
    x86_arithmetic(&a->x, true, X86_CMP, end, x86_reg(bound));
    return x86_jump_if(&a->x, X86_ABOVE);
}

static struct x86_operand
find(struct assembler *a, const struct rp_op *o, const struct place *p)
{
    const struct x86_operand base =
        x86_memory(X86_RDX, memory_at(o, offsetof(struct rp_memory, ptr)));
    if (p->has_reg) {
        x86_arithmetic(&a->x, true, X86_ADD, p->reg, base);
        return x86_memory(p->reg, 0);
    }
    const uint32_t reg = machine_new(a);
    x86_move(&a->x, true, reg, base);
    return x86_memory(reg, (int32_t)p->number);
}

static void
load(struct assembler *a, const struct rp_op *o, uint32_t size_B)
{
    const struct place p = place_of(a, o);
    const uint32_t to = machine_new(a);
    x86_move_number(&a->x, to, 0);
    const uint32_t beyond = check(a, o, &p, size_B);
    const struct x86_operand from = find(a, o, &p);
    if (size_B < 4)
        x86_op(&a->x, false, size_B == 1 ? 0x0fb6 : 0x0fb7, to, from);
    else
        x86_move(&a->x, size_B == 8, to, from);
    x86_land(&a->x, beyond, a->x.size_B);
    machine_set(a, o->d, to, size_B == 8);
}

static void
store(struct assembler *a, const struct rp_op *o, uint32_t size_B)
{
    const uint32_t from = machine_general(a, value(o->d), size_B == 8);
    const struct place p = place_of(a, o);
    const uint32_t beyond = check(a, o, &p, size_B);
    const struct x86_operand to = find(a, o, &p);
    if (size_B == 2)
        x86_byte(&a->x, 0x66);
    if (size_B == 1)
        x86_op(&a->x, false, 0x88, from, to);
    else
        x86_store(&a->x, size_B == 8, to, from);
    x86_land(&a->x, beyond, a->x.size_B);
}

static void
arithmetic(struct assembler *a, const struct rp_op *o, enum machine_op op)
{
    const struct machine_value v[3] = {value(o->a), value(o->b), value(o->c)};
    if (machine_is_float(op))
        machine_set_float(a, o->d, machine_compute_float(a, op, v));
    else
        machine_set(a, o->d, machine_compute(a, op, v), machine_is_long(op));
}

static void
pair(struct assembler *a, const struct rp_op *o, struct machine_shape shape)
{
    const bool has_three = shape.kind == MACHINE_TRIPLE;
    const struct machine_value v[3] = {value(o->a), value(o->b), value(o->c)};
    const uint32_t first = machine_compute(a, shape.first, v);
    const struct machine_value other = value(has_three ? (uint32_t)o->i : o->c);
    machine_go_on(a, first);
    const struct machine_value both[3] = {shape.is_reversed ? other : in_register(first),
                                          shape.is_reversed ? in_register(first) : other, other};
    machine_set(a, o->d, machine_compute(a, shape.second, both), false);
}

/* Of 32 bits that a register holds all 64 are written: nobody reads the upper ones. */
static void
move(struct assembler *a, const struct rp_op *o, bool is_long)
{
    if (is_long && machine_holds_short(a, o->a))
        is_long = false;
    machine_set(a, o->d, machine_copy(a, value(o->a), is_long), is_long);
}

static void
branch(struct writer *w, uint32_t k)
{
    struct assembler *a = &w->a;
    const struct rp_op *o = &a->source->ops[k];
    const struct machine_value v[3] = {value(o->a), value(o->b), value(o->b)};
    const struct machine_shape shape = w->shapes[k];
    enum x86_condition is_taken = X86_NOT_EQUAL;
    if (shape.kind == MACHINE_IF) {
        x86_arithmetic_number(&a->x, false, X86_CMP, machine_operand(a, v[0], false), 0);
    } else if (shape.kind == MACHINE_IF_LOGIC) {
        const uint32_t d = machine_compute(a, shape.first, v);
        machine_set(a, o->d, d, false); /* the flags stay as they are */
    } else {
        const uint32_t d = machine_new(a);
        is_taken = machine_compare(a, shape.first, v, d);
        machine_set(a, o->d, d, false);
    }
    jump_to(w, x86_jump_if(&a->x, is_taken ^ 1u), k + (uint32_t)o->i);
}

/* A round costs fuel, as in the interpreter, which does what is due when it is spent. */
static void
loop_back(struct writer *w, uint32_t k)
{
    struct x86 *x = &w->a.x;
    const struct rp_op *o = &w->a.source->ops[k];
    x86_arithmetic_number(x, false, X86_SUB, x86_memory(X86_RDX, offsetof(struct rp_exec, fuel)),
                          1);
    w->rounds[k] = x86_jump_if(x, X86_EQUAL);
    jump_to(w, x86_jump(x), k + (uint32_t)o->i);
}

static void
spend_the_last(struct writer *w, uint32_t k)
{
    struct x86 *x = &w->a.x;
    const struct rp_op *o = &w->a.source->ops[k];
    x86_land(x, w->rounds[k], x->size_B);
    x86_arithmetic_number(x, false, X86_ADD, x86_memory(X86_RDX, offsetof(struct rp_exec, fuel)),
                          1);
    x86_move_number(x, X86_RDI, (uintptr_t)o);
    x86_move_number(x, X86_RAX, (uintptr_t)o->fn);
    x86_op(x, false, 0xff, 4, x86_reg(X86_RAX));
}

/* A group with gathers, in front of the code for its first record alone. */
static void
group(struct writer *w, uint32_t k)
{
    struct assembler *a = &w->a;
    uint32_t jumps[TILE_MAX_GUARDS];
    const uint32_t end = machine_tile_read_group(w->tile, a, k, w->is_target);
    if (!end)
        return;
    const uint32_t count = machine_tile_write_guard(w->tile, &a->x, jumps);
    machine_tile_write(w->tile, &a->x);
    jump_to(w, x86_jump(&a->x), end);
    for (uint32_t j = 0; j < count; j++)
        x86_land(&a->x, jumps[j], a->x.size_B);
    machine_reserve(&a->x);
}

/* What begins with a gather, whose handler does it alone. */
static void
gather(struct writer *w, uint32_t k)
{
    struct x86 *x = &w->a.x;
    const struct rp_op *o = &w->a.source->ops[k];
    group(w, k);
    machine_forget(&w->a);
    x86_move_number(x, X86_RDI, (uintptr_t)o);
    x86_move_number(x, X86_RAX, (uintptr_t)o->fn);
    x86_op(x, false, 0xff, 4, x86_reg(X86_RAX));
}

/* Nothing is left of what registers held. */
static void
tile(struct writer *w, uint32_t k)
{
    struct assembler *a = &w->a;
    if (w->has_group[k])
        group(w, k);
    uint32_t to = k + (uint32_t)a->source->ops[k].i;
    if (w->shapes[k].kind == MACHINE_TILE)
        (void)machine_tile_read(w->tile, a, k);
    else
        to = k + machine_tile_read_longs(w->tile, a, k, w->is_target);
    machine_tile_write(w->tile, &a->x);
    machine_forget(a);
    jump_to(w, x86_jump(&a->x), to);
}

static void
write_op(struct writer *w, uint32_t k)
{
    struct assembler *a = &w->a;
    const struct rp_op *o = &a->source->ops[k];
    const struct machine_shape shape = w->shapes[k];
    machine_begin(a);
    switch (shape.kind) {
    case MACHINE_ARITHMETIC:
        arithmetic(a, o, shape.first);
        break;
    case MACHINE_PAIR:
    case MACHINE_TRIPLE:
        pair(a, o, shape);
        break;
    case MACHINE_MOVE:
    case MACHINE_MOVE64:
        move(a, o, shape.kind == MACHINE_MOVE64);
        break;
    case MACHINE_LOAD:
        load(a, o, shape.first);
        break;
    case MACHINE_STORE:
        store(a, o, shape.first);
        break;
    case MACHINE_JUMP:
        jump_to(w, x86_jump(&a->x), k + (uint32_t)o->i);
        break;
    case MACHINE_LOOPBACK:
        loop_back(w, k);
        break;
    case MACHINE_TILE:
    case MACHINE_LONGS:
        tile(w, k);
        break;
    case MACHINE_GATHER:
        gather(w, k);
        break;
    default:
        branch(w, k);
        break;
    }
}

static bool
falls_through(struct machine_shape shape)
{
    return shape.kind != MACHINE_JUMP && shape.kind != MACHINE_LOOPBACK &&
           shape.kind < MACHINE_TILE;
}

/* Is an offset that is a number one that an instruction may have? */
static bool
is_near(const struct assembler *a, const struct rp_op *o, struct machine_shape shape)
{
    uint64_t first, second;
    if ((shape.kind != MACHINE_LOAD && shape.kind != MACHINE_STORE) ||
        !machine_is_number(a, value(o->a), false, &first) ||
        !machine_is_number(a, value(o->b), false, &second))
        return true;
    return ((uint32_t)first << (o->n & 31u)) + (uint32_t)second + o->c <= INT32_MAX - 8;
}

static bool
may_jump(uint32_t code)
{
    switch (code) {
    case RP_X_MAC_F32:
    case RP_X_MAC_I32:
    case RP_X_MAC_I16:
    case RP_X_REDUCTION:
        return true;
    case RP_X_TILE: /* on to what stands behind it */
        return false;
    default:
        return code >= RP_X_END && code <= RP_X_IF_FONE64;
    }
}

static void
find_targets(struct writer *w)
{
    const struct rp_machine_source *p = w->a.source;
    w->is_target[p->main_op] = true;
    for (uint32_t k = 0; k < p->op_count; k++) {
        const int64_t to = (int64_t)k + p->ops[k].i;
        if (may_jump(p->codes[k]) && to >= 0 && to < p->op_count)
            w->is_target[to] = true;
    }
}

/* A run of one operation is the interpreter's. Returns the last record of the run, or k. */
static uint32_t
find_longs(struct writer *w, uint32_t k)
{
    const uint32_t count = machine_tile_read_longs(w->tile, &w->a, k, w->is_target);
    if (count < 2)
        return k;
    w->shapes[k].kind = MACHINE_LONGS;
    return k + count - 1;
}

/* Groups that nothing else has begun. */
static void
find_groups(struct writer *w)
{
    const struct rp_machine_source *p = w->a.source;
    uint32_t behind = 0; /* the last group */
    for (uint32_t k = 0; k < p->op_count; k++) {
        const bool is_gather = machine_tile_is_gather(w->tile, &w->a, k);
        if (k < behind || (w->shapes[k].kind != MACHINE_TILE && !is_gather))
            continue;
        const uint32_t end = machine_tile_read_group(w->tile, &w->a, k, w->is_target);
        if (!end)
            continue;
        behind = end;
        w->has_group[k] = true;
        if (is_gather)
            w->shapes[k].kind = MACHINE_GATHER;
    }
}

static void
find_shapes(struct writer *w)
{
    const struct rp_machine_source *p = w->a.source;
    for (uint32_t k = 0; k < p->op_count; k++) {
        w->shapes[k] = machine_shape(p->codes[k]);
        if (!is_near(&w->a, &p->ops[k], w->shapes[k]) ||
            (w->shapes[k].kind == MACHINE_TILE && !machine_tile_read(w->tile, &w->a, k)))
            w->shapes[k].kind = MACHINE_NOTHING;
        else if (w->shapes[k].kind == MACHINE_NOTHING)
            k = find_longs(w, k);
    }
}

/* Where others than the record before may come in: the interpreter, and jumps. An operation between
 * two that are the interpreter's stays its, too. Returns whether there is a loop of scalars, or a
 * tile. */
static bool
find_entries(struct writer *w)
{
    const struct rp_machine_source *p = w->a.source;
    bool has_loop = false;
    for (uint32_t k = 0; k < p->op_count; k++) {
        const bool is_alone = !(k && has_code(w, k - 1)) && !has_code(w, k + 1);
        if (is_alone && w->shapes[k].kind < MACHINE_JUMPS)
            w->shapes[k].kind = MACHINE_NOTHING;
        has_loop |= w->shapes[k].kind == MACHINE_LOOPBACK && k && has_code(w, k - 1);
        w->has_tile |= w->shapes[k].kind >= MACHINE_TILE;
        w->is_entry[k] = w->is_target[k] || k == 0 || !has_code(w, k - 1);
    }
    return has_loop || w->has_tile;
}

static void
write_all(struct writer *w)
{
    struct assembler *a = &w->a;
    const struct rp_machine_source *p = a->source;
    machine_reserve(&a->x);
    if (w->has_tile)
        machine_tile_write_constants(&a->x);
    for (uint32_t k = 0; k < p->op_count; k++) {
        if (!has_code(w, k))
            continue;
        machine_reserve(&a->x);
        if (w->is_entry[k]) {
            machine_forget(a);
            w->labels[k] = a->x.size_B;
            x86_entry(&a->x);
        }
        write_op(w, k);
        if (falls_through(w->shapes[k]) && !has_code(w, k + 1))
            leave(w, k + 1);
    }
    for (uint32_t k = 0; k < p->op_count; k++)
        if (has_code(w, k) && w->shapes[k].kind == MACHINE_LOOPBACK) {
            machine_reserve(&a->x);
            spend_the_last(w, k);
        }
    for (uint32_t j = 0; j < w->jump_count; j++) {
        const bool stays = has_code(w, w->jumps[j].to);
        machine_reserve(&a->x);
        x86_land(&a->x, w->jumps[j].at, stays ? w->labels[w->jumps[j].to] : a->x.size_B);
        if (!stays)
            leave(w, w->jumps[j].to);
    }
}

static void
install(const struct writer *w, const uint8_t *code)
{
    const struct rp_machine_source *p = w->a.source;
    for (uint32_t k = 0; k < p->op_count; k++)
        if (has_code(w, k) && w->is_entry[k] &&
            (has_code(w, k + 1) || w->shapes[k].kind >= MACHINE_JUMPS)) {
            const void *entry = code + w->labels[k];
            rp_handler *handler;
            memcpy(&handler, &entry, sizeof(handler));
            __atomic_store_n(&p->ops[k].fn, handler, __ATOMIC_RELEASE); /* others may run it */
        }
}

static bool
writer_create(struct writer *w, uint32_t count)
{
    w->shapes = rp_zalloc_array(NULL, count, sizeof(w->shapes[0]), SCOPE);
    w->is_entry = rp_zalloc_array(NULL, count, sizeof(w->is_entry[0]), SCOPE);
    w->has_group = rp_zalloc_array(NULL, count, sizeof(w->has_group[0]), SCOPE);
    w->is_target = rp_zalloc_array(NULL, count, sizeof(w->is_target[0]), SCOPE);
    w->labels = rp_zalloc_array(NULL, count, sizeof(w->labels[0]), SCOPE);
    w->jumps = rp_zalloc_array(NULL, count, sizeof(w->jumps[0]), SCOPE);
    w->rounds = rp_zalloc_array(NULL, count, sizeof(w->rounds[0]), SCOPE);
    w->tile = rp_alloc(NULL, sizeof(*w->tile), _Alignof(struct tile), SCOPE);
    w->a.x.out = rp_alloc(NULL, MACHINE_MAX_B, 1, SCOPE);
    w->a.x.capacity_B = MACHINE_MAX_B;
    return w->shapes && w->has_group && w->is_entry && w->is_target && w->labels && w->jumps &&
           w->rounds && w->tile && w->a.x.out;
}

static void
writer_destroy(struct writer *w)
{
    rp_free(NULL, w->shapes);
    rp_free(NULL, w->is_entry);
    rp_free(NULL, w->has_group);
    rp_free(NULL, w->is_target);
    rp_free(NULL, w->labels);
    rp_free(NULL, w->jumps);
    rp_free(NULL, w->rounds);
    rp_free(NULL, w->tile);
    rp_free(NULL, w->a.x.out);
}

/* Programs that have code, each with pages of its own: a process has only so many mappings, and
 * leaves most of them to others. */
#define MAX_PROGRAMS 16384u

static atomic_uint program_count;
static atomic_bool is_refused; /* by the system, which need not be asked again */

static bool
take_place(void)
{
    if (atomic_load(&is_refused))
        return false;
    if (atomic_fetch_add(&program_count, 1) < MAX_PROGRAMS)
        return true;
    atomic_fetch_sub(&program_count, 1);
    return false;
}

static struct rp_machine_code
map_code(const struct x86 *code)
{
    struct rp_machine_code made = {NULL, rp_pages_B(code->size_B)};
    if (!take_place())
        return (struct rp_machine_code){NULL, 0};
    made.pages = rp_pages_map(made.size_B, false);
    if (made.pages) {
        memcpy(made.pages, code->out, code->size_B);
        if (rp_pages_execute(made.pages, made.size_B))
            return made;
        atomic_store(&is_refused, true);
        rp_pages_unmap(made.pages, made.size_B);
    }
    atomic_fetch_sub(&program_count, 1);
    return (struct rp_machine_code){NULL, 0};
}

struct rp_machine_code
rp_machine_code_make(const struct rp_machine_source *source, uint32_t cpu_flags)
{
    struct writer w = {.a.source = source};
    struct rp_machine_code made = {NULL, 0};
    if (!(cpu_flags & RP_CPU_X86_64_V3) || source->op_count > MAX_OPS || atomic_load(&is_refused))
        return made;
    if (writer_create(&w, source->op_count)) {
        w.tile->is_wide = cpu_flags & RP_CPU_X86_64_V4;
        find_targets(&w);
        find_shapes(&w);
        find_groups(&w);
        if (find_entries(&w))
            write_all(&w);
        if (w.a.x.size_B && !w.a.x.has_failed)
            made = map_code(&w.a.x);
        if (made.pages)
            install(&w, made.pages);
    }
    writer_destroy(&w);
    return made;
}

void
rp_machine_code_free(struct rp_machine_code *code)
{
    if (code->pages) {
        rp_pages_unmap(code->pages, code->size_B);
        atomic_fetch_sub(&program_count, 1);
    }
    *code = (struct rp_machine_code){NULL, 0};
}
