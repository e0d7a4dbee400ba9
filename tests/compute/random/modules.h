/* SPDX-License-Identifier: MIT */
/* SPIR-V of a random kernel, by glslang and by spirv-opt, in a folder of its own.
 */
#ifndef RP_TESTS_COMPUTE_RANDOM_MODULES_H
#define RP_TESTS_COMPUTE_RANDOM_MODULES_H

#include "tree.h"

void modules_init(void); /* makes the folder, in the current one */
void modules_finish(void);

/* The caller frees what these return. */

/* NULL when glslang refuses; no words when there are too many. */
uint32_t *module_make(const struct kernel *k, size_t *count_out);

/* What module_make() made last, after a few random passes, which are named; NULL where spirv-opt
 * fails, or is not there. */
uint32_t *module_rewrite(uint64_t seed, size_t *count_out, char *passes, size_t passes_B);

/* The module with selections whose ways meet in front of their merge blocks (bend.c). */
uint32_t *module_bend(const uint32_t *words, size_t count, uint64_t seed, size_t *count_out);

uint32_t *module_read(const char *path, size_t *count_out);

/* Is what module_make() made last SPIR-V? glslang makes some operations on specialization constants
 * of what is none. */
bool module_is_valid(void);

#endif
