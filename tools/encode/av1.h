/* SPDX-License-Identifier: MIT */
/* A picture of AV1 as Vulkan wants to be told of it.
 */
#ifndef RP_TOOLS_ENCODE_AV1_H
#define RP_TOOLS_ENCODE_AV1_H

#include "tools/encode/encoder_state.h"

#define AV1_MAX_TILE_COLUMNS 64
#define AV1_MAX_TILE_ROWS 64

/* What is kept of one reference picture, or of the one being made. */
struct av1_slot {
    StdVideoEncodeAV1ReferenceInfo std;
    VkVideoEncodeAV1DpbSlotInfoKHR info;
};

struct av1_picture {
    struct av1_slot slots[ENCODER_MAX_SLOTS];
    StdVideoAV1TileInfo tiles;
    uint16_t tile_widths_minus_1[AV1_MAX_TILE_COLUMNS]; /* in superblocks */
    uint16_t tile_heights_minus_1[AV1_MAX_TILE_ROWS];
    StdVideoEncodeAV1PictureInfo std;
    VkVideoEncodeAV1PictureInfoKHR info;
};

#endif
