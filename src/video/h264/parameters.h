/* SPDX-License-Identifier: MIT */
/* H.264 parameter sets of a VkVideoSessionParametersKHR: deep copies, found by their ids.
 *
 * Sets are only ever added. One thread may add while others look sets up.
 */
#ifndef RP_VIDEO_H264_PARAMETERS_H
#define RP_VIDEO_H264_PARAMETERS_H

#include "util/compiler.h"
#include "video/parameters.h"

#include <vk_video/vulkan_video_codec_h264std.h>
#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct rp_h264_parameters;

/* What a parameters object begins with or gets added. The arrays are borrowed for the call. */
struct rp_h264_parameter_sets {
    const StdVideoH264SequenceParameterSet *sps;
    uint32_t sps_count;
    const StdVideoH264PictureParameterSet *pps;
    uint32_t pps_count;
};

struct rp_h264_parameters_info {
    uint32_t max_sps_count;
    uint32_t max_pps_count;
    const struct rp_h264_parameters *template; /* may be NULL; sets wins over its entries */
    struct rp_h264_parameter_sets sets;
    bool is_encode;                     /* what our encoder cannot do is overridden */
    StdVideoH264ProfileIdc profile_idc; /* encode: the session's */
    StdVideoH264LevelIdc max_level_idc; /* encode: the greatest of the session's streams */
};

/* One SPS with its PPS, as pictures use them. Valid as long as the parameters object. */
struct rp_h264_active {
    const StdVideoH264SequenceParameterSet *sps;
    StdVideoH264PictureParameterSet pps;
    bool has_sps_overrides;
    bool has_pps_overrides;
};

/* VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR for sets that cannot be written, do not fit the
 * capacity or (encode) want more pictures than any level of the session holds at their size;
 * VK_ERROR_OUT_OF_HOST_MEMORY. callbacks are copied: sets that are added later use them
 * too. */
VkResult rp_h264_parameters_create(const VkAllocationCallbacks *callbacks,
                                   const struct rp_h264_parameters_info *info,
                                   struct rp_h264_parameters **out) RP_MUST_CHECK;

/* The object was made for an encode session. */
bool rp_h264_parameters_is_encode(const struct rp_h264_parameters *params);

/* Whatever its references: video/parameters.h counts them. One is the creator's. */
void rp_h264_parameters_destroy(struct rp_h264_parameters *params);

/* The object as the neutral half knows it, and back; both take NULL. */
struct rp_video_parameters *rp_h264_parameters_common(struct rp_h264_parameters *params);
const struct rp_h264_parameters *rp_h264_parameters_of(const struct rp_video_parameters *params);

/* session_parameters.c: what a row of video/standard.h has of them. */
extern const struct rp_video_parameters_ops rp_h264_parameters_ops;

/* All of sets or, on failure, none. */
VkResult rp_h264_parameters_update(struct rp_h264_parameters *params,
                                   const struct rp_h264_parameter_sets *sets) RP_MUST_CHECK;

/* NULL (false) when there is no such set. */
const StdVideoH264SequenceParameterSet *
rp_h264_parameters_find_sps(const struct rp_h264_parameters *params, uint32_t sps_id,
                            bool *has_overrides_out);
const StdVideoH264PictureParameterSet *
rp_h264_parameters_find_pps(const struct rp_h264_parameters *params, uint32_t sps_id,
                            uint32_t pps_id); /* as the application gave it */
bool rp_h264_parameters_find(const struct rp_h264_parameters *params, uint32_t sps_id,
                             uint32_t pps_id, struct rp_h264_active *out) RP_MUST_CHECK;

#endif
