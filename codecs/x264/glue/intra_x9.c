/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nine modes one after the other; the first of the best.
 */
#include "glue/intra_x9.h"

#define MODE_COUNT 9

/* x264's functions for blocks are not told whose block it is. */
static _Thread_local const x264_t *current;

void
rp_x264_intra_x9_enter(const x264_t *h)
{
    current = h;
}

static int
best_of(const int costs[MODE_COUNT])
{
    int best = 0;
    for (int mode = 1; mode < MODE_COUNT; mode++) {
        if (costs[mode] < costs[best])
            best = mode;
    }
    return best;
}

/* Returns cost and, above 16 bits, mode; leaves its prediction in fdec. */
static int
compare_4x4(pixel *fenc, pixel *fdec, uint16_t *bit_costs)
{
    const x264_t *h = current;
    int costs[MODE_COUNT];

    for (int mode = 0; mode < MODE_COUNT; mode++) {
        h->predict_4x4[mode](fdec);
        costs[mode] =
            h->pixf.mbcmp[PIXEL_4x4](fenc, FENC_STRIDE, fdec, FDEC_STRIDE) + bit_costs[mode];
    }
    const int best = best_of(costs);
    h->predict_4x4[best](fdec);
    return costs[best] | best << 16;
}

static int
compare_8x8(pixel *fenc, pixel *fdec, pixel edge[36], uint16_t *bit_costs, uint16_t *costs_out)
{
    const x264_t *h = current;
    const bool is_sad = h->param.analyse.i_subpel_refine <= 1;
    const x264_pixel_cmp_t compare =
        is_sad ? h->pixf.sad_aligned[PIXEL_8x8] : h->pixf.sa8d[PIXEL_8x8];
    int costs[MODE_COUNT];

    for (int mode = 0; mode < MODE_COUNT; mode++) {
        h->predict_8x8[mode](fdec, edge);
        costs[mode] = compare(fenc, FENC_STRIDE, fdec, FDEC_STRIDE) + bit_costs[mode];
        costs_out[mode] = (uint16_t)costs[mode];
    }
    const int best = best_of(costs);
    h->predict_8x8[best](fdec, edge);
    return costs[best] | best << 16;
}

void
rp_x264_intra_x9_init(struct rp_x264_context *ctx)
{
    x264_pixel_function_t *pixf = &ctx->h->pixf;

    if (!pixf->intra_mbcmp_x9_4x4)
        pixf->intra_mbcmp_x9_4x4 = compare_4x4;
    if (!pixf->intra_mbcmp_x9_8x8)
        pixf->intra_mbcmp_x9_8x8 = compare_8x8;
}
