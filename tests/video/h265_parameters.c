/* SPDX-License-Identifier: MIT */
/* Parameter sets of H.265 encode sessions: added, updated, inherited, overridden, refused.
 */
#include "h265_application.h"

#include "test.h"

#include <string.h>

#define MAX_SETS 3u
#define INVALID VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR
#define PROFILE_CODEC VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR

static struct vk vk;

static struct {
    struct h265_profile profile;
    VkVideoEncodeUsageInfoKHR usage;
    struct video_session session;
} ground;

/* Sets with ids that follow each other. */
struct sets {
    StdVideoH265ProfileTierLevel profile_tier_level;
    StdVideoH265DecPicBufMgr dec_pic_buf_mgr;
    StdVideoH265SequenceParameterSetVui vui;
    StdVideoH265HrdParameters hrd;
    StdVideoH265VideoParameterSet vps[MAX_SETS];
    StdVideoH265SequenceParameterSet sps[MAX_SETS];
    StdVideoH265PictureParameterSet pps[MAX_SETS];
    VkVideoEncodeH265SessionParametersAddInfoKHR add;
};

static void
fill_sets(struct sets *sets, uint8_t first_id, uint32_t count)
{
    *sets = (struct sets){
        .profile_tier_level = {.general_profile_idc = STD_VIDEO_H265_PROFILE_IDC_MAIN,
                               .general_level_idc = STD_VIDEO_H265_LEVEL_IDC_4_1},
        .dec_pic_buf_mgr = {.max_dec_pic_buffering_minus1 = {4}},
    };
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t id = (uint8_t)(first_id + i);
        sets->vps[i] = (StdVideoH265VideoParameterSet){
            .vps_video_parameter_set_id = id,
            .pDecPicBufMgr = &sets->dec_pic_buf_mgr,
            .pProfileTierLevel = &sets->profile_tier_level,
        };
        sets->sps[i] = (StdVideoH265SequenceParameterSet){
            .chroma_format_idc = STD_VIDEO_H265_CHROMA_FORMAT_IDC_420,
            .pic_width_in_luma_samples = 128 + 8 * (uint32_t)id,
            .pic_height_in_luma_samples = 64,
            .sps_video_parameter_set_id = id,
            .sps_seq_parameter_set_id = id,
            .log2_diff_max_min_luma_coding_block_size = 3,
            .log2_diff_max_min_luma_transform_block_size = 3,
            .pProfileTierLevel = &sets->profile_tier_level,
            .pDecPicBufMgr = &sets->dec_pic_buf_mgr,
        };
        sets->pps[i] = (StdVideoH265PictureParameterSet){
            .pps_pic_parameter_set_id = id,
            .pps_seq_parameter_set_id = id,
            .sps_video_parameter_set_id = id,
        };
    }
    sets->add = (VkVideoEncodeH265SessionParametersAddInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdVPSCount = count,
        .pStdVPSs = sets->vps,
        .stdSPSCount = count,
        .pStdSPSs = sets->sps,
        .stdPPSCount = count,
        .pStdPPSs = sets->pps,
    };
}

static VkResult
create(VkVideoSessionParametersKHR template, uint32_t max_count, const struct sets *sets,
       VkVideoSessionParametersKHR *out)
{
    const VkVideoEncodeH265SessionParametersCreateInfoKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdVPSCount = max_count,
        .maxStdSPSCount = max_count,
        .maxStdPPSCount = max_count,
        .pParametersAddInfo = sets ? &sets->add : NULL,
    };
    const VkVideoSessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = &h265,
        .videoSessionParametersTemplate = template,
        .videoSession = ground.session.handle,
    };
    return vkCreateVideoSessionParametersKHR(vk.dev, &info, NULL, out);
}

static VkResult
update(VkVideoSessionParametersKHR params, uint32_t sequence, const struct sets *sets)
{
    return vkUpdateVideoSessionParametersKHR(
        vk.dev, params,
        &(VkVideoSessionParametersUpdateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_UPDATE_INFO_KHR,
            .pNext = &sets->add,
            .updateSequenceCount = sequence});
}

struct encoded {
    uint8_t data[512];
    size_t size_B;
    bool vps, sps, pps, any; /* has overrides */
};

