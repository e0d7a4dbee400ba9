/* SPDX-License-Identifier: MIT */
/* A module whose words can be walked safely: every instruction is known, long enough and inside
 * the module, every result id is below the bound and defined once.
 */
#ifndef RP_COMPUTE_SPIRV_SHADER_H
#define RP_COMPUTE_SPIRV_SHADER_H

#include "compute/compute.h"
#include "compute/spirv/enums.h"

struct rp_shader {
    uint32_t *words;
    uint32_t word_count;
    uint32_t bound;
    uint32_t instruction_count;
};

#define SPV_FIRST_INSTRUCTION 5u /* word offset, behind the header */

static inline enum spv_op
spv_opcode(const uint32_t *instr)
{
    return (enum spv_op)(instr[0] & 0xffff);
}

static inline uint32_t
spv_word_count(const uint32_t *instr)
{
    return instr[0] >> 16;
}

/* Where the result id stands (1 or 2), or 0. */
uint32_t spv_result_word(enum spv_op op);
const char *spv_op_name(enum spv_op op); /* "IAdd" as "I_ADD"; NULL when unknown */

#endif
