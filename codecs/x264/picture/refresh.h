/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intra refresh: which macroblocks are intra coded, and that what is refreshed stays clean.
 */
#ifndef RP_CODECS_X264_PICTURE_REFRESH_H
#define RP_CODECS_X264_PICTURE_REFRESH_H

#include "context.h"

/* Before the slices of a picture that has it. */
void rp_x264_refresh_prepare(struct rp_x264_context *ctx);

/* Decides on the macroblock at hand with analyse(), x264's own but for limits, as often as it
 * takes. */
void rp_x264_refresh_macroblock(x264_t *h, void (*analyse)(x264_t *h));

#endif