/* All three sets of the id. */
static struct encoded
get_encoded(VkVideoSessionParametersKHR params, uint32_t id)
{
    const VkVideoEncodeH265SessionParametersGetInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdVPS = VK_TRUE,
        .writeStdSPS = VK_TRUE,
        .writeStdPPS = VK_TRUE,
        .stdVPSId = id,
        .stdSPSId = id,
        .stdPPSId = id,
    };
    VkVideoEncodeH265SessionParametersFeedbackInfoKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_FEEDBACK_INFO_KHR};
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_FEEDBACK_INFO_KHR,
        .pNext = &h265};
    struct encoded out = {.size_B = 0};
    REQUIRE_EQ(video_parameters_encoded(&vk.video, params, &get, NULL, &out.size_B, NULL),
               VK_SUCCESS);
    REQUIRE(out.size_B > 12 && out.size_B < sizeof(out.data));
    size_t short_B = out.size_B - 1;
    memset(out.data, 0xff, sizeof(out.data));
    REQUIRE_EQ(video_parameters_encoded(&vk.video, params, &get, NULL, &short_B, out.data),
               VK_INCOMPLETE);
    REQUIRE_EQ(out.data[out.size_B - 1], 0xff);
    REQUIRE_EQ(video_parameters_encoded(&vk.video, params, &get, &feedback, &out.size_B, out.data),
               VK_SUCCESS);
    out.vps = h265.hasStdVPSOverrides;
    out.sps = h265.hasStdSPSOverrides;
    out.pps = h265.hasStdPPSOverrides;
    out.any = feedback.hasOverrides;
    REQUIRE_EQ(out.any, out.vps || out.sps || out.pps);
    return out;
}

static void
sets_are_added_updated_and_inherited(void)
{
    VkVideoSessionParametersKHR first, second, none;
    struct sets sets;
    fill_sets(&sets, 0, 2);
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &none), INVALID);
    REQUIRE_EQ(create(VK_NULL_HANDLE, 3, &sets, &first), VK_SUCCESS);
    fill_sets(&sets, 2, 1);
    REQUIRE_EQ(update(first, 1, &sets), VK_SUCCESS);
    REQUIRE(update(first, 2, &sets) < 0); /* it is there already */
    fill_sets(&sets, 3, 1);
    REQUIRE(update(first, 2, &sets) < 0); /* no room */

    fill_sets(&sets, 1, 1);
    sets.sps[0].pic_height_in_luma_samples = 96; /* replaces the template's */
    REQUIRE_EQ(create(first, 3, &sets, &second), VK_SUCCESS);
    for (uint32_t id = 0; id < 3; id++) {
        const struct encoded before = get_encoded(first, id);
        const struct encoded after = get_encoded(second, id);
        const bool is_equal =
            before.size_B == after.size_B && memcmp(before.data, after.data, before.size_B) == 0;
        REQUIRE_EQ(is_equal, id != 1);
        REQUIRE(!before.any && !after.any);
    }
    vkDestroyVideoSessionParametersKHR(vk.dev, first, NULL);
    vkDestroyVideoSessionParametersKHR(vk.dev, second, NULL);
}

/* The overrides of set 0 once change has been at it. */
static struct encoded
overridden(void (*change)(struct sets *sets))
{
    VkVideoSessionParametersKHR params;
    struct sets sets;
    fill_sets(&sets, 0, 1);
    change(&sets);
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &params), VK_SUCCESS);
    const struct encoded encoded = get_encoded(params, 0);
    vkDestroyVideoSessionParametersKHR(vk.dev, params, NULL);
    return encoded;
}

#define CHANGE(name, ...) \
    static void name(struct sets *sets) \
    { \
        __VA_ARGS__; \
    }

CHANGE(nothing, (void)sets)
CHANGE(smaller_ctbs, sets->sps[0].log2_diff_max_min_luma_coding_block_size = 1)
CHANGE(hierarchy, sets->sps[0].max_transform_hierarchy_depth_inter = 3)
CHANGE(odd_size, sets->sps[0].pic_height_in_luma_samples = 62)
CHANGE(pcm, sets->sps[0].flags.pcm_enabled_flag = 1)
CHANGE(smoothing, sets->sps[0].flags.strong_intra_smoothing_enabled_flag = 1)
CHANGE(scaling_list, sets->sps[0].flags.scaling_list_enabled_flag = 1)
CHANGE(weights, sets->pps[0].flags.weighted_pred_flag = 1)
CHANGE(tiles, sets->pps[0].flags.tiles_enabled_flag = 1)
CHANGE(dependent_slices, sets->pps[0].flags.dependent_slice_segments_enabled_flag = 1)
CHANGE(chroma_offset, sets->pps[0].pps_cb_qp_offset = -3)
CHANGE(merge_level, sets->pps[0].log2_parallel_merge_level_minus2 = 2)
CHANGE(other_profile,
       sets->profile_tier_level.general_profile_idc = STD_VIDEO_H265_PROFILE_IDC_MAIN_STILL_PICTURE)

