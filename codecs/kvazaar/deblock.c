/* SPDX-License-Identifier: MIT */
/* Deblocking of luma edges (8.7.2.4, 8.7.2.5.3 to 8.7.2.5.7).
 */
#include "codecs/kvazaar/core.h"

#include <stdlib.h>

/* The prediction of a block: one or two vectors, and the pictures they lead to. */
struct prediction {
    uint32_t count;
    uint8_t picture[2];
    const int16_t *mv[2];
};

static struct prediction
prediction_of(const encoder_state_t *state, const cu_info_t *cu)
{
    struct prediction out = {0};
    for (uint32_t list = 0; list < 2; list++) {
        if (!(cu->inter.mv_dir >> list & 1))
            continue;
        out.picture[out.count] = state->frame->ref_LX[list][cu->inter.mv_ref[list]];
        out.mv[out.count++] = cu->inter.mv[list];
    }
    return out;
}

static bool
are_far(const int16_t *a, const int16_t *b)
{
    return abs(a[0] - b[0]) >= 4 || abs(a[1] - b[1]) >= 4;
}

/* "the prediction of the luma prediction block containing the sample p0 ...": bS is 1. */
static bool
predictions_differ(const struct prediction *p, const struct prediction *q)
{
    if (p->count != q->count)
        return true;
    if (p->count == 1)
        return p->picture[0] != q->picture[0] || are_far(p->mv[0], q->mv[0]);
    const bool is_same = p->picture[0] == q->picture[0] && p->picture[1] == q->picture[1];
    const bool is_crossed = p->picture[0] == q->picture[1] && p->picture[1] == q->picture[0];
    const bool is_far_same = are_far(p->mv[0], q->mv[0]) || are_far(p->mv[1], q->mv[1]);
    const bool is_far_crossed = are_far(p->mv[0], q->mv[1]) || are_far(p->mv[1], q->mv[0]);
    if (is_same && is_crossed)
        return is_far_same && is_far_crossed;
    if (is_same)
        return is_far_same;
    return !is_crossed || is_far_crossed;
}

/* bS (8.7.2.4) */
static int32_t
boundary_strength(const encoder_state_t *state, const cu_info_t *cu_p, const cu_info_t *cu_q,
                  bool is_transform_edge)
{
    if (cu_p->type == CU_INTRA || cu_q->type == CU_INTRA)
        return 2;
    if (is_transform_edge && (cbf_is_set(cu_p->cbf, cu_p->tr_depth, COLOR_Y) ||
                              cbf_is_set(cu_q->cbf, cu_q->tr_depth, COLOR_Y)))
        return 1;
    const struct prediction p = prediction_of(state, cu_p);
    const struct prediction q = prediction_of(state, cu_q);
    return predictions_differ(&p, &q);
}

/* Four lines across an edge: sample i of line j, where q0 is 0 and p0 is -1. */
struct lines {
    kvz_pixel *q0;
    int32_t across;
    int32_t along;
};

static inline kvz_pixel *
sample(const struct lines *lines, int32_t i, int32_t j)
{
    return lines->q0 + i * lines->across + j * lines->along;
}

static inline int32_t
value(const struct lines *lines, int32_t i, int32_t j)
{
    return *sample(lines, i, j);
}

static inline int32_t
clip3(int32_t low, int32_t high, int32_t x)
{
    return x < low ? low : x > high ? high : x;
}

static inline kvz_pixel
clip1(int32_t x)
{
    return (kvz_pixel)clip3(0, (1 << KVZ_BIT_DEPTH) - 1, x);
}

/* Second differences of p and q in line j. */
static inline int32_t
bend_p(const struct lines *lines, int32_t j)
{
    return abs(value(lines, -3, j) - 2 * value(lines, -2, j) + value(lines, -1, j));
}

static inline int32_t
bend_q(const struct lines *lines, int32_t j)
{
    return abs(value(lines, 2, j) - 2 * value(lines, 1, j) + value(lines, 0, j));
}

/* dSam (8.7.2.5.6) */
static bool
is_smooth(const struct lines *lines, int32_t j, int32_t beta, int32_t tc)
{
    return 2 * (bend_p(lines, j) + bend_q(lines, j)) < beta >> 2 &&
           abs(value(lines, -4, j) - value(lines, -1, j)) +
                   abs(value(lines, 0, j) - value(lines, 3, j)) <
               beta >> 3 &&
           abs(value(lines, -1, j) - value(lines, 0, j)) < (5 * tc + 1) >> 1;
}

