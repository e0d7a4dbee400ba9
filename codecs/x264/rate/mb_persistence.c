/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What part of a macroblock was taken from the picture before is what the next one is expected to
 * take of it, and the one after of that: all of these descendants gain by what it is coded finer.
 */
#include "rate/mb_persistence.h"

#include "util/alloc.h"

#include <math.h>

#define STRENGTH 2.0f /* QP for each doubling of what a macroblock is worth, as x264's */
#define MOST_LASTING 0.93f
#define HORIZON 40  /* pictures, as x264's lookahead */
#define NOISE 32    /* a cost that says nothing */
#define SLOWER 0.3f /* a macroblock lasts as it did: weight of a picture in which it does ... */
#define SOONER 0.6f /* ... more, and less */
#define SHIFT_WEIGHT 0.3f

#define ONE 65536.0f

void
rp_x264_mb_persistence_finish(struct rp_x264_mb_persistence *persistence)
{
    rp_free(NULL, persistence->mb);
    *persistence = (struct rp_x264_mb_persistence){0};
}

static bool
persistence_reserve(struct rp_x264_mb_persistence *persistence, int count)
{
    if (persistence->mb && persistence->count == count)
        return true;
    rp_x264_mb_persistence_finish(persistence);
    persistence->mb =
        rp_zalloc(NULL, (size_t)count * sizeof(*persistence->mb),
                  _Alignof(struct rp_x264_persistent_mb), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    persistence->count = persistence->mb ? count : 0;
    persistence->horizon = -1;
    return persistence->mb != NULL;
}

/* Each of the descendants has a part of what the one before it has. */
static void
persistence_set_horizon(struct rp_x264_mb_persistence *persistence, int left)
{
    const int horizon = X264_MIN(left, HORIZON);
    if (persistence->horizon == horizon)
        return;

    persistence->horizon = horizon;
    for (int i = 0; i < RP_X264_PERSISTENCE_STEPS; i++) {
        const float part = X264_MIN((float)i / RP_X264_PERSISTENCE_STEPS, MOST_LASTING);
        float descendants = 0;
        for (int k = 0; k < horizon; k++)
            descendants = part * (1 + descendants);
        persistence->offset_qp[i] = -STRENGTH * log2f(1 + descendants);
        persistence->weight[i] = x264_exp2fix8(persistence->offset_qp[i]);
    }
}

/* The part of the macroblock that is taken from the reference, in this picture and in those before
 * it. */
static int
mb_note_inter(struct rp_x264_persistent_mb *mb, int intra_cost, int inter_cost)
{
    const float part = 1 - (float)(inter_cost + NOISE) / (float)(intra_cost + NOISE);
    const float now = (ONE - 1) * X264_MAX(0, part);
    const float before = mb->lasting;
    const float mean = before + (now < before ? SOONER : SLOWER) * (now - before);

    mb->lasting = (uint16_t)mean;
    mb->intra_cost = (uint16_t)intra_cost;
    return (int)X264_MIN(now, mean);
}

/* The part that was taken before, less where the picture shows something else. */
static int
mb_note_intra(struct rp_x264_persistent_mb *mb, int intra_cost)
{
    const int most = X264_MAX(mb->intra_cost, intra_cost) + NOISE;
    const float change = (float)abs(mb->intra_cost - intra_cost) / (float)most;

    mb->lasting = (uint16_t)(mb->lasting * (1 - change));
    mb->intra_cost = (uint16_t)intra_cost;
    return mb->lasting;
}

/* The row's macroblocks: what they last, and what that makes of the row's costs. */
void
rp_x264_mb_persistence_weigh_row(struct rp_x264_mb_persistence *persistence, x264_t *h, int y,
                                 bool is_inter)
{
    struct rp_x264_persistence_sums sums = {0};
    x264_frame_t *fenc = h->fenc;
    const uint16_t *inter_costs = fenc->lowres_costs[1][0];
    int64_t intra_sum = 0;
    int64_t inter_sum = 0;

    for (int x = 0; x < h->mb.i_mb_width; x++) {
        const int i = x + y * h->mb.i_mb_stride;
        struct rp_x264_persistent_mb *mb = &persistence->mb[i];
        const int intra_cost = fenc->i_intra_cost[i];
        const int cost = is_inter ? inter_costs[i] & LOWRES_COST_MASK : intra_cost;
        const int step =
            (is_inter ? mb_note_inter(mb, intra_cost, cost) : mb_note_intra(mb, intra_cost)) /
            (65536 / RP_X264_PERSISTENCE_STEPS);
        const int own_weight = X264_MAX(1, fenc->i_inv_qscale_factor[i]); /* 0: of maps' +51 */
        const int64_t weight = (int64_t)own_weight * persistence->weight[step];

        mb->offset_qp = persistence->offset_qp[step];
        sums.cost += (double)(cost + NOISE) * own_weight * 256;
        sums.weighted += (double)((cost + NOISE) * weight);
        intra_sum += intra_cost * weight;
        inter_sum += cost * weight;
    }
    fenc->i_row_satds[0][0][y] = (int)(intra_sum >> 16);
    if (is_inter)
        fenc->i_row_satds[1][0][y] = (int)(inter_sum >> 16);
    persistence->row_sums[y] = sums;
}

/* P pictures take what they would without these offsets. I pictures have their quantisers with
 * them: all of one that lasts is finer. */
static float
persistence_shift(struct rp_x264_mb_persistence *persistence, bool is_inter,
                  const struct rp_x264_persistence_sums *sums)
{
    const float own_qp = -6 * log2f((float)(sums->weighted / sums->cost));

    if (!is_inter)
        return persistence->shift_qp;
    persistence->shift_qp += SHIFT_WEIGHT * (own_qp - persistence->shift_qp);
    return own_qp;
}

bool
rp_x264_mb_persistence_begin(struct rp_x264_mb_persistence *persistence, const x264_t *h, int left)
{
    if (!persistence_reserve(persistence, h->mb.i_mb_count))
        return false;
    persistence_set_horizon(persistence, left);
    return true;
}

void
rp_x264_mb_persistence_end(struct rp_x264_mb_persistence *persistence, x264_t *h, bool is_inter)
{
    x264_frame_t *fenc = h->fenc;
    struct rp_x264_persistence_sums sums = {0};

    for (int y = 0; y < h->mb.i_mb_height; y++) {
        sums.cost += persistence->row_sums[y].cost;
        sums.weighted += persistence->row_sums[y].weighted;
    }
    const float shift_qp = persistence_shift(persistence, is_inter, &sums);
    const float row_factor = exp2f(shift_qp / 6);
    for (int y = 0; y < h->mb.i_mb_height; y++) {
        for (int list = 0; list <= is_inter; list++)
            fenc->i_row_satds[list][0][y] =
                (int)((float)fenc->i_row_satds[list][0][y] * row_factor);
    }
    for (int i = 0; i < persistence->count; i++)
        fenc->f_qp_offset[i] += persistence->mb[i].offset_qp - shift_qp;
}
