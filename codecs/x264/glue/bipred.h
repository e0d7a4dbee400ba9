/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Weighted averages for implicit weights that x264's do not take.
 */
#ifndef RP_CODECS_X264_GLUE_BIPRED_H
#define RP_CODECS_X264_GLUE_BIPRED_H

#include "context.h"

/* Functions like mc.avg, indexed by PIXEL_*: weights of list 0 from -64 to 128, the latter given as
 * -128 (it travels as 8 bits). Exact for the default weight too. */
extern const rp_x264_avg_fn rp_x264_wide_avg[12];

#endif
