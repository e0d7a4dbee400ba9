/* SPDX-License-Identifier: MIT */
/* How many bits of integers are read.
 */
#ifndef RP_COMPUTE_IR_DEMAND_H
#define RP_COMPUTE_IR_DEMAND_H

#include <stdint.h>

struct ir_instr;
struct ir_program;

/* Numbers the list. By index: how many of the 32 bits, from the lowest on, others read of a value
 * of that type; of other types nothing. */
const uint8_t *ir_find_demands(struct ir_program *ir);

/* How many of them instruction i reads of an operand. */
uint32_t ir_demand_of(const uint8_t *demands, const struct ir_instr *i, uint32_t arg);

/* Of an extension within 32 bits: from how many; 0: i is something else. */
uint32_t ir_extended_bits(const struct ir_instr *i);

#endif
