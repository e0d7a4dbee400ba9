/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the emitter.
 */
#ifndef RP_COMPUTE_IR_EMITTER_H
#define RP_COMPUTE_IR_EMITTER_H

#include "compute/ir/emit.h"

/* Jumps to a place that is not known yet: indices of records. */
struct patches {
    uint32_t *items;
    uint32_t count;
    uint32_t capacity;
};

struct construct {
    struct construct *outer;
    struct ir_instr *begin; /* IF, LOOP or BLOCK; NULL: the program */
    struct patches to_else; /* IF: to its second half */
    struct patches to_end;
    uint16_t outer_level;
    bool owns_level;  /* lanes part here */
    bool loses_lanes; /* a BR inside leaves for a place outside */
    bool is_in_else;
    uint32_t first_op; /* LOOP */
};

struct emit {
    struct ir_program *ir;
    const struct rp_exec_table *table;
    struct ir_output *out;
    struct construct *innermost;
    const struct ir_instr *last_load; /* a LOAD_L that may become a copy */
    uint32_t last_load_op;
    bool has_streams;                     /* the next two are known */
    bool orders_stores;                   /* something in the kernel does, or may */
    bool is_read[RP_STATIC_BINDINGS + 1]; /* by binding, and all the others */
    const struct ir_instr *made_exit;     /* the comparison of an EXIT_V that a tile has made */
    const struct ir_instr *skip_to;       /* what comes before it, and itself, is written already */
    uint32_t kept_macs;
    const struct ir_instr
        *reduction_end;    /* where the steps of the REDUCTION that was written end, and its */
    uint32_t reduction_op; /* record */
    uint16_t level;
    uint16_t level_count;
};

struct move {
    enum ir_bank bank;
    uint32_t to;
    uint32_t from;
    bool is_scalar_source; /* into lanes */
};

struct moves {
    struct move *items;
    uint32_t count;
};

uint32_t emit_op(struct emit *e, uint32_t code); /* returns its index */
struct rp_op *emit_last(struct emit *e);         /* until the next emit_op */
struct rp_op_more *emit_more(struct emit *e);

void emit_phis(struct emit *e, const struct ir_instr *marker, uint32_t edge, bool is_masked);

void emit_begin(struct emit *e);
void emit_end(struct emit *e);
/* The operation that compares and leaves, RP_X_COUNT: none; and whether an EXIT_V takes i in. */
uint32_t emit_exit_code(const struct ir_instr *i);
bool emit_is_exit_compare(const struct ir_instr *i);
void emit_marker(struct emit *e, struct ir_instr *marker);
void emit_memory(struct emit *e, struct ir_instr *i);

/* May i stand in a tile? And the run of such operations that begins with it: returns its last one,
 * or NULL when it is too short and nothing was written. */
bool emit_is_tiled(const struct ir_instr *i);
struct ir_instr *emit_tile(struct emit *e, struct ir_instr *first);

#endif
