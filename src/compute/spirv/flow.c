/* SPDX-License-Identifier: MIT */
/* Structured control flow: follows the blocks of a function from construct to construct, inlining
 * calls. A label stands for: falling through (the stop label of the sequence being followed),
 * leaving an enclosing construct, or the next block.
 */
#include "compute/spirv/flow.h"

#include "compute/ir/limits.h"
#include "compute/spirv/instruction.h"
#include "compute/spirv/region.h"
#include "compute/spirv/translate.h"

#include <string.h>

#define RETURN_LABEL UINT32_MAX

static void inline_call(struct spv *s);

static struct spv_exit_target *
find_target(struct spv *s, uint32_t label)
{
    struct spv_exit_target *t = s->call->targets;
    while (t && t->label != label)
        t = t->outer;
    return t;
}

const uint32_t *
spv_next_instr(struct spv *s, const uint32_t *instr)
{
    const uint32_t *next = instr + spv_word_count(instr);
    if (next >= s->shader->words + s->shader->word_count)
        spv_fail(s, "function does not end");
    return next;
}

const uint32_t *
spv_label_def(struct spv *s, uint32_t label)
{
    const uint32_t *def = spv_id(s, label)->def;
    if (!def || spv_opcode(def) != SPV_OP_LABEL)
        spv_fail(s, "branch to what is not a label");
    return def;
}

/* Gives the phis of a block the values that come from another. */
void
spv_set_phis(struct spv *s, uint32_t from, uint32_t to)
{
    const uint32_t *at = s->at;
    const uint32_t *first = spv_next_instr(s, spv_label_def(s, to));
    uint32_t total = 0;

    for (const uint32_t *phi = first; spv_opcode(phi) == SPV_OP_PHI; phi = spv_next_instr(s, phi)) {
        const struct spv_var *var = spv_id(s, phi[2])->var;
        if (!var)
            spv_fail(s, "branch out of the function");
        total += var->type->flat;
    }
    if (!total)
        return;
    struct ir_instr **values = ir_alloc(s->ir, total, sizeof(values[0]));
    for (int pass = 0; pass < 2; pass++) { /* all reads before all writes */
        uint32_t n = 0;
        for (const uint32_t *phi = first; spv_opcode(phi) == SPV_OP_PHI;
             phi = spv_next_instr(s, phi)) {
            const struct spv_var *var = spv_id(s, phi[2])->var;
            s->at = phi;
            uint32_t word = 3;
            while (pass == 0 && spv_word(s, word + 1) != from)
                word += 2;
            const struct spv_value *value = pass == 0 ? spv_operand(s, word) : NULL;
            if (value && value->type != var->type)
                spv_fail(s, "bad phi");
            for (uint32_t i = 0; i < var->type->flat; i++, n++) {
                if (pass == 0)
                    values[n] = value->v[i];
                else
                    s->slots[var->slot + i] = values[n];
            }
        }
    }
    s->at = at;
}

/* Where a sequence of blocks goes on after a jump to label: there, or 0 when it ends. */
uint32_t
spv_arrive(struct spv *s, uint32_t label, uint32_t stop)
{
    if (!s->is_reachable || label == stop)
        return 0;
    struct spv_exit_target *target = find_target(s, label);
    if (!target)
        return label;
    spv_block_leave(s, target->block);
    return 0;
}

static uint32_t
jump(struct spv *s, uint32_t from, uint32_t to, uint32_t stop)
{
    spv_set_phis(s, from, to);
    return spv_arrive(s, to, stop);
}

static void
arm(struct spv *s, uint32_t from, uint32_t to, uint32_t stop)
{
    const uint32_t next = jump(s, from, to, stop);
    if (next)
        spv_translate_blocks(s, next, stop);
}

static void
enter_block(struct spv *s, uint32_t label)
{
    struct spv_id *id = spv_id(s, label);
    spv_label_def(s, label);
    if (id->is_visited)
        spv_fail(s, "control flow is not structured");
    id->is_visited = true;
}

bool
spv_is_merge(enum spv_op op)
{
    return op == SPV_OP_SELECTION_MERGE || op == SPV_OP_LOOP_MERGE;
}

bool
spv_is_terminator(enum spv_op op)
{
    return (op >= SPV_OP_BRANCH && op <= SPV_OP_UNREACHABLE) || op == SPV_OP_TERMINATE_INVOCATION;
}

static void
read_phi(struct spv *s)
{
    struct spv_value *r = spv_result(s);
    const struct spv_var *var = spv_id(s, spv_word(s, 2))->var;
    if (!var || var->type != r->type)
        spv_fail(s, "bad phi");
    memcpy(r->v, s->slots + var->slot, r->type->flat * sizeof(r->v[0]));
    if (r->ptr)
        r->ptr->is_explicit = r->type->storage != SPV_WORKGROUP;
}

