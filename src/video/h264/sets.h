/* SPDX-License-Identifier: MIT */
/* The parameter sets of a picture that is to be decoded.
 */
#ifndef RP_VIDEO_H264_SETS_H
#define RP_VIDEO_H264_SETS_H

#include "video/decode/engine.h"

#include <vk_video/vulkan_video_codec_h264std.h>

#include <stdbool.h>

struct rp_h264_sets {
    const StdVideoH264SequenceParameterSet *sps;
    const StdVideoH264PictureParameterSet *pps;
};

/* The sets that the picture names; inlined ones win, each by itself. A field has the one that its
 * own first slice names, when it is stored: FFmpeg up to 8 names that of the first field for the
 * second one too (its vulkan_h264.c takes pic->pps, which is set once per frame). */
bool rp_h264_sets_find(const struct rp_decode_request *request, struct rp_h264_sets *out);

#endif
