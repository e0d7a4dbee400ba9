/* SPDX-License-Identifier: MIT */
/* The tree, run: expressions lane by lane, statements for all lanes of a workgroup in step.
 */
#ifndef RP_TESTS_COMPUTE_RANDOM_EVALUATE_H
#define RP_TESTS_COMPUTE_RANDOM_EVALUATE_H

#include "tree.h"

struct mask {
    bool on[LANES_MAX];
};

struct run {
    const struct kernel *k;
    struct storage *buffers;
    struct storage *image; /* that is written */
    union value *vars;     /* LANES_MAX for each component */
    uint32_t builtins[B_COUNT][LANES_MAX];
    union value shared[LANES_MAX][4];
    union value tree[2 * LANES_MAX];
    uint32_t shared_sums[SHARED_SUMS];
    uint32_t words[3];
    uint32_t lanes;
    uint64_t steps, most_steps;
};

/* All components of the expression in a lane. */
void evaluate(struct run *r, const struct expr *e, uint32_t lane, union value out[4]);
uint32_t evaluate_u32(struct run *r, const struct expr *e, uint32_t lane);

/* Where a variable, field or element starts. */
union value *ref_place(struct run *r, const struct ref *ref, uint32_t lane);
uint8_t *element_place(struct run *r, uint32_t buffer, uint32_t index, uint32_t lane);

void evaluate_subgroup(struct run *r, const struct stmt *s, const struct mask *active);

#endif
