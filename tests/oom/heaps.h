/* SPDX-License-Identifier: MIT */
/* The part of a scenario whose descriptors lie in heaps (VK_EXT_descriptor_heap).
 */
#ifndef RP_TESTS_OOM_HEAPS_H
#define RP_TESTS_OOM_HEAPS_H

#include "scenario.h"

/* Descriptors of a sampler, an image and a buffer, behind the set in memory; a pipeline with a
 * mapping and an embedded sampler. */
VkResult heaps_make(struct scenario *s);
void heaps_destroy(struct scenario *s);

/* Binds both heaps and dispatches. */
void heaps_record(struct scenario *s, VkCommandBuffer cb);

#endif
