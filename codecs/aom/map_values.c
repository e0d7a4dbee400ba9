/* SPDX-License-Identifier: MIT */
/* Which values are kept is found by dynamic programming over the values in ascending order: the
 * least cost of keeping k of them, the last of which is a given one.
 */
#include "codecs/aom/map_values.h"

#include "util/compiler.h"

#include <stdbool.h>

/* Of values, as numbers 0 to RP_AOM_DELTAS - 1. */
struct sums {
    uint64_t texels[RP_AOM_DELTAS + 1];  /* [i]: of those below i */
    uint64_t moments[RP_AOM_DELTAS + 1]; /* each texel times its value */
    uint32_t count;                      /* of values that there are, ascending */
    uint32_t values[RP_AOM_DELTAS];
};

static void
sums_init(struct sums *sums, const uint32_t *texel_counts)
{
    *sums = (struct sums){0};
    for (uint32_t i = 0; i < RP_AOM_DELTAS; i++) {
        sums->texels[i + 1] = sums->texels[i] + texel_counts[i];
        sums->moments[i + 1] = sums->moments[i] + (uint64_t)texel_counts[i] * i;
        if (texel_counts[i] > 0)
            sums->values[sums->count++] = i;
    }
}

/* Distances of texels, from a value that is not above them to before end, and from first to before
 * a value that is not below them. */
static uint64_t
cost_above(const struct sums *sums, uint32_t value, uint32_t end)
{
    return sums->moments[end] - sums->moments[value] -
           value * (sums->texels[end] - sums->texels[value]);
}

static uint64_t
cost_below(const struct sums *sums, uint32_t first, uint32_t value)
{
    return value * (sums->texels[value] - sums->texels[first]) -
           (sums->moments[value] - sums->moments[first]);
}

static uint64_t
cost_between(const struct sums *sums, uint32_t low, uint32_t high)
{
    const uint32_t end = (low + high) / 2 + 1; /* of those that are nearer to low, or as near */
    return cost_above(sums, low, end) + cost_below(sums, end, high);
}

/* The values to keep, as indices of sums->values, ascending; there are more than can be kept. */
static void
choose_best(const struct sums *sums, uint32_t kept[RP_AOM_SEGMENTS])
{
    uint64_t cost[2][RP_AOM_DELTAS];
    uint16_t before[RP_AOM_SEGMENTS][RP_AOM_DELTAS];

    for (uint32_t i = 0; i < sums->count; i++)
        cost[0][i] = cost_below(sums, 0, sums->values[i]);
    for (uint32_t k = 1; k < RP_AOM_SEGMENTS; k++) {
        const uint64_t *shorter = cost[(k - 1) & 1];
        for (uint32_t i = k; i < sums->count; i++) {
            uint64_t best = UINT64_MAX;
            for (uint32_t j = k - 1; j < i; j++) {
                const uint64_t sum =
                    shorter[j] + cost_between(sums, sums->values[j], sums->values[i]);
                if (sum < best) {
                    best = sum;
                    before[k][i] = (uint16_t)j;
                }
            }
            cost[k & 1][i] = best;
        }
    }

    const uint64_t *whole = cost[(RP_AOM_SEGMENTS - 1) & 1];
    uint64_t best = UINT64_MAX;
    for (uint32_t i = RP_AOM_SEGMENTS - 1; i < sums->count; i++) {
        const uint64_t sum = whole[i] + cost_above(sums, sums->values[i], RP_AOM_DELTAS);
        if (sum < best) {
            best = sum;
            kept[RP_AOM_SEGMENTS - 1] = i;
        }
    }
    for (uint32_t k = RP_AOM_SEGMENTS - 1; k > 0; k--)
        kept[k - 1] = before[k][kept[k]];
}

void
rp_aom_map_values_choose(const uint32_t texel_counts[RP_AOM_DELTAS], struct rp_aom_map_values *out)
{
    struct sums sums;
    uint32_t kept[RP_AOM_SEGMENTS] = {0, 1, 2, 3, 4, 5, 6, 7};

    sums_init(&sums, texel_counts);
    out->count = RP_MIN(sums.count, RP_AOM_SEGMENTS);
    if (sums.count > RP_AOM_SEGMENTS)
        choose_best(&sums, kept);
    for (uint32_t k = 0; k < out->count; k++)
        out->deltas[k] = (int16_t)((int32_t)sums.values[kept[k]] - RP_AOM_MAX_DELTA);

    uint32_t segment = 0;
    for (uint32_t i = 0; i < RP_AOM_DELTAS; i++) {
        while (segment + 1 < out->count &&
               2 * i > sums.values[kept[segment]] + sums.values[kept[segment + 1]])
            segment++;
        out->segment_of[i] = (uint8_t)segment;
    }
}
