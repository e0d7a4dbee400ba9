/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x264's ratecontrol.c, unchanged, and what we need of its private struct.
 */
#include "core.h"

#include "encoder/ratecontrol.c"

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
