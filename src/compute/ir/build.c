/* SPDX-License-Identifier: MIT */
/* Makes instructions and keeps their list; what an operation is.
 */
#include "compute/ir/build.h"

#include "compute/ir/limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
ir_fail(struct ir_fail *fail, VkResult result, const char *format, ...)
{
    if (fail->message) {
        va_list args;
        va_start(args, format);
        vsnprintf(fail->message->text, sizeof(fail->message->text), format, args);
        va_end(args);
    }
    fail->result = result;
    longjmp(fail->jump, 1);
}

void *
ir_alloc(struct ir_program *ir, size_t count, size_t size_B)
{
    if (count > IR_MAX_ARENA_B / size_B || ir->arena_B + count * size_B > IR_MAX_ARENA_B)
        ir_fail(ir->fail, VK_ERROR_UNKNOWN, "the kernel is too large to compile");
    ir->arena_B += count * size_B;

    void *memory = rp_arena_alloc(ir->arena, count * size_B);
    if (!memory)
        ir_fail(ir->fail, VK_ERROR_OUT_OF_HOST_MEMORY, "out of memory");
    memset(memory, 0, count * size_B);
    return memory;
}

struct ir_instr *
ir_make(struct ir_program *ir, enum ir_op op, enum ir_type type, uint32_t arg_count)
{
    if (++ir->instr_count > IR_MAX_INSTRS)
        ir_fail(ir->fail, VK_ERROR_UNKNOWN, "the kernel has too many instructions");

    struct ir_instr *instr = ir_alloc(ir, 1, sizeof(*instr));
    instr->op = (uint8_t)op;
    instr->type = (uint8_t)type;
    instr->arg_count = (uint16_t)arg_count;
    instr->comps = 1;
    instr->cls = IR_VARYING;
    if (arg_count)
        instr->args = ir_alloc(ir, arg_count, sizeof(struct ir_instr *));
    return instr;
}

void
ir_place(struct ir_program *ir, struct ir_instr *instr)
{
    struct ir_instr *next = ir->cursor ? ir->cursor->next : ir->first;

    instr->prev = ir->cursor;
    instr->next = next;
    if (ir->cursor)
        ir->cursor->next = instr;
    else
        ir->first = instr;
    if (next)
        next->prev = instr;
    else
        ir->last = instr;
    ir->cursor = instr;
}

void
ir_remove(struct ir_program *ir, struct ir_instr *instr)
{
    if (instr->prev)
        instr->prev->next = instr->next;
    else
        ir->first = instr->next;
    if (instr->next)
        instr->next->prev = instr->prev;
    else
        ir->last = instr->prev;
    if (ir->cursor == instr)
        ir->cursor = instr->prev;
    instr->prev = instr->next = NULL;
}

struct ir_instr *
ir_resolve(struct ir_instr *instr)
{
    if (!instr)
        return NULL;
    while (instr->forward) {
        if (instr->forward->forward)
            instr->forward = instr->forward->forward; /* halve the path */
        instr = instr->forward;
    }
    return instr;
}

static struct ir_instr **
const_bucket(const struct ir_program *ir, uint64_t bits)
{
    return &ir->const_table[((bits ^ (bits >> 32)) * 2654435761u >> 12) % ir->const_buckets];
}

static void
add_const(struct ir_program *ir, struct ir_instr *c)
{
    struct ir_instr **bucket = const_bucket(ir, c->imm);
    c->next = *bucket;
    *bucket = c;
}

static void
add_const_buckets(struct ir_program *ir)
{
    struct ir_instr **old = ir->const_table;
    const uint32_t old_count = ir->const_buckets;

    ir->const_buckets = old_count ? 4 * old_count : IR_CONST_BUCKETS;
    ir->const_table = ir_alloc(ir, ir->const_buckets, sizeof(struct ir_instr *));
    for (uint32_t b = 0; b < old_count; b++)
        for (struct ir_instr *c = old[b], *next; c; c = next) {
            next = c->next;
            add_const(ir, c);
        }
}

/* Constants, undefined values and builtins are in no list: they are there from the start. */
struct ir_instr *
ir_const(struct ir_program *ir, enum ir_type type, uint64_t bits)
{
    if (type == IR_I)
        bits = (uint32_t)bits;
    if (type == IR_B)
        bits = bits != 0;

    for (struct ir_instr *c = ir->const_buckets ? *const_bucket(ir, bits) : NULL; c; c = c->next)
        if (c->imm == bits && c->type == type)
            return c;
    if (ir->const_count == ir->const_buckets)
        add_const_buckets(ir);
    struct ir_instr *c = ir_make(ir, IR_CONST, type, 0);
    c->imm = bits;
    c->cls = IR_UNIFORM;
    add_const(ir, c);
    ir->const_count++;
    return c;
}

struct ir_instr *
ir_i(struct ir_program *ir, uint32_t value)
{
    return ir_const(ir, IR_I, value);
}

struct ir_instr *
ir_f(struct ir_program *ir, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return ir_const(ir, IR_I, bits);
}

/* Zero is as good as any value, and every reader gets the same one. */
struct ir_instr *
ir_undef(struct ir_program *ir, enum ir_type type)
{
    return ir_const(ir, type, 0);
}

