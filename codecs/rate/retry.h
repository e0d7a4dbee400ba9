/* SPDX-License-Identifier: MIT */
/* The five seconds of a constant rate, held for certain: nobody foresees what a picture takes, and
 * one that breaks a window is coded once more with what is known now.
 */
#ifndef RP_CODECS_RATE_RETRY_H
#define RP_CODECS_RATE_RETRY_H

#include "law.h"

struct rp_x264_pace_hold {
    double bits;      /* that the picture should take */
    double most_bits; /* that it may */
};

/* At a constant rate that each picture is chosen for with its windows in view. */
bool rp_x264_pace_sees_windows(const struct rp_x264_pace *pace, double picture_s);

/* True when a picture of so many bits breaks a window; one of type B (1) by being too large.
 * pace: as it was before the picture. */
bool rp_x264_pace_hold(const struct rp_x264_pace *pace, int type, double picture_s, double bps,
                       double bits, struct rp_x264_pace_hold *hold);

#endif
