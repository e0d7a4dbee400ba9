/* SPDX-License-Identifier: MIT */
/* What accesses of several levels, layers and formats have in common: levels as lanes see them,
 * texels as four components, and the swizzle of a view.
 */
#ifndef RP_COMPUTE_EXEC_TEXEL_UNIT_H
#define RP_COMPUTE_EXEC_TEXEL_UNIT_H

#include "compute/exec/texel_kind.h"
#include "compute/exec/texel_vec.h"

/* Memory that offsets of texels are of. */
struct texel_span {
    uint8_t *data;
    size_t size_B;
};

/* Texels at offsets, of which a negative one is none: zeros. */
void RP_FN(load)(uint32_t texel_B, const struct texel_span *span, vi offsets, vu texel[4]);

/* The four components of a vector of texels. */
void RP_FN(decode)(const struct kind *kind, const vu texel[4], vi out[4]);

/* The level of each lane, in the order of struct rp_texel_place. */
struct level_lanes {
    vi size_px[3];
    vi step_B[3];
    vi base_B;
    vi layer_B;
};

enum { LEVEL_WORDS = sizeof(struct rp_texel_place) / sizeof(int32_t) };

static inline bool
level_is_even(vi level)
{
    return vi_bits(level != vi_splat(level[0])) == 0;
}

static inline void
level_lanes_even(const struct rp_texel_places *places, int32_t level, struct level_lanes *out)
{
    const int32_t *words = (const int32_t *)places->level + (size_t)level * LEVEL_WORDS;
    vi *to = (vi *)out;
    for (int32_t w = 0; w < LEVEL_WORDS; w++)
        to[w] = vi_splat(words[w]);
}

static inline void
level_lanes_of(const struct rp_texel_places *places, vi level, struct level_lanes *out)
{
    enum { WORDS = LEVEL_WORDS };
    const int32_t *words = (const int32_t *)places->level;
    vi *to = (vi *)out;
    if (level_is_even(level)) {
        level_lanes_even(places, level[0], out);
        return;
    }
    for (int32_t w = 0; w < WORDS; w++) {
#if RP_VW >= 8
        to[w] = VI(gather_words((const uint8_t *)(words + w), level * (4 * WORDS)));
#else
        for (int32_t i = 0; i < RP_VW; i++)
            to[w][i] = words[level[i] * WORDS + w];
#endif
    }
}

/* Where each component comes from: 0 to 3, or one of these. */
enum {
    PICK_ZERO = 4,
    PICK_ONE = 5,
};
struct picks {
    uint8_t from[4];
};

static inline uint8_t
pick_of(VkComponentSwizzle swizzle, uint8_t identity)
{
    switch ((int)swizzle) {
    case VK_COMPONENT_SWIZZLE_ZERO:
        return PICK_ZERO;
    case VK_COMPONENT_SWIZZLE_ONE:
        return PICK_ONE;
    case VK_COMPONENT_SWIZZLE_IDENTITY:
        return identity;
    default:
        return (uint8_t)(swizzle - VK_COMPONENT_SWIZZLE_R);
    }
}

static inline struct picks
picks_of(const VkComponentMapping *s)
{
    return (struct picks){{pick_of(s->r, 0), pick_of(s->g, 1), pick_of(s->b, 2), pick_of(s->a, 3)}};
}

static inline vi
pick(uint8_t from, bool is_int, const vi value[4])
{
    if (from == PICK_ZERO)
        return (vi){0};
    if (from == PICK_ONE)
        return is_int ? vi_splat(1) : VI(vf_splat(1.0f));
    return value[from];
}

static inline void
picks_apply(const struct picks *picks, bool is_int, vi value[4])
{
    const vi before[4] = {value[0], value[1], value[2], value[3]};
    for (uint32_t c = 0; c < 4; c++)
        value[c] = pick(picks->from[c], is_int, before);
}

#endif