static void
filter_strong(const struct lines *lines, int32_t j, int32_t tc)
{
    const int32_t p0 = value(lines, -1, j), p1 = value(lines, -2, j), p2 = value(lines, -3, j);
    const int32_t p3 = value(lines, -4, j), q0 = value(lines, 0, j), q1 = value(lines, 1, j);
    const int32_t q2 = value(lines, 2, j), q3 = value(lines, 3, j);
    const int32_t filtered[6] = {
        (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3,
        (p2 + p1 + p0 + q0 + 2) >> 2,
        (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3,
        (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3,
        (p0 + q0 + q1 + q2 + 2) >> 2,
        (p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) >> 3,
    };
    for (int32_t i = 0; i < 6; i++) {
        const int32_t before = value(lines, i - 3, j);
        *sample(lines, i - 3, j) = (kvz_pixel)clip3(before - 2 * tc, before + 2 * tc, filtered[i]);
    }
}

static void
filter_weak(const struct lines *lines, int32_t j, int32_t tc, bool has_p1, bool has_q1)
{
    const int32_t p0 = value(lines, -1, j), p1 = value(lines, -2, j), p2 = value(lines, -3, j);
    const int32_t q0 = value(lines, 0, j), q1 = value(lines, 1, j), q2 = value(lines, 2, j);
    const int32_t step = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
    if (abs(step) >= 10 * tc)
        return;
    const int32_t delta = clip3(-tc, tc, step);
    *sample(lines, -1, j) = clip1(p0 + delta);
    *sample(lines, 0, j) = clip1(q0 - delta);
    if (has_p1)
        *sample(lines, -2, j) =
            clip1(p1 + clip3(-(tc >> 1), tc >> 1, (((p2 + p0 + 1) >> 1) - p1 + delta) >> 1));
    if (has_q1)
        *sample(lines, 1, j) =
            clip1(q1 + clip3(-(tc >> 1), tc >> 1, (((q2 + q0 + 1) >> 1) - q1 - delta) >> 1));
}

static void
filter_lines(const struct lines *lines, int32_t beta, int32_t tc)
{
    const int32_t dp = bend_p(lines, 0) + bend_p(lines, 3);
    const int32_t dq = bend_q(lines, 0) + bend_q(lines, 3);
    if (dp + dq >= beta)
        return;
    const bool is_strong = is_smooth(lines, 0, beta, tc) && is_smooth(lines, 3, beta, tc);
    const int32_t side = (beta + (beta >> 1)) >> 3;
    for (int32_t j = 0; j < 4; j++) {
        if (is_strong)
            filter_strong(lines, j, tc);
        else
            filter_weak(lines, j, tc, dp < side, dq < side);
    }
}

void
rp_kvazaar_deblock_luma(encoder_state_t *state, int32_t x, int32_t y, int32_t length,
                        bool is_vertical, bool is_transform_edge)
{
    const kvz_config *cfg = &state->encoder_control->cfg;
    videoframe_t *frame = state->tile->frame;
    const int32_t stride = frame->rec->stride;
    const int32_t scale = 1 << (KVZ_BIT_DEPTH - 8);

    for (int32_t i = 0; i < length; i += 4) {
        const int32_t part_x = is_vertical ? x : x + i, part_y = is_vertical ? y + i : y;
        const cu_info_t *q = kvz_cu_array_at(frame->cu_array, (uint32_t)part_x, (uint32_t)part_y);
        const cu_info_t *p =
            kvz_cu_array_at(frame->cu_array, (uint32_t)(is_vertical ? part_x - 1 : part_x),
                            (uint32_t)(is_vertical ? part_y : part_y - 1));
        const int32_t strength = boundary_strength(state, p, q, is_transform_edge);
        if (strength == 0)
            continue;
        const int32_t qp =
            state->frame->max_qp_delta_depth < 0 ? state->qp : (p->qp + q->qp + 1) >> 1;
        const int32_t beta = kvz_g_beta_table_8x8[clip3(0, 51, qp + 2 * cfg->deblock_beta)];
        const int32_t tc =
            kvz_g_tc_table_8x8[clip3(0, 53, qp + 2 * (strength - 1) + 2 * cfg->deblock_tc)];
        const struct lines lines = {
            .q0 = &frame->rec->y[part_x + part_y * stride],
            .across = is_vertical ? 1 : stride,
            .along = is_vertical ? stride : 1,
        };
        filter_lines(&lines, beta * scale, tc * scale);
    }
}
