/* SPDX-License-Identifier: MIT */
/* The IR as text: one instruction a line with its class, for people who ask why something is slow.
 * Behind the semicolon: how memory is accessed; "tile" and "|": it runs in one tile (emit_tile.c).
 */
#include "compute/ir/emit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct text {
    char *out;
    size_t capacity_B;
    size_t size_B; /* without the terminator */
};

static void RP_PRINTF(2, 3) put(struct text *t, const char *format, ...)
{
    const size_t left = t->size_B < t->capacity_B ? t->capacity_B - t->size_B : 0;
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(left ? t->out + t->size_B : NULL, left, format, args);
    va_end(args);
    t->size_B += n > 0 ? (size_t)n : 0;
}

static void
put_operand(struct text *t, const struct ir_instr *a)
{
    if (!a)
        put(t, " -");
    else if (a->op == IR_CONST && a->imm < 0x10000)
        put(t, " #%" PRIu64, a->imm);
    else if (a->op == IR_CONST)
        put(t, " #0x%" PRIx64, a->imm);
    else if (a->op == IR_BUILTIN)
        put(t, " @%" PRIu64, a->imm);
    else
        put(t, " %%%u", a->index);
}

static const char *
note_text(const struct ir_instr *i)
{
    if (i->chain.steps)
        return i->chain.is_narrow ? "  ; chain of halves" : "  ; chain";
    if (i->tile != IR_TILE_NONE)
        return i->tile == IR_TILE_FIRST ? "  ; tile" : "  ; |";
    if (i->op != IR_LOAD && i->op != IR_STORE)
        return "";
    return i->cls == IR_UNIFORM ? "  ; one" : i->is_linear ? "  ; row" : "  ; gather";
}

static void
put_instr(struct text *t, const struct ir_instr *i, uint32_t depth)
{
    static const char classes[] = "ulv";
    put(t, "%*s", (int)(2 * depth), "");
    if (i->type != IR_VOID)
        put(t, "%%%u:%c%c = ", i->index, "?ilb"[i->type], classes[i->cls]);
    put(t, "%s", ir_op_name(i->op));
    if (i->op == IR_LOAD || i->op == IR_STORE)
        put(t, "%u.%u", i->aux * 8, i->comps);
    else if (i->op == IR_ATOMIC || i->op == IR_SUBGROUP)
        put(t, ".%u", i->aux);
    else if (i->op == IR_PROJ)
        put(t, ".%" PRIu64, i->imm);
    for (uint32_t a = 0; a < i->arg_count; a++)
        put_operand(t, i->args[a]);
    if ((i->op == IR_LOAD || i->op == IR_STORE) && i->imm)
        put(t, " +%" PRIu64, i->imm);
    if (i->has_base && i->shift)
        put(t, " <<%u", i->shift);
    if (i->op == IR_BR)
        put(t, " %%%u", i->br.block->index);
    else if ((i->op == IR_IF || i->op == IR_BLOCK) && i->region.is_divergent)
        put(t, " divergent");
    put(t, "%s\n", note_text(i));
}

size_t
ir_print(const struct ir_program *ir, char *out, size_t size_B)
{
    struct text t = {.out = out, .capacity_B = size_B};
    uint32_t depth = 0;

    put(&t, "local size %u %u %u, %s\n", ir->local_size[0], ir->local_size[1], ir->local_size[2],
        ir->has_rows ? "rows" : "workgroups");
    for (const struct ir_instr *i = ir->first; i; i = i->next) {
        const bool closes =
            i->op == IR_ELSE || i->op == IR_ENDIF || i->op == IR_ENDLOOP || i->op == IR_ENDBLOCK;
        depth -= closes && depth;
        put_instr(&t, i, depth);
        depth += i->op == IR_IF || i->op == IR_ELSE || i->op == IR_LOOP || i->op == IR_BLOCK;
    }
    return t.size_B + 1;
}
