/* SPDX-License-Identifier: MIT */
/* Gathers as operations of tiles: LOAD32_G of one word from memory whose place the program knows,
 * together with the tiles around it, is one loop. What it does is what handlers do that rest from
 * looking for runs (exec/gather.c); as soon as one of the gathers would look for some, or memory is
 * none that offsets of 31 bits reach, the handlers do all.
 */
#include "compute/exec/exec.h"
#include "compute/machine/gather_speed.h"
#include "compute/machine/tile_step.h"

#include <stddef.h>

#define MORE(o) ((const struct rp_op_more *)((o) + 1))
#define GATHER_RECORDS 2u

static const uint16_t all_active[RP_MAX_BLOCKS] = {[0 ... RP_MAX_BLOCKS - 1] = 0xffff};

bool
machine_tile_is_gather(const struct tile *t, const struct assembler *a, uint32_t k)
{
    const struct rp_machine_source *p = a->source;
    return k + GATHER_RECORDS <= p->op_count && p->codes[k] == RP_X_LOAD32_G && p->ops[k].n == 1 &&
           p->ops[k].i >= 0 && (t->is_wide || machine_gathers_are_fast());
}

/* That of another gather from the same memory, or a new one. */
static uint8_t
last_word(struct tile *t, int32_t memory)
{
    for (uint32_t k = 0; k + 1 < t->op_count; k++)
        if (t->ops[k].code == TILE_GATHER && t->ops[k].gather->i == memory)
            return t->ops[k].last_word;
    return (uint8_t)t->word_count++;
}

/* False: there is no room, or it asks for other lanes than those in front of it. */
static bool
append_gather(struct tile *t, const struct rp_op *r)
{
    if (t->op_count == TILE_MAX_OPS || t->word_count + 2 > RP_GATHER_WORDS ||
        t->gather_count == TILE_MAX_GATHERS || (t->gather_count && t->level != r->level))
        return false;
    struct tile_op *o = &t->ops[t->op_count++];
    *o = (struct tile_op){.code = TILE_GATHER, .arg_count = 1, .is_stored = true, .gather = r};
    o->last_word = last_word(t, r->i);
    o->by_word = MORE(r)->r[6] ? (uint8_t)t->word_count++ : TILE_NO_WORD;
    o->args[0] = (uint16_t)machine_tile_value_at(t, TILE_LANES, r->a);
    t->values[o->args[0]].end = (uint16_t)t->op_count;
    o->result = (uint16_t)machine_tile_value_new(t, TILE_LANES, MORE(r)->r[0]);
    t->values[o->result].is_readable = true;
    t->level = r->level;
    t->gather_count++;
    return true;
}

/* For a tile whose end is in the program. */
static bool
has_room(const struct tile *t, const struct assembler *a, uint32_t k)
{
    const struct rp_machine_source *p = a->source;
    const uint32_t first = k;
    while (k < p->op_count && p->codes[k] != RP_X_TILE_END)
        k++;
    return k < p->op_count && t->op_count + (k - first - 1) <= TILE_MAX_OPS &&
           p->ops[first].i > (int32_t)(k - first) &&
           (uint32_t)p->ops[first].i < p->op_count - first;
}

uint32_t
machine_tile_read_group(struct tile *t, const struct assembler *a, uint32_t k,
                        const bool *is_target)
{
    const struct rp_machine_source *p = a->source;
    const uint32_t first = k;
    uint32_t members = 0;
    machine_tile_clear(t);
    for (; k < p->op_count && (k == first || !is_target[k]); members++) {
        if (machine_tile_is_gather(t, a, k)) {
            if (!append_gather(t, &p->ops[k]))
                break;
            k += GATHER_RECORDS;
        } else if (p->codes[k] == RP_X_TILE && has_room(t, a, k)) {
            if (!machine_tile_append(t, a, k))
                return 0;
            k += (uint32_t)p->ops[k].i;
        } else {
            break;
        }
    }
    return t->gather_count && members > 1 && k < p->op_count ? k : 0;
}

static int32_t
word_at(uint32_t word)
{
    return (int32_t)(offsetof(struct rp_exec, gather_words) + 4 * word);
}

static int32_t
memory_at(const struct tile_op *o, size_t member)
{
    return (int32_t)(offsetof(struct rp_exec, memory) +
                     sizeof(struct rp_memory) * (uint32_t)o->gather->i + member);
}

/* An instruction of how often the gather rests from now on, and a number. */
static void
rest_op(struct x86 *x, enum x86_arithmetic op, const struct rp_op *o, uint8_t number)
{
    const size_t rest = (uintptr_t)o / sizeof(*o) % RP_REST_COUNT;
    x86_op(x, false, 0x80, op,
           x86_memory(X86_RDX, (int32_t)(offsetof(struct rp_exec, rests) + rest)));
    x86_byte(x, number);
}

/* The last offset at which a word is inside. Returns a jump for memory without one, or with some
 * that an instruction would take for negative. */
static uint32_t
write_last(struct x86 *x, const struct tile_op *o)
{
    x86_move(x, false, X86_RCX,
             x86_memory(X86_RDX, memory_at(o, offsetof(struct rp_memory, size_B))));
    x86_arithmetic_number(x, false, X86_SUB, x86_reg(X86_RCX), 4);
    x86_store(x, false, x86_memory(X86_RDX, word_at(o->last_word)), X86_RCX);
    x86_arithmetic_number(x, false, X86_CMP, x86_reg(X86_RCX), INT32_MAX - 4);
    return x86_jump_if(x, X86_ABOVE);
}

