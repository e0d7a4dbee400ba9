/* SPDX-License-Identifier: MIT */
/* Which profiles and parameter sets of H.265 are refused, and what pictures have which format.
 */
#include "test.h"
#include "vk.h"

#define BITS_8 VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR
#define BITS_10 VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR
#define P010 VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16

struct profile {
    VkVideoDecodeH265ProfileInfoKHR h265;
    VkVideoProfileInfoKHR info;
    VkVideoProfileListInfoKHR list;
};

static void
profile_init(struct profile *p, StdVideoH265ProfileIdc idc,
             VkVideoComponentBitDepthFlagBitsKHR luma, VkVideoComponentBitDepthFlagBitsKHR chroma)
{
    p->h265 = (VkVideoDecodeH265ProfileInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR, .stdProfileIdc = idc};
    p->info = video_profile(VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR, &p->h265);
    p->info.lumaBitDepth = luma;
    p->info.chromaBitDepth = chroma;
    p->list = video_profile_list(&p->info);
}

static VkResult
get_capabilities(struct vk *vk, StdVideoH265ProfileIdc idc,
                 VkVideoComponentBitDepthFlagBitsKHR luma,
                 VkVideoComponentBitDepthFlagBitsKHR chroma)
{
    struct profile p;
    profile_init(&p, idc, luma, chroma);
    VkVideoDecodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_CAPABILITIES_KHR};
    VkVideoDecodeCapabilitiesKHR decode = {.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR,
                                           .pNext = &h265};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &decode};
    const VkResult result = vkGetPhysicalDeviceVideoCapabilitiesKHR(vk->pdev, &p.info, &caps);
    if (result == VK_SUCCESS)
        REQUIRE_EQ(h265.maxLevelIdc, STD_VIDEO_H265_LEVEL_IDC_6_2);
    return result;
}

static void
only_main_10_has_10_bits(struct vk *vk)
{
    const VkResult no_format = VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR;
    const StdVideoH265ProfileIdc main_10 = STD_VIDEO_H265_PROFILE_IDC_MAIN_10;
    const StdVideoH265ProfileIdc of_8_bits[] = {STD_VIDEO_H265_PROFILE_IDC_MAIN,
                                                STD_VIDEO_H265_PROFILE_IDC_MAIN_STILL_PICTURE};
    for (uint32_t i = 0; i < 2; i++) {
        REQUIRE_EQ(get_capabilities(vk, of_8_bits[i], BITS_8, BITS_8), VK_SUCCESS);
        REQUIRE_EQ(get_capabilities(vk, of_8_bits[i], BITS_10, BITS_10), no_format);
    }
    REQUIRE_EQ(get_capabilities(vk, main_10, BITS_8, BITS_8), VK_SUCCESS);
    REQUIRE_EQ(get_capabilities(vk, main_10, BITS_10, BITS_10), VK_SUCCESS);
    REQUIRE_EQ(get_capabilities(vk, main_10, BITS_10, BITS_8), no_format);
    REQUIRE_EQ(get_capabilities(vk, main_10, BITS_8, BITS_10), no_format);
    REQUIRE_EQ(get_capabilities(vk, main_10, VK_VIDEO_COMPONENT_BIT_DEPTH_12_BIT_KHR,
                                VK_VIDEO_COMPONENT_BIT_DEPTH_12_BIT_KHR),
               no_format);
    REQUIRE_EQ(
        get_capabilities(vk, STD_VIDEO_H265_PROFILE_IDC_FORMAT_RANGE_EXTENSIONS, BITS_8, BITS_8),
        VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR);
}

static uint32_t
get_formats(struct vk *vk, VkVideoComponentBitDepthFlagBitsKHR depth, VkFormat out[4])
{
    struct profile p;
    profile_init(&p, STD_VIDEO_H265_PROFILE_IDC_MAIN_10, depth, depth);
    const VkPhysicalDeviceVideoFormatInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VIDEO_FORMAT_INFO_KHR,
        .pNext = &p.list,
        .imageUsage = VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR,
    };
    VkVideoFormatPropertiesKHR formats[4] = {{.sType = 0}};
    uint32_t count = 4;
    for (uint32_t i = 0; i < 4; i++)
        formats[i].sType = VK_STRUCTURE_TYPE_VIDEO_FORMAT_PROPERTIES_KHR;
    REQUIRE_EQ(vkGetPhysicalDeviceVideoFormatPropertiesKHR(vk->pdev, &info, &count, formats),
               VK_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        out[i] = formats[i].format;
    return count;
}

