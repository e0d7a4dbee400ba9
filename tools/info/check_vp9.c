/* SPDX-License-Identifier: MIT */
/* A key frame of VP9, in 25 bytes, and what libvpx said of it.
 */
#include "check.h"
#include "check_grey.h"

#define UNCOMPRESSED_HEADER_B 18
#define COMPRESSED_HEADER_B 3

static const uint8_t frame[] = {
    0x82, 0x49, 0x83, 0x42, 0x00, 0x01, 0xf0, 0x00, 0xf6, 0x00, 0x38, 0x24, 0x1c,
    0x18, 0x8c, 0x00, 0x00, 0x30, 0x60, 0x00, 0x00, 0x3d, 0x27, 0x35, 0x00,
};

static const StdVideoVP9ColorConfig color = {.BitDepth = 8, .subsampling_x = 1, .subsampling_y = 1};
static const StdVideoVP9LoopFilter loop_filter = {
    .flags = {.loop_filter_delta_enabled = 1, .loop_filter_delta_update = 1},
    .update_ref_delta = 0xd,
    .loop_filter_ref_deltas = {1, 0, -1, -1},
};
static const StdVideoDecodeVP9PictureInfo picture = {
    .flags = {.refresh_frame_context = 1, .frame_parallel_decoding_mode = 1, .show_frame = 1},
    .profile = STD_VIDEO_VP9_PROFILE_0,
    .frame_type = STD_VIDEO_VP9_FRAME_TYPE_KEY,
    .refresh_frame_flags = 0xff,
    .base_q_idx = 70,
    .pColorConfig = &color,
    .pLoopFilter = &loop_filter,
};

void
check_decode_vp9(void)
{
    const VkVideoDecodeVP9ProfileInfoKHR profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_VP9_PROFILE_0,
    };
    const VkVideoDecodeVP9PictureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PICTURE_INFO_KHR,
        .pStdPictureInfo = &picture,
        .referenceNameSlotIndices = {-1, -1, -1},
        .compressedHeaderOffset = UNCOMPRESSED_HEADER_B,
        .tilesOffset = UNCOMPRESSED_HEADER_B + COMPRESSED_HEADER_B,
    };
    check_grey(&(struct check_grey){
        .verb = "decodes VP9",
        .operation = VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR,
        .extension = VK_KHR_VIDEO_DECODE_VP9_EXTENSION_NAME,
        .feature = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_DECODE_VP9_FEATURES_KHR,
        .profile = &profile,
        .picture = &info,
        .data = frame,
        .data_B = sizeof(frame),
    });
}
