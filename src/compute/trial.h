/* SPDX-License-Identifier: MIT */
/* Is a variant of a kernel faster? Dispatches of the same grid go by one or the other in turn, and
 * what they spend of the processors is compared.
 *
 * Half of what was measured counts, the quicker one: what is slower was disturbed by others.
 */
#ifndef RP_COMPUTE_TRIAL_H
#define RP_COMPUTE_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#define RP_TRIAL_RUNS 12u /* of each */

enum rp_verdict {
    RP_VERDICT_NONE, /* not yet */
    RP_VERDICT_FASTER,
    RP_VERDICT_CLEARLY_FASTER, /* beyond what chance does */
    RP_VERDICT_SAME,           /* not by enough to begin with, and no reason to stop */
    RP_VERDICT_SLOWER,
};

struct rp_trial {
    uint32_t group_count[3]; /* of the dispatches that are compared; 0, 0, 0: the next one's */
    uint32_t stranger_count; /* with other grids, in a row */
    uint32_t turn;
    uint32_t count[2]; /* measured: without, with the variant */
    uint64_t ns[2][RP_TRIAL_RUNS];
};

/* Does a dispatch of that grid take part? *with_variant_out: by the variant. */
bool rp_trial_take(struct rp_trial *trial, const uint32_t group_count[3], bool *with_variant_out);

/* What such a dispatch has taken. A verdict ends the trial: it is to be zeroed. */
enum rp_verdict rp_trial_add(struct rp_trial *trial, bool with_variant, uint64_t ns);

#endif
