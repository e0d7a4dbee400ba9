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
    if (taps->has_seam)
        return taps->seam[row * 2 + side];
    return taps->base + taps->offset[2][row >> 1] + taps->offset[1][row & 1] +
           taps->offset[0][side];
}

RP_ALWAYS_INLINE vf
row_tap_weight(const struct taps *taps, uint32_t row, uint32_t side)
{
    return taps->weight[0][side] * taps->weight[1][row & 1] * taps->weight[2][row >> 1];
}

/* Whether a row's texels have weight in some lane. */
RP_ALWAYS_INLINE bool
row_has_part(const struct taps *taps, uint32_t row)
{
    return !vi_equal(VI(taps->weight[1][row & 1] * taps->weight[2][row >> 1]), (vi){0});
}

/* Whether the right texels of rows have weight in some lane. */
RP_ALWAYS_INLINE bool
row_has_right(const struct taps *taps)
{
    return !vi_equal(VI(taps->weight[0][1]), (vi){0});
}

#if RP_VW == 16
/* Taps that have weight in some lane, of texels of up to 32 bits. */
struct tap_list {
    uint32_t count;
    vf weight[8];
    vu texel[8];
};

/* The left and right texels of a row: where they are beside each other, but not in line with those
 * of other lanes, by one load a lane. */
RP_ALWAYS_INLINE void
load_pair_of(uint32_t texel_B, const struct texel_span *span, vi left, vi right, vu texel[2])
{
    const vi last = vi_splat((int32_t)span->size_B - (texel_B == 4 ? 8 : 4));
    vu word[4];
    if (is_row_of(left, texel_B) || !vi_equal(right, left + (int32_t)texel_B) ||
        vi_bits(left > last) != 0) {
        RP_FN(load)(texel_B, span, left, word);
        texel[0] = word[0];
        RP_FN(load)(texel_B, span, right, word);
        texel[1] = word[0];
    } else if (texel_B == 4) {
        _Alignas(64) int32_t offset[RP_VW];
        *(vi *)offset = left;
        load_long(span->data, offset, word);
        texel[0] = word[0];
        texel[1] = word[1];
    } else {
        word[0] = gather_words(span->data, left);
        texel[0] = word[0] & texel_used(texel_B);
        texel[1] = word[0] >> 8 * texel_B & texel_used(texel_B);
    }
}

static __attribute__((noinline)) void
list_taps(uint32_t texel_B, const struct unit *u, const struct taps *taps, struct tap_list *list)
{
    const bool has_right = row_has_right(taps);
    uint32_t n = 0;
    for (uint32_t row = 0; row < 1u << (u->axis_count - 1); row++) {
        const vi left = tap_offset(taps, row, 0);
        if (!row_has_part(taps, row))
            continue;
        list->weight[n] = row_tap_weight(taps, row, 0);
        if (!has_right) {
            vu word[4];
            RP_FN(load)(texel_B, &u->span, left, word);
            list->texel[n++] = word[0];
            continue;
        }
        list->weight[n + 1] = row_tap_weight(taps, row, 1);
        load_pair_of(texel_B, &u->span, left, tap_offset(taps, row, 1), &list->texel[n]);
        n += 2;
    }
    list->count = n;
}
#endif

/* What the numbers of component c are multiples of. */
RP_ALWAYS_INLINE float
unit_of_numbers(enum nature nature, uint32_t c)
{
    return nature == BYTE_UNORM || (nature == BYTE_SRGB && c == 3) ? BYTE_UNIT : 1.0f;
}

RP_ALWAYS_INLINE vf
number_of(enum nature nature, const vu texel[4], uint32_t c)
{
    if (nature == BYTE_UNORM || (nature == BYTE_SRGB && c == 3))
        return byte_number(texel[0], c);
    return VF(component_of(nature, texel, c));
}

RP_ALWAYS_INLINE void
add_texel(enum nature nature, uint32_t count, vf weight, const vu texel[4], vf sum[4])
{
    const bool is_finite = nature != HALF && nature != WORD_FLOAT;
    sum[0] = add_part(is_finite, sum[0], weight, number_of(nature, texel, 0));
    if (count > 1)
        sum[1] = add_part(is_finite, sum[1], weight, number_of(nature, texel, 1));
    if (count > 2)
        sum[2] = add_part(is_finite, sum[2], weight, number_of(nature, texel, 2));
    if (count > 3)
        sum[3] = add_part(is_finite, sum[3], weight, number_of(nature, texel, 3));
}

/* Component by component. */
RP_ALWAYS_INLINE void
mean_as(enum nature nature, uint32_t count, const struct unit *u, const struct taps *taps,
        vi out[4])
{
    const struct kind kind = {.nature = nature, .count = count};
    vf sum[4];
    sum[0] = sum[1] = sum[2] = sum[3] = (vf){0};
#if RP_VW == 16
    struct tap_list list;
    list_taps(size_of(&kind), u, taps, &list);
    for (uint32_t i = 0; i < list.count; i++)
        add_texel(nature, count, list.weight[i], &list.texel[i], sum);
#else
    const uint32_t sides = 1u + row_has_right(taps);
    for (uint32_t row = 0; row < 1u << (u->axis_count - 1); row++)
        for (uint32_t side = 0; row_has_part(taps, row) && side < sides; side++) {
            vu texel[4];
            load_as(size_of(&kind), &u->span, tap_offset(taps, row, side), texel);
            add_texel(nature, count, row_tap_weight(taps, row, side), texel, sum);
        }
#endif
#pragma GCC unroll 4
    for (uint32_t c = 0; c < 4; c++)
        out[c] = c < count ? VI(sum[c] * unit_of_numbers(nature, c)) : missing(nature, c);
}

/* Texel by texel: of 64 or 128 bits, one load each. */
RP_ALWAYS_INLINE void
mean_of_whole(enum nature nature, const struct unit *u, const struct taps *taps, vi out[4])
{
    vf sum[4];
    sum[0] = sum[1] = sum[2] = sum[3] = (vf){0};
    const bool has_right = row_has_right(taps);
    for (uint32_t row = 0; row < 1u << (u->axis_count - 1); row++) {
        const vf weight[2] = {row_tap_weight(taps, row, 0), row_tap_weight(taps, row, 1)};
        if (row_has_part(taps, row))
            add_whole_pair(nature, u->span.data, tap_offset(taps, row, 0), tap_offset(taps, row, 1),
                           weight, has_right, sum);
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
    X(HALF, 2) X(WORD_FLOAT, 1)
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
