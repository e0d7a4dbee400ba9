/* SPDX-License-Identifier: MIT */
/* Pointers: access chains, loads and stores.
 */
#ifndef RP_COMPUTE_SPIRV_POINTER_H
#define RP_COMPUTE_SPIRV_POINTER_H

#include "compute/spirv/value.h"

/* pointer.c. The current instruction: */
void spv_access_chain(struct spv *s);
void spv_load(struct spv *s);
void spv_store(struct spv *s);
void spv_copy_memory(struct spv *s);
void spv_copy_memory_sized(struct spv *s);
void spv_array_length(struct spv *s);
void spv_pointer_compare(struct spv *s);
/* And for others. */
void spv_load_from(struct spv *s, const struct spv_value *pointer, struct spv_value *out);
void spv_store_to(struct spv *s, const struct spv_value *pointer, const struct spv_value *value);

/* memory.c: values in memory with a layout. */
struct spv_place {
    struct ir_instr *handle;
    struct ir_instr *offset;
    struct spv_pointer layout;
    bool is_const;
};

void spv_load_memory(struct spv *s, const struct spv_type *type, const struct spv_place *place,
                     struct ir_instr **out);
void spv_store_memory(struct spv *s, const struct spv_type *type, const struct spv_place *place,
                      struct ir_instr *const *values);

#endif
