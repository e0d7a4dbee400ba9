/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the source and of its half-size planes from the first to the last, then costs from the
 * last to the first, as x264's lookahead goes.
 */
#include "picture/half_size.h"

#include "encoder.h"
#include "picture/quant.h"
#include "picture/source.h"
#include "picture/wave.h"
#include "rate/attempt.h"

#include "reelpipe/workers.h"

#define ROW_LINES 8 /* of a row of macroblocks */
#define LEAD_MBS 2  /* that the row below is ahead: its motion vectors predict those of a row */
#define BATCH_MBS 4 /* between two looks at the row below */

struct making {
    struct rp_x264_context *ctx;
    /* Rows whose lines are there: its own, and the first one below. */
    atomic_uchar part_count[RP_X264_MAX_ROWS];
};

static void
line_extend(pixel *line, int width)
{
    memset(line - PADH, line[0], PADH);
    memset(line + width, line[width - 1], PADH);
}

/* Lines beyond the picture repeat its first and its last one. */
static void
plane_extend(pixel *plane, int stride, int width, int lines, int first, int end)
{
    for (int y = first; y < end; y++)
        line_extend(plane + (intptr_t)y * stride, width);
    for (int y = 1; y <= PADV; y++) {
        const pixel *last = plane + (intptr_t)(lines - 1) * stride - PADH;
        if (first == 0)
            memcpy(plane - (intptr_t)y * stride - PADH, plane - PADH, (size_t)width + 2 * PADH);
        if (end == lines)
            memcpy(plane + (intptr_t)(lines - 1 + y) * stride - PADH, last,
                   (size_t)width + 2 * PADH);
    }
}

/* x264_frame_init_lowres() for one row. */
static void
row_make(const x264_t *h, x264_frame_t *frame, int y)
{
    const int stride = frame->i_stride_lowres;
    const int first = ROW_LINES * y;
    const intptr_t at = (intptr_t)first * stride;
    pixel *source = frame->plane[0] + (intptr_t)2 * first * frame->i_stride[0];

    h->mc.frame_init_lowres_core(source, frame->lowres[0] + at, frame->lowres[1] + at,
                                 frame->lowres[2] + at, frame->lowres[3] + at, frame->i_stride[0],
                                 stride, frame->i_width_lowres, ROW_LINES);
    for (int i = 0; i < 4; i++)
        plane_extend(frame->lowres[i], stride, frame->i_width_lowres, frame->i_lines_lowres, first,
                     first + ROW_LINES);
}

/* One more sample and line than there are: interpolation reads them. */
static void
row_copy(x264_t *h, const struct rp_picture *src, int y)
{
    x264_frame_t *frame = h->fenc;
    const int stride = frame->i_stride[0];
    const int width = frame->i_width[0];
    pixel *line = frame->plane[0] + (intptr_t)16 * y * stride;

    rp_x264_source_copy_rows(h, src, y, y + 1);
    for (int i = 0; i < 16; i++, line += stride)
        line[width] = line[width - 1];
    if (y + 1 == h->mb.i_mb_height)
        memcpy(line, line - stride, (size_t)width + 1);
}

static void
row_load(void *arg, x264_t *h, int y)
{
    struct making *making = arg;
    const int last = h->mb.i_mb_height - 1;

    row_copy(h, &making->ctx->job->common.src, y);
    rp_x264_quant_row(h, y);
    if (y > 0 && atomic_fetch_add(&making->part_count[y - 1], 1) == 1)
        row_make(h, h->fenc, y - 1);
    if (atomic_fetch_add(&making->part_count[y], 1) == 1 || y == last)
        row_make(h, h->fenc, y);
}

void
rp_x264_half_size_make(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    struct making making = {.ctx = ctx};
    x264_frame_t *frame = ctx->h->fenc;
    const int distances = ctx->h->param.i_bframe + 1;

    rp_x264_quant_prepare(ctx);
    rp_x264_wave_for_rows(enc, ctx, row_load, &making);
    /* x264 takes these for costs and vectors that are not known. */
    memset(frame->i_cost_est, -1, sizeof(frame->i_cost_est));
    for (int y = 0; y <= distances; y++) {
        for (int x = 0; x <= distances; x++)
            frame->i_row_satds[y][x][0] = -1;
    }
    for (int list = 0; list < 2; list++) {
        for (int x = 0; x < distances; x++)
            frame->lowres_mvs[list][x][0][0] = 0x7fff;
    }
}

struct costing {
    struct rp_x264_lowres_pair pair;
    struct rp_x264_row_cost *rows;
    struct rp_x264_wave *wave; /* NULL: there are no others */
    uint64_t spin_ns;
};

static void
row_cost(void *arg, x264_t *h, int index)
{
    struct costing *costing = arg;
    struct rp_x264_wave *wave = costing->wave;
    const int width = h->mb.i_mb_width;
    const int y = h->mb.i_mb_height - 1 - index;
    uint32_t known = index == 0 || !wave ? (uint32_t)width : 0; /* of the row below */

    costing->rows[y] = (struct rp_x264_row_cost){0};
    for (int end = width; end > 0; end -= BATCH_MBS) {
        const int first = X264_MAX(end - BATCH_MBS, 0);
        const uint32_t needed = (uint32_t)X264_MIN(width - first - 1 + LEAD_MBS, width);
        while (known < needed)
            known = rp_progress_wait(&wave->done[y + 1].mbs, known, costing->spin_ns);
        rp_x264_lowres_cost_row(h, &costing->pair, y, first, end, &costing->rows[y]);
        if (wave)
            rp_progress_set(&wave->done[y].mbs, (uint32_t)(width - first));
    }
}

void
rp_x264_half_size_cost(struct rp_encoder *enc, struct rp_x264_context *ctx, x264_frame_t *ref)
{
    x264_t *h = ctx->h;
    struct costing costing = {
        .pair = {h->fenc, ref},
        .rows = ctx->attempt->row_costs,
        .wave = ctx->wave,
        .spin_ns = rp_workers_wait_ns(enc->workers),
    };

    for (int y = 0; y < h->mb.i_mb_height && ctx->wave; y++)
        rp_progress_set(&ctx->wave->done[y].mbs, 0);
    rp_x264_wave_for_rows(enc, ctx, row_cost, &costing);
    rp_x264_lowres_cost_sum(h, &costing.pair, costing.rows);
}