uint32_t
machine_tile_write_guard(const struct tile *t, struct x86 *x, uint32_t *jumps)
{
    uint32_t jump_count = 0, word_count = 0; /* so far */
    for (uint32_t k = 0; k < t->op_count; k++) {
        const struct tile_op *o = &t->ops[k];
        if (o->code != TILE_GATHER)
            continue;
        machine_reserve(x);
        rest_op(x, X86_CMP, o->gather, 0);
        jumps[jump_count++] = x86_jump_if(x, X86_EQUAL);
        if (o->last_word == word_count) {
            jumps[jump_count++] = write_last(x, o);
            word_count++;
        }
        if (o->by_word != TILE_NO_WORD) {
            x86_move_number(x, X86_RCX, MORE(o->gather)->r[6]);
            x86_store(x, false, x86_memory(X86_RDX, word_at(word_count++)), X86_RCX);
        }
    }
    for (uint32_t k = 0; k < t->op_count; k++) {
        machine_reserve(x);
        if (t->ops[k].code == TILE_GATHER)
            rest_op(x, X86_SUB, t->ops[k].gather, 1);
    }
    return jump_count;
}

void
machine_tile_write_active(const struct tile *t)
{
    struct x86 *x = t->x;
    const size_t level = offsetof(struct rp_exec, levels) + t->level * sizeof(struct rp_level) +
                         offsetof(struct rp_level, bits);
    x86_move_number(x, X86_RCX, (uintptr_t)all_active);
    x86_op(x, true, 0x8d, TILE_ACTIVE, x86_memory(X86_RDX, (int32_t)level)); /* lea */
    x86_op(x, false, 0x80, X86_CMP, x86_memory(X86_RDX, offsetof(struct rp_exec, is_full)));
    x86_byte(x, 0);
    x86_move_if(x, true, X86_NOT_EQUAL, TILE_ACTIVE, x86_reg(X86_RCX));
    /* r8 is R moved on to the masks of the first block. */
    x86_arithmetic(x, true, X86_ADD, TILE_ACTIVE, x86_reg(8));
    x86_arithmetic(x, true, X86_SUB, TILE_ACTIVE, x86_reg(X86_RSI));
}

/* to = words at rcx + index of each lane, where the mask is set, which is none afterwards. All are
 * different registers. */
static void
write_gather(struct x86 *x, bool is_wide, uint32_t to, uint32_t index, uint32_t mask)
{
    const uint32_t map = 2, prefix = 1;
    const uint32_t extensions = (to & 8 ? 0 : 0x80u) | (index & 8 ? 0 : 0x40u) | 0x20u | map;
    if (is_wide) {
        x86_byte(x, 0x62);
        x86_byte(x, extensions | (to & 16 ? 0 : 0x10u));
        x86_byte(x, 15u << 3 | 4u | prefix);
        x86_byte(x, 0x40u | (index & 16 ? 0 : 8u) | mask);
    } else {
        x86_byte(x, 0xc4);
        x86_byte(x, extensions);
        x86_byte(x, (~mask & 15) << 3 | 4u | prefix);
    }
    x86_byte(x, 0x90);
    x86_byte(x, (to & 7) << 3 | 4);
    x86_byte(x, (index & 7) << 3 | X86_RCX);
}

static struct vector_operand
word(uint32_t which)
{
    return (struct vector_operand){VECTOR_WORD, X86_RDX, word_at(which)};
}

/* Is a lane of the vector active? Returns a jump for none. */
static uint32_t
write_skip(const struct step *s)
{
    struct x86 *x = s->t->x;
    const uint32_t size_B = s->t->is_wide ? 2 : 1;
    if (s->t->is_wide)
        x86_byte(x, 0x66); /* 16 bits */
    x86_op(x, false, s->t->is_wide ? 0x83 : 0x80, X86_CMP,
           x86_memory(TILE_ACTIVE, (int32_t)(size_B * s->u)));
    x86_byte(x, 0);
    return x86_jump_if(x, X86_EQUAL);
}

/* The lanes whose words are inside, and with AVX-512 the active ones of these: a mask. */
static uint32_t
write_inside(const struct step *s, const struct tile_op *o, uint32_t at)
{
    const uint32_t mask = temp(s, 1);
    if (s->t->is_wide) {
        vector_mask_move(s->t->x, VECTOR_KLOAD, MASK_TEMP,
                         x86_memory(TILE_ACTIVE, (int32_t)(2 * s->u)));
        machine_write_vector(s->t->x, true, VECTOR_CMPUD, (struct vector_mask){MASK_TEMP, false},
                             MASK_TEMP, at, word(o->last_word), 2);
        return MASK_TEMP;
    }
    op(s, VECTOR_BROADCAST, mask, 0, word(o->last_word));
    op(s, VECTOR_UMIN, mask, mask, vector_reg(at));
    op(s, VECTOR_CMPEQ, mask, mask, vector_reg(at));
    return mask;
}

void
machine_tile_write_gather(const struct step *s, const struct tile_op *o)
{
    struct x86 *x = s->t->x;
    const bool has_sum = o->by_word != TILE_NO_WORD;
    const uint32_t at = has_sum ? temp(s, 0) : reg(s, 0);
    const uint32_t value = s->to == at ? temp(s, 0) : s->to;
    if (has_sum) {
        op(s, VECTOR_BROADCAST, at, 0, word(o->by_word));
        op(s, VECTOR_ADD, at, at, s->a[0]);
    }
    op(s, VECTOR_XOR, value, value, vector_reg(value));
    const uint32_t none = write_skip(s);
    x86_move(x, true, X86_RCX, x86_memory(X86_RDX, memory_at(o, offsetof(struct rp_memory, ptr))));
    write_gather(x, s->t->is_wide, value, at, write_inside(s, o, at));
    x86_land(x, none, x->size_B);
    if (value != s->to)
        op(s, VECTOR_MOVE, s->to, 0, vector_reg(value));
}
