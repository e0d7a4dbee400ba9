/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop filter of pictures with several slices, row after row.
 */
#include "picture/slices.h"

#include "glue/deblock_strength.h"

#define MVY_LIMIT 4 /* of frames, in quarter samples */

/* Coefficients of a 4x4 block, or of the 8x8 one that it is of. blk: in raster order. */
static bool
block_has_coefficients(const x264_t *h, int mb_xy, int blk)
{
    const uint8_t *nnz = h->mb.non_zero_count[mb_xy];

    /* CAVLC codes an 8x8 block as four interleaved ones. */
    if (!h->param.b_cabac && h->mb.mb_transform_size[mb_xy]) {
        const int first = blk & (8 | 2);
        return nnz[first] | nnz[first + 1] | nnz[first + 4] | nnz[first + 5];
    }
    return nnz[blk];
}

static void
block_motion(const x264_t *h, int mb_x, int mb_y, int blk, struct rp_x264_block_motion *out)
{
    const struct rp_x264_context *ctx = h->api;
    const int x = blk & 3;
    const int y = blk >> 2;
    const int list_count = ctx->job->slice_type == RP_H264_SLICE_B ? 2 : 1;

    *out = (struct rp_x264_block_motion){.id = {-1, -1}};
    for (int list = 0; list < list_count; list++) {
        const int8_t *ref = h->mb.ref[list] + (2 * mb_y + (y >> 1)) * h->mb.i_b8_stride;
        out->id[list] = ctx->picture_id[list][2 + ref[2 * mb_x + (x >> 1)]];
        out->mv[list] = h->mb.mv[list][(4 * mb_y + y) * h->mb.i_b4_stride + 4 * mb_x + x];
    }
}

/* bS (8.7.2.1) of the left edge (dir 0) or the top one between two inter macroblocks. */
static void
edge_strengths(const x264_t *h, int mb_x, int mb_y, int dir, uint8_t bs[4])
{
    const int mb_xy = mb_y * h->mb.i_mb_stride + mb_x;
    const int other_x = mb_x - !dir;
    const int other_y = mb_y - dir;
    const int other_xy = other_y * h->mb.i_mb_stride + other_x;

    for (int i = 0; i < 4; i++) {
        const int blk = dir ? i : 4 * i;
        const int other_blk = dir ? 12 + i : 4 * i + 3;
        if (block_has_coefficients(h, mb_xy, blk) ||
            block_has_coefficients(h, other_xy, other_blk)) {
            bs[i] = 2;
            continue;
        }
        struct rp_x264_block_motion motion[2];
        block_motion(h, mb_x, mb_y, blk, &motion[0]);
        block_motion(h, other_x, other_y, other_blk, &motion[1]);
        bs[i] = rp_x264_motion_is_different(&motion[0], &motion[1], MVY_LIMIT);
    }
}

const struct rp_h264_slice *
rp_x264_slices_filtered_slice(x264_t *h, int mb_xy)
{
    const struct rp_x264_context *ctx = h->api;
    struct rp_x264_slices *s = ctx->shared_slices;
    const struct rp_h264_slice *slice = &s->job->slices[s->filter_slice];

    while ((uint32_t)mb_xy >= slice->first_mb + slice->mb_count)
        slice = &s->job->slices[++s->filter_slice];
    return slice;
}

/* Intra macroblocks have strengths of their own, which x264 sees to. */
void
rp_x264_slices_filter_edges(x264_t *h, int mb_x, int mb_y)
{
    const struct rp_x264_context *ctx = h->api;
    const int mb_xy = h->mb.i_mb_xy;
    const int others[2] = {h->mb.i_mb_left_xy[0], h->mb.i_mb_top_xy};
    uint8_t(*bs)[8][4] = ctx->shared_slices->strengths[mb_xy];

    for (int dir = 0; dir < 2 && !IS_INTRA(h->mb.type[mb_xy]); dir++) {
        if ((h->mb.i_neighbour & (dir ? MB_TOP : MB_LEFT)) &&
            h->mb.slice_table[others[dir]] != h->mb.slice_table[mb_xy] &&
            !IS_INTRA(h->mb.type[others[dir]]))
            edge_strengths(h, mb_x, mb_y, dir, bs[dir][0]);
    }
}

/* Whichever context it is done with: what the coding of slices goes on from stays. */
static void
filter_row(struct rp_x264_slices *s, x264_t *h, int row)
{
    const int idc = h->sh.i_disable_deblocking_filter_idc;
    const int start = h->i_threadslice_start;
    const int end = h->i_threadslice_end;
    x264_frame_t *fdec = h->fdec;

    h->sh.i_disable_deblocking_filter_idc = 0; /* each macroblock has its own */
    h->i_threadslice_start = 0;
    h->i_threadslice_end = h->mb.i_mb_height;
    h->fdec = s->frame;
    h->deblock_strength[0] = h->deblock_strength[1] = s->strengths + row * h->mb.i_mb_width;
    rp_x264_filter_row(h, row + 1);
    h->sh.i_disable_deblocking_filter_idc = idc;
    h->i_threadslice_start = start;
    h->i_threadslice_end = end;
    h->fdec = fdec;
}

/* Filters all rows that are ready; none when another thread is filtering, which then does these as
 * well. */
static void
filter_rows(struct rp_x264_slices *s, x264_t *h, int coded_row)
{
    pthread_mutex_lock(&s->mutex);
    s->row_is_coded[coded_row] = 1;
    if (!s->is_filtering && s->frame->b_kept_as_ref) {
        s->is_filtering = true;
        while (s->next_row < h->mb.i_mb_height && s->row_is_coded[s->next_row]) {
            pthread_mutex_unlock(&s->mutex);
            filter_row(s, h, s->next_row);
            pthread_mutex_lock(&s->mutex);
            s->next_row++;
        }
        s->is_filtering = false;
    }
    pthread_mutex_unlock(&s->mutex);
}

void
rp_x264_slices_filter_coded_rows(x264_t *h, int mb_y)
{
    const struct rp_x264_context *ctx = h->api;
    struct rp_x264_slices *s = ctx->shared_slices;

    if (mb_y > h->i_threadslice_start)
        filter_rows(s, h, mb_y - 1);
    if (mb_y < h->mb.i_mb_height)
        h->deblock_strength[0] = h->deblock_strength[1] = s->strengths + mb_y * h->mb.i_mb_width;
}
