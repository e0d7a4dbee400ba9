/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job must be so that x264 can code it: x264 itself checks nothing.
 */
#ifndef RP_CODECS_X264_CHECK_H
#define RP_CODECS_X264_CHECK_H

#include "reelpipe/encode_h264.h"

#include <stdbool.h>

bool rp_x264_job_is_supported(const struct rp_h264_encode_job *job);

#endif
