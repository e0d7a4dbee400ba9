/* SPDX-License-Identifier: MIT */
/* Types, with how many scalars a value of them has and how they lie in memory.
 */
#ifndef RP_COMPUTE_SPIRV_TYPE_H
#define RP_COMPUTE_SPIRV_TYPE_H

#include <stdbool.h>
#include <stdint.h>

struct spv;

enum spv_type_kind {
    SPV_T_VOID,
    SPV_T_BOOL,
    SPV_T_INT,
    SPV_T_FLOAT,
    SPV_T_COOPERATIVE, /* matrix; to a lane a vector of its components */
    SPV_T_VECTOR,
    SPV_T_MATRIX,
    SPV_T_ARRAY,
    SPV_T_RUNTIME_ARRAY,
    SPV_T_STRUCT,
    SPV_T_POINTER,
    SPV_T_FUNCTION,
    SPV_T_IMAGE,
    SPV_T_SAMPLER,
    SPV_T_SAMPLED_IMAGE,
    SPV_T_BUFFER, /* descriptor of one, in a heap */
};

struct spv_member {
    const struct spv_type *type;
    uint32_t offset_B;
    uint32_t matrix_stride_B;
    bool is_row_major;
    uint32_t offset_id; /* of a constant, in the place of offset_B; 0: none */
};

struct spv_type {
    enum spv_type_kind kind;
    uint32_t id;
    uint32_t width; /* INT, FLOAT: bits */
    bool is_signed;
    bool is_bfloat; /* FLOAT of 16 bits: the upper half of one of 32 */
    bool has_block; /* STRUCT: Block or BufferBlock */
    bool is_buffer_block;
    const struct spv_type *elem; /* component, column, element, result; image of a sampled image */
    uint32_t elem_id;            /* POINTER: the pointee, resolved when used; 0: untyped */
    uint32_t count;              /* components, columns, elements, members, parameters */
    uint32_t flat;               /* IR values of one such value; IR_MAX_FLAT + 1: too many */
    uint32_t array_stride_B;
    uint32_t array_stride_id; /* of a constant, in the place of the number; 0: none */
    uint32_t storage;         /* POINTER */
    const struct spv_member *members;
    uint32_t natural_B; /* size when the module gives no layout */
    uint32_t natural_align_B;
    struct {
        uint8_t dim;
        bool is_arrayed;
        bool is_multisampled;
        uint8_t sampled;
    } image;
};

/* Declares the type of the current instruction. */
void spv_add_type(struct spv *s);

bool spv_type_is_memory(const struct spv_type *pointer);
enum ir_type spv_scalar_type(const struct spv_type *scalar);
uint32_t spv_scalar_size(const struct spv_type *scalar);
const struct spv_type *spv_scalar_of(const struct spv_type *type); /* or of its components */
uint32_t spv_natural_offset(const struct spv_type *type, uint32_t index);
/* The scalar type of each flat value of a type, in order. */
const struct spv_type *spv_flat_type(const struct spv_type *type, uint32_t flat);

#endif
