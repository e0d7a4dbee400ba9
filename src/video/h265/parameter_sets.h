/* SPDX-License-Identifier: MIT */
/* H.265's parameter sets (7.3.2): Vulkan's structures with what they point to, and their syntax.
 *
 * VUI, HRD, the extensions and what Vulkan does not have of a profile are not part of them:
 * decoding does not need them. They are passed over when a set is read, as they stand at its end,
 * and written as absent; but VUI that an SPS's pointer leads to is written.
 */
#ifndef RP_VIDEO_H265_PARAMETER_SETS_H
#define RP_VIDEO_H265_PARAMETER_SETS_H

#include "video/h265/syntax.h"

#include <vk_video/vulkan_video_codec_h265std.h>

#define RP_H265_MAX_SHORT_TERM_SETS 64u
#define RP_H265_VPS_LIMIT 16u /* ids are below */
#define RP_H265_SPS_LIMIT 16u
#define RP_H265_PPS_LIMIT 64u
#define RP_H265_MAX_REFS 16u

/* The pointers inside std are NULL or lead into the same structure. */
struct rp_h265_vps {
    StdVideoH265VideoParameterSet std;
    StdVideoH265ProfileTierLevel profile_tier_level;
    StdVideoH265DecPicBufMgr dec_pic_buf_mgr;
};

struct rp_h265_sps {
    StdVideoH265SequenceParameterSet std;
    StdVideoH265ProfileTierLevel profile_tier_level;
    StdVideoH265DecPicBufMgr dec_pic_buf_mgr;
    StdVideoH265ScalingLists scaling_lists;
    StdVideoH265ShortTermRefPicSet short_term_ref_pic_sets[RP_H265_MAX_SHORT_TERM_SETS];
    StdVideoH265LongTermRefPicsSps long_term_ref_pics;
};

struct rp_h265_pps {
    StdVideoH265PictureParameterSet std;
    StdVideoH265ScalingLists scaling_lists;
};

/* Deep copies; what is said to be there but is not counts as absent. */
void rp_h265_vps_copy(struct rp_h265_vps *out, const StdVideoH265VideoParameterSet *std);
void rp_h265_sps_copy(struct rp_h265_sps *out, const StdVideoH265SequenceParameterSet *std);
void rp_h265_pps_copy(struct rp_h265_pps *out, const StdVideoH265PictureParameterSet *std);

/* 4:2:0 of 8 or 10 bits, profiles up to Main 10, sizes within level 6.2, every element in its
 * range: what the functions below write, and slice headers can be read with. */
bool rp_h265_vps_is_valid(const StdVideoH265VideoParameterSet *std);
bool rp_h265_sps_is_valid(const StdVideoH265SequenceParameterSet *std);
bool rp_h265_pps_is_valid(const StdVideoH265PictureParameterSet *std);

/* video_parameter_set_rbsp() of one layer with the SPS's profile, id 0. */
void rp_h265_write_vps(struct rp_h265_syntax *syntax, const struct rp_h265_sps *sps);

/* video_parameter_set_rbsp(), seq_parameter_set_rbsp() and pic_parameter_set_rbsp(), with trailing
 * bits when written. What is read starts from a zeroed structure. */
void rp_h265_code_vps(struct rp_h265_syntax *syntax, struct rp_h265_vps *vps);
void rp_h265_code_sps(struct rp_h265_syntax *syntax, struct rp_h265_sps *sps);
void rp_h265_code_pps(struct rp_h265_syntax *syntax, struct rp_h265_pps *pps);

/* vui_parameters() (E.2.1), without hrd_parameters(). */
void rp_h265_code_vui(struct rp_h265_syntax *syntax, StdVideoH265SequenceParameterSetVui *vui);

/* scaling_list_data() (7.3.4), for both. */
void rp_h265_code_scaling_lists(struct rp_h265_syntax *syntax, StdVideoH265ScalingLists *lists);

/* st_ref_pic_set(index) (7.3.7) of count sets in the SPS; index is count in a slice header. Its
 * counts, deltas and used_by_curr_pic_s0 and _s1 are set also when it is predicted (7-61, 7-62). */
void rp_h265_code_short_term_set(struct rp_h265_syntax *syntax, StdVideoH265ShortTermRefPicSet *set,
                                 uint32_t index, uint32_t count,
                                 const StdVideoH265ShortTermRefPicSet *sets);

/* CtbSizeY, and how many coding tree blocks a picture has. */
static inline uint32_t
rp_h265_ctb_px(const StdVideoH265SequenceParameterSet *std)
{
    return 1u << (std->log2_min_luma_coding_block_size_minus3 + 3 +
                  std->log2_diff_max_min_luma_coding_block_size);
}

static inline uint32_t
rp_h265_ctb_count(const StdVideoH265SequenceParameterSet *std)
{
    const uint32_t ctb_px = rp_h265_ctb_px(std);
    return ((std->pic_width_in_luma_samples + ctb_px - 1) / ctb_px) *
           ((std->pic_height_in_luma_samples + ctb_px - 1) / ctb_px);
}

#endif
