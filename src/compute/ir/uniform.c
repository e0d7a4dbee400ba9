/* SPDX-License-Identifier: MIT */
/* Words of push constants and uniform blocks (compute/uniform.h): which are read, and values that
 * take their places.
 */
#include "compute/ir/build.h"
#include "compute/ir/passes.h"

/* Where a load reads: a binding or RP_UNIFORM_PUSH; -1: not such a word, or nobody knows where. */
static int32_t
binding_of(const struct ir_program *ir, const struct ir_instr *i)
{
    if (i->op != IR_LOAD || !i->is_const_mem || (i->aux != 4 && i->aux != 8) ||
        !ir_is_const(i->args[1]) || i->args[1]->imm % 4)
        return -1;
    const int32_t memory = ir_static_memory(ir, i->args[0]);
    const uint64_t end_B = i->args[1]->imm + (uint64_t)i->aux * i->comps;
    if (memory == (int32_t)IR_MEMORY_PUSH)
        return end_B <= RP_MAX_PUSH_CONSTANT_B ? (int32_t)RP_UNIFORM_PUSH : -1;
    return memory < (int32_t)RP_STATIC_BINDINGS && end_B <= RP_MAX_UNIFORM_B ? memory : -1;
}

static bool
is_same(const struct rp_uniform_word *word, uint32_t binding, uint64_t offset_B)
{
    return word->binding == binding && word->offset_B == offset_B;
}

static void
add_word(struct ir_program *ir, uint32_t binding, uint64_t offset_B)
{
    for (uint32_t w = 0; w < ir->uniform_word_count; w++)
        if (is_same(&ir->uniform_words[w], binding, offset_B))
            return;
    if (ir->uniform_word_count < RP_MAX_UNIFORM_WORDS)
        ir->uniform_words[ir->uniform_word_count++] =
            (struct rp_uniform_word){(uint16_t)binding, (uint16_t)offset_B};
}

static void
add_component(struct ir_program *ir, const struct ir_instr *load, uint32_t binding, uint32_t c)
{
    for (uint32_t at_B = 0; at_B < load->aux; at_B += 4)
        add_word(ir, binding, load->args[1]->imm + (uint64_t)c * load->aux + at_B);
}

static bool
writes_elsewhere(const struct ir_instr *i)
{
    if (i->op == IR_IMAGE)
        return i->image->op == IR_IMAGE_WRITE || i->image->op == IR_IMAGE_ATOMIC;
    return (i->op == IR_STORE || i->op == IR_ATOMIC) && i->args[0]->type == IR_L;
}

/* A block is looked at where every invocation reads it: other descriptors may be stale. */
void
ir_find_uniforms(struct ir_program *ir)
{
    uint32_t depth = 0;
    bool may_have_left = false;
    ir->uniform_words = ir_alloc(ir, RP_MAX_UNIFORM_WORDS, sizeof(ir->uniform_words[0]));
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        depth += i->op == IR_IF || i->op == IR_LOOP;
        depth -= i->op == IR_ENDIF || i->op == IR_ENDLOOP;
        may_have_left |= i->op == IR_BR;
        ir->writes_elsewhere |= writes_elsewhere(i);
        const int32_t binding = binding_of(ir, i);
        if (binding < 0 || (binding != RP_UNIFORM_PUSH && (depth || may_have_left)))
            continue;
        for (uint32_t c = 0; c < i->comps; c++)
            if (i->comps == 1 || i->projs[c])
                add_component(ir, i, (uint32_t)binding, c);
    }
}

static bool
value_of(const struct rp_uniform_values *given, uint32_t binding, uint64_t offset_B, uint32_t *out)
{
    for (uint32_t w = 0; w < given->count; w++) {
        if (!is_same(&given->words[w], binding, offset_B))
            continue;
        *out = given->values[w];
        return true;
    }
    return false;
}

/* What component c of a load is; NULL: not known. */
static struct ir_instr *
component_value(struct ir_program *ir, const struct ir_instr *load, uint32_t binding, uint32_t c)
{
    const uint64_t offset_B = load->args[1]->imm + (uint64_t)c * load->aux;
    uint32_t words[2] = {0};
    for (uint32_t w = 0; w < load->aux / 4u; w++)
        if (!value_of(ir->uniforms, binding, offset_B + (uint64_t)w * 4, &words[w]))
            return NULL;
    return ir_const(ir, load->type, words[0] | (uint64_t)words[1] << 32);
}

static void
replace(struct ir_program *ir, struct ir_instr *i, struct ir_instr *value)
{
    i->forward = value;
    ir_remove(ir, i);
}

static void
fold_load(struct ir_program *ir, struct ir_instr *load, uint32_t binding)
{
    for (uint32_t c = 0; c < load->comps; c++) {
        struct ir_instr *read = load->comps == 1 ? load : load->projs[c];
        struct ir_instr *value = read ? component_value(ir, load, binding, c) : NULL;
        if (!value)
            continue;
        if (load->comps > 1)
            load->projs[c] = NULL;
        replace(ir, read, value);
    }
}

bool
ir_fold_uniforms(struct ir_program *ir)
{
    if (!ir->uniforms)
        return false;
    for (struct ir_instr *i = ir->first, *next; i; i = next) {
        const int32_t binding = binding_of(ir, i);
        next = i->next;
        if (binding < 0)
            continue;
        fold_load(ir, i, (uint32_t)binding);
        if (i->comps > 1)
            next = i->next; /* components behind it are gone */
    }
    ir->has_uniforms = true;
    return true;
}
