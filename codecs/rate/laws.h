/* SPDX-License-Identifier: MIT */
/* The laws, and what they share. */
#ifndef RP_CODECS_RATE_LAWS_H
#define RP_CODECS_RATE_LAWS_H

#include "law.h"

extern const struct rp_rate_law_ops rp_rate_recent;
extern const struct rp_rate_law_ops rp_rate_window;
extern const struct rp_rate_law_ops rp_rate_mean_constant;
extern const struct rp_rate_law_ops rp_rate_mean_variable;

/* I and P pictures of one layer at a constant rate in long periods: how fine its reference is
 * decides what a P picture costs (window.c). */
bool rp_rate_has_refinement(const struct rp_rate_law *law);

/* Notes what a picture cost; with refined references (window.c), or without. */
void rp_rate_window_note_cost(struct rp_rate_law *law, const struct rp_rate_picture *picture,
                              double base, double bits);
void rp_rate_recent_note_cost(struct rp_rate_law *law, const struct rp_rate_picture *picture,
                              double base, double bits);

/* Cost of a picture of that type, by the last ones; the one to come is known. */
double rp_rate_recent_cost(const struct rp_rate_law *law, const struct rp_rate_picture *picture,
                           enum rp_rate_type type);

/* The plan goes on by a picture that took so much beyond its time: kept up whichever law answers,
 * since another one may from the next picture on. */
void rp_rate_recent_note_plan(struct rp_rate_law *law, const struct rp_rate_picture *picture,
                              double jump_s);
void rp_rate_recent_note_standing(struct rp_rate_law *law);

/* Bounds the debt of the laws that do not go by windows alone. */
void rp_rate_recent_bound_debt(struct rp_rate_law *law);

/* The least bits that windows ask of the picture to come; 0 at a variable rate. */
double rp_rate_recent_least_s(const struct rp_rate_law *law);

#endif
