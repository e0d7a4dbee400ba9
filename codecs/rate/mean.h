/* SPDX-License-Identifier: MIT */
/* One quantiser for all that is coded, moved slowly so that the mean rate comes out right, and in
 * haste only by a buffer that runs empty: the mean of the pictures' errors is least when none of
 * them is coded finer than the others. What mean_constant.c and mean_variable.c have in common.
 */
#ifndef RP_CODECS_RATE_MEAN_H
#define RP_CODECS_RATE_MEAN_H

#include "law.h"

/* Cost of the pictures to come, of all types as they are shared out; 0: not known. */
double rp_rate_mean_cost(const struct rp_rate_law *law, const struct rp_rate_picture *picture);

/* Cost of the P and B pictures to come; 0: not known. */
double rp_rate_mean_inter_cost(const struct rp_rate_law *law);

/* The slope at which the pictures to come have the rate, changed by what is owed and taken towards
 * from the last one as fast as quantisers may change. even: that slope when nothing is owed. */
double rp_rate_mean_slope(const struct rp_rate_law *law, const struct rp_rate_picture *picture,
                          double even, double owed_s, double least_urge);

/* The steepest slope that the buffer stands for long, and with the next I picture. */
double rp_rate_mean_buffer_slope(const struct rp_rate_law *law,
                                 const struct rp_rate_picture *picture);

/* Notes the slope that is asked of the picture; returns its base. */
double rp_rate_mean_ask(struct rp_rate_law *law, double slope);

/* Seconds of the rate that the buffer leaves to the picture. */
double rp_rate_mean_buffer_s(const struct rp_rate_law *law, const struct rp_rate_picture *picture);
bool rp_rate_mean_has_small_buffer(const struct rp_rate_law *law,
                                   const struct rp_rate_picture *picture);

/* Learns from a picture, whose bits the debt has already. owed_s: of the law that asked for it;
 * NULL when that was not one of one quantiser. */
void rp_rate_mean_add(struct rp_rate_law *law, const struct rp_rate_picture *picture, double base,
                      double bits, double (*owed_s)(const struct rp_rate_law *law));

/* The rate is so many times that before. */
void rp_rate_mean_forget(struct rp_rate_law *law, double change);

/* mean_constant.c: the least that a picture of the type must be let have, in seconds of the rate:
 * with less nothing would be left of it. */
double rp_rate_mean_least_s(const struct rp_rate_law *law, enum rp_rate_type type);

#endif