static void
what_cannot_be_done_is_overridden_and_reported(void)
{
    static void (*const of_sps[])(struct sets *) = {smaller_ctbs, hierarchy, odd_size,
                                                    pcm,          smoothing, scaling_list};
    static void (*const of_pps[])(struct sets *) = {weights, tiles, dependent_slices, chroma_offset,
                                                    merge_level};
    const struct encoded plain = overridden(nothing);
    REQUIRE(!plain.any);
    for (size_t i = 0; i < sizeof(of_sps) / sizeof(of_sps[0]); i++) {
        const struct encoded encoded = overridden(of_sps[i]);
        REQUIRE(encoded.sps && !encoded.vps && !encoded.pps);
        /* Then nothing is left of the wish, but for the window of a size that is rounded up. */
        if (of_sps[i] != odd_size) {
            REQUIRE_EQ(encoded.size_B, plain.size_B);
            REQUIRE_BYTES(encoded.data, plain.data, plain.size_B);
        }
    }
    for (size_t i = 0; i < sizeof(of_pps) / sizeof(of_pps[0]); i++) {
        const struct encoded encoded = overridden(of_pps[i]);
        REQUIRE(encoded.pps && !encoded.vps && !encoded.sps);
        REQUIRE_EQ(encoded.size_B, plain.size_B);
        REQUIRE_BYTES(encoded.data, plain.data, plain.size_B);
    }
    const struct encoded profile = overridden(other_profile);
    REQUIRE(profile.vps && profile.sps && !profile.pps);
}

CHANGE(vps_id, sets->vps[0].vps_video_parameter_set_id = 16)
CHANGE(sps_id, sets->sps[0].sps_seq_parameter_set_id = 16)
CHANGE(pps_id, sets->pps[0].pps_pic_parameter_set_id = 64)
CHANGE(vps_of_pps, sets->pps[0].sps_video_parameter_set_id = 16)
CHANGE(no_width, sets->sps[0].pic_width_in_luma_samples = 0)
CHANGE(endless, sets->sps[0].pic_height_in_luma_samples = UINT32_MAX)
CHANGE(deep, sets->sps[0].bit_depth_luma_minus8 = sets->sps[0].bit_depth_chroma_minus8 = 4)
CHANGE(full_chroma, sets->sps[0].chroma_format_idc = STD_VIDEO_H265_CHROMA_FORMAT_IDC_444)
CHANGE(long_counts, sets->sps[0].log2_max_pic_order_cnt_lsb_minus4 = 13)
CHANGE(many_layers, sets->sps[0].sps_max_sub_layers_minus1 = 7)
CHANGE(many_ref_pic_sets, sets->sps[0].num_short_term_ref_pic_sets = 65)
CHANGE(low_qp, sets->pps[0].init_qp_minus26 = -27)
CHANGE(high_qp, sets->pps[0].init_qp_minus26 = 26)
CHANGE(many_references, sets->pps[0].num_ref_idx_l0_default_active_minus1 = 15)

static void
nothing_left(struct sets *sets)
{
    sets->sps[0].flags.conformance_window_flag = 1;
    sets->sps[0].conf_win_left_offset = sets->sps[0].conf_win_right_offset = 32;
}