static void
pictures_of_10_bits_are_p010(struct vk *vk)
{
    VkFormat formats[4];
    REQUIRE_EQ(get_formats(vk, BITS_10, formats), 1);
    REQUIRE_EQ(formats[0], P010);
    REQUIRE_EQ(get_formats(vk, BITS_8, formats), 2);
    REQUIRE_EQ(formats[0], VK_FORMAT_G8_B8R8_2PLANE_420_UNORM);
    REQUIRE_EQ(formats[1], VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM);
}

static VkResult
create_session(struct vk *vk, const struct profile *p, VkFormat format, struct video_session *out)
{
    const VkVideoSessionCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
        .queueFamilyIndex = vk->decode_family,
        .pVideoProfile = &p->info,
        .pictureFormat = format,
        .maxCodedExtent = {64, 64},
        .referencePictureFormat = format,
        .maxDpbSlots = 2,
        .maxActiveReferencePictures = 1,
        .pStdHeaderVersion = video_std_version(p->info.videoCodecOperation),
    };
    return video_session_create(&vk->video, &info, out);
}

static VkResult
add_sps(struct vk *vk, const struct video_session *session, uint8_t luma_minus8,
        uint8_t chroma_minus8)
{
    const StdVideoH265SequenceParameterSet sps = {
        .chroma_format_idc = STD_VIDEO_H265_CHROMA_FORMAT_IDC_420,
        .pic_width_in_luma_samples = 64,
        .pic_height_in_luma_samples = 64,
        .bit_depth_luma_minus8 = luma_minus8,
        .bit_depth_chroma_minus8 = chroma_minus8,
        .log2_diff_max_min_luma_coding_block_size = 1,
    };
    const VkVideoDecodeH265SessionParametersAddInfoKHR add = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = 1,
        .pStdSPSs = &sps,
    };
    const VkVideoDecodeH265SessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = 1,
        .pParametersAddInfo = &add,
    };
    VkVideoSessionParametersKHR params;
    const VkResult result = video_parameters_create(&vk->video, session->handle, 0, &info, &params);
    if (result == VK_SUCCESS)
        vkDestroyVideoSessionParametersKHR(vk->dev, params, NULL);
    return result;
}

static void
sets_of_another_depth_are_refused(struct vk *vk)
{
    const VkResult refused = VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
    struct profile p;
    struct video_session session;
    profile_init(&p, STD_VIDEO_H265_PROFILE_IDC_MAIN_10, BITS_10, BITS_10);
    REQUIRE_EQ(create_session(vk, &p, P010, &session), VK_SUCCESS);
    REQUIRE_EQ(add_sps(vk, &session, 2, 2), VK_SUCCESS);
    REQUIRE_EQ(add_sps(vk, &session, 0, 0), refused);
    REQUIRE_EQ(add_sps(vk, &session, 2, 0), refused);
    REQUIRE_EQ(add_sps(vk, &session, 1, 1), refused);
    video_session_destroy(&vk->video, &session);

    profile_init(&p, STD_VIDEO_H265_PROFILE_IDC_MAIN_10, BITS_8, BITS_8);
    REQUIRE_EQ(create_session(vk, &p, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, &session), VK_SUCCESS);
    REQUIRE_EQ(add_sps(vk, &session, 0, 0), VK_SUCCESS);
    REQUIRE_EQ(add_sps(vk, &session, 2, 2), refused);
    REQUIRE_EQ(add_sps(vk, &session, 0, 2), refused);
    video_session_destroy(&vk->video, &session);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    if (vk.decode_family == UINT32_MAX) {
        vk_close(&vk);
        return TEST_SKIPPED;
    }
    only_main_10_has_10_bits(&vk);
    pictures_of_10_bits_are_p010(&vk);
    sets_of_another_depth_are_refused(&vk);
    vk_close(&vk);
    return 0;
}
