/* SPDX-License-Identifier: MIT */
/* Variants of a kernel: the same entry point, compiled with the values that its uniform words
 * (uniform.h) have again and again.
 *
 * About every quarter of a millisecond of a kernel's work a dispatch is looked at: its words, and
 * what it takes. Words that never come twice are forgotten; without any left nothing is looked at
 * any more. Values that have come 8 times, and taken 128 times what compiling may cost, are given
 * to the specializer's thread. Then dispatches with these values alternate between the kernel and
 * the variant (trial.h), in three trials or one that leaves no doubt; the variant is kept where it
 * takes 4 % less, tried again now and then, and dropped when it is slower. Before each dispatch the
 * words are compared, all of them.
 *
 * A dispatch never waits here: what another thread holds, or what memory is short for, leaves it
 * with the kernel.
 */
#ifndef RP_COMPUTE_VARIANTS_H
#define RP_COMPUTE_VARIANTS_H

#include "compute/compute.h"

struct rp_specializer;

#define RP_MAX_VARIANTS 8u                     /* of a kernel; the one used least lately goes */
#define RP_VARIANT_MEMORY_B ((size_t)64 << 20) /* of a device, modules included */

struct rp_variants_info {
    struct rp_specializer *specializer; /* borrowed, until the last owner has gone */
    struct rp_kernel *kernel;           /* gets one more owner */
    const uint32_t *words;              /* what it was made of; all is copied */
    size_t word_count;
    const char *entry_point;
    const VkSpecializationInfo *specialization; /* may be NULL */
    uint32_t cpu_flags;
    bool wants_exact_bounds;
};

/* NULL: the kernel reads no such words, or there is no memory for it. */
struct rp_variants *rp_variants_create(const struct rp_variants_info *info);
/* Accepts NULL. What is being compiled goes on without an owner. */
void rp_variants_destroy(struct rp_variants *variants);

struct rp_variants_statistics {
    uint32_t look_count; /* dispatches that were looked at */
    uint32_t compiled_count;
    uint32_t kept_count;    /* after their trials */
    uint32_t dropped_count; /* then or later */
    uint32_t run_count;     /* dispatches by a variant */
    uint32_t word_count;    /* that are watched still */
};

void rp_variants_statistics(struct rp_variants *variants, struct rp_variants_statistics *out);

/* What becomes of one dispatch. */
struct rp_pick {
    struct rp_variants *variants; /* borrowed */
    struct rp_kernel *kernel;     /* owned: to run in place of the dispatch's; NULL: that one */
    bool is_measured;             /* cpu_ns is to be the dispatch's */
    uint32_t serial;              /* of the values */
    atomic_uint_fast64_t cpu_ns;
};

/* False: the dispatch's own kernel, and nothing to be told. Else rp_pick_end() is due. */
bool rp_variants_pick(struct rp_variants *variants, const struct rp_dispatch *dispatch,
                      struct rp_pick *out);

/* is_done: it ran, as a whole; else the variants are not told, and may be gone. */
void rp_pick_end(struct rp_pick *pick, bool is_done);

#endif