static void
sets_that_are_none_are_refused(void)
{
    static void (*const changes[])(struct sets *) = {
        vps_id,  sps_id,       pps_id,          vps_of_pps,  no_width, endless,
        deep,    full_chroma,  long_counts,     many_layers, low_qp,   many_ref_pic_sets,
        high_qp, nothing_left, many_references,
    };
    VkVideoSessionParametersKHR params;
    struct sets sets;
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, NULL, &params), VK_SUCCESS);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        VkVideoSessionParametersKHR none;
        (void)fprintf(stderr, "change %zu\n", i);
        fill_sets(&sets, 0, 1);
        changes[i](&sets);
        REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &none), INVALID);
        REQUIRE_EQ(update(params, 1, &sets), INVALID);
    }
    /* None of the attempts has left anything. */
    fill_sets(&sets, 0, 1);
    REQUIRE_EQ(update(params, 1, &sets), VK_SUCCESS);
    REQUIRE(!get_encoded(params, 0).any);
    vkDestroyVideoSessionParametersKHR(vk.dev, params, NULL);
}

static void
other_profiles_are_refused(void)
{
    static const StdVideoH265ProfileIdc idcs[] = {
        STD_VIDEO_H265_PROFILE_IDC_FORMAT_RANGE_EXTENSIONS,
        STD_VIDEO_H265_PROFILE_IDC_SCC_EXTENSIONS, STD_VIDEO_H265_PROFILE_IDC_INVALID};
    struct h265_profile profile;
    VkVideoEncodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_CAPABILITIES_KHR};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &h265};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    h265_profile_init(&profile, 8);
    for (uint32_t i = 0; i < sizeof(idcs) / sizeof(idcs[0]); i++) {
        profile.h265.stdProfileIdc = idcs[i];
        REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile.info, &caps),
                   PROFILE_CODEC);
    }
    h265_profile_init(&profile, 12);
    profile.info.lumaBitDepth = profile.info.chromaBitDepth =
        VK_VIDEO_COMPONENT_BIT_DEPTH_12_BIT_KHR;
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile.info, &caps),
               VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR);
    h265_profile_init(&profile, 8);
    profile.info.chromaSubsampling = VK_VIDEO_CHROMA_SUBSAMPLING_444_BIT_KHR;
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile.info, &caps),
               VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR);
}

/* No more partitions than rows (VUID-vkCmdEncodeVideoKHR-pEncodeInfo-10854). */
static void
refreshed_slices_are_rows(void)
{
    struct h265_profile profile;
    VkVideoEncodeIntraRefreshCapabilitiesKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_CAPABILITIES_KHR,
        .nonRectangularIntraRefreshRegions = VK_TRUE};
    VkVideoEncodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_CAPABILITIES_KHR, .pNext = &refresh};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &h265};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    h265_profile_init(&profile, 8);
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile.info, &caps), VK_SUCCESS);
    REQUIRE(refresh.intraRefreshModes &
            VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR);
    REQUIRE(refresh.partitionIndependentIntraRefreshRegions);
    REQUIRE(!refresh.nonRectangularIntraRefreshRegions);
    REQUIRE(!(h265.flags & VK_VIDEO_ENCODE_H265_CAPABILITY_ROW_UNALIGNED_SLICE_SEGMENT_BIT_KHR));
}

static void
ground_open(uint32_t bit_depth, StdVideoH265ProfileIdc idc, VkVideoSessionCreateFlagsKHR flags)
{
    const VkFormat format = bit_depth > 8 ? VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16
                                          : VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    h265_profile_init(&ground.profile, bit_depth);
    ground.profile.h265.stdProfileIdc = idc;
    ground.usage = (VkVideoEncodeUsageInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_USAGE_INFO_KHR,
        .pNext = ground.profile.info.pNext,
        .tuningMode = VK_VIDEO_ENCODE_TUNING_MODE_LOW_LATENCY_KHR,
    };
    ground.profile.info.pNext = &ground.usage;
    REQUIRE_EQ(video_session_create(&vk.video,
                                    &(VkVideoSessionCreateInfoKHR){
                                        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_CREATE_INFO_KHR,
                                        .queueFamilyIndex = vk.encode_family,
                                        .flags = flags,
                                        .pVideoProfile = &ground.profile.info,
                                        .pictureFormat = format,
                                        .maxCodedExtent = {1920, 1080},
                                        .referencePictureFormat = format,
                                        .maxDpbSlots = 5,
                                        .maxActiveReferencePictures = 4,
                                        .pStdHeaderVersion = video_std_version(
                                            VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR)},
                                    &ground.session),
               VK_SUCCESS);
}

