/* SPDX-License-Identifier: MIT */
/* Opens and closes IR constructs and merges the values of promoted variables where they end.
 */
#ifndef RP_COMPUTE_SPIRV_REGION_H
#define RP_COMPUTE_SPIRV_REGION_H

#include <stdint.h>

struct ir_instr;
struct spv;

struct spv_block {
    struct ir_instr *begin;
    struct ir_instr ***snapshots; /* slots at each edge */
    uint32_t slot_count;          /* when the block began */
};

struct spv_if {
    struct ir_instr *begin;
    struct ir_instr **before; /* slots */
    struct ir_instr **then;   /* NULL: that arm does not reach its end */
    uint32_t slot_count;
};

struct spv_loop {
    struct ir_instr *begin;
    struct ir_instr **phis;
    uint32_t slot_count;
};

struct spv_block *spv_block_begin(struct spv *s);
/* Leaves the block for the active lanes; nothing is reachable then. */
void spv_block_leave(struct spv *s, struct spv_block *block);
void spv_block_end(struct spv *s, struct spv_block *block);

void spv_if_begin(struct spv *s, struct spv_if *region, struct ir_instr *cond);
void spv_if_else(struct spv *s, struct spv_if *region);
void spv_if_end(struct spv *s, struct spv_if *region);

void spv_loop_begin(struct spv *s, struct spv_loop *loop);
void spv_loop_end(struct spv *s, struct spv_loop *loop);

#endif