/* Functions are inlined: what their blocks do in all calls is counted together. */
static void
place_probe(struct spv *s, uint32_t label)
{
    struct ir_program *ir = s->ir;
    struct spv_id *id = spv_id(s, label);
    if (!id->probe) {
        if (ir->probe_count == ir->probe_capacity) {
            ir->probe_capacity = ir->probe_capacity ? 2 * ir->probe_capacity : 16;
            uint32_t *larger = ir_alloc(ir, ir->probe_capacity, sizeof(larger[0]));
            if (ir->probe_count)
                memcpy(larger, ir->probes, ir->probe_count * sizeof(larger[0]));
            ir->probes = larger;
        }
        ir->probes[ir->probe_count] = (uint32_t)(id->def - s->shader->words);
        id->probe = ++ir->probe_count;
    }
    struct ir_instr *probe = ir_make(ir, IR_PROBE, IR_VOID, 0);
    probe->imm = id->probe - 1;
    ir_place(ir, probe);
}

/* Translates what stands before the merge or terminator; returns that. */
static const uint32_t *
block_body(struct spv *s, uint32_t label)
{
    const uint32_t *instr = spv_next_instr(s, spv_label_def(s, label));
    if (s->ir->has_probes)
        place_probe(s, label);
    for (;; instr = spv_next_instr(s, instr)) {
        const enum spv_op op = spv_opcode(instr);
        s->at = instr;
        s->pending = NULL;
        if (spv_is_merge(op) || spv_is_terminator(op))
            return instr;
        if (op == SPV_OP_LABEL || op == SPV_OP_FUNCTION_END)
            spv_fail(s, "block does not end");
        if (op == SPV_OP_PHI)
            read_phi(s);
        else if (op == SPV_OP_FUNCTION_CALL)
            inline_call(s);
        else
            spv_instruction(s);
    }
}

static const uint32_t *
find_merge(struct spv *s, uint32_t label)
{
    const uint32_t *instr = spv_next_instr(s, spv_label_def(s, label));
    while (!spv_is_merge(spv_opcode(instr)) && !spv_is_terminator(spv_opcode(instr)) &&
           spv_opcode(instr) != SPV_OP_LABEL)
        instr = spv_next_instr(s, instr);
    return spv_is_merge(spv_opcode(instr)) ? instr : NULL;
}

static struct ir_instr *
condition(struct spv *s, uint32_t word)
{
    const struct spv_value *cond = spv_operand(s, word);
    if (cond->type->kind != SPV_T_BOOL)
        spv_fail(s, "condition is not a bool");
    return cond->v[0];
}

static void
selection_arms(struct spv *s, uint32_t from, struct ir_instr *cond, uint32_t yes, uint32_t no,
               uint32_t merge)
{
    struct spv_if region;
    if (ir_is_const(cond)) {
        arm(s, from, cond->imm ? yes : no, merge);
        return;
    }
    spv_if_begin(s, &region, cond);
    arm(s, from, yes, merge);
    spv_if_else(s, &region);
    arm(s, from, no, merge);
    spv_if_end(s, &region);
}

/* A conditional branch without a merge of its own: one side leaves a construct. Or, behind a loop's
 * header, none does: the sides meet where the loop goes on, if at all. */
static uint32_t
branch_out(struct spv *s, uint32_t from, struct ir_instr *cond, uint32_t yes, uint32_t no,
           uint32_t stop)
{
    struct spv_if region;
    if (yes == no)
        return jump(s, from, yes, stop);
    if (ir_is_const(cond))
        return jump(s, from, cond->imm ? yes : no, stop);

    uint32_t out = no, on = yes;
    struct ir_instr *out_cond = ir_not(s->ir, cond);
    if (!find_target(s, no)) {
        out = yes;
        on = no;
        out_cond = cond;
    }
    if (!find_target(s, out)) {
        selection_arms(s, from, cond, yes, no, stop);
        return 0;
    }
    spv_if_begin(s, &region, out_cond);
    spv_set_phis(s, from, out);
    spv_block_leave(s, find_target(s, out)->block);
    spv_if_else(s, &region);
    spv_if_end(s, &region);
    return jump(s, from, on, stop);
}

static uint32_t
translate_selection(struct spv *s, uint32_t from, uint32_t merge, const uint32_t *terminator,
                    uint32_t stop)
{
    s->at = terminator;
    spv_label_def(s, merge);
    if (spv_opcode(terminator) == SPV_OP_SWITCH)
        return spv_switch(s, from, merge, stop);
    if (spv_opcode(terminator) != SPV_OP_BRANCH_CONDITIONAL)
        spv_fail(s, "bad terminator behind a merge");

    struct spv_block *block = spv_block_begin(s);
    struct spv_exit_target target = {s->call->targets, merge, block};
    s->call->targets = &target;
    struct spv_joins joins;
    const uint32_t meet = spv_joins_begin(s, &joins, from, merge);
    selection_arms(s, from, condition(s, 1), spv_word(s, 2), spv_word(s, 3), meet);
    const uint32_t next = spv_joins_end(s, &joins, 0);
    if (next)
        spv_translate_blocks(s, next, merge);
    s->call->targets = target.outer;
    spv_block_end(s, block);
    return spv_arrive(s, merge, stop);
}

