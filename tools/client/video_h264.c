/* SPDX-License-Identifier: MIT */
/* Chains of H.264's parameter sets. */
#include "tools/client/video_h264.h"

void
video_h264_encode_sets_init(struct video_h264_encode_sets *out,
                            const StdVideoH264SequenceParameterSet *sps,
                            const StdVideoH264PictureParameterSet *pps)
{
    out->add = (VkVideoEncodeH264SessionParametersAddInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = sps,
        .stdPPSCount = 1,
        .pStdPPSs = pps,
    };
    out->info = (VkVideoEncodeH264SessionParametersCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &out->add,
    };
}

void
video_h264_decode_sets_init(struct video_h264_decode_sets *out,
                            const StdVideoH264SequenceParameterSet *sps,
                            const StdVideoH264PictureParameterSet *pps)
{
    out->add = (VkVideoDecodeH264SessionParametersAddInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = sps,
        .stdPPSCount = 1,
        .pStdPPSs = pps,
    };
    out->info = (VkVideoDecodeH264SessionParametersCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &out->add,
    };
}

VkResult
video_h264_sets_encoded(const struct video_device *device, VkVideoSessionParametersKHR parameters,
                        VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback, size_t *size_B,
                        void *data)
{
    const VkVideoEncodeH264SessionParametersGetInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdSPS = VK_TRUE,
        .writeStdPPS = VK_TRUE,
    };

    return video_parameters_encoded(device, parameters, &h264, feedback, size_B, data);
}
