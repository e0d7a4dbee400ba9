/* SPDX-License-Identifier: MIT */
/* Descriptor heaps: variables that a mapping puts into them, and SPV_EXT_descriptor_heap.
 */
#ifndef RP_COMPUTE_SPIRV_HEAP_H
#define RP_COMPUTE_SPIRV_HEAP_H

#include "compute/spirv/value.h"

#include <stdbool.h>
#include <stdint.h>

struct spv_var;

/* False: no mapping has the variable. */
bool spv_heap_map(struct spv *s, struct spv_var *var, uint32_t id, uint32_t set, uint32_t binding);

/* Where a mapped variable is, asked here: push data and memory may say so. */
const struct spv_value *spv_heap_place(struct spv *s, const struct spv_value *mapped);

/* spv_heap_place() for an element of a mapped array. */
void spv_heap_element(struct spv *s, struct spv_value *p, struct ir_instr *index);

/* The variable ResourceHeapEXT or SamplerHeapEXT, and steps from it. */
void spv_add_heap(struct spv *s);
void spv_heap_step(struct spv *s, struct spv_value *p, const struct spv_type *type,
                   struct ir_instr *index);

/* Handle of the descriptor that a pointer into a heap points to. */
struct ir_instr *spv_heap_handle(struct spv *s, const struct spv_value *p);

/* OpBufferPointerEXT. */
void spv_buffer_pointer(struct spv *s);

#endif
