/* SPDX-License-Identifier: MIT */
/* Which profiles of VP9 are refused; and what is wrong with a picture is said by its query, after
 * which the session decodes on.
 *
 * usage: video_vp9_errors FILE
 */
#include "tests/test.h"
#include "vulkan_vp9.h"

#define BITS_8 VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR
#define BITS_10 VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR
#define BITS_12 VK_VIDEO_COMPONENT_BIT_DEPTH_12_BIT_KHR

static VkResult
get_capabilities(struct vk *vk, StdVideoVP9Profile std,
                 VkVideoComponentBitDepthFlagBitsKHR bit_depth)
{
    const VkVideoDecodeVP9ProfileInfoKHR vp9 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PROFILE_INFO_KHR, .stdProfile = std};
    VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR, &vp9);
    profile.lumaBitDepth = profile.chromaBitDepth = bit_depth;
    VkVideoDecodeVP9CapabilitiesKHR caps = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_CAPABILITIES_KHR};
    VkVideoDecodeCapabilitiesKHR decode = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR,
                                           .pNext = &caps};
    VkVideoCapabilitiesKHR out = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                  .pNext = &decode};
    return vkGetPhysicalDeviceVideoCapabilitiesKHR(vk->pdev, &profile, &out);
}

static void
profiles_that_are_not_decoded(struct vk *vk)
{
    const VkResult no_format = VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR;
    const VkResult no_codec = VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR;
    REQUIRE_EQ(get_capabilities(vk, STD_VIDEO_VP9_PROFILE_0, BITS_8), VK_SUCCESS);
    REQUIRE_EQ(get_capabilities(vk, STD_VIDEO_VP9_PROFILE_2, BITS_10), VK_SUCCESS);
    REQUIRE_EQ(get_capabilities(vk, STD_VIDEO_VP9_PROFILE_0, BITS_10), no_format);
    REQUIRE_EQ(get_capabilities(vk, STD_VIDEO_VP9_PROFILE_2, BITS_8), no_format);
    REQUIRE_EQ(get_capabilities(vk, STD_VIDEO_VP9_PROFILE_2, BITS_12), no_format);
    REQUIRE_EQ(get_capabilities(vk, STD_VIDEO_VP9_PROFILE_1, BITS_8), no_codec);
    REQUIRE_EQ(get_capabilities(vk, STD_VIDEO_VP9_PROFILE_3, BITS_10), no_codec);
}

static void
no_picture(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
           StdVideoDecodeVP9PictureInfo *std)
{
    vp9->pStdPictureInfo = NULL;
}

static void
no_structure(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
             StdVideoDecodeVP9PictureInfo *std)
{
    info->pNext = NULL;
}

static void
no_loop_filter(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
               StdVideoDecodeVP9PictureInfo *std)
{
    std->pLoopFilter = NULL;
}

static void
no_segmentation(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
                StdVideoDecodeVP9PictureInfo *std)
{
    std->flags.segmentation_enabled = 1;
    std->pSegmentation = NULL;
}

static void
tiles_behind_range(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
                   StdVideoDecodeVP9PictureInfo *std)
{
    vp9->tilesOffset = UINT32_MAX;
}

static void
headers_far_away(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
                 StdVideoDecodeVP9PictureInfo *std)
{
    vp9->compressedHeaderOffset = UINT32_MAX;
    vp9->tilesOffset = UINT32_MAX;
}

static void
headers_in_disorder(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
                    StdVideoDecodeVP9PictureInfo *std)
{
    vp9->tilesOffset = vp9->compressedHeaderOffset - 1;
}

static void
range_empty(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
            StdVideoDecodeVP9PictureInfo *std)
{
    info->srcBufferRange = 0;
}

static void
tiles_missing(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
              StdVideoDecodeVP9PictureInfo *std)
{
    info->srcBufferRange = vp9->tilesOffset;
}

