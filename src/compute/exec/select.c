/* SPDX-License-Identifier: MIT */
/* Picks the handlers for the processor.
 */
#include "compute/exec/exec.h"
#include "compute/exec/op_list.h"
#include "reelpipe/cpu.h"

extern const struct rp_exec_table rp_exec_table_c;
#if defined(__x86_64__)
extern const struct rp_exec_table rp_exec_table_v2;
extern const struct rp_exec_table rp_exec_table_v3;
extern const struct rp_exec_table rp_exec_table_v4;
#elif defined(__aarch64__)
extern const struct rp_exec_table rp_exec_table_neon;
extern const struct rp_exec_table rp_exec_table_v82;
#endif

const struct rp_exec_table *
rp_exec_table(uint32_t cpu_flags)
{
#if defined(__x86_64__)
    if (cpu_flags & RP_CPU_X86_64_V4)
        return &rp_exec_table_v4;
    if (cpu_flags & RP_CPU_X86_64_V3)
        return &rp_exec_table_v3;
    if (cpu_flags & RP_CPU_X86_64_V2)
        return &rp_exec_table_v2;
#elif defined(__aarch64__)
    if (cpu_flags & RP_CPU_ARM_DOTPROD)
        return &rp_exec_table_v82;
    if (cpu_flags & RP_CPU_NEON)
        return &rp_exec_table_neon;
#endif
    (void)cpu_flags;
    return &rp_exec_table_c;
}

rp_handler *
rp_exec_handler(const struct rp_exec_table *table, uint32_t code)
{
    const bool is_half = code & RP_X_HALF;
    return (is_half ? table->half_tile : table)->handlers[code & ~(uint32_t)RP_X_HALF];
}
