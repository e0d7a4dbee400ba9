/* SPDX-License-Identifier: MIT */
/* Fuzz target: nonsense in all that describes a picture of AV1. Whatever its status is, nothing is
 * written where it should not be, and the key frame after it is what libdav1d decodes.
 */
#include "nonsense.h"

#include "tests/test.h"
#include "tests/video/av1_application.h"

#include <string.h>

#define PICTURES 8u
#define MAX_MAP_TEXELS 64

static void
spoil_tiles(StdVideoEncodeAV1PictureInfo *std)
{
    static StdVideoAV1TileInfo tiles;
    static uint16_t widths[256], heights[256];
    tiles = (StdVideoAV1TileInfo){
        .flags.uniform_tile_spacing_flag = below(2),
        .TileCols = (uint8_t)(one_in(4) ? strange() : below(4)),
        .TileRows = (uint8_t)(one_in(4) ? strange() : below(4)),
        .context_update_tile_id = (uint16_t)strange(),
        .tile_size_bytes_minus_1 = (uint8_t)strange(),
        .pWidthInSbsMinus1 = one_in(8) ? NULL : widths,
        .pHeightInSbsMinus1 = one_in(8) ? NULL : heights,
    };
    for (uint32_t i = 0; i < 256; i++) {
        widths[i] = (uint16_t)(one_in(64) ? strange() : below(2));
        heights[i] = (uint16_t)(one_in(64) ? strange() : below(2));
    }
    std->pTileInfo = &tiles;
}

static void
spoil_parts(StdVideoEncodeAV1PictureInfo *std)
{
    static StdVideoAV1Quantization quantization;
    static StdVideoAV1Segmentation segmentation;
    static StdVideoAV1LoopFilter filter;
    static StdVideoAV1CDEF cdef;
    static StdVideoAV1LoopRestoration restoration;
    static StdVideoAV1GlobalMotion motion;
    static StdVideoEncodeAV1ExtensionHeader extension;
    fill_bytes(&quantization, sizeof(quantization));
    fill_bytes(&segmentation, sizeof(segmentation));
    fill_bytes(&filter, sizeof(filter));
    fill_bytes(&cdef, sizeof(cdef));
    fill_bytes(&restoration, sizeof(restoration));
    fill_bytes(&motion, sizeof(motion));
    fill_bytes(&extension, sizeof(extension));
    MAYBE(std->pQuantization, &quantization);
    MAYBE(std->pSegmentation, &segmentation);
    MAYBE(std->pLoopFilter, &filter);
    MAYBE(std->pCDEF, &cdef);
    MAYBE(std->pLoopRestoration, &restoration);
    MAYBE(std->pGlobalMotion, &motion);
    MAYBE(std->pExtensionHeader, &extension);
    if (one_in(4))
        spoil_tiles(std);
}

static void
spoil_std(StdVideoEncodeAV1PictureInfo *std)
{
    for (uint32_t i = below(6); i > 0; i--)
        ((uint8_t *)&std->flags)[below(sizeof(std->flags))] ^= (uint8_t)(1u << below(8));
    std->flags.buffer_removal_time_present_flag = 0; /* the sequence has no times */
    MAYBE(std->frame_type, (StdVideoAV1FrameType)(one_in(4) ? strange() : below(4)));
    MAYBE(std->frame_presentation_time, (uint32_t)strange());
    MAYBE(std->current_frame_id, (uint32_t)strange());
    MAYBE(std->order_hint, (uint8_t)strange());
    MAYBE(std->primary_ref_frame, (uint8_t)(one_in(3) ? strange() : below(8)));
    MAYBE(std->refresh_frame_flags, (uint8_t)strange());
    MAYBE(std->coded_denom, (uint8_t)strange());
    MAYBE(std->render_width_minus_1, (uint16_t)strange());
    MAYBE(std->render_height_minus_1, (uint16_t)strange());
    MAYBE(std->interpolation_filter, (StdVideoAV1InterpolationFilter)strange());
    MAYBE(std->TxMode, (StdVideoAV1TxMode)strange());
    MAYBE(std->delta_q_res, (uint8_t)strange());
    MAYBE(std->delta_lf_res, (uint8_t)strange());
    for (uint32_t i = 0; i < 8; i++)
        MAYBE(std->ref_order_hint[i], (uint8_t)strange());
    for (uint32_t i = 0; i < 7; i++) {
        MAYBE(std->ref_frame_idx[i], (int8_t)(one_in(4) ? strange() : below(8)));
        MAYBE(std->delta_frame_id_minus_1[i], (uint32_t)strange());
    }
    spoil_parts(std);
}

