/* SPDX-License-Identifier: MIT */
/* The pace of a constant rate when pictures are I and P of one layer: the quantiser that can be
 * held longest. What is owed must stay within the tube that windows of five seconds and the buffer
 * leave; of all ways through it the shortest changes the quantiser least. Slopes are inverse bases.
 *
 * An I picture that may not be as large as it wants to be leaves a coarse reference. The P pictures
 * after it make that good as soon as the tube lets them: every later one gains by it.
 */
#ifndef RP_CODECS_RATE_WINDOW_H
#define RP_CODECS_RATE_WINDOW_H

#include "law.h"

/* What was owed before a picture, be it the one to come. */
double rp_x264_pace_owed_before(const struct rp_x264_pace *pace, int index);

/* What may be owed some time later, in seconds of the rate. */
struct rp_x264_pace_bounds {
    double least_s;
    double most_s;
};

/* Pictures in five seconds. */
int rp_x264_pace_window(double picture_s);

/* After so many more pictures, the one to come being the first. */
struct rp_x264_pace_bounds rp_x264_pace_path_bounds(const struct rp_x264_pace *pace,
                                                    const struct rp_x264_pace_picture *picture,
                                                    double picture_s, int number,
                                                    double tolerance_s);

/* As rp_x264_pace_base() and rp_x264_pace_most(). cost: of the picture. */
double rp_x264_pace_path_base(const struct rp_x264_pace *pace,
                              const struct rp_x264_pace_picture *picture, double picture_s,
                              double bps, double cost);
double rp_x264_pace_path_most(const struct rp_x264_pace *pace,
                              const struct rp_x264_pace_picture *picture, double picture_s,
                              double bps);

/* A P picture took so many bits; returns what it would have cost with a reference as fine. */
double rp_x264_pace_path_learn(struct rp_x264_pace *pace, double base, double bits);

#endif
