/* SPDX-License-Identifier: MIT */
/* The pace of a variable rate of one layer: one quantiser for all that is coded, moved slowly so
 * that the mean comes out right, and in haste only by a buffer that runs empty. The mean of the
 * pictures' errors is least when none of them is coded finer than the others. Slopes are inverse
 * bases.
 *
 * Constant rates whose I pictures come too often for a path to each (window.h), or that have B
 * pictures, are held in the same manner, within what windows of five seconds leave. B pictures then
 * have the quantiser that x264 gives them for how their references came out.
 */
#ifndef RP_CODECS_RATE_MEAN_H
#define RP_CODECS_RATE_MEAN_H

#include "law.h"

bool rp_x264_pace_is_mean(const struct rp_x264_pace *pace, double picture_s);

/* As those of law.h. */
double rp_x264_pace_mean_base(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                              double picture_s, double bps);
double rp_x264_pace_mean_most(const struct rp_x264_pace *pace,
                              const struct rp_x264_pace_picture *picture, double picture_s,
                              double bps);

/* The least that pictures of the type must be let have at a constant rate, in seconds of it: less
 * would leave nothing of them. */
double rp_x264_pace_mean_least_s(const struct rp_x264_pace *pace, int type, double picture_s);

/* A variable rate's buffer holds few pictures: sums of rows, which x264 takes for twice what they
 * are, would keep each from using it. */
bool rp_x264_pace_mean_is_small(const struct rp_x264_pace *pace,
                                const struct rp_x264_pace_picture *picture, double picture_s);

/* What an I picture costs by those before it: a bound to predictions, which are too high for finer
 * ones than were seen. */
double rp_x264_pace_mean_intra(const struct rp_x264_pace *pace,
                               const struct rp_x264_pace_picture *picture);

/* After the debt has got the picture's bits. */
void rp_x264_pace_mean_add(struct rp_x264_pace *pace, const struct rp_x264_pace_picture *picture,
                           double base, double bits, double picture_s, double bps);
void rp_x264_pace_mean_forget(struct rp_x264_pace *pace, double change);

#endif
