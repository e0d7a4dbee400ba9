/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the emitter.
 */
#ifndef RP_COMPUTE_IR_EMITTER_H
#define RP_COMPUTE_IR_EMITTER_H

#include "compute/ir/emit.h"

/* Jumps to a place that is not known yet: indices of records. */
struct ir_patches {
    uint32_t *items;
    uint32_t count;
    uint32_t capacity;
};

struct ir_construct {
    struct ir_construct *outer;
    struct ir_instr *begin;    /* IF, LOOP or BLOCK; NULL: the program */
    struct ir_patches to_else; /* IF: to its second half */
    struct ir_patches to_end;
    uint16_t outer_level;
    bool owns_level;  /* lanes part here */
    bool loses_lanes; /* a BR inside leaves for a place outside */
    bool is_in_else;
    uint32_t first_op; /* LOOP */
};

struct ir_emitter {
    struct ir_program *ir;
    const struct rp_exec_table *table;
    struct ir_output *out;
    struct ir_construct *innermost;
    const struct ir_instr *last_load; /* a LOAD_L that may become a copy */
    uint32_t last_load_op;
    uint32_t struct_left;                 /* members of a structure that are still to come */
    bool has_streams;                     /* the next two are known */
    bool orders_stores;                   /* something in the kernel does, or may */
    bool is_read[RP_STATIC_BINDINGS + 1]; /* by binding, and all the others */
    const struct ir_instr *made_exit;     /* the comparison of an EXIT_V that a tile has made */
    const struct ir_instr *skip_to;       /* what comes before it, and itself, is written already */
    uint32_t *records;                    /* by index: where the operations of MACs were written */
    uint32_t kept_macs;
    const struct ir_instr *walk_loop;     /* an outermost loop that was looked at */
    bool is_walk_safe;                    /* nothing in it may write what it loads */
    const struct ir_instr *reduction_end; /* where the steps of the last REDUCTION end */
    uint32_t reduction_op;                /* its record */
    uint16_t level;
    uint16_t level_count;
};

/* emit_op.c. Appends a record and returns its index; makes another operation of one; the last one,
 * until the next ir_emit_op(); a record that continues it. */
uint32_t ir_emit_op(struct ir_emitter *e, uint32_t code);
void ir_emit_set_code(struct ir_emitter *e, uint32_t op, uint32_t code);
struct rp_op *ir_emit_last(struct ir_emitter *e);
struct rp_op_more *ir_emit_more(struct ir_emitter *e);
/* Gives the PHIs behind a marker their operand `edge`. */
void ir_emit_phis(struct ir_emitter *e, const struct ir_instr *marker, uint32_t edge,
                  bool is_masked);
bool ir_emit_has_moves(const struct ir_instr *marker, uint32_t edge); /* would that write any? */
void ir_emit_splat(struct ir_emitter *e, const struct ir_instr *i);

/* emit_arithmetic.c. The operation that compares and leaves; RP_X_COUNT: none. */
uint32_t ir_emit_exit_code(const struct ir_instr *i);
/* The comparison of scalars and the jump behind it in one; RP_X_COUNT: there is none. */
uint32_t ir_emit_if_code(const struct ir_instr *i);
void ir_emit_arithmetic(struct ir_emitter *e, const struct ir_instr *i);
void ir_emit_affine(struct ir_emitter *e, const struct ir_instr *i);
void ir_emit_lcmp(struct ir_emitter *e, const struct ir_instr *i); /* or a GUARD */

/* emit_walk.c: may a linear load read what it will want in the rounds of its loop to come? */
bool ir_emit_may_walk(struct ir_emitter *e, const struct ir_instr *load);

/* emit_memory.c: everything that has a handle, lane memory, images, subgroup operations. */
void ir_emit_memory(struct ir_emitter *e, struct ir_instr *i);

/* emit_flow.c. begin and end are of the whole program. */
void ir_emit_begin(struct ir_emitter *e);
void ir_emit_end(struct ir_emitter *e);
void ir_emit_marker(struct ir_emitter *e, struct ir_instr *marker);
bool ir_emit_is_exit_compare(const struct ir_instr *i); /* an EXIT_V takes it in */
bool ir_emit_is_exit_inversion(const struct ir_instr *i);

/* emit_tile.c. May i stand in a tile? And the run of such operations that begins with it: returns
 * its last one, or NULL when it is too short and nothing was written. */
bool ir_emit_is_tiled(const struct ir_instr *i);
struct ir_instr *ir_emit_tile(struct ir_emitter *e, struct ir_instr *first);

/* emit_chain.c. The chain that begins with it: returns its last one; NULL: none begins. */
struct ir_instr *ir_emit_chain(struct ir_emitter *e, struct ir_instr *first);

#endif
