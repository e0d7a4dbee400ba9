/* SPDX-License-Identifier: MIT */
/* What the uniform words of a kernel are in a dispatch that is about to run.
 *
 * Nothing but the dispatch itself can change them before it ends: whatever else writes them is
 * ordered before it or after it, or the application has a race. What the dispatch may write is
 * looked at: where it reaches the words nothing is said of them.
 */
#ifndef RP_COMPUTE_WATCH_H
#define RP_COMPUTE_WATCH_H

#include "compute/compute.h"

#define RP_WATCH_BLOCKS 8u /* uniform blocks; words of others are not watched */

struct rp_watch {
    uint32_t word_count;
    uint32_t block_count;
    struct rp_uniform_word words[RP_MAX_UNIFORM_WORDS];
    struct rp_watch_block {
        uint32_t binding; /* in the kernel's list */
        uint32_t begin_B; /* of the words */
        uint32_t end_B;
    } blocks[RP_WATCH_BLOCKS];
};

/* All words of a kernel that can be watched. */
void rp_watch_init(struct rp_watch *watch, const struct rp_kernel *kernel);

/* Without those that are marked. */
void rp_watch_forget(struct rp_watch *watch, const bool are_forgotten[RP_MAX_UNIFORM_WORDS]);

/* False: a word is not there, or the dispatch may write it. */
bool rp_watch_read(const struct rp_watch *watch, const struct rp_dispatch *dispatch,
                   uint32_t values_out[RP_MAX_UNIFORM_WORDS]);

#endif
