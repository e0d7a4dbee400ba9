/* SPDX-License-Identifier: MIT */
/* How often loops go round. ir_nest() and ir_close_loops() have looked at the program, and copies
 * (unroll.c) of what stands in front of the loop are made.
 */
#ifndef RP_COMPUTE_IR_TRIPS_H
#define RP_COMPUTE_IR_TRIPS_H

#include <stdbool.h>
#include <stdint.h>

struct ir_instr;
struct ir_program;

/* Leaves the loop whenever this arm [i, end) of an IF is entered. */
bool ir_arm_leaves(const struct ir_instr *loop, const struct ir_instr *i,
                   const struct ir_instr *end);

/* How often a loop that is short enough to become straight code goes round, at most; 0: it is not,
 * or that is not known. */
uint32_t ir_count_trips(const struct ir_program *ir, struct ir_instr *loop);

/* How many rounds of a loop that stays one are written behind each other; 1: there is nothing to
 * gain. Of those, lanes leave in round *exit_out alone, from 0. */
uint32_t ir_rounds_together(const struct ir_program *ir, struct ir_instr *loop, uint32_t *exit_out);

#endif
