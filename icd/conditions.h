/* SPDX-License-Identifier: MIT */
/* On what features and extensions depend, besides this build: the words of features.txt and
 * extensions.txt.
 */
#ifndef RP_ICD_CONDITIONS_H
#define RP_ICD_CONDITIONS_H

#include "object/instance.h"
#include "platform/descriptor.h"
#include "platform/pages.h"

#include <stdbool.h>

enum rp_condition {
    RP_CONDITION_NEVER,
    RP_CONDITION_ALWAYS,
    RP_CONDITION_VIDEO, /* encode or decode */
    RP_CONDITION_ENCODE,
    RP_CONDITION_ENCODE_H264,
    RP_CONDITION_ENCODE_H265,
    RP_CONDITION_ENCODE_AV1,
    RP_CONDITION_DECODE,
    RP_CONDITION_DECODE_H264,
    RP_CONDITION_DECODE_H265,
    RP_CONDITION_DECODE_AV1,
    RP_CONDITION_DECODE_VP9,
    RP_CONDITION_DESCRIPTORS,  /* the system shares memory and states by descriptors */
    RP_CONDITION_SHARED_PAGES, /* it maps the same pages at two addresses */
};

static inline bool
rp_condition_holds(const struct rp_physical_device *pdev, enum rp_condition condition)
{
    switch (condition) {
    case RP_CONDITION_NEVER:
        return false;
    case RP_CONDITION_ALWAYS:
        return true;
    case RP_CONDITION_VIDEO:
        return pdev->video.encode_operations || pdev->video.decode_operations;
    case RP_CONDITION_ENCODE:
        return pdev->video.encode_operations;
    case RP_CONDITION_ENCODE_H264:
        return pdev->video.encode_operations & VK_VIDEO_CODEC_OPERATION_ENCODE_H264_BIT_KHR;
    case RP_CONDITION_ENCODE_H265:
        return pdev->video.encode_operations & VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR;
    case RP_CONDITION_ENCODE_AV1:
        return pdev->video.encode_operations & VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR;
    case RP_CONDITION_DECODE:
        return pdev->video.decode_operations;
    case RP_CONDITION_DECODE_H264:
        return pdev->video.decode_operations & VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR;
    case RP_CONDITION_DECODE_H265:
        return pdev->video.decode_operations & VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR;
    case RP_CONDITION_DECODE_AV1:
        return pdev->video.decode_operations & VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR;
    case RP_CONDITION_DECODE_VP9:
        return pdev->video.decode_operations & VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR;
    case RP_CONDITION_DESCRIPTORS:
        return rp_descriptors_exist();
    case RP_CONDITION_SHARED_PAGES:
        return rp_pages_can_be_shared();
    }
    return false;
}

#endif
