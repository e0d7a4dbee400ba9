/* SPDX-License-Identifier: MIT */
/* The picture that an application has made ready, in Vulkan's structures.
 */
#ifndef RP_TESTS_CODEC_KVAZAAR_DESCRIPTION_H
#define RP_TESTS_CODEC_KVAZAAR_DESCRIPTION_H

#include "app.h"

#include <vulkan/vulkan_core.h>

/* Its parts point to each other. */
struct app_description {
    StdVideoEncodeH265ReferenceListsInfo lists;
    StdVideoEncodeH265LongTermRefPics long_term;
    StdVideoEncodeH265SliceSegmentHeader headers[RP_H265_ENCODE_MAX_SLICES];
    VkVideoEncodeH265NaluSliceSegmentInfoKHR slices[RP_H265_ENCODE_MAX_SLICES];
    StdVideoEncodeH265PictureInfo std;
    VkVideoEncodeH265PictureInfoKHR info;
    StdVideoEncodeH265ReferenceInfo references[APP_SLOTS];
    VkVideoEncodeH265DpbSlotInfoKHR slots[APP_SLOTS];
};

void app_describe(const struct app *app, struct app_description *out);

#endif
