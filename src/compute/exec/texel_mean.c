/* SPDX-License-Identifier: MIT */
/* What a linear filter makes of its taps, for the formats that most textures have: loading,
 * decoding and weighting are one loop. Gives what the loops of texel_unit.c give, bit for bit.
 * Compiled once for each instruction set.
 */
#include "compute/exec/texel_load.h"
#include "compute/exec/texel_taps.h"

#if RP_VW >= 8
/* The taps are rows of two, along y and then z. */
RP_ALWAYS_INLINE vi
tap_offset(const struct taps *taps, uint32_t row, uint32_t side)
{
    return taps->base + taps->offset[2][row >> 1] + taps->offset[1][row & 1] +
           taps->offset[0][side];
}

RP_ALWAYS_INLINE vf
row_tap_weight(const struct taps *taps, uint32_t row, uint32_t side)
{
    return taps->weight[0][side] * taps->weight[1][row & 1] * taps->weight[2][row >> 1];
}

/* Component by component. */
RP_ALWAYS_INLINE void
mean_as(enum nature nature, uint32_t count, const struct unit *u, const struct taps *taps,
        vi out[4])
{
    const struct kind kind = {.nature = nature, .count = count};
    const bool is_finite = nature != HALF && nature != WORD_FLOAT;
    vf sum[4] = {{0}};
    for (uint32_t row = 0; row < 1u << (u->axis_count - 1); row++)
        for (uint32_t side = 0; side < 2; side++) {
            const vf weight = row_tap_weight(taps, row, side);
            vu texel[4] = {{0}};
            load_as(size_of(&kind), &u->span, tap_offset(taps, row, side), texel);
            sum[0] = add_part(is_finite, sum[0], weight, VF(component_of(nature, texel, 0)));
            if (count > 1)
                sum[1] = add_part(is_finite, sum[1], weight, VF(component_of(nature, texel, 1)));
            if (count > 2)
                sum[2] = add_part(is_finite, sum[2], weight, VF(component_of(nature, texel, 2)));
            if (count > 3)
                sum[3] = add_part(is_finite, sum[3], weight, VF(component_of(nature, texel, 3)));
        }
    for (uint32_t c = 0; c < 4; c++)
        out[c] = c < count ? VI(sum[c]) : missing(nature, c);
}

/* Texel by texel: of 64 or 128 bits, one load each. */
RP_ALWAYS_INLINE void
mean_of_whole(enum nature nature, const struct unit *u, const struct taps *taps, vi out[4])
{
    vf sum[4] = {{0}};
    for (uint32_t row = 0; row < 1u << (u->axis_count - 1); row++)
        for (uint32_t side = 0; side < 2; side++) {
            const vf weight = row_tap_weight(taps, row, side);
            const vi offset = tap_offset(taps, row, side);
            vf quarter[4];
            load_quarters(nature, u->span.data, offset, quarter);
            add_quarters(sum, weight, quarter);
        }
    turn(sum, out);
}

/* Depths of which each is compared. */
RP_ALWAYS_INLINE void
mean_of_passes(enum nature nature, const struct unit *u, vf dref, const struct taps *taps,
               vi out[4])
{
    const struct kind kind = {.nature = nature, .count = 1};
    vf sum = {0};
    for (uint32_t row = 0; row < 1u << (u->axis_count - 1); row++)
        for (uint32_t side = 0; side < 2; side++) {
            vu texel[4];
            load_as(size_of(&kind), &u->span, tap_offset(taps, row, side), texel);
            const vi passes =
                compared(u->sampler->compare_op, dref, VF(component_of(nature, texel, 0)));
            sum += row_tap_weight(taps, row, side) * VF(passes);
        }
    out[0] = VI(sum);
}

/* clang-format off */
#define MEANS(X) \
    X(BYTE_UNORM, 1) X(BYTE_UNORM, 2) X(BYTE_UNORM, 4) X(BYTE_SRGB, 4) X(UNORM16, 1) X(HALF, 1) \
    X(HALF, 2) X(WORD_FLOAT, 1) X(WORD_FLOAT, 2)
/* clang-format on */

#define DEFINE_MEAN(nature, count) \
    static void mean_##nature##_##count(const struct unit *u, const struct point *p, \
                                        const struct taps *taps, vi out[4]) \
    { \
        (void)p; \
        mean_as(nature, count, u, taps, out); \
    }
MEANS(DEFINE_MEAN)
#undef DEFINE_MEAN

#define DEFINE_WHOLE(nature) \
    static void mean_##nature##_4(const struct unit *u, const struct point *p, \
                                  const struct taps *taps, vi out[4]) \
    { \
        (void)p; \
        mean_of_whole(nature, u, taps, out); \
    }
DEFINE_WHOLE(HALF)
DEFINE_WHOLE(WORD_FLOAT)
#undef DEFINE_WHOLE

#define DEFINE_PASSES(nature) \
    static void passes_##nature(const struct unit *u, const struct point *p, \
                                const struct taps *taps, vi out[4]) \
    { \
        mean_of_passes(nature, u, p->dref, taps, out); \
    }
DEFINE_PASSES(UNORM16)
DEFINE_PASSES(WORD_FLOAT)
#undef DEFINE_PASSES

mean_fn *
RP_FN(mean_of)(const struct kind *kind, bool is_compared)
{
    if (is_compared)
        return kind->count != 1             ? NULL
               : kind->nature == UNORM16    ? passes_UNORM16
               : kind->nature == WORD_FLOAT ? passes_WORD_FLOAT
                                            : NULL;
    switch (kind->nature << 4 | kind->count) {
#define CASE(nature, count) \
    case nature << 4 | count: \
        return mean_##nature##_##count;
        MEANS(CASE)
        CASE(HALF, 4)
        CASE(WORD_FLOAT, 4)
    default:
        return NULL;
    }
}
#else
mean_fn *
RP_FN(mean_of)(const struct kind *kind, bool is_compared)
{
    (void)kind, (void)is_compared;
    return NULL;
}
#endif
