/* SPDX-License-Identifier: MIT */
/* Partitions of a pipeline's bindings into descriptor sets, and what they cost.
 *
 * A set costs one descriptor set for each different content that its slots together take, and as
 * many descriptors as it has for each of these.
 */
#ifndef RP_PROFILE_PARTITION_H
#define RP_PROFILE_PARTITION_H

#include "util/compiler.h"

#include <stdbool.h>
#include <stdint.h>

#define RP_PARTITION_MAX_SLOTS 32u
#define RP_PARTITION_MAX_SETS 8u /* of the best ones */

/* Different rows of contents: a row has a number for each slot. */
struct rp_partition_rows {
    const uint32_t *contents; /* row_count times slot_count */
    uint32_t row_count;
    uint32_t slot_count;               /* at most RP_PARTITION_MAX_SLOTS */
    const uint32_t *descriptor_counts; /* by slot */
};

struct rp_partition {
    uint32_t set_of[RP_PARTITION_MAX_SLOTS]; /* by slot; numbers from 0 on without a gap */
    uint32_t set_count;
    uint64_t sets;        /* descriptor sets, over the whole run */
    uint64_t descriptors; /* in them */
};

/* Fills in the costs of out, whose set_of is set: any numbers, which then become dense, in their
 * order. These functions return false when memory is short. */
bool rp_partition_judge(const struct rp_partition_rows *rows,
                        struct rp_partition *out) RP_MUST_CHECK;

/* Slots with the same rate together; the greatest rate has set 0. */
bool rp_partition_by_rate(const struct rp_partition_rows *rows, const uint64_t *rates,
                          struct rp_partition *out) RP_MUST_CHECK;

/* For each number k of sets from 1 on the one with the fewest descriptors, then the fewest sets:
 * out[k - 1], *count_out of them. Of up to 9 slots it is the best there is; of more what merging
 * two sets at a time finds. Sets that take few contents come first. */
bool rp_partition_best(const struct rp_partition_rows *rows,
                       struct rp_partition out[RP_PARTITION_MAX_SETS],
                       uint32_t *count_out) RP_MUST_CHECK;

#endif