/* A.3.2 */
static void
main_has_8_bits(void)
{
    struct h265_profile profile;
    VkVideoEncodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_CAPABILITIES_KHR};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &h265};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    h265_profile_init(&profile, 10);
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile.info, &caps), VK_SUCCESS);
    profile.h265.stdProfileIdc = STD_VIDEO_H265_PROFILE_IDC_MAIN;
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile.info, &caps),
               VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR);
}

/* Of a session of 10 bits. */
static void
sets_have_the_depth_of_the_session(void)
{
    VkVideoSessionParametersKHR params;
    struct sets sets;
    fill_sets(&sets, 0, 1);
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &params), INVALID);
    sets.sps[0].bit_depth_luma_minus8 = 2;
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &params), INVALID);
    sets.sps[0].bit_depth_chroma_minus8 = 2;
    sets.pps[0].init_qp_minus26 = -38; /* -(26 + QpBdOffsetY) (7.4.3.3.1) */
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &params), VK_SUCCESS);
    const struct encoded of_main = get_encoded(params, 0);
    REQUIRE(of_main.vps && of_main.sps && !of_main.pps); /* the profile */
    vkDestroyVideoSessionParametersKHR(vk.dev, params, NULL);

    sets.profile_tier_level.general_profile_idc = STD_VIDEO_H265_PROFILE_IDC_MAIN_10;
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &params), VK_SUCCESS);
    const struct encoded of_main_10 = get_encoded(params, 0);
    REQUIRE(!of_main_10.any);
    REQUIRE(of_main_10.size_B == of_main.size_B &&
            memcmp(of_main_10.data, of_main.data, of_main.size_B) == 0);
    vkDestroyVideoSessionParametersKHR(vk.dev, params, NULL);
}

/* With low latency. */
static void
rows_side_by_side_are_reported(bool is_allowed)
{
    VkVideoSessionParametersKHR params;
    struct sets sets;
    fill_sets(&sets, 0, 1);
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &params), VK_SUCCESS);
    const struct encoded overridden = get_encoded(params, 0);
    vkDestroyVideoSessionParametersKHR(vk.dev, params, NULL);
    REQUIRE_EQ(overridden.pps, is_allowed);
    if (!is_allowed)
        return;

    sets.pps[0].flags.entropy_coding_sync_enabled_flag = 1;
    REQUIRE_EQ(create(VK_NULL_HANDLE, 1, &sets, &params), VK_SUCCESS);
    const struct encoded asked = get_encoded(params, 0);
    vkDestroyVideoSessionParametersKHR(vk.dev, params, NULL);
    REQUIRE(!asked.any);
    REQUIRE(asked.size_B == overridden.size_B &&
            memcmp(asked.data, overridden.data, asked.size_B) == 0);
}

int
main(void)
{
    vk_open_for(&vk, VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, 0);
    if (!h265_route_init(&vk))
        return TEST_SKIPPED;
    ground_open(8, STD_VIDEO_H265_PROFILE_IDC_MAIN, 0);
    RUN(rows_side_by_side_are_reported, false);
    RUN(sets_are_added_updated_and_inherited);
    RUN(what_cannot_be_done_is_overridden_and_reported);
    RUN(sets_that_are_none_are_refused);
    RUN(other_profiles_are_refused);
    RUN(refreshed_slices_are_rows);
    video_session_destroy(&vk.video, &ground.session);
    ground_open(8, STD_VIDEO_H265_PROFILE_IDC_MAIN,
                VK_VIDEO_SESSION_CREATE_ALLOW_ENCODE_PARAMETER_OPTIMIZATIONS_BIT_KHR);
    RUN(rows_side_by_side_are_reported, true);
    video_session_destroy(&vk.video, &ground.session);
    RUN(main_has_8_bits);
    ground_open(10, STD_VIDEO_H265_PROFILE_IDC_MAIN_10, 0);
    RUN(sets_have_the_depth_of_the_session);
    video_session_destroy(&vk.video, &ground.session);
    vk_close(&vk);

    /* A program that names Main whatever it codes: src/quirks/table.c. */
    vk_open_as_program(&vk, "/usr/bin/vk-video-enc-test",
                       VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, 0);
    ground_open(10, STD_VIDEO_H265_PROFILE_IDC_MAIN, 0);
    RUN(sets_have_the_depth_of_the_session);
    video_session_destroy(&vk.video, &ground.session);
    vk_close(&vk);
    return 0;
}