struct ir_instr *
ir_builtin(struct ir_program *ir, enum ir_builtin which)
{
    if (!ir->builtins[which]) {
        struct ir_instr *b = ir_make(ir, IR_BUILTIN, IR_I, 0);
        b->imm = which;
        ir->builtins[which] = b;
    }
    return ir->builtins[which];
}

bool
ir_is_const(const struct ir_instr *instr)
{
    return instr->op == IR_CONST;
}

int32_t
ir_static_memory(const struct ir_program *ir, const struct ir_instr *handle)
{
    if (!ir_is_const(handle) || handle->type != IR_I || handle->imm & RP_PAGE_INDEX)
        return -1;
    if (ir_is_own_memory(handle))
        return handle->imm >> RP_PAGE_SHIFT & 0xff;
    const struct rp_page *page = ir_page_of(ir, handle);
    return page && !page->first && page->binding < RP_STATIC_BINDINGS ? (int32_t)page->binding : -1;
}

enum ir_type
ir_op_type(enum ir_op op)
{
    /* clang-format off */
    static const uint8_t types[IR_ARITHMETIC_END] = {
#define IR_TYPE_I(name) [IR_##name] = IR_I,
#define IR_TYPE_L(name) [IR_##name] = IR_L,
#define IR_TYPE_B(name) [IR_##name] = IR_B,
        RP_OPS_I_I(IR_TYPE_I) RP_OPS_L_L(IR_TYPE_L) RP_OPS_L_I(IR_TYPE_L) RP_OPS_I_L(IR_TYPE_I)
        RP_OPS_I_II_COMM(IR_TYPE_I) RP_OPS_I_II(IR_TYPE_I) RP_OPS_L_LL(IR_TYPE_L)
        RP_OPS_L_LI(IR_TYPE_L) RP_OPS_L_II(IR_TYPE_L) RP_OPS_B_II(IR_TYPE_B)
        RP_OPS_B_LL(IR_TYPE_B) RP_OPS_I_III(IR_TYPE_I) RP_OPS_B_BB(IR_TYPE_B)
    };
    /* clang-format on */

    if (op < IR_ARITHMETIC_END)
        return types[op];
    return op == IR_SEL ? IR_I : op == IR_SEL64 || op == IR_MAD64 ? IR_L : IR_B;
}

bool
ir_op_is_arithmetic(enum ir_op op)
{
    return op <= IR_MAD64;
}

bool
ir_op_is_commutative(enum ir_op op)
{
    switch (op) {
#define IR_CASE(name) case IR_##name:
        RP_OPS_I_II_COMM(IR_CASE)
    case IR_IADD64:
    case IR_IMUL64:
    case IR_AND64:
    case IR_OR64:
    case IR_XOR64:
    case IR_FADD64:
    case IR_FMUL64:
    case IR_IEQ:
    case IR_INE:
    case IR_FEQ:
    case IR_FNE:
    case IR_FONE:
    case IR_MAD:
    case IR_MSUB:
    case IR_NMAD:
    case IR_IMAD:
    case IR_BAND:
    case IR_BOR:
    case IR_BXOR:
        return true;
    default:
        return false;
    }
}

const char *
ir_op_name(enum ir_op op)
{
    /* clang-format off */
    static const char *const names[IR_OP_COUNT] = {
#define IR_NAME(name) [IR_##name] = #name,
        RP_OPS_I_I(IR_NAME) RP_OPS_L_L(IR_NAME) RP_OPS_L_I(IR_NAME) RP_OPS_I_L(IR_NAME)
        RP_OPS_I_II_COMM(IR_NAME) RP_OPS_I_II(IR_NAME) RP_OPS_L_LL(IR_NAME) RP_OPS_L_LI(IR_NAME)
        RP_OPS_L_II(IR_NAME) RP_OPS_B_II(IR_NAME) RP_OPS_B_LL(IR_NAME) RP_OPS_I_III(IR_NAME)
        RP_OPS_B_BB(IR_NAME)
        IR_NAME(BNOT) IR_NAME(SEL) IR_NAME(SEL64) IR_NAME(BSEL) IR_NAME(MAD64) IR_NAME(CONST)
        IR_NAME(UNDEF) IR_NAME(BUILTIN) IR_NAME(PHI) IR_NAME(PROJ) IR_NAME(SPLAT) IR_NAME(LCMP)
        IR_NAME(AFFINE) IR_NAME(LOAD) IR_NAME(STORE) IR_NAME(ATOMIC) IR_NAME(SIZE) IR_NAME(LANE_LOAD)
        IR_NAME(LANE_STORE) IR_NAME(IMAGE) IR_NAME(SUBGROUP) IR_NAME(MAC) IR_NAME(REDUCTION)
        IR_NAME(BARRIER) IR_NAME(PROBE) IR_NAME(ACCESS) IR_NAME(GUARD) IR_NAME(PROLOGUE)
        IR_NAME(IF)
        IR_NAME(ELSE) IR_NAME(ENDIF) IR_NAME(LOOP) IR_NAME(ENDLOOP) IR_NAME(BLOCK)
        IR_NAME(ENDBLOCK) IR_NAME(BR)
    };
    /* clang-format on */

    return names[op];
}
