/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's ratecontrol.c, unchanged, and what we need of its private struct.
 */
#include "context.h"

#include "encoder/ratecontrol.h"

#undef x264_ratecontrol_mb_qp
#define x264_ratecontrol_mb_qp rp_x264_unused_mb_qp
int rp_x264_unused_mb_qp(x264_t *h);
#include "encoder/ratecontrol.c"
#undef x264_ratecontrol_mb_qp

#define x264_ratecontrol_mb_qp x264_template(ratecontrol_mb_qp)
int x264_ratecontrol_mb_qp(x264_t *h);

/* In place of x264's: offsets are there for maps too, without the rest of adaptive quantisation,
 * which would smooth them. */
int
x264_ratecontrol_mb_qp(x264_t *h)
{
    const struct rp_x264_context *ctx = h->api;

    x264_emms();
    float qp = h->rc->qpm;
    if (ctx->qp_offsets) {
        float offset = ctx->qp_offsets[h->mb.i_mb_xy];
        /* Beyond 51 x264 filters coefficients instead: offsets fade out. */
        if (qp > QP_MAX_SPEC)
            offset *= (QP_MAX - qp) / (QP_MAX - QP_MAX_SPEC);
        qp += offset;
    }
    return x264_clip3((int)(qp + 0.5f), h->param.rc.i_qp_min, h->param.rc.i_qp_max);
}

void
rp_x264_rate_fix_qp(x264_t *h, float qp)
{
    x264_ratecontrol_t *rc = h->rc;

    rc->qpm = qp;
    rc->qpa_rc = rc->qpa_rc_prev = 0;
    rc->qpa_aq = rc->qpa_aq_prev = 0;
}

void
rp_x264_rate_set_qp(x264_t *h, float qp)
{
    h->rc->qpm = qp;
}
