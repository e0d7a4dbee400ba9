/* SPDX-License-Identifier: MIT */
/* H.264's part of a video session: the chains with one SPS and one PPS.
 */
#ifndef RP_TOOLS_CLIENT_VIDEO_H264_H
#define RP_TOOLS_CLIENT_VIDEO_H264_H

#include "tools/client/video_session.h"

#include <vulkan/vulkan_core.h>

/* info, which points to add, is the chain of video_parameters_create(); more can hang from it. */
struct video_h264_encode_sets {
    VkVideoEncodeH264SessionParametersAddInfoKHR add;
    VkVideoEncodeH264SessionParametersCreateInfoKHR info;
};
struct video_h264_decode_sets {
    VkVideoDecodeH264SessionParametersAddInfoKHR add;
    VkVideoDecodeH264SessionParametersCreateInfoKHR info;
};

/* sps and pps must stay until the parameters are made, and *out where it is. */
void video_h264_encode_sets_init(struct video_h264_encode_sets *out,
                                 const StdVideoH264SequenceParameterSet *sps,
                                 const StdVideoH264PictureParameterSet *pps);
void video_h264_decode_sets_init(struct video_h264_decode_sets *out,
                                 const StdVideoH264SequenceParameterSet *sps,
                                 const StdVideoH264PictureParameterSet *pps);

/* video_parameters_encoded() of the SPS and the PPS with id 0. */
VkResult video_h264_sets_encoded(const struct video_device *device,
                                 VkVideoSessionParametersKHR parameters,
                                 VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback,
                                 size_t *size_B, void *data);

#endif
