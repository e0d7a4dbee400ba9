/* SPDX-License-Identifier: MIT */
/* The parameter sets of an H.265 stream of progressive 4:2:0 pictures, each of which refers to the
 * newest ones before it.
 */
#ifndef RP_TOOLS_ENCODE_H265_SETS_H
#define RP_TOOLS_ENCODE_H265_SETS_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

/* The picture order count is written with this many bits. */
#define H265_LOG2_MAX_POC_LSB 8

struct h265_settings {
    uint32_t width_px; /* even */
    uint32_t height_px;
    uint32_t fps_numerator;
    uint32_t fps_denominator;
    uint32_t bit_depth; /* 8 or 10 */
    uint32_t log2_ctb_px;
    uint32_t log2_min_transform_px;
    uint32_t log2_max_transform_px;
    bool uses_sao;
    bool uses_temporal_mvp;
    bool uses_sign_hiding;
    bool is_bt709; /* converted from RGB by us: the stream says how */
    uint32_t ref_count;
    uint32_t slice_count;
    uint64_t bitrate_bps; /* 0: not known */
};

/* The sets point to each other: they stay where they are made. */
struct h265_sets {
    StdVideoH265ProfileTierLevel profile_tier_level;
    StdVideoH265DecPicBufMgr dec_pic_buf_mgr;
    StdVideoH265ShortTermRefPicSet
        ref_pic_sets[STD_VIDEO_H265_MAX_DPB_SIZE]; /* number i has the i + 1 pictures before */
    StdVideoH265SequenceParameterSetVui vui;
    StdVideoH265VideoParameterSet vps;
    StdVideoH265SequenceParameterSet sps;
    StdVideoH265PictureParameterSet pps;
};

void h265_sets_init(struct h265_sets *sets, const struct h265_settings *settings);

#endif
