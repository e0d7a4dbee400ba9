/* SPDX-License-Identifier: MIT */
/* Vulkan's structures of a picture whose headers were read, filled in as FFmpeg does.
 */
#ifndef RP_TESTS_CODEC_DAV1D_STD_STRUCTURES_H
#define RP_TESTS_CODEC_DAV1D_STD_STRUCTURES_H

#include "video/av1/state.h"

#include <vk_video/vulkan_video_codec_av1std_decode.h>

struct std_structures {
    StdVideoAV1ColorConfig color;
    StdVideoAV1SequenceHeader sequence;
    uint16_t widths_minus_1[RP_AV1_MAX_TILE_COLS];
    uint16_t heights_minus_1[RP_AV1_MAX_TILE_ROWS];
    StdVideoAV1TileInfo tiles;
    StdVideoAV1Quantization quantization;
    StdVideoAV1Segmentation segmentation;
    StdVideoAV1LoopFilter loop_filter;
    StdVideoAV1CDEF cdef;
    StdVideoAV1LoopRestoration restoration;
    StdVideoAV1GlobalMotion motion;
    StdVideoAV1FilmGrain grain;
    StdVideoDecodeAV1PictureInfo picture;
};

/* They point to each other. */
void std_structures_init(struct std_structures *std, const struct rp_av1_sequence *seq,
                         const struct rp_av1_frame *frame);

#endif