static void
leave_function(struct spv *s, uint32_t stop)
{
    if (stop != RETURN_LABEL)
        spv_block_leave(s, find_target(s, RETURN_LABEL)->block);
}

/* Returns the next block of the sequence, or 0. */
static uint32_t
translate_terminator(struct spv *s, uint32_t from, const uint32_t *instr, uint32_t stop)
{
    s->at = instr;
    switch (spv_opcode(instr)) {
    case SPV_OP_BRANCH:
        return jump(s, from, spv_word(s, 1), stop);
    case SPV_OP_BRANCH_CONDITIONAL: {
        struct spv_joins joins;
        const uint32_t meet = spv_joins_begin(s, &joins, from, stop);
        const uint32_t next =
            branch_out(s, from, condition(s, 1), spv_word(s, 2), spv_word(s, 3), meet);
        return spv_joins_end(s, &joins, next);
    }
    case SPV_OP_RETURN_VALUE: {
        const struct spv_value *value = spv_operand(s, 1);
        if (value->type != s->call->result_type || (value->ptr && !value->v))
            spv_fail(s, "bad return value");
        memcpy(s->slots + s->call->result_slot, value->v, value->type->flat * sizeof(value->v[0]));
        leave_function(s, stop);
        return 0;
    }
    case SPV_OP_RETURN:
    case SPV_OP_KILL:
    case SPV_OP_TERMINATE_INVOCATION:
        leave_function(s, stop);
        return 0;
    case SPV_OP_UNREACHABLE:
        leave_function(s, stop);
        return 0;
    default:
        spv_fail(s, "control flow is not structured");
    }
}

static uint32_t
translate_loop(struct spv *s, uint32_t header, const uint32_t *merge_instr, uint32_t stop)
{
    s->at = merge_instr;
    const uint32_t merge = spv_word(s, 1), cont = spv_word(s, 2);
    const bool is_single = cont == header;
    struct spv_loop loop;

    struct spv_block *block = spv_block_begin(s);
    struct spv_exit_target target = {s->call->targets, merge, block};
    s->call->targets = &target;
    spv_loop_begin(s, &loop);
    struct spv_block *cont_block = is_single ? NULL : spv_block_begin(s);
    struct spv_exit_target cont_target = {s->call->targets, cont, cont_block};
    const uint32_t body_stop = is_single ? header : cont;
    if (!is_single)
        s->call->targets = &cont_target;

    const uint32_t *instr = block_body(s, header);
    const uint32_t next = translate_terminator(s, header, spv_next_instr(s, instr), body_stop);
    if (next)
        spv_translate_blocks(s, next, body_stop);
    s->call->targets = &target;
    if (!is_single) {
        spv_block_end(s, cont_block);
        if (s->is_reachable)
            spv_translate_blocks(s, cont, header);
    }
    spv_loop_end(s, &loop);
    s->call->targets = target.outer;
    spv_block_end(s, block);
    return spv_arrive(s, merge, stop);
}

void
spv_translate_blocks(struct spv *s, uint32_t label, uint32_t stop)
{
    if (++s->depth > IR_MAX_DEPTH)
        spv_fail(s, "constructs are nested too deeply");
    while (label) {
        enter_block(s, label);
        const uint32_t *merge = find_merge(s, label);
        if (merge && spv_opcode(merge) == SPV_OP_LOOP_MERGE) {
            label = translate_loop(s, label, merge, stop);
            continue;
        }
        const uint32_t *instr = block_body(s, label);
        const uint32_t *behind = merge ? spv_next_instr(s, instr) : NULL;
        label = merge ? translate_selection(s, label, spv_word(s, 1), behind, stop)
                      : translate_terminator(s, label, instr, stop);
    }
    s->depth--;
}

