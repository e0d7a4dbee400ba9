/* SPDX-License-Identifier: MIT */
/* The part of a scenario whose descriptors lie in memory (VK_EXT_descriptor_buffer).
 */
#ifndef RP_TESTS_OOM_MEMORY_SETS_H
#define RP_TESTS_OOM_MEMORY_SETS_H

#include "scenario.h"

/* Layouts of a set in memory and of one with embedded samplers. */
VkResult memory_sets_make(struct scenario *s);
void memory_sets_destroy(struct scenario *s);

/* Binds both and dispatches. */
void memory_sets_record(struct scenario *s, VkCommandBuffer cb);

#endif
