/* SPDX-License-Identifier: MIT */
/* The passes over a program.
 */
#ifndef RP_COMPUTE_IR_PASSES_H
#define RP_COMPUTE_IR_PASSES_H

#include <stdbool.h>
#include <stdint.h>

struct ir_program;

/* Passes, in the order they run. */
void ir_clean(struct ir_program *ir);        /* forwards, needless PHIs, dead code; counts uses */
void ir_resolve_phis(struct ir_program *ir); /* the first half of it: no dead code */
void ir_share(struct ir_program *ir);        /* common subexpressions */
void ir_nest(struct ir_program *ir);         /* sets loop of every instruction */
void ir_close_loops(struct ir_program *ir);  /* PHIs for values used behind their loop */
/* Short loops, decided branches, divisions, folding; only when there is some of that, or is_wanted.
 * Returns whether a loop was unrolled. */
bool ir_unroll(struct ir_program *ir, bool is_wanted);
bool ir_promote(struct ir_program *ir); /* lane memory to values; false: nothing to do */
/* Given values for reads of uniform words; false: there are none. */
bool ir_fold_uniforms(struct ir_program *ir);
void ir_find_uniforms(struct ir_program *ir);   /* lists those words, for the dispatcher */
bool ir_keep_words(struct ir_program *ir);      /* workgroup memory to values; false: as it was */
void ir_dissolve_blocks(struct ir_program *ir); /* those that are left where they end */
void ir_flatten(struct ir_program *ir);         /* short branches to selections */
bool ir_narrow(struct ir_program *ir); /* needless extensions and masks; false: there are none */
void ir_hoist(struct ir_program *ir);  /* moves what does not change out of loops */
void ir_find_classes(struct ir_program *ir); /* classes and divergence */
void ir_classify(struct ir_program *ir);     /* them, and what linear values are made of */
bool ir_guard(struct ir_program *ir); /* part of it: guards for clamps; false: no more of them */
void ir_multiply_for_divisions(struct ir_program *ir); /* of lanes by constants */
void ir_fuse(struct ir_program *ir);                   /* pairs that have one operation */
void ir_fuse_logic(struct ir_program *ir);             /* of three values, bit by bit */
void ir_defer(struct ir_program *ir);                  /* marks atomic additions that may be late */
void ir_lower(struct ir_program *ir);       /* operands as the interpreter's operations want them */
void ir_merge_loads(struct ir_program *ir); /* four words side by side */
void ir_merge_gathers(struct ir_program *ir);   /* up to four of them, at offsets of the lanes */
void ir_merge_stores(struct ir_program *ir);    /* two or four of them */
void ir_fold_addresses(struct ir_program *ir);  /* of scalars, into their accesses */
void ir_fuse_scalars(struct ir_program *ir);    /* as ir_fuse(), what is left of scalars */
void ir_split_prologue(struct ir_program *ir);  /* what is the same in every chunk, to the front */
void ir_find_macs(struct ir_program *ir);       /* sums of products */
void ir_find_reductions(struct ir_program *ir); /* reductions */
void ir_find_chains(struct ir_program *ir);     /* products that each take in the one before */
void ir_pair_scalars(struct ir_program *ir);    /* two operations on scalars in one record */
void ir_tile(struct ir_program *ir);         /* the order in which runs of arithmetic are longest */
void ir_find_structs(struct ir_program *ir); /* accesses to what lies in one line of memory */

/* side_by_side.c: of finished programs. A workgroup may wait in a loop for a word that another one
 * writes: a lock, a turn. Side by side, the lanes that are to write it would stand behind the loop,
 * waiting for those inside. */
bool ir_may_wait_for_others(const struct ir_program *ir);
/* A loop that surely does: it looks at one word, does nothing else, and nothing but that word
 * differs from round to round. (One that makes an atomic operation of a compare-and-swap looks for
 * what it read.) */
bool ir_spins(const struct ir_program *ir);
/* Of workgroups side by side: nearly all of the work is in branches that some of them take. */
bool ir_parts_mostly(const struct ir_program *ir);
/* Work that a workgroup does once for all of its lanes, by scalars, for the most part: side by side
 * with others each such number would be one of lanes, and the lanes would part in its branches. */
bool ir_is_serial(const struct ir_program *ir);
/* What one run on as many lanes takes, for comparisons: a third of a nanosecond is 1, about. */
uint64_t ir_cost(const struct ir_program *ir, uint32_t lanes);

#endif
