/* SPDX-License-Identifier: MIT */
/* When programs get machine code: on their first run, because most of them never run (a kernel has
 * up to six), and what pipeline caches hand out should load quickly.
 */
#include "compute/ir/op.h"
#include "compute/kernel.h"
#include "util/alloc.h"

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT
#define FIRST_NUMBER_B (IR_BUILTIN_COUNT * 8u) /* constants stand behind the builtins */

void
rp_program_allow_code(struct rp_program *program, uint32_t cpu_flags)
{
    if (program->has_counts || program->scalar_B < FIRST_NUMBER_B)
        return;
    program->code =
        rp_zalloc(NULL, sizeof(*program->code), _Alignof(struct rp_program_code), SCOPE);
    if (program->code)
        program->code->cpu_flags = cpu_flags;
}

void
rp_program_make_code(const struct rp_program *program)
{
    struct rp_program_code *code = program->code;
    if (!code || atomic_load_explicit(&code->is_asked_for, memory_order_relaxed) ||
        atomic_exchange(&code->is_asked_for, true))
        return;
    code->code = rp_machine_code_make(
        &(struct rp_machine_source){.ops = program->ops,
                                    .codes = program->codes,
                                    .op_count = program->op_count,
                                    .main_op = program->main_op,
                                    .numbers = program->scalars + FIRST_NUMBER_B,
                                    .first_number_B = FIRST_NUMBER_B,
                                    .number_B = program->scalar_B - FIRST_NUMBER_B},
        code->cpu_flags);
}

void
rp_program_free_code(struct rp_program *program)
{
    if (program->code)
        rp_machine_code_free(&program->code->code);
    rp_free(NULL, program->code);
    program->code = NULL;
}
