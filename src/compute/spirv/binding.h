/* SPDX-License-Identifier: MIT */
/* Numbers of the bindings that a program has, and handles of their descriptors.
 */
#ifndef RP_COMPUTE_SPIRV_BINDING_H
#define RP_COMPUTE_SPIRV_BINDING_H

#include <stdint.h>

struct spv;
struct spv_type;

/* Handle of a binding's first descriptor: of so many, or of a variable of that type. */
uint32_t spv_binding_handle(struct spv *s, uint32_t set, uint32_t binding, uint32_t count);
uint32_t spv_binding_of_type(struct spv *s, uint32_t set, uint32_t binding,
                             const struct spv_type *type);

/* The greatest index into an array of descriptors that stays among the variable's own numbers. */
uint32_t spv_descriptor_limit(const struct spv_type *type);

#endif
