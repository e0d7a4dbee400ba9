/* SPDX-License-Identifier: MIT */
/* Instructions of the lane IR: one value each, or a marker of control flow.
 */
#ifndef RP_COMPUTE_IR_INSTR_H
#define RP_COMPUTE_IR_INSTR_H

#include "compute/image_op.h"
#include "compute/ir/op.h"

#include <stdbool.h>
#include <stdint.h>

struct ir_interval;
struct ir_reduction;

/* Classes of values, from best to worst. */
enum ir_class {
    IR_UNIFORM, /* one value for all active lanes */
    IR_LINEAR,  /* base + x * s0 + y * s1 + z * s2 of the lane's position; 32 bits only */
    IR_VARYING,
};

struct ir_instr;

/* base + x * stride[0] + ...; all uniform; a stride is NULL where it is zero. */
struct ir_linear {
    struct ir_instr *base;
    struct ir_instr *stride[3];
};

/* Bytes of workgroup memory; none: it may be any. */
struct ir_span {
    uint32_t begin_B;
    uint32_t end_B;
};

enum ir_tile_place {
    IR_TILE_NONE,
    IR_TILE_FIRST,
    IR_TILE_REST,
};

enum ir_pair_place {
    IR_PAIR_NONE,
    IR_PAIR_FIRST, /* the second stands behind it */
    IR_PAIR_SECOND,
};

/* Members are grouped by who writes them; those of a pass are valid from that pass on. */
struct ir_instr {
    /* build.c: the list, the operation, its operands and where they may be NULL (ir.h). */
    struct ir_instr *prev, *next;
    struct ir_instr **args;
    uint16_t arg_count;
    uint8_t op;               /* enum ir_op */
    uint8_t type;             /* enum ir_type of the result */
    struct ir_instr *forward; /* replaced by this one; NULL: itself */

    /* What the operation is told beside its operands: the front end, or the pass that makes it. */
    uint8_t aux;   /* LOAD, STORE: bytes of a component; ATOMIC: enum ir_atomic; SUBGROUP: its op */
    uint8_t comps; /* LOAD, STORE, IMAGE: components */
    bool is_64;    /* ATOMIC: 64 bits */
    bool is_half;  /* ATOMIC: 16-bit floats, by their bits */
    bool is_const_mem;     /* LOAD: nothing writes this memory during the dispatch */
    struct ir_span within; /* LOAD, STORE, ATOMIC: workgroup memory that they do not leave */
    uint8_t scan;          /* SUBGROUP: enum ir_scan */
    uint16_t cluster;      /* SUBGROUP: lanes, 2^n, that it goes over */
    uint64_t imm;
    union {
        struct {
            struct ir_instr *other;  /* IF: ELSE; ELSE: IF */
            struct ir_instr *end;    /* IF, LOOP, BLOCK: their end; ends: their begin */
            struct ir_instr **edges; /* BLOCK: its BRs */
            uint32_t edge_count;
            uint32_t edge_capacity;
            bool is_divergent;  /* IF: lanes disagree; BLOCK: lanes leave at different edges */
            bool falls_through; /* BLOCK: its end is reached */
            uint16_t level;     /* mask level inside */
        } region;
        struct {
            struct ir_instr *block; /* BR: target */
            uint32_t edge;          /* index in block's edges */
        } br;
        struct ir_image *image;
        struct {
            struct ir_instr *last; /* MAC: product */
            uint32_t count;        /* of products */
        } mac;
        struct ir_reduction *reduction;
        struct {
            uint32_t base_slot; /* LANE_*: first slot of the variable */
            uint32_t slot_count;
        } lane;
        struct ir_instr **projs; /* LOAD with comps > 1: component values, NULL if unused */
    };
    struct ir_instr *image_projs[4]; /* IMAGE: the same */

    uint32_t index;                 /* position, as the pass that last numbered the list left it */
    uint32_t use_count;             /* clean.c */
    struct ir_instr *copy;          /* unroll.c: what it made of it */
    struct ir_instr *loop;          /* ir_nest(): the innermost LOOP around it */
    struct ir_instr *exit_phi;      /* loops.c: its value behind BLOCKs around that loop: a list */
    struct ir_instr *next_exit_phi; /* loops.c */
    bool is_exit_phi;               /* loops.c. PHI: keeps a loop's value per lane */
    uint8_t cls;                    /* classify.c: enum ir_class */
    struct ir_linear *linear;       /* classify.c: cls IR_LINEAR */
    struct ir_instr *lanes;         /* lower.c: cls IR_LINEAR: as an AFFINE */
    uint8_t struct_count;           /* structs.c. As many LOADs, or STOREs, from this one on */
    bool is_linear;                 /* lower.c. LOAD, STORE: operands 1..4 are base and strides */
    /* address.c. LOAD, STORE of a scalar: its place is (operand 1 << shift) + the last operand */
    bool has_base;
    uint8_t shift;
    uint8_t add_slot; /* defer.c. ATOMIC: may be late; 1 + index in add_bindings */
    /* chain.c. IMAD: as many, from this one on, have one operation; 0: none. Of 16 bits? */
    struct {
        uint16_t steps;
        bool is_narrow;
    } chain;
    bool is_fixed; /* prologue.c: the same in every chunk */
    uint8_t pair;  /* pair.c: enum ir_pair_place */
    uint32_t reg;  /* alloc.c: byte offset in the register file */
    uint8_t tile;  /* emit_tile.c: enum ir_tile_place */

    /* Of one pass, which clears them first. */
    bool is_marked;           /* guard.c: moves in front of a guard; prologue.c: was counted */
    bool is_address;          /* guard.c: a linear one would be the better for memory */
    struct ir_interval *live; /* alloc.c */
};

/* What instr was replaced by, in the end. */
struct ir_instr *ir_resolve(struct ir_instr *instr);

bool ir_is_const(const struct ir_instr *instr);
static inline bool
ir_is_value(const struct ir_instr *instr, uint64_t bits)
{
    return ir_is_const(instr) && instr->imm == bits;
}

bool ir_is_marker(const struct ir_instr *instr);  /* IF .. BR */
bool ir_has_effect(const struct ir_instr *instr); /* kept although nobody uses it */

/* Positions of operands of PHIs and the like: where an operand is read. */
struct ir_instr *ir_phi_marker(const struct ir_instr *phi); /* ENDIF, LOOP or ENDBLOCK in front */

#endif
