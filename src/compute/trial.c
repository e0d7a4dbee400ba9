/* SPDX-License-Identifier: MIT */
#include "compute/trial.h"

#include <string.h>

#define STRANGERS 64u      /* then the trial begins again with their grid */
#define EARLY_RUNS 2u      /* of each: from then on a variant that is much slower is given up */
#define CLEAR_RUNS 4u      /* of each: as many are enough when the slowest with the variant .. */
#define CLEAR_PERCENT 85u  /* .. takes less than this of the quickest without */
#define FASTER_PERCENT 96u /* of the time without: as much has to be gained */

/* The parity of the bits of 0, 1, 2, ..: no period that an application could have. */
static bool
turn_is_odd(uint32_t turn)
{
    return __builtin_popcount(turn) % 2;
}

bool
rp_trial_take(struct rp_trial *trial, const uint32_t group_count[3], bool *with_variant_out)
{
    static const uint32_t none[3];
    if (memcmp(trial->group_count, none, sizeof(none)) != 0 &&
        memcmp(trial->group_count, group_count, sizeof(none)) != 0) {
        if (++trial->stranger_count == STRANGERS)
            *trial = (struct rp_trial){0};
        return false;
    }
    trial->stranger_count = 0;
    memcpy(trial->group_count, group_count, sizeof(trial->group_count));
    *with_variant_out = turn_is_odd(trial->turn++);
    return true;
}

/* The mean of the quicker half of count; times are sorted then. */
static uint64_t
quicker_half(uint64_t *ns, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && ns[k - 1] > ns[k]; k--) {
            const uint64_t t = ns[k];
            ns[k] = ns[k - 1];
            ns[k - 1] = t;
        }
    for (uint32_t i = 0; i < count / 2; i++)
        sum += ns[i];
    return sum / (count / 2);
}

enum rp_verdict
rp_trial_add(struct rp_trial *trial, bool with_variant, uint64_t ns)
{
    uint32_t *count = &trial->count[with_variant];
    if (*count < RP_TRIAL_RUNS)
        trial->ns[with_variant][(*count)++] = ns;
    const uint32_t least = trial->count[0] < trial->count[1] ? trial->count[0] : trial->count[1];
    if (least < EARLY_RUNS)
        return RP_VERDICT_NONE;
    const uint64_t without_ns = quicker_half(trial->ns[0], trial->count[0]);
    const uint64_t with_ns = quicker_half(trial->ns[1], trial->count[1]);
    if (least >= CLEAR_RUNS &&
        trial->ns[1][trial->count[1] - 1] / CLEAR_PERCENT < trial->ns[0][0] / 100)
        return RP_VERDICT_CLEARLY_FASTER;
    if (least < RP_TRIAL_RUNS)
        return with_ns / 5 > without_ns / 4 ? RP_VERDICT_SLOWER : RP_VERDICT_NONE;
    if (with_ns > without_ns)
        return RP_VERDICT_SLOWER;
    return with_ns <= without_ns / 100 * FASTER_PERCENT ? RP_VERDICT_FASTER : RP_VERDICT_SAME;
}