static void
other_profile(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
              StdVideoDecodeVP9PictureInfo *std)
{
    std->profile = STD_VIDEO_VP9_PROFILE_2;
}

static void
odd_profile(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
            StdVideoDecodeVP9PictureInfo *std)
{
    std->profile = STD_VIDEO_VP9_PROFILE_1;
}

static void
too_many_tiles(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
               StdVideoDecodeVP9PictureInfo *std)
{
    std->tile_cols_log2 = 200;
}

static void
delta_too_great(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
                StdVideoDecodeVP9PictureInfo *std)
{
    std->delta_q_uv_ac = -128;
}

static void
filter_unknown(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
               StdVideoDecodeVP9PictureInfo *std)
{
    std->frame_type = STD_VIDEO_VP9_FRAME_TYPE_NON_KEY;
    std->interpolation_filter = STD_VIDEO_VP9_INTERPOLATION_FILTER_INVALID;
}

/* Slots that no reference is in are named. */
static void
references_unknown(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
                   StdVideoDecodeVP9PictureInfo *std)
{
    std->frame_type = STD_VIDEO_VP9_FRAME_TYPE_NON_KEY;
    for (uint32_t i = 0; i < 3; i++)
        vp9->referenceNameSlotIndices[i] = 8;
}

static void
extent_empty(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
             StdVideoDecodeVP9PictureInfo *std)
{
    info->dstPictureResource.codedExtent = (VkExtent2D){0, 0};
}

static void
extent_absurd(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
              StdVideoDecodeVP9PictureInfo *std)
{
    info->dstPictureResource.codedExtent = (VkExtent2D){UINT32_MAX, 64};
}

/* A decoder that spoils every other picture of a stream of key frames. */
struct spoiler {
    struct vulkan_vp9 *dec;
    vulkan_vp9_change_fn *change;
    bool is_turn;
};

static enum rp_codec_status
spoil(void *context, const struct app_job *job)
{
    struct spoiler *spoiler = context;
    vulkan_vp9_set_change(spoiler->dec, spoiler->is_turn ? spoiler->change : NULL);
    const enum rp_codec_status status = vulkan_vp9_decode(spoiler->dec, job);
    REQUIRE_EQ(status == RP_CODEC_OK, !spoiler->is_turn);
    spoiler->is_turn = !spoiler->is_turn;
    return status;
}

static void
show_nothing(void *context, const struct rp_picture *picture)
{
}

static void
pictures_that_are_wrong(struct vk *vk, const char *name)
{
    static vulkan_vp9_change_fn *const changes[] = {
        no_picture,       no_structure,        no_loop_filter,     no_segmentation,
        headers_far_away, headers_in_disorder, tiles_behind_range, range_empty,
        tiles_missing,    other_profile,       odd_profile,        too_many_tiles,
        delta_too_great,  filter_unknown,      references_unknown, extent_empty,
        extent_absurd,
    };
    const struct vulkan_vp9_options options = {.bit_depth = 8};
    const struct app_options app = {.seed = 1};
    struct spoiler spoiler = {.dec = vulkan_vp9_open(vk, &options)};
    REQUIRE(spoiler.dec);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        struct app_result result;
        spoiler.change = changes[i];
        spoiler.is_turn = false;
        app_run(name, &app, &(struct app_decoder){&spoiler, spoil}, show_nothing, NULL, &result);
        REQUIRE_EQ(result.failed_count, result.picture_count / 2);
    }
    vulkan_vp9_close(spoiler.dec);
}

int
main(int argc, char **argv)
{
    struct vk vk;
    REQUIRE_EQ(argc, 2);
    vk_open_for(&vk, 0, VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR);
    if (vk.decode_family == UINT32_MAX) {
        vk_close(&vk);
        return TEST_SKIPPED;
    }
    profiles_that_are_not_decoded(&vk);
    pictures_that_are_wrong(&vk, argv[1]);
    vk_close(&vk);
    return 0;
}
