/* SPDX-License-Identifier: MIT */
/* Kernels of tests/compute/kernels, run on plain memory.
 */
#ifndef RP_TESTS_COMPUTE_HARNESS_H
#define RP_TESTS_COMPUTE_HARNESS_H

#include "compute/compute.h"
#include "test.h"

#include <string.h>

#define ISA_COUNT 4u
#define BINDING_COUNT 4u

extern const uint32_t
    isa_flags[ISA_COUNT];                /* portable C, then each level; missing ones fall back */
extern const char *const kernel_names[]; /* NULL-terminated */

static inline uint32_t
bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static inline float
float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

/* The words of a module; the caller frees. */
uint32_t *module_load(const char *name, size_t *word_count_out);

struct rp_kernel *kernel_load(const char *name, uint32_t cpu_flags);
struct rp_kernel *kernel_load_specialized(const char *name, uint32_t cpu_flags,
                                          const VkSpecializationInfo *specialization);
/* With subgroups of so many invocations; specialization may be NULL. */
struct rp_kernel *kernel_load_sized(const char *name, uint32_t cpu_flags, uint32_t subgroup_size,
                                    const VkSpecializationInfo *specialization);
struct rp_kernel *kernel_load_exact(const char *name, uint32_t cpu_flags); /* wants_exact_bounds */

struct grid {
    uint32_t x, y;
    uint32_t thread_count;
    uint32_t push[RP_MAX_PUSH_CONSTANT_B / 4];
};

/* Buffers by binding number. */
void kernel_run(const struct rp_kernel *kernel, const struct rp_descriptor buffers[BINDING_COUNT],
                const struct grid *grid);
void kernel_run_arrays(const struct rp_kernel *kernel, const struct rp_descriptor_array *by_binding,
                       const struct grid *grid);

/* How often a word stands in what rp_kernel_print wrote. */
uint32_t text_count(const char *text, const char *word);

#endif
