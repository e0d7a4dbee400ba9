/* SPDX-License-Identifier: MIT */
/* The parameter sets of an H.264 stream of progressive 8-bit 4:2:0 frames.
 */
#ifndef RP_TOOLS_ENCODE_H264_SETS_H
#define RP_TOOLS_ENCODE_H264_SETS_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

/* frame_num and the picture order count are written with this many bits. */
#define H264_LOG2_MAX_FRAME_NUM 8
#define H264_LOG2_MAX_POC_LSB 8

struct h264_settings {
    uint32_t width_px; /* even */
    uint32_t height_px;
    uint32_t fps_numerator;
    uint32_t fps_denominator;
    StdVideoH264ProfileIdc profile;
    bool uses_cabac;
    bool uses_transform_8x8;
    bool is_bt709;        /* converted from RGB by us: the stream says how */
    uint32_t ref_count;   /* of a P picture */
    uint32_t dpb_count;   /* reference pictures at a time */
    uint32_t reordered;   /* pictures coded in front of one that is displayed before them */
    uint64_t bitrate_bps; /* 0: not known */
};

/* The sets point to each other: they stay where they are made. */
struct h264_sets {
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
};

void h264_sets_init(struct h264_sets *sets, const struct h264_settings *settings);

#endif
