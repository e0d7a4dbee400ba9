/* SPDX-License-Identifier: MIT */
/* Deep copies of what recorded commands and video session parameters are given: structures, the
 * arrays and structures they point to, and their pNext chains. Generated from the registry
 * (tools/gen/pnext.py), H.264's Std structures included.
 *
 * Optional pointers of Std structures count only when the flag that the standard names says so;
 * others become NULL. The application's opaque pointers stay as they are.
 */
#ifndef RP_UTIL_STRUCT_COPY_H
#define RP_UTIL_STRUCT_COPY_H

#include "util/arena.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

/* One structure (it starts with sType) with all that hangs from it. False when memory is short.
 * *out is NULL when its type is not known. */
bool rp_struct_copy(struct rp_arena *arena, const void *from, void **out) RP_MUST_CHECK;

/* A pNext chain, which may be NULL, in its order; unknown structures are left out. */
bool rp_chain_copy(struct rp_arena *arena, const void *chain, void **out) RP_MUST_CHECK;

#endif
