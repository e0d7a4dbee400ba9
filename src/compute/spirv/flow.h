/* SPDX-License-Identifier: MIT */
/* Shared by the parts that follow control flow.
 */
#ifndef RP_COMPUTE_SPIRV_FLOW_H
#define RP_COMPUTE_SPIRV_FLOW_H

#include "compute/spirv/enums.h"

#include <stdbool.h>
#include <stdint.h>

struct spv;
struct spv_block;
struct spv_type;

struct spv_exit_target {
    struct spv_exit_target *outer;
    uint32_t label;
    struct spv_block *block;
};

struct spv_call {
    struct spv_call *outer;
    const uint32_t *function;
    struct spv_exit_target *targets;
    uint32_t result_slot;
    const struct spv_type *result_type;
};

/* A place where ways meet that is no merge block, continue target or case. */
struct spv_join {
    uint32_t label;
    struct spv_join *next;
};

/* The joins of a branch that is being translated. */
struct spv_joins {
    struct spv_exit_target *targets; /* the first is reached first */
    uint32_t count;
};

void spv_translate_entry(struct spv *s);

/* Finds those of a function. */
void spv_find_joins(struct spv *s, const uint32_t *first_label);

/* In front of the branch of the block `label`, in a sequence of blocks up to `stop`: returns where
 * its sides end. Behind it: `next` is where the branch's own sequence goes on, or 0; returns that
 * of all. */
uint32_t spv_joins_begin(struct spv *s, struct spv_joins *joins, uint32_t label, uint32_t stop);
uint32_t spv_joins_end(struct spv *s, const struct spv_joins *joins, uint32_t next);

const uint32_t *spv_next_instr(struct spv *s, const uint32_t *instr);
const uint32_t *spv_label_def(struct spv *s, uint32_t label);
bool spv_is_merge(enum spv_op op);
bool spv_is_terminator(enum spv_op op);

/* Gives the phis of a block the values that come from another. */
void spv_set_phis(struct spv *s, uint32_t from, uint32_t to);

/* Where a sequence of blocks goes on after a jump to label: there, or 0 when it ends. */
uint32_t spv_arrive(struct spv *s, uint32_t label, uint32_t stop);

/* Follows the blocks from label up to stop. */
void spv_translate_blocks(struct spv *s, uint32_t label, uint32_t stop);

uint32_t spv_switch(struct spv *s, uint32_t from, uint32_t merge, uint32_t stop);

#endif
