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
    bool is_in_place; /* all rows but the last are looked at where the application has them */
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

/* Samples between the last column and the one beyond it, which repeats that one. */
static void
last_column_make(x264_frame_t *frame, intptr_t at, const pixel *source, intptr_t source_stride)
{
    const pixel *line = source + frame->i_width[0] - 1;
    const intptr_t last = at + frame->i_width_lowres - 1;

    for (int y = 0; y < ROW_LINES; y++, line += 2 * source_stride) {
        const intptr_t to = last + (intptr_t)y * frame->i_stride_lowres;
        frame->lowres[1][to] = (pixel)((line[0] + line[source_stride] + 1) >> 1);
        frame->lowres[3][to] = (pixel)((line[source_stride] + line[2 * source_stride] + 1) >> 1);
    }
}

static bool
row_is_in_place(const struct making *making, const x264_t *h, int y)
{
    return making->is_in_place && y + 1 < h->mb.i_mb_height;
}

/* x264_frame_init_lowres() for one row. */
static void
row_make(const struct making *making, const x264_t *h, int y)
{
    const struct rp_plane *luma = &making->ctx->job->common.src.plane[0];
    const bool is_in_place = row_is_in_place(making, h, y);
    x264_frame_t *frame = h->fenc;
    const int stride = frame->i_stride_lowres;
    const int first = ROW_LINES * y;
    const intptr_t at = (intptr_t)first * stride;
    const intptr_t source_stride = is_in_place ? (intptr_t)luma->stride_B : frame->i_stride[0];
    pixel *source = (is_in_place ? luma->data : frame->plane[0]) + 2 * first * source_stride;

    h->mc.frame_init_lowres_core(source, frame->lowres[0] + at, frame->lowres[1] + at,
                                 frame->lowres[2] + at, frame->lowres[3] + at, source_stride,
                                 stride, frame->i_width_lowres, ROW_LINES);
    if (is_in_place)
        last_column_make(frame, at, source, source_stride);
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

    const struct rp_picture *src = &making->ctx->job->common.src;
    const bool is_in_place = row_is_in_place(making, h, y);

    if (!is_in_place)
        row_copy(h, src, y);
    rp_x264_quant_row(h, is_in_place ? src : NULL, y);
    if (making->is_in_place) {
        row_make(making, h, y); /* of the line below it is read where it is, too */
        return;
    }
    if (y > 0 && atomic_fetch_add(&making->part_count[y - 1], 1) == 1)
        row_make(making, h, y - 1);
    if (atomic_fetch_add(&making->part_count[y], 1) == 1 || y == last)
        row_make(making, h, y);
}

/* Whole macroblocks in each row but the last, aligned as x264 has its own pictures, and a line
 * below each. */
static bool
source_may_stay(const x264_t *h, const struct rp_picture *src)
{
    const uintptr_t address = (uintptr_t)src->plane[0].data | (uintptr_t)src->plane[1].data |
                              src->plane[0].stride_B | src->plane[1].stride_B;
    const int full_width = 16 * h->mb.i_mb_width;

    return src->layout == RP_PICTURE_NV12 && (address & 63) == 0 &&
           h->param.i_width == full_width && (int)src->width_px >= full_width &&
           (int)src->height_px > 16 * (h->mb.i_mb_height - 1);
}

bool
rp_x264_half_size_make(struct rp_encoder *enc, struct rp_x264_context *ctx, bool may_stay)
{
    struct making making = {
        .ctx = ctx,
        .is_in_place = may_stay && source_may_stay(ctx->h, &ctx->job->common.src),
    };
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
    return making.is_in_place;
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
    struct rp_x264_row_cost cost = {0}; /* other threads write to the same cache line of rows */

    for (int end = width; end > 0; end -= BATCH_MBS) {
        const int first = X264_MAX(end - BATCH_MBS, 0);
        const uint32_t needed = (uint32_t)X264_MIN(width - first - 1 + LEAD_MBS, width);
        while (known < needed)
            known = rp_progress_wait(&wave->done[y + 1].mbs, known, costing->spin_ns);
        rp_x264_lowres_cost_row(h, &costing->pair, y, first, end, &cost);
        if (wave)
            rp_progress_set(&wave->done[y].mbs, (uint32_t)(width - first));
    }
    costing->rows[y] = cost;
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
