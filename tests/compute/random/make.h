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
/* Of the type of a. */
struct expr *make_binary(struct maker *m, uint8_t op, struct expr *a, struct expr *b);
struct expr *make_with_number(struct maker *m, uint8_t op, struct expr *a, int64_t number);
struct expr *make_builtin(struct maker *m, uint8_t builtin); /* a u32 */
struct expr *make_expr(struct maker *m, struct type type, uint32_t depth);
uint8_t make_kind(struct maker *m);
struct type make_type(struct maker *m);
bool make_ref(struct maker *m, struct type type, bool is_written, struct ref *out);

/* patterns.c */
struct expr *make_line(struct maker *m);
/* What lies in a buffer of this type, to be copied; NULL: none has it. */
struct expr *make_copied(struct maker *m, struct type type);
struct expr *make_words(struct maker *m, uint32_t depth);
struct expr *make_products(struct maker *m, struct type type, uint32_t depth);
/* A test of a counter that is in scope; NULL: none is. */
struct expr *make_turn(struct maker *m);
struct expr *make_near_test(struct maker *m, uint32_t depth);
struct expr *make_split(struct maker *m, uint8_t kind, uint32_t depth);
struct expr *make_small_product(struct maker *m, uint32_t depth);

/* rows.c */
void make_row_stores(struct maker *m, struct block *block);
void make_row_walk(struct maker *m, struct block *block, struct var *counter);
struct expr *make_logic(struct maker *m, struct type type, uint32_t depth);
struct expr *make_rotated(struct maker *m, uint32_t depth);
/* Narrow elements side by side; NULL: no buffer has such. */
struct expr *make_narrow_row(struct maker *m, uint32_t depth);

/* phases.c */
void make_exchange(struct maker *m, struct block *block);
void make_subgroup(struct maker *m, struct block *block);

/* statements.c */
struct stmt *stmt_make(struct maker *m, struct block *block, uint8_t op);
struct var *var_make(struct maker *m, const struct shape *shape);
/* Something of a type that can be written; declared when there is none. */
void make_jump(struct maker *m, struct block *block);
struct ref make_target(struct maker *m, struct block *block, struct type type);
void make_block(struct maker *m, struct block *block, uint32_t count);
void make_function(struct maker *m);
void make_results(struct maker *m, struct block *block);
void make_tail(struct maker *m, struct block *block);
void make_declarations(struct maker *m, struct block *block);

#endif
