/* SPDX-License-Identifier: MIT */
#include "codecs/aom/partition.h"

#include "codecs/aom/libaom.h"

#include "reelpipe/encode_av1.h"
#include "util/compiler.h"

#define MI_PER_TEXEL ((int)RP_AV1_MAP_TEXEL_PX / MI_SIZE)

typedef bool must_split_fn(const AV1_COMP *cpi, int mi_row, int mi_col, int size_mi);

/* Has parts of several segments. */
static bool
is_mixed(const AV1_COMP *cpi, int mi_row, int mi_col, int size_mi)
{
    const CommonModeInfoParams *params = &cpi->common.mi_params;
    const int row_end = RP_MIN(mi_row + size_mi, params->mi_rows);
    const int col_end = RP_MIN(mi_col + size_mi, params->mi_cols);
    const uint8_t first = cpi->enc_seg.map[mi_row * params->mi_cols + mi_col];

    for (int row = mi_row; row < row_end; row += MI_PER_TEXEL) {
        for (int col = mi_col; col < col_end; col += MI_PER_TEXEL) {
            if (cpi->enc_seg.map[row * params->mi_cols + col] != first)
                return true;
        }
    }
    return false;
}

/* A square block; at the edges of a frame half of it and more. */
static void
set_block(AV1_COMP *cpi, int mi_row, int mi_col, BLOCK_SIZE size)
{
    CommonModeInfoParams *params = &cpi->common.mi_params;
    const int at = get_mi_grid_idx(params, mi_row, mi_col);

    params->mi_grid_base[at] = &params->mi_alloc[get_alloc_mi_idx(params, mi_row, mi_col)];
    params->mi_grid_base[at]->bsize = size;
}

static bool
is_large(const AV1_COMP *cpi, int mi_row, int mi_col, int size_mi)
{
    (void)cpi;
    (void)mi_row;
    (void)mi_col;
    return size_mi > RP_AOM_INTRA_BLOCK_PX / MI_SIZE;
}

/* A square that is a block, or is split already. */
static void
split_square(AV1_COMP *cpi, int mi_row, int mi_col, BLOCK_SIZE size, must_split_fn *must_split)
{
    const CommonModeInfoParams *params = &cpi->common.mi_params;
    const int half = mi_size_wide[size] / 2;
    if (mi_row >= params->mi_rows || mi_col >= params->mi_cols || size == BLOCK_8X8)
        return;
    const BLOCK_SIZE smaller = get_partition_subsize(size, PARTITION_SPLIT);
    const bool is_split = get_partition(&cpi->common, mi_row, mi_col, size) == PARTITION_SPLIT;
    const bool is_cut = mi_row + half >= params->mi_rows || mi_col + half >= params->mi_cols;
    const bool is_block =
        params->mi_grid_base[get_mi_grid_idx(params, mi_row, mi_col)]->bsize == size;
    if (!must_split(cpi, mi_row, mi_col, mi_size_wide[size]) && !(is_cut && is_block))
        return;

    for (int i = 0; i < 4; i++) {
        const int row = mi_row + (i >> 1) * half, col = mi_col + (i & 1) * half;
        if (!is_split && row < params->mi_rows && col < params->mi_cols)
            set_block(cpi, row, col, smaller);
        split_square(cpi, row, col, smaller, must_split);
    }
}

void
rp_aom_partition_split_segments(AV1_COMP *cpi, int mi_row, int mi_col)
{
    split_square(cpi, mi_row, mi_col, cpi->common.seq_params->sb_size, is_mixed);
}

void
rp_aom_partition_split_all(AV1_COMP *cpi, int mi_row, int mi_col)
{
    split_square(cpi, mi_row, mi_col, cpi->common.seq_params->sb_size, is_large);
}
