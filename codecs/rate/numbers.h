/* SPDX-License-Identifier: MIT */
/* Arithmetic that every law needs. */
#ifndef RP_CODECS_RATE_NUMBERS_H
#define RP_CODECS_RATE_NUMBERS_H

#include <math.h>

static inline double
rp_rate_clip(double value, double least, double most)
{
    return fmax(least, fmin(value, most));
}

/* Moves a mean towards a value by that part of their difference; a mean of 0 is none yet. */
static inline void
rp_rate_mean_move(double *mean, double value, double weight)
{
    *mean = *mean > 0 ? *mean + weight * (value - *mean) : value;
}

#endif