static void
spoil_info(VkVideoEncodeAV1PictureInfoKHR *av1)
{
    MAYBE(av1->predictionMode,
          (VkVideoEncodeAV1PredictionModeKHR)(one_in(4) ? strange() : below(4)));
    MAYBE(av1->rateControlGroup, (VkVideoEncodeAV1RateControlGroupKHR)strange());
    MAYBE(av1->constantQIndex, (uint32_t)(one_in(3) ? strange() : below(256)));
    MAYBE(av1->primaryReferenceCdfOnly, below(2));
    MAYBE(av1->generateObuExtensionHeader, below(2));
    for (uint32_t i = 0; i < 7; i++)
        MAYBE(av1->referenceNameSlotIndices[i], (int32_t)(one_in(4) ? strange() : below(3) - 1));
    if (one_in(20))
        av1->pStdPictureInfo = NULL;
}

static void
spoil_resources(struct av1_call *call)
{
    VkVideoEncodeInfoKHR *info = call->info;
    VkVideoPictureResourceInfoKHR *src = &info->srcPictureResource;
    MAYBE(src->codedOffset.x, (int32_t)strange());
    MAYBE(src->codedOffset.y, (int32_t)below(64));
    MAYBE(src->codedExtent.width, (uint32_t)(one_in(3) ? strange() : below(200)));
    MAYBE(src->codedExtent.height, (uint32_t)(one_in(3) ? strange() : below(200)));
    if (one_in(10))
        src->baseArrayLayer = (uint32_t)strange();
    if (one_in(10))
        info->pSetupReferenceSlot = NULL;
    if (one_in(6) && info->referenceSlotCount > 0)
        info->referenceSlotCount--;
    for (uint32_t i = 0; i < info->referenceSlotCount; i++) {
        MAYBE(call->slots[i].slotIndex, (int32_t)(one_in(4) ? strange() : below(4)));
        if (one_in(20))
            call->slots[i].pNext = NULL;
        if (one_in(20))
            call->slots[i].pPictureResource = NULL;
    }
    MAYBE(info->dstBufferRange, 1 + below(3000));
    MAYBE(info->precedingExternallyEncodedBytes, (uint32_t)strange());
    if (one_in(20))
        info->pNext = NULL;
    if (one_in(10))
        info->flags |= below(8); /* without the structures that go with them */
}

static void
spoil(void *ctx, struct av1_call *call)
{
    (void)ctx;
    spoil_std(call->std);
    spoil_info(call->av1);
    spoil_resources(call);
}

static struct av1_picture
key_frame(void)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    return pic;
}

static void
encode_noise(struct av1_application *app, VkFormat map_format, bool has_refresh)
{
    static int16_t map[MAX_MAP_TEXELS];
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_INTER, 1, true);
    av1_picture_name(app, &pic, 0, 0);
    pic.std.refresh_frame_flags = 1;
    pic.change = spoil;
    fill_bytes(map, sizeof(map));
    if (map_format && one_in(2))
        pic.map = map;
    if (has_refresh && one_in(2)) {
        pic.refresh_cycle = (uint32_t)(one_in(3) ? strange() : 1 + below(8));
        pic.refresh_index = (uint32_t)(one_in(3) ? strange() : below(8));
    }
    (void)av1_try(app, &pic, 1 + (int32_t)below(8));
}

static void
run_session(struct vk *vk)
{
    const bool has_refresh = below(2);
    const VkFormat map_format = below(2) ? VK_FORMAT_R16_SINT : VK_FORMAT_UNDEFINED;
    struct av1_application_options options = {
        .width_px = 16 + below(100),
        .height_px = 16 + below(100),
        .bit_depth = 8 + 2 * below(2),
        .quality_level = below(4),
        .average_bps = one_in(3) ? 200000 : 0,
        .map_format = map_format,
        .refresh_mode =
            has_refresh ? (VkVideoEncodeIntraRefreshModeFlagBitsKHR)(1u << below(4)) : 0,
    };
    options.tools.enable_order_hint = below(2);
    options.tools.enable_cdef = below(2);
    options.tools.enable_ref_frame_mvs = options.tools.enable_order_hint;
    struct av1_application *app = av1_open(vk, &options);
    if (!app)
        exit(TEST_SKIPPED);
    for (uint32_t i = 0; i < PICTURES && in.size_B; i++) {
        const struct av1_picture key = key_frame();
        REQUIRE_EQ(av1_encode_picture(app, &key, 0, i).status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        for (uint32_t k = below(4); k > 0; k--)
            encode_noise(app, map_format, has_refresh);
    }
    av1_close(app);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    static struct vk vk;
    in = (struct input){data, size_B};
    if (!vk.dev)
        vk_open(&vk);
    run_session(&vk);
    return 0;
}
