/* SPDX-License-Identifier: MIT */
/* A tree being made.
 */
#ifndef RP_TESTS_COMPUTE_RANDOM_MAKE_H
#define RP_TESTS_COMPUTE_RANDOM_MAKE_H

#include "tree.h"

#define VISIBLE_MAX 48

struct maker {
    struct kernel *k;
    uint64_t state;
    uint8_t kinds[4]; /* that this kernel likes */
    struct var *visible[VISIBLE_MAX];
    uint32_t visible_count;
    struct function *function; /* being made; NULL: main */
    uint32_t loop_depth, switch_depth, depth;
    uint32_t most_rounds; /* of loops inside one another, what is left */
    bool is_uniform;      /* all invocations of the workgroup are here */
    bool has_left;        /* some may have returned */
    bool may_exchange;    /* no jump may be made from here */
    bool adds_shared;     /* between the clearing and the reading of shared_sums */
    uint32_t budget;      /* statements left */
};

uint32_t pick(struct maker *m, uint32_t below);
bool chance(struct maker *m, uint32_t one_in);
void *make_memory(struct kernel *k, size_t size_B);

/* expressions.c */
struct expr *expr_make(struct maker *m, uint8_t op, struct type type, struct expr *a,
                       struct expr *b, struct expr *c);
struct expr *make_constant(struct maker *m, struct type type);
struct expr *make_number(struct maker *m, uint8_t kind, int64_t value);
struct expr *make_expr(struct maker *m, struct type type, uint32_t depth);
uint8_t make_kind(struct maker *m);
struct type make_type(struct maker *m);
bool make_ref(struct maker *m, struct type type, bool is_written, struct ref *out);

/* statements.c */
struct var *var_make(struct maker *m, const struct shape *shape);
void make_block(struct maker *m, struct block *block, uint32_t count);
void make_function(struct maker *m);
void make_results(struct maker *m, struct block *block);
void make_declarations(struct maker *m, struct block *block);

#endif
