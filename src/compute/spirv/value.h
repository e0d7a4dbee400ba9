/* SPDX-License-Identifier: MIT */
/* Values: what an id stands for once its instruction was translated.
 */
#ifndef RP_COMPUTE_SPIRV_VALUE_H
#define RP_COMPUTE_SPIRV_VALUE_H

#include "compute/ir/instr.h"
#include "compute/spirv/type.h"

struct spv;

/* Where a pointer points. Memory (buffers, workgroup, addresses): values handle (or a 64-bit
 * address) and byte offset. Variables of the invocation: var and the first flat value. */
struct spv_pointer {
    struct spv_var *var;
    uint32_t flat;
    struct ir_instr *index;   /* added to flat; NULL: none. Lane memory and vectors only */
    uint32_t matrix_stride_B; /* of the pointee, or of the matrix it is a part of */
    bool is_row_major;
    uint32_t comp_stride_B; /* pointee is a vector inside a row-major matrix; 0: packed */
    uint32_t element_B;     /* from one element to the next of the array it is in; 0: none */
    bool is_explicit;       /* the module gives the layout */
    uint8_t heap;           /* offset in a heap of descriptors: SPV_HEAP_*; 0: no such pointer */
    bool has_sampler;       /* a combined image sampler: v[1] is the sampler's handle */
    bool is_mapped;         /* var is in a heap: where, is still to be asked (heap.c) */
    bool is_const;          /* into a uniform block: nothing writes it during the dispatch */
    struct ir_span within;  /* workgroup memory: of its variable */
};

enum {
    SPV_HEAP_NONE,
    SPV_HEAP_RESOURCES,
    SPV_HEAP_SAMPLERS,
};

struct spv_value {
    const struct spv_type *type;
    struct ir_instr **v;     /* type->flat values; NULL for a pointer to a variable */
    struct spv_pointer *ptr; /* NULL when not a pointer */
    /* An OpImageTexelPointer: */
    struct spv_value *texel_image;
    struct spv_value *texel_coord;
    struct spv_value *texel_sample;
};

struct spv_value *spv_new_value(struct spv *s, const struct spv_type *type);
void spv_set(struct spv *s, uint32_t id, struct spv_value *value);
/* A value for the result of the current instruction, registered under its id. */
struct spv_value *spv_result(struct spv *s);
void spv_set_result(struct spv *s, struct ir_instr *scalar);
const struct spv_value *spv_operand(struct spv *s, uint32_t word); /* value of the id at word */
struct ir_instr *spv_scalar_operand(struct spv *s, uint32_t word);

/* constant.c */
void spv_add_constant(struct spv *s);
struct spv_value *spv_null(struct spv *s, const struct spv_type *type);

#endif
