/* SPDX-License-Identifier: MIT */
/* Common subexpressions: a pure instruction is replaced by an equal one that always runs before.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

struct entry {
    struct ir_instr *instr;
    struct entry *next;
    uint32_t bucket;
    uint32_t stores; /* in front of it, to lane memory; constructs count, too */
};

struct share {
    struct entry **buckets;
    uint32_t bucket_mask;
    struct entry **log; /* in the order they were added */
    uint32_t log_count;
    uint32_t stores; /* up to here */
};

static bool
is_pure(const struct ir_instr *i)
{
    return ir_op_is_arithmetic(i->op) || i->op == IR_SIZE || i->op == IR_AFFINE ||
           i->op == IR_SPLAT || i->op == IR_LCMP || i->op == IR_LANE_LOAD ||
           (i->op == IR_LOAD && i->is_const_mem && i->comps == 1);
}

static uint32_t
hash(const struct ir_instr *i)
{
    uint64_t h = i->op * 0x9e3779b97f4a7c15u + i->aux;
    for (uint32_t a = 0; a < i->arg_count; a++)
        h = (h ^ ((uintptr_t)i->args[a] >> 4)) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32);
}

static bool
is_equal(const struct ir_instr *a, const struct ir_instr *b)
{
    if (a->op != b->op || a->type != b->type || a->aux != b->aux || a->imm != b->imm ||
        a->cls != b->cls || a->arg_count != b->arg_count)
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++)
        if (a->args[i] != b->args[i])
            return false;
    return a->op != IR_LANE_LOAD ||
           (a->lane.base_slot == b->lane.base_slot && a->lane.slot_count == b->lane.slot_count);
}

static struct ir_instr *
find(const struct share *share, const struct ir_instr *i, uint32_t bucket)
{
    for (const struct entry *e = share->buckets[bucket]; e; e = e->next)
        if (is_equal(e->instr, i) && (i->op != IR_LANE_LOAD || e->stores == share->stores))
            return e->instr;
    return NULL;
}

static void
add(struct ir_program *ir, struct share *share, struct ir_instr *i, uint32_t bucket)
{
    struct entry *e = ir_alloc(ir, 1, sizeof(*e));
    *e = (struct entry){i, share->buckets[bucket], bucket, share->stores};
    share->buckets[bucket] = e;
    share->log[share->log_count++] = e;
}

static void
forget(struct share *share, uint32_t down_to)
{
    while (share->log_count > down_to) {
        const struct entry *e = share->log[--share->log_count];
        share->buckets[e->bucket] = e->next;
    }
}

static bool
opens(const struct ir_instr *i)
{
    return i->op == IR_IF || i->op == IR_ELSE || i->op == IR_LOOP || i->op == IR_BLOCK;
}

static bool
closes(const struct ir_instr *i)
{
    return i->op == IR_ELSE || i->op == IR_ENDIF || i->op == IR_ENDLOOP || i->op == IR_ENDBLOCK;
}

void
ir_share(struct ir_program *ir)
{
    uint32_t count = 0;
    for (struct ir_instr *i = ir->first; i; i = i->next)
        i->index = count++;
    uint32_t size = 64;
    while (size < count)
        size *= 2;
    struct share share = {
        .buckets = ir_alloc(ir, size, sizeof(share.buckets[0])),
        .bucket_mask = size - 1,
        .log = ir_alloc(ir, count + 1, sizeof(share.log[0])),
    };
    uint32_t *scopes = ir_alloc(ir, count + 1, sizeof(scopes[0]));
    uint32_t depth = 0;

    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        next = i->next;
        if (closes(i))
            forget(&share, scopes[--depth]);
        if (opens(i))
            scopes[depth++] = share.log_count;
        for (uint32_t a = 0; a < i->arg_count; a++)
            i->args[a] = ir_resolve(i->args[a]);
        share.stores += i->op == IR_LANE_STORE || ir_is_marker(i);
        if (!is_pure(i))
            continue;
        const uint32_t bucket = hash(i) & share.bucket_mask;
        struct ir_instr *same = find(&share, i, bucket);
        if (same) {
            i->forward = same;
            ir_remove(ir, i);
        } else {
            add(ir, &share, i, bucket);
        }
    }
}
