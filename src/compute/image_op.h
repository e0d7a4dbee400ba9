/* SPDX-License-Identifier: MIT */
/* What an image operation does: shared by the lane IR and the interpreter.
 */
#ifndef RP_COMPUTE_IMAGE_OP_H
#define RP_COMPUTE_IMAGE_OP_H

#include <stdbool.h>
#include <stdint.h>

enum ir_image_op {
    IR_IMAGE_READ, /* storage image or fetch: texel at integer coordinates */
    IR_IMAGE_WRITE,
    IR_IMAGE_ATOMIC, /* aux: enum ir_atomic */
    IR_IMAGE_SAMPLE,
    IR_IMAGE_GATHER,
    IR_IMAGE_SIZE, /* x, y, z or layers of a level; levels; samples */
    IR_IMAGE_LOD,  /* level that is accessed, level of detail; from gradients */
};

#define IR_IMAGE_ARG_MAX 40
#define IR_NONE (-1)

enum ir_image_query {
    IR_QUERY_SIZE,
    IR_QUERY_LEVELS,
    IR_QUERY_SAMPLES,
};

/* What an IR_IMAGE does, and its operands by position; IR_NONE when absent. Operand 0 is the
 * image's handle. Coordinates, gradients and offsets take consecutive positions. */
struct ir_image {
    uint8_t op;
    uint8_t dim; /* enum spv_dim */
    bool is_arrayed;
    bool is_multisampled;
    bool is_fetch;     /* of a sampled image: swizzled, with a level */
    bool is_64;        /* texels are 64-bit integers */
    uint8_t component; /* GATHER: which; SIZE: enum ir_image_query */
    uint8_t atomic;    /* enum ir_atomic, and its bits */
    uint8_t coord_count, offset_count, grad_count, value_count;
    uint8_t arg_count;
    int8_t sampler, coord, lod, bias, dref, grad_x, grad_y, offset, offsets, sample, min_lod;
    int8_t value; /* to write; atomics: value, then compare value */
    /* After lowering. Coordinate i is a base when line[i] is not 0: its strides by x, y and z of
     * the lane are the operands from there on. */
    uint8_t line[4];
    bool is_lod_uniform; /* a scalar */
};

#endif
