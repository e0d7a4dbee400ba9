/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a context needs before it codes slices of a picture: whether it prepared the picture, or
 * helps the one that did.
 */
#include "picture/setup.h"

#include "picture/bitstream.h"
#include "picture/quant.h"
#include "picture/refresh.h"
#include "picture/refs.h"
#include "picture/weights.h"
#include "rate/bands.h"

#include "encoder/macroblock.h"
#include "encoder/set.h"

void
rp_x264_setup_clear_motion(x264_t *h, uint32_t first_mb, uint32_t mb_count)
{
    const size_t size_B = mb_count * sizeof(h->fdec->mv16x16[0]);

    memset(h->fdec->mv16x16 + first_mb, 0, size_B);
    for (int list = 0; list < 2; list++) {
        for (int i = !list; i < h->i_ref[list]; i++)
            memset(h->mb.mvr[list][i] + first_mb, 0, size_B);
    }
}

void
rp_x264_setup_header(struct rp_x264_context *ctx, bool direct_spatial)
{
    const struct rp_h264_encode_job *job = ctx->job;
    x264_t *h = ctx->h;
    x264_slice_header_t *sh = &h->sh;

    h->i_nal_type = job->is_idr ? NAL_SLICE_IDR : NAL_SLICE;
    h->i_nal_ref_idc = (int)job->nal_ref_idc;
    h->mb.b_direct_auto_write = h->mb.b_direct_auto_read = 0;
    *sh = (x264_slice_header_t){
        .sps = h->sps,
        .pps = h->pps,
        .i_type = (int)job->slice_type,
        .i_last_mb = h->mb.i_mb_count - 1,
        .i_idr_pic_id = job->is_idr ? 0 : -1,
        .b_direct_spatial_mv_pred = direct_spatial,
        .b_num_ref_idx_override = 1,
        .i_num_ref_idx_l0_active = X264_MAX(1, h->i_ref[0]),
        .i_num_ref_idx_l1_active = X264_MAX(1, h->i_ref[1]),
    };
}

bool
rp_x264_setup_reserve_absent_refs(struct rp_x264_context *ctx)
{
    const struct rp_h264_encode_job *job = ctx->job;
    const bool needs_them = job->slice_type == RP_H264_SLICE_B && job->refs[1][0].is_long_term;

    return !needs_them || rp_x264_context_need_absent_refs(ctx);
}

/* What x264's slice_init() leads to, without the reference handling. */
void
rp_x264_setup_macroblocks(struct rp_x264_context *ctx)
{
    x264_t *h = ctx->h;

    /* x264 divides by the distance to RefPicList0[0]. */
    if (h->i_ref[0] > 0 && h->fref[0][0]->i_poc == 0)
        h->fdec->i_poc = 1;
    x264_macroblock_slice_init(h);
    if (ctx->job->slice_type == RP_H264_SLICE_B)
        rp_x264_refs_init_bipred(ctx);
    rp_x264_refresh_prepare(ctx);
    h->mb.b_reencode_mb = 0;
    /* x264_cabac_encode_flush() puts a bit chosen by i_frame behind the stop bit; for 1 it is 0,
     * as it has to be. */
    h->i_frame = 1;
}

bool
rp_x264_setup_join(struct rp_x264_context *ctx, const struct rp_x264_context *owner)
{
    ctx->job = owner->job;
    ctx->is_header_too_long = false;
    if (!rp_x264_setup_reserve_absent_refs(ctx))
        return false;
    rp_x264_quant_join(ctx, owner);
    rp_x264_setup_header(ctx, rp_x264_refs_attach(ctx));
    rp_x264_weights_join(ctx, owner);
    if (ctx->job->common.rate)
        rp_x264_rate_bands_join(ctx, owner);
    else
        rp_x264_rate_fix_qp(ctx->h, (float)ctx->job->slices[0].qp);
    rp_x264_bitstream_start(ctx, false);
    rp_x264_setup_macroblocks(ctx);
    return true;
}
