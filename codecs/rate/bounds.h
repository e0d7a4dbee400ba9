/* SPDX-License-Identifier: MIT */
/* What windows of five seconds, and the buffer, leave of the debt of a constant rate. */
#ifndef RP_CODECS_RATE_BOUNDS_H
#define RP_CODECS_RATE_BOUNDS_H

#include "law.h"

/* What may be owed some time later, in seconds of the rate. */
struct rp_rate_bounds {
    double least_s;
    double most_s;
};

/* Pictures in a window. */
int rp_rate_window_pictures(const struct rp_rate_law *law);

/* The debt before a picture of that index, the one to come being the last. */
double rp_rate_owed_before(const struct rp_rate_law *law, int index);

/* After so many more pictures, the one to come being the first. tolerance_s: by how much a window
 * may miss its rate. */
struct rp_rate_bounds rp_rate_bounds_after(const struct rp_rate_law *law,
                                           const struct rp_rate_picture *picture, int number,
                                           double tolerance_s);

/* A picture had that base: what it could not take at the finest step is not all made good later. */
void rp_rate_bound_savings(struct rp_rate_law *law, double base);

#endif