/* Forgets what an earlier call of the same function left; makes slots for its phis. */
static const uint32_t *
prepare_function(struct spv *s, const uint32_t *function)
{
    const uint32_t *first_label = NULL;
    const uint32_t *instr = spv_next_instr(s, function);

    for (; spv_opcode(instr) != SPV_OP_FUNCTION_END; instr = spv_next_instr(s, instr)) {
        const enum spv_op op = spv_opcode(instr);
        const uint32_t word = spv_result_word(op);
        s->at = instr;
        if (op == SPV_OP_FUNCTION)
            spv_fail(s, "function inside a function");
        if (op == SPV_OP_LABEL && !first_label)
            first_label = instr;
        if (!word || op == SPV_OP_FUNCTION_PARAMETER)
            continue;
        struct spv_id *id = &s->ids[instr[word]];
        id->value = NULL;
        id->var = NULL;
        id->is_visited = false;
        if (op != SPV_OP_PHI)
            continue;
        struct spv_var *var = ir_alloc(s->ir, 1, sizeof(*var));
        var->kind = SPV_VAR_SLOTS;
        var->type = spv_type(s, instr[1]);
        const struct spv_value *zero = spv_null(s, var->type);
        if (!zero->v)
            spv_fail(s, "bad phi type");
        var->slot = s->slot_count;
        for (uint32_t i = 0; i < var->type->flat; i++)
            spv_push_slot(s, zero->v[i]);
        id->var = var;
    }
    if (!first_label)
        spv_fail(s, "function has no body");
    struct spv_id *id = spv_id(s, function[2]);
    if (!id->has_joins)
        spv_find_joins(s, first_label);
    id->has_joins = true;
    return first_label;
}

static const struct spv_type *
function_type(struct spv *s, const uint32_t *function)
{
    s->at = function;
    const struct spv_type *type = spv_type(s, spv_word(s, 4));
    if (type->kind != SPV_T_FUNCTION || type->elem != spv_type(s, spv_word(s, 1)))
        spv_fail(s, "bad function type");
    return type;
}

/* Translates the body; the result is in the call's slots. Parameters are set. */
static void
inline_function(struct spv *s, struct spv_call *call)
{
    for (struct spv_call *c = s->call; c; c = c->outer)
        if (c->function == call->function)
            spv_fail(s, "recursion");
    call->outer = s->call;
    s->call = call;
    call->result_type = function_type(s, call->function)->elem;
    call->result_slot = s->slot_count;
    if (call->result_type->kind != SPV_T_VOID) {
        const struct spv_value *zero = spv_null(s, call->result_type);
        for (uint32_t i = 0; i < call->result_type->flat; i++)
            spv_push_slot(s, zero->v[i]);
    }
    spv_push_slot(s, ir_const(s->ir, IR_B, 0)); /* falling through a switch */
    const uint32_t *first = prepare_function(s, call->function);

    struct spv_block *block = spv_block_begin(s);
    struct spv_exit_target target = {NULL, RETURN_LABEL, block};
    call->targets = &target;
    spv_translate_blocks(s, first[1], RETURN_LABEL);
    spv_block_end(s, block);
    s->call = call->outer;
}

static void
inline_call(struct spv *s)
{
    const uint32_t *at = s->at;
    const uint32_t *function = spv_id(s, spv_word(s, 3))->def;
    struct spv_call call = {.function = function};
    if (!function || spv_opcode(function) != SPV_OP_FUNCTION)
        spv_fail(s, "call of what is not a function");

    const uint32_t *param = spv_next_instr(s, function);
    for (uint32_t i = 4; i < spv_word_count(at); i++) {
        const struct spv_value *arg = spv_operand(s, i);
        while (spv_opcode(param) == SPV_OP_LINE || spv_opcode(param) == SPV_OP_NO_LINE)
            param = spv_next_instr(s, param);
        if (spv_opcode(param) != SPV_OP_FUNCTION_PARAMETER || spv_type(s, param[1]) != arg->type)
            spv_fail(s, "bad argument");
        spv_set(s, param[2], (struct spv_value *)arg);
        param = spv_next_instr(s, param);
    }
    if (spv_opcode(param) == SPV_OP_FUNCTION_PARAMETER)
        spv_fail(s, "arguments are missing");

    const uint32_t slot_count = s->slot_count;
    inline_function(s, &call);
    s->at = at;
    const struct spv_type *type = spv_type(s, spv_word(s, 1));
    if (type != call.result_type)
        spv_fail(s, "bad result type");
    if (type->kind != SPV_T_VOID) {
        struct spv_value *r = spv_result(s);
        memcpy(r->v, s->slots + call.result_slot, type->flat * sizeof(r->v[0]));
        if (r->ptr)
            r->ptr->is_explicit = type->storage != SPV_WORKGROUP;
    }
    s->slot_count = slot_count;
}

void
spv_translate_entry(struct spv *s)
{
    const uint32_t *function = spv_id(s, s->entry_function)->def;
    struct spv_call call = {.function = function};
    if (!function || spv_opcode(function) != SPV_OP_FUNCTION)
        spv_fail(s, "entry point is not a function");
    if (function_type(s, function)->count != 0 ||
        function_type(s, function)->elem->kind != SPV_T_VOID)
        spv_fail(s, "bad entry point");
    s->is_reachable = true;
    inline_function(s, &call);
}
