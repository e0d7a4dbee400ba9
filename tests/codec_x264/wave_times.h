/* SPDX-License-Identifier: MIT */
/* How long pictures take, by threads. No test: printed for whoever measures.
 */
#ifndef RP_TESTS_CODEC_X264_WAVE_TIMES_H
#define RP_TESTS_CODEC_X264_WAVE_TIMES_H

#include "app.h"

/* Milliseconds a picture of one slice takes on 1 to 16 threads, at constant QP, and at the constant
 * rate that this gives; cbr has everything but that rate. */
void wave_print_times(const struct rp_rate_settings *cbr);

/* wave_print_times() for several slices: of whole rows and of parts of them, few high ones and many
 * low ones, and with weights. */
void wave_print_times_of_slices(const struct rp_rate_settings *cbr);

#endif
