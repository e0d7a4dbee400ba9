/* SPDX-License-Identifier: MIT */
/* Counts the lanes that enter a basic block, and the warps of each width that do: a warp is that
 * many consecutive lanes from a multiple of that on.
 */
#include "compute/exec/common.h"

#define BLOCKS 4 /* of 16 lanes, looked at together */

/* All lanes of the blocks [k0, k1). */
static inline void
count_full(struct rp_probe_count *c, int32_t k0, int32_t k1)
{
    const uint64_t count = (uint64_t)(k1 - k0);
    c->active += 16 * count;
    c->masks[0] += 2 * count;
    c->masks[1] += count;
    c->masks[2] += (uint64_t)((k1 + 1) / 2 - k0 / 2);
    c->masks[3] += (uint64_t)((k1 + 3) / 4 - k0 / 4);
}

static inline void
count_lanes(struct rp_probe_count *c, uint64_t lanes)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    const uint64_t bytes =
        (((lanes & low) + low) | lanes) & ~low; /* bit 7 of those that are not 0 */
    c->active += (uint64_t)__builtin_popcountll(lanes);
    c->masks[0] += (uint64_t)__builtin_popcountll(bytes);
    c->masks[1] += (uint64_t)(((uint16_t)lanes != 0) + ((uint16_t)(lanes >> 16) != 0) +
                              ((uint16_t)(lanes >> 32) != 0) + (lanes >> 48 != 0));
    c->masks[2] += (uint64_t)(((uint32_t)lanes != 0) + (lanes >> 32 != 0));
    c->masks[3] += lanes != 0;
}

const struct rp_op *
rp_common_PROBE(const struct rp_op *o, char *R, struct rp_exec *x)
{
    struct rp_probe_count *c = &x->probes[o->a];
    (void)R;
    if (x->is_full) {
        count_full(c, x->k0, x->k1);
        return o + 1;
    }
    const uint16_t *bits = x->levels[o->level].bits;
    for (int32_t k = x->k0 & ~(BLOCKS - 1); k < x->k1; k += BLOCKS) {
        const int32_t before = x->k0 - k, behind = k + BLOCKS - x->k1;
        uint64_t lanes;
        __builtin_memcpy(&lanes, bits + k, sizeof(lanes));
        if (before > 0)
            lanes &= UINT64_MAX << 16 * before;
        if (behind > 0)
            lanes &= UINT64_MAX >> 16 * behind;
        count_lanes(c, lanes);
    }
    return o + 1;
}
