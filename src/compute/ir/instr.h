/* SPDX-License-Identifier: MIT */
/* Instructions of the lane IR: one value each, or a marker of control flow.
 */
#ifndef RP_COMPUTE_IR_INSTR_H
#define RP_COMPUTE_IR_INSTR_H

#include "compute/exec/op.h"
#include "compute/image_op.h"
#include "compute/ir/op.h"

#include <stdbool.h>
#include <stdint.h>

enum ir_builtin {
    IR_LANE_X, /* position of the lane in its workgroup, or in the chunk of a row (x alone) */
    IR_LANE_Y,
    IR_LANE_Z,  /* where workgroups run side by side: which of them */
    IR_GROUP_X, /* WorkgroupId; in a grid of rows: the chunk's first invocation, row, slice */
    IR_GROUP_Y,
    IR_GROUP_Z,
    IR_GROUPS_X, /* NumWorkgroups */
    IR_GROUPS_Y,
    IR_GROUPS_Z,
    IR_LOCAL_X,     /* in a grid of rows: LocalInvocationId.x and WorkgroupId.x, which no program */
    IR_WORKGROUP_X, /* of rows that is kept may use */
    IR_BUILTIN_COUNT,
};

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

enum ir_tile_place {
    IR_TILE_NONE,
    IR_TILE_FIRST,
    IR_TILE_REST,
};

struct ir_instr {
    struct ir_instr *prev, *next;
    struct ir_instr **args;
    uint16_t arg_count;
    uint8_t op;    /* enum ir_op */
    uint8_t type;  /* enum ir_type of the result */
    uint8_t aux;   /* LOAD, STORE: bytes of a component; ATOMIC: enum ir_atomic; SUBGROUP: its op */
    uint8_t comps; /* LOAD, STORE, IMAGE: components */
    uint8_t cls;   /* enum ir_class */
    bool is_64;    /* ATOMIC: 64 bits */
    bool is_half;  /* ATOMIC: 16-bit floats, by their bits */
    bool is_const_mem; /* LOAD: nothing writes this memory during the dispatch */
    bool is_linear;    /* LOAD, STORE after lowering: operands 1..4 are base and strides */
    uint8_t add_slot;  /* ATOMIC: may be late; 1 + index in add_bindings */
    bool is_exit_phi;  /* PHI: keeps a loop's value per lane */
    bool is_fixed;     /* the same in every chunk */
    bool is_counted;   /* a pass has seen it */
    bool is_address;   /* a linear one would be the better for memory */
    uint8_t tile;      /* enum ir_tile_place: once it is emitted */
    bool is_tried;     /* products: what is in front of it was looked at as a MAC */
    uint8_t scan;      /* SUBGROUP: enum ir_scan */
    uint16_t cluster;  /* SUBGROUP: lanes */
    uint32_t index;    /* dense, set by ir_number() */
    uint32_t use_count;
    uint64_t imm;
    struct ir_instr *forward; /* replaced by this one; NULL: itself */
    struct ir_instr *copy;    /* what a pass that rebuilds the program made of it */
    struct ir_linear *linear; /* cls IR_LINEAR */
    struct ir_instr *lanes;   /* cls IR_LINEAR: as an AFFINE */
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
        struct ir_instr **projs; /* LOAD, IMAGE with comps > 1: component values, NULL if unused */
    };
    struct ir_instr *image_projs[4]; /* IMAGE */
    struct ir_instr *loop;           /* innermost LOOP around it; set by ir_nest() */
    struct ir_instr *exit_phi;       /* its value behind BLOCKs around that loop: a list */
    struct ir_instr *next_exit_phi;
    /* Register allocation. */
    uint32_t reg;        /* byte offset in the register file */
    uint32_t emitted_at; /* LOAD of a MAC: its record */
    uint32_t start;      /* live interval in positions of the list */
    uint32_t stop;
    uint32_t last_read;     /* by others than PHIs, as stop */
    uint32_t phi_count;     /* operands of PHIs that it is */
    struct ir_instr *share; /* same register as this one */
};

/* Steps of a reduction in workgroup memory; args[0]: from a workgroup's memory to the next
 * one's. */
struct ir_reduction {
    struct ir_instr *last;        /* ENDIF of the last step */
    const struct ir_instr *sum;   /* of the last step */
    const struct ir_instr *store; /* of the last step: all write the same place */
    uint32_t count;
    struct rp_reduction record;
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
