/* SPDX-License-Identifier: MIT */
#include "codecs/aom/refresh.h"

#include "codecs/aom/libaom.h"

#include "reelpipe/encode_av1.h"
#include "util/compiler.h"

/* How far from a border filters change what is refreshed by what is not: deblocking changes six
 * samples, by which CDEF takes the direction of all that is in their block of 8x8. Behind that
 * block it looks at two samples, which deblocking has left alone. */
#define FILTERED_PX 8

/* What interpolation reads around a chroma block, in luma samples: three before and four behind. */
#define READ_BEFORE_PX 6
#define READ_BEHIND_PX 8

#define SUPERBLOCK_PX ((int)RP_AV1_SUPERBLOCK_PX)

static int
superblock_at(const AV1_COMP *cpi, int x_px, int y_px)
{
    const int cols = (cpi->common.width + SUPERBLOCK_PX - 1) / SUPERBLOCK_PX;
    return y_px / SUPERBLOCK_PX * cols + x_px / SUPERBLOCK_PX;
}

/* All samples from (x0, y0) to (x1, y1), inclusive, are refreshed in the references. */
static bool
area_is_clean(const struct rp_encode_job *job, const AV1_COMP *cpi, int x0, int y0, int x1, int y1)
{
    const int last_x = cpi->common.width - 1, last_y = cpi->common.height - 1;
    const int left = clamp(x0, 0, last_x) / SUPERBLOCK_PX * SUPERBLOCK_PX;
    const int top = clamp(y0, 0, last_y) / SUPERBLOCK_PX * SUPERBLOCK_PX;

    for (int y = top; y <= clamp(y1, 0, last_y); y += SUPERBLOCK_PX) {
        for (int x = left; x <= clamp(x1, 0, last_x); x += SUPERBLOCK_PX) {
            if (!job->intra_clean[superblock_at(cpi, x, y)])
                return false;
        }
    }
    return true;
}

/* Vectors are eighths of luma samples; sixteen make a chroma sample. */
static bool
vector_is_clean(const struct rp_encode_job *job, const AV1_COMP *cpi, const MACROBLOCKD *xd,
                const MV *mv)
{
    const BLOCK_SIZE size = xd->mi[0]->bsize;
    const int x = xd->mi_col * MI_SIZE + (mv->col >> 3), y = xd->mi_row * MI_SIZE + (mv->row >> 3);
    const bool is_between_x = mv->col & 15, is_between_y = mv->row & 15;

    return area_is_clean(
        job, cpi, x - FILTERED_PX - (is_between_x ? READ_BEFORE_PX : 0),
        y - FILTERED_PX - (is_between_y ? READ_BEFORE_PX : 0),
        x + block_size_wide[size] - 1 + FILTERED_PX + (is_between_x ? READ_BEHIND_PX : 0),
        y + block_size_high[size] - 1 + FILTERED_PX + (is_between_y ? READ_BEHIND_PX : 0));
}

bool
rp_aom_refresh_forces(const struct rp_encode_job *job, const AV1_COMP *cpi, int mi_row, int mi_col)
{
    return job->force_intra &&
           job->force_intra[superblock_at(cpi, mi_col * MI_SIZE, mi_row * MI_SIZE)];
}

bool
rp_aom_refresh_forbids(const struct rp_encode_job *job, const AV1_COMP *cpi, const MACROBLOCK *x)
{
    const MACROBLOCKD *xd = &x->e_mbd;
    const MB_MODE_INFO *mi = xd->mi[0];

    if (rp_aom_refresh_forces(job, cpi, xd->mi_row, xd->mi_col))
        return true;
    if (!job->intra_clean ||
        !job->intra_clean[superblock_at(cpi, xd->mi_col * MI_SIZE, xd->mi_row * MI_SIZE)])
        return false;
    return !vector_is_clean(job, cpi, xd, &mi->mv[0].as_mv) ||
           (has_second_ref(mi) && !vector_is_clean(job, cpi, xd, &mi->mv[1].as_mv));
}
