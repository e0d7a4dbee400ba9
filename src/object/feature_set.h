/* SPDX-License-Identifier: MIT */
/* A set of features: what a device supports, what an application enabled. A feature is the same
 * in whatever structure it appears.
 */
#ifndef RP_OBJECT_FEATURE_SET_H
#define RP_OBJECT_FEATURE_SET_H

#include "rp_features.h"

#include <stdbool.h>
#include <stdint.h>

struct rp_feature_set {
    uint64_t words[(RP_FEATURE_COUNT + 63) / 64];
};

static inline bool
rp_feature_set_has(const struct rp_feature_set *set, enum rp_feature feature)
{
    return set->words[feature / 64] >> (feature % 64) & 1;
}

static inline void
rp_feature_set_add(struct rp_feature_set *set, enum rp_feature feature)
{
    set->words[feature / 64] |= UINT64_C(1) << (feature % 64);
}

#endif
