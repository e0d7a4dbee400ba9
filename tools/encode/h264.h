/* SPDX-License-Identifier: MIT */
/* A picture of H.264 as Vulkan wants to be told of it.
 */
#ifndef RP_TOOLS_ENCODE_H264_H
#define RP_TOOLS_ENCODE_H264_H

#include "tools/encode/encoder_state.h"

#define H264_MAX_SLICES 32

/* What is kept of one reference picture, or of the one being made. */
struct h264_slot {
    StdVideoEncodeH264ReferenceInfo std;
    VkVideoEncodeH264DpbSlotInfoKHR info;
};

struct h264_picture {
    struct h264_slot slots[ENCODER_MAX_SLOTS];
    StdVideoEncodeH264ReferenceListsInfo lists;
    StdVideoEncodeH264RefListModEntry modifications[GOP_MAX_REFS + 1];
    StdVideoEncodeH264RefPicMarkingEntry markings[GOP_MAX_SLOTS + 1];
    StdVideoEncodeH264PictureInfo std;
    StdVideoEncodeH264SliceHeader slice_headers[H264_MAX_SLICES];
    VkVideoEncodeH264NaluSliceInfoKHR slices[H264_MAX_SLICES];
    uint32_t slice_count;
    VkVideoEncodeH264PictureInfoKHR info;
};

#endif
