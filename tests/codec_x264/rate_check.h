/* SPDX-License-Identifier: MIT */
/* What a rate promises, computed again from nothing but settings and sizes.
 */
#ifndef RP_TESTS_CODEC_X264_RATE_CHECK_H
#define RP_TESTS_CODEC_X264_RATE_CHECK_H

#include "app.h"

/* Settings of picture i of the application; NULL: constant QP. */
const struct rp_rate_settings *rate_check_settings(const struct app_options *o, uint32_t i);

struct rate_check {
    double underflow_bits; /* missing at worst, where a coarser quantiser was still allowed */
    double overflow_bits;  /* beyond a buffer that filler was to keep from it */
    double limit_B;        /* beyond the largest size, a coarser quantiser being allowed */
    int32_t qp;            /* steps beyond the limits */
    double window;         /* the worst five seconds of a constant rate: mean over rate, less 1 */
    uint32_t window_count; /* that could be held */
    uint32_t at;           /* the picture of the worst underflow */
    uint32_t window_at;    /* the last picture of the worst window */
};

/* The rates of all that was coded, after app_finish(). */
struct rate_check rate_check(const struct app *app);

#endif
