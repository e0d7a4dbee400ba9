/* SPDX-License-Identifier: MIT */
/* A key frame of AV1, in two bytes.
 */
#include "check.h"
#include "check_grey.h"

static const uint8_t tile[] = {0x01, 0x40};

/* What libaom said of the picture. */
static const StdVideoAV1ColorConfig color = {
    .BitDepth = 8,
    .subsampling_x = 1,
    .subsampling_y = 1,
    .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_UNSPECIFIED,
    .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_UNSPECIFIED,
    .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_UNSPECIFIED,
};
static const StdVideoAV1SequenceHeader sequence = {
    .flags = {.enable_filter_intra = 1,
              .enable_intra_edge_filter = 1,
              .enable_cdef = 1,
              .enable_restoration = 1},
    .seq_profile = STD_VIDEO_AV1_PROFILE_MAIN,
    .max_frame_width_minus_1 = CHECK_GREY_WIDTH_PX - 1,
    .max_frame_height_minus_1 = CHECK_GREY_HEIGHT_PX - 1,
    .seq_force_integer_mv = 2,           /* each frame says */
    .seq_force_screen_content_tools = 2, /* likewise */
    .pColorConfig = &color,
};
static const StdVideoAV1TileInfo tiles = {
    .flags = {.uniform_tile_spacing_flag = 1}, .TileCols = 1, .TileRows = 1};
static const StdVideoAV1Quantization quantization = {.base_q_idx = 200};
static const StdVideoAV1LoopFilter loop_filter = {
    .flags = {.loop_filter_delta_enabled = 1},
    .loop_filter_ref_deltas = {1, 0, 0, 0, -1, 0, -1, -1}};
static const StdVideoAV1CDEF cdef = {.cdef_damping_minus_3 = 0};
static const StdVideoDecodeAV1PictureInfo picture = {
    .flags = {.error_resilient_mode = 1},
    .frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY,
    .primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE,
    .refresh_frame_flags = 0xff,
    .TxMode = STD_VIDEO_AV1_TX_MODE_LARGEST,
    .pTileInfo = &tiles,
    .pQuantization = &quantization,
    .pLoopFilter = &loop_filter,
    .pCDEF = &cdef,
};

void
check_decode_av1(void)
{
    static const uint32_t offset_B = 0;
    static const uint32_t size_B = sizeof(tile);
    const VkVideoDecodeAV1ProfileInfoKHR profile = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
    const VkVideoDecodeAV1SessionParametersCreateInfoKHR parameters = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pStdSequenceHeader = &sequence,
    };
    const StdVideoDecodeAV1ReferenceInfo reference = {.frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY};
    const VkVideoDecodeAV1DpbSlotInfoKHR slot = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_DPB_SLOT_INFO_KHR,
        .pStdReferenceInfo = &reference,
    };
    const VkVideoDecodeAV1PictureInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PICTURE_INFO_KHR,
        .pStdPictureInfo = &picture,
        .referenceNameSlotIndices = {-1, -1, -1, -1, -1, -1, -1},
        .tileCount = 1,
        .pTileOffsets = &offset_B,
        .pTileSizes = &size_B,
    };
    check_grey(&(struct check_grey){
        .verb = "decodes AV1",
        .operation = VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR,
        .extension = VK_KHR_VIDEO_DECODE_AV1_EXTENSION_NAME,
        .profile = &profile,
        .parameters = &parameters,
        .picture = &info,
        .slot = &slot,
        .data = tile,
        .data_B = sizeof(tile),
    });
}
