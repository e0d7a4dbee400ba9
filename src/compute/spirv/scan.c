/* SPDX-License-Identifier: MIT */
/* Looks over all functions before translation: which variables of an invocation are indexed by
 * values that vary (so they need memory), and which are never written (so they are tables).
 */
#include "compute/spirv/translate.h"

static struct spv_root *
root_of(struct spv *s, uint32_t id)
{
    struct spv_root *root = &spv_id(s, id)->root;
    return root->id ? &spv_id(s, root->id)->root : NULL;
}

static void
mark_stored(struct spv *s, uint32_t pointer)
{
    struct spv_root *root = root_of(s, pointer);
    if (root)
        root->is_stored = true;
}

static uint32_t
instr_word(struct spv *s, const uint32_t *instr, uint32_t i)
{
    s->at = instr;
    return spv_word(s, i);
}

/* Any index that is no constant and selects in an array or matrix asks for memory. Vectors can be
 * selected from; what a pointer points to is not followed here, so they count as arrays unless
 * the chain says otherwise (spv_access_chain checks). */
static void
scan_chain(struct spv *s, const uint32_t *instr)
{
    const uint32_t base = instr_word(s, instr, 3);
    struct spv_root *root = root_of(s, base);
    spv_id(s, instr_word(s, instr, 2))->root.id = spv_id(s, base)->root.id;
    if (!root)
        return;
    for (uint32_t i = 4; i < spv_word_count(instr); i++)
        if (!spv_id(s, instr_word(s, instr, i))->is_constant)
            root->is_indexed = true;
}

struct scan_state {
    bool has_changed;
};

/* Facts flow from a callee's parameters to the variables of its callers. */
static void
scan_call(struct spv *s, const uint32_t *instr, struct scan_state *state)
{
    const uint32_t *callee = spv_id(s, instr_word(s, instr, 3))->def;
    if (!callee || spv_opcode(callee) != SPV_OP_FUNCTION)
        spv_fail(s, "call of what is not a function");

    const uint32_t *end = s->shader->words + s->shader->word_count;
    const uint32_t *param = callee + spv_word_count(callee);
    for (uint32_t i = 4; i < spv_word_count(instr); i++) {
        while (param < end && spv_opcode(param) != SPV_OP_FUNCTION_PARAMETER &&
               spv_opcode(param) != SPV_OP_LABEL && spv_opcode(param) != SPV_OP_FUNCTION_END)
            param += spv_word_count(param);
        if (param >= end || spv_opcode(param) != SPV_OP_FUNCTION_PARAMETER)
            return;
        const struct spv_root *facts = &spv_id(s, param[2])->root;
        struct spv_root *root = root_of(s, instr[i]);
        if (root &&
            ((facts->is_indexed && !root->is_indexed) || (facts->is_stored && !root->is_stored))) {
            root->is_indexed |= facts->is_indexed;
            root->is_stored |= facts->is_stored;
            state->has_changed = true;
        }
        param += spv_word_count(param);
    }
}

static void
scan_instr(struct spv *s, const uint32_t *instr, struct scan_state *state)
{
    switch (spv_opcode(instr)) {
    case SPV_OP_VARIABLE:
    case SPV_OP_FUNCTION_PARAMETER:
        s->ids[instr[2]].root.id = instr[2];
        break;
    case SPV_OP_ACCESS_CHAIN:
    case SPV_OP_IN_BOUNDS_ACCESS_CHAIN:
        scan_chain(s, instr);
        break;
    case SPV_OP_COPY_OBJECT:
    case SPV_OP_EXPECT:
        s->ids[instr[2]].root.id = spv_id(s, instr[3])->root.id;
        break;
    case SPV_OP_STORE:
    case SPV_OP_COPY_MEMORY:
    case SPV_OP_COPY_MEMORY_SIZED:
    case SPV_OP_ATOMIC_STORE:
        mark_stored(s, instr_word(s, instr, 1));
        break;
    case SPV_OP_EXT_INST: /* Modf and Frexp write through their last operand */
        for (uint32_t i = 5; i < spv_word_count(instr); i++)
            if (instr[i] && instr[i] < s->shader->bound)
                mark_stored(s, instr[i]);
        break;
    case SPV_OP_FUNCTION_CALL:
        scan_call(s, instr, state);
        break;
    default:
        break;
    }
}

void
spv_scan(struct spv *s)
{
    struct scan_state state = {.has_changed = true};

    while (state.has_changed) {
        state.has_changed = false;
        for (uint32_t at = SPV_FIRST_INSTRUCTION; at < s->shader->word_count;) {
            const uint32_t *instr = s->shader->words + at;
            scan_instr(s, instr, &state);
            at += spv_word_count(instr);
        }
    }
    s->at = NULL;
}
