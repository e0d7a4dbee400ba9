/* SPDX-License-Identifier: MIT */
/* A counted reference to the mapping of device memory: while somebody has one, the addresses stay
 * mapped although the application has freed the memory.
 *
 * vkFreeMemory gives the pages back all the same; from then on zeros are read there. This is for
 * engines that keep pointers into pictures that they will not need any more, but that they cannot
 * forget at the moment of vkFreeMemory.
 */
#ifndef RP_OBJECT_MEMORY_MAPPING_REF_H
#define RP_OBJECT_MEMORY_MAPPING_REF_H

#include <stdint.h>

struct rp_memory;
struct rp_memory_mapping_ref;

/* The reference of mem, made by the first caller. Borrowed: valid while mem is. NULL for memory of
 * the application or of other drivers, and when there is no memory for it. Any thread. */
struct rp_memory_mapping_ref *rp_memory_mapping_ref_get(struct rp_memory *mem);

/* ref: a struct rp_memory_mapping_ref. Any thread. To retain it, the memory or another reference
 * must be alive. */
void rp_memory_mapping_ref_retain(void *ref);
void rp_memory_mapping_ref_release(void *ref);

/* The memory is freed: its own reference ends and the mapping belongs to the others. */
void rp_memory_mapping_ref_abandon(struct rp_memory_mapping_ref *ref);

#endif
