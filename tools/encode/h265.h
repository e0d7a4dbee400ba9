/* SPDX-License-Identifier: MIT */
/* A picture of H.265 as Vulkan wants to be told of it.
 */
#ifndef RP_TOOLS_ENCODE_H265_H
#define RP_TOOLS_ENCODE_H265_H

#include "tools/encode/encoder_state.h"

#define H265_MAX_SLICES 68

/* What is kept of one reference picture, or of the one being made. */
struct h265_slot {
    StdVideoEncodeH265ReferenceInfo std;
    VkVideoEncodeH265DpbSlotInfoKHR info;
};

struct h265_picture {
    struct h265_slot slots[ENCODER_MAX_SLOTS];
    StdVideoEncodeH265ReferenceListsInfo lists;
    StdVideoEncodeH265PictureInfo std;
    StdVideoEncodeH265SliceSegmentHeader slice_headers[H265_MAX_SLICES];
    VkVideoEncodeH265NaluSliceSegmentInfoKHR slices[H265_MAX_SLICES];
    uint32_t slice_count;
    VkVideoEncodeH265PictureInfoKHR info;
};

#endif
