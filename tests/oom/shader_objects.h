/* SPDX-License-Identifier: MIT */
/* The scenario's shader objects: of SPIR-V, and of a binary.
 */
#ifndef RP_TESTS_OOM_SHADER_OBJECTS_H
#define RP_TESTS_OOM_SHADER_OBJECTS_H

#include "scenario.h"

/* Needs set_layout. */
VkResult shader_objects_make(struct scenario *s);
void shader_objects_destroy(struct scenario *s);

/* A dispatch with each, with what is bound. */
void shader_objects_record(struct scenario *s, VkCommandBuffer cb);

#endif
