/* SPDX-License-Identifier: MIT */
/* The eight values of a quantization map that are kept are the best ones.
 */
#include "codecs/aom/map_values.h"

#include "tests/test.h"

static uint32_t
nearest_distance(const int32_t *kept, uint32_t count, int32_t value)
{
    uint32_t nearest = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t distance = (uint32_t)abs(kept[i] - value);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

static uint64_t
cost_of(const uint32_t *counts, const int32_t *kept, uint32_t count)
{
    uint64_t cost = 0;
    for (int32_t i = 0; i < RP_AOM_DELTAS; i++)
        cost += (uint64_t)counts[i] * (counts[i] ? nearest_distance(kept, count, i) : 0);
    return cost;
}

/* Of all choices of eight out of the values, by trying them. */
static uint64_t
least_cost(const uint32_t *counts, const int32_t *values, uint32_t value_count)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t mask = 0; mask < 1u << value_count; mask++) {
        int32_t kept[32];
        uint32_t count = 0;
        for (uint32_t i = 0; i < value_count; i++) {
            if (mask >> i & 1)
                kept[count++] = values[i];
        }
        if (count != RP_AOM_SEGMENTS)
            continue;
        const uint64_t cost = cost_of(counts, kept, count);
        least = cost < least ? cost : least;
    }
    return least;
}

static void
require_valid(const uint32_t *counts, const struct rp_aom_map_values *chosen, int32_t *kept)
{
    for (uint32_t i = 0; i < chosen->count; i++) {
        kept[i] = chosen->deltas[i] + RP_AOM_MAX_DELTA;
        REQUIRE(counts[kept[i]] > 0);
        REQUIRE(i == 0 || kept[i] > kept[i - 1]);
    }
    for (int32_t i = 0; i < RP_AOM_DELTAS; i++) {
        const uint32_t segment = chosen->segment_of[i];
        REQUIRE(segment < chosen->count);
        REQUIRE_EQ(abs(kept[segment] - i), nearest_distance(kept, chosen->count, i));
    }
}

static void
eight_values_are_all_kept(void)
{
    uint64_t random = 1;
    for (uint32_t value_count = 1; value_count <= RP_AOM_SEGMENTS; value_count++) {
        uint32_t counts[RP_AOM_DELTAS] = {0};
        struct rp_aom_map_values chosen;
        int32_t kept[RP_AOM_SEGMENTS];
        for (uint32_t i = 0; i < value_count; i++)
            counts[value_count == 1 ? RP_AOM_DELTAS - 1 : i * 70] = 1 + test_random(&random) % 9;
        rp_aom_map_values_choose(counts, &chosen);
        REQUIRE_EQ(chosen.count, value_count);
        require_valid(counts, &chosen, kept);
        REQUIRE_EQ(cost_of(counts, kept, chosen.count), 0);
    }
}

static void
of_more_values_the_best_are_kept(void)
{
    uint64_t random = 2;
    for (uint32_t run = 0; run < 60; run++) {
        const uint32_t wanted = 9 + run % 5;
        uint32_t counts[RP_AOM_DELTAS] = {0}, value_count = 0;
        int32_t values[32], kept[RP_AOM_SEGMENTS];
        struct rp_aom_map_values chosen;
        while (value_count < wanted) {
            const uint32_t at = (uint32_t)(test_random(&random) % (run & 1 ? 40 : RP_AOM_DELTAS));
            value_count += counts[at] == 0;
            counts[at] += 1 + (uint32_t)(test_random(&random) % 50);
        }
        value_count = 0;
        for (int32_t i = 0; i < RP_AOM_DELTAS; i++) {
            if (counts[i])
                values[value_count++] = i;
        }
        rp_aom_map_values_choose(counts, &chosen);
        REQUIRE_EQ(chosen.count, RP_AOM_SEGMENTS);
        require_valid(counts, &chosen, kept);
        REQUIRE_EQ(cost_of(counts, kept, chosen.count), least_cost(counts, values, value_count));
    }
}

/* All values there are, as often: parts of 63 or 64 values, of which the middle is kept. */
static void
a_ramp_is_cut_evenly(void)
{
    uint32_t counts[RP_AOM_DELTAS];
    struct rp_aom_map_values chosen;
    int32_t kept[RP_AOM_SEGMENTS];
    for (uint32_t i = 0; i < RP_AOM_DELTAS; i++)
        counts[i] = 3;
    rp_aom_map_values_choose(counts, &chosen);
    require_valid(counts, &chosen, kept);
    for (uint32_t i = 1; i < RP_AOM_SEGMENTS; i++)
        REQUIRE(abs(kept[i] - kept[i - 1] - RP_AOM_DELTAS / 8) <= 2);
}

int
main(void)
{
    RUN(eight_values_are_all_kept);
    RUN(of_more_values_the_best_are_kept);
    RUN(a_ramp_is_cut_evenly);
    return 0;
}
