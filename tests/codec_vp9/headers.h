/* SPDX-License-Identifier: MIT */
/* What an application reads of a VP9 frame: its uncompressed header (6.2), as Vulkan's structures.
 */
#ifndef RP_TESTS_CODEC_VP9_HEADERS_H
#define RP_TESTS_CODEC_VP9_HEADERS_H

#include <vk_video/vulkan_video_codec_vp9std_decode.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What headers hand on to each other. */
struct vp9_state {
    struct {
        uint32_t width_px; /* 0: there is no picture */
        uint32_t height_px;
    } refs[STD_VIDEO_VP9_NUM_REF_FRAMES];
    StdVideoVP9ColorConfig color;
    StdVideoVP9LoopFilter loop_filter;
    StdVideoVP9Segmentation segmentation;
    uint32_t last_width_px;
    uint32_t last_height_px;
    bool was_shown;
    bool was_intra_only;
};

struct vp9_header {
    bool shows_existing;
    uint32_t existing;                /* frame_to_show_map_idx */
    StdVideoDecodeVP9PictureInfo std; /* points into this structure */
    StdVideoVP9ColorConfig color;
    StdVideoVP9LoopFilter loop_filter;
    StdVideoVP9Segmentation segmentation;
    uint32_t width_px;
    uint32_t height_px;
    uint8_t ref_frame_idx[STD_VIDEO_VP9_REFS_PER_FRAME];
    uint32_t uncompressed_B;
    uint32_t compressed_B;
};

/* False when it is no header of profile 0 or 2. */
bool vp9_header_read(struct vp9_state *state, const uint8_t *data, size_t data_B,
                     struct vp9_header *out);

#endif
