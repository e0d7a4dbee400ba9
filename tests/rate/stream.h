/* SPDX-License-Identifier: MIT */
/* Streams of pictures that take just what their cost says: no encoder, no chance but a fixed one.
 */
#ifndef RP_RATE_STREAM_H
#define RP_RATE_STREAM_H

#include "codecs/rate/law.h"

#define BPS 1e6
#define MAX_PICTURES 3000

struct stream_case {
    int fps;
    int period;           /* pictures from I to I */
    int said_period;      /* by the application; 0: it does not say */
    double i_cost;        /* at the quantiser of a P picture, which costs 1 */
    double noise;         /* of the pictures' costs, up and down */
    double tolerance;     /* of any five seconds */
    double least_intra_s; /* of the rate's time: what an I picture takes in the mean */
};

/* Steps as x264's qscales, QPs as H.264's. */
extern const struct rp_rate_scale stream_scale;

/* A law of a stream of one layer at BPS, of whose buffer and extent nothing is known. gop: the
 * period that the application says; 0: none. */
struct rp_rate_law stream_law(enum rp_rate_mode mode, double fps, int gop, int b_run);

/* A picture whose complexity says nothing, and one that is as complex as it costs. */
struct rp_rate_picture stream_picture(enum rp_rate_type type, double cost);
struct rp_rate_picture stream_complex_picture(enum rp_rate_type type, double cost);

/* Codes a picture within the law's bounds, as encoders do; returns its bits. */
double stream_code(struct rp_rate_law *law, enum rp_rate_type type, double cost);

/* A number from 1 - height to 1 + height. */
double stream_noise(unsigned *state, double height);

/* Says what was found, and fails the test unless the claim holds. */
void stream_require(bool holds, const char *claim, double found, double expected);

/* Any five seconds have the rate but for that part of it. */
void stream_require_even(const double *bits, int count, int fps, double tolerance);

#endif
