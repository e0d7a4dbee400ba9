/* SPDX-License-Identifier: MIT */
/* The frame is filtered with each pair in turn, since a block is filtered with its neighbours as
 * deblocking left them, whatever their own pair is.
 */
#include "codecs/aom/cdef.h"

#include "codecs/aom/libaom.h"

#define BLOCK_PX 64

/* Whole blocks: what is beyond the frame's edges in them is filtered, too. */
static void
copy_frame(const YV12_BUFFER_CONFIG *src, YV12_BUFFER_CONFIG *dst)
{
    aom_yv12_copy_y(src, dst, 0);
    aom_yv12_copy_u(src, dst, 0);
    aom_yv12_copy_v(src, dst, 0);
}

static void
filter_frame(AV1_COMP *cpi)
{
    AV1_COMMON *cm = &cpi->common;
    MACROBLOCKD *xd = &cpi->td.mb.e_mbd;
    const int thread_count = cpi->mt_info.num_mod_workers[MOD_CDEF];

    if (thread_count > 1)
        av1_cdef_frame_mt(cm, xd, cpi->mt_info.cdef_worker, cpi->mt_info.workers,
                          &cpi->mt_info.cdef_sync, thread_count, av1_cdef_init_fb_row_mt, 0);
    else
        av1_cdef_frame(&cm->cur_frame->buf, cm, xd, av1_cdef_init_fb_row);
}

/* Sums of squares of the block at (x, y) of luma. */
static int64_t
block_error(const YV12_BUFFER_CONFIG *a, const YV12_BUFFER_CONFIG *b, int x, int y)
{
    const int width = AOMMIN(BLOCK_PX, a->y_crop_width - x);
    const int height = AOMMIN(BLOCK_PX, a->y_crop_height - y);
    const int uv_width = (width + 1) / 2, uv_height = (height + 1) / 2;

    if (a->flags & YV12_FLAG_HIGHBITDEPTH)
        return aom_highbd_get_y_sse_part(a, b, x, width, y, height) +
               aom_highbd_get_u_sse_part(a, b, x / 2, uv_width, y / 2, uv_height) +
               aom_highbd_get_v_sse_part(a, b, x / 2, uv_width, y / 2, uv_height);
    return aom_get_y_sse_part(a, b, x, width, y, height) +
           aom_get_u_sse_part(a, b, x / 2, uv_width, y / 2, uv_height) +
           aom_get_v_sse_part(a, b, x / 2, uv_width, y / 2, uv_height);
}

struct block {
    int64_t error; /* with its best pair so far */
    int pair;
};

static void
set_all(CommonModeInfoParams *params, int pair)
{
    for (int row = 0; row < params->mi_rows; row += MI_SIZE_64X64) {
        for (int col = 0; col < params->mi_cols; col += MI_SIZE_64X64)
            params->mi_grid_base[row * params->mi_stride + col]->cdef_strength = (int8_t)pair;
    }
}

static void
try_pair(AV1_COMP *cpi, int pair, struct block *blocks)
{
    CommonModeInfoParams *params = &cpi->common.mi_params;

    set_all(params, pair);
    filter_frame(cpi);
    for (int row = 0; row < params->mi_rows; row += MI_SIZE_64X64) {
        for (int col = 0; col < params->mi_cols; col += MI_SIZE_64X64, blocks++) {
            const int64_t error =
                block_error(&cpi->common.cur_frame->buf, cpi->source, col * MI_SIZE, row * MI_SIZE);
            if (pair == 0 || error < blocks->error)
                *blocks = (struct block){error, pair};
        }
    }
}

static void
set_best(CommonModeInfoParams *params, const struct block *blocks)
{
    for (int row = 0; row < params->mi_rows; row += MI_SIZE_64X64) {
        for (int col = 0; col < params->mi_cols; col += MI_SIZE_64X64, blocks++)
            params->mi_grid_base[row * params->mi_stride + col]->cdef_strength =
                (int8_t)blocks->pair;
    }
}

void
rp_aom_cdef_choose_pairs(AV1_COMP *cpi)
{
    AV1_COMMON *cm = &cpi->common;
    CommonModeInfoParams *params = &cm->mi_params;
    const SequenceHeader *seq = cm->seq_params;
    const int pair_count = cm->cdef_info.nb_cdef_strengths;
    const size_t cols = (size_t)(params->mi_cols + MI_SIZE_64X64 - 1) / MI_SIZE_64X64;
    const size_t rows = (size_t)(params->mi_rows + MI_SIZE_64X64 - 1) / MI_SIZE_64X64;
    if (pair_count == 1) {
        set_all(params, 0);
        return;
    }

    /* libaom's place for a frame without filters, as its search for levels makes it. */
    if (aom_realloc_frame_buffer(&cpi->last_frame_uf, cm->width, cm->height, seq->subsampling_x,
                                 seq->subsampling_y, seq->use_highbitdepth,
                                 cpi->oxcf.border_in_pixels, cm->features.byte_alignment, NULL,
                                 NULL, NULL, false, 0))
        aom_internal_error(cm->error, AOM_CODEC_MEM_ERROR, "no memory for a frame without CDEF");
    struct block *blocks = aom_malloc(cols * rows * sizeof(*blocks));
    if (!blocks)
        aom_internal_error(cm->error, AOM_CODEC_MEM_ERROR, "no memory for CDEF");

    YV12_BUFFER_CONFIG *frame = &cm->cur_frame->buf;
    copy_frame(frame, &cpi->last_frame_uf);
    for (int pair = 0; pair < pair_count; pair++) {
        try_pair(cpi, pair, blocks);
        copy_frame(&cpi->last_frame_uf, frame);
    }
    set_best(params, blocks);
    aom_free(blocks);
}
