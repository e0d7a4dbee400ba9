/* SPDX-License-Identifier: MIT */
/* Parameter sets of encode sessions: added, updated, inherited, overridden.
 */
#include "profile.h"
#include "test.h"
#include "vk.h"

#include <string.h>

static StdVideoH264SequenceParameterSet
sps_with_id(uint8_t id)
{
    return (StdVideoH264SequenceParameterSet){
        .flags = {.frame_mbs_only_flag = 1, .direct_8x8_inference_flag = 1},
        .profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
        .level_idc = STD_VIDEO_H264_LEVEL_IDC_4_1,
        .chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420,
        .seq_parameter_set_id = id,
        .pic_width_in_mbs_minus1 = 9u + id,
        .pic_height_in_map_units_minus1 = 7,
    };
}

struct sets {
    StdVideoH264SequenceParameterSet sps[4];
    StdVideoH264PictureParameterSet pps[4];
    VkVideoEncodeH264SessionParametersAddInfoKHR add;
};

static void
fill_sets(struct sets *sets, uint8_t first_id, uint32_t count)
{
    memset(sets, 0, sizeof(*sets));
    for (uint32_t i = 0; i < count; i++) {
        sets->sps[i] = sps_with_id((uint8_t)(first_id + i));
        sets->pps[i].seq_parameter_set_id = (uint8_t)(first_id + i);
        sets->pps[i].flags.entropy_coding_mode_flag = 1;
    }
    sets->add = (VkVideoEncodeH264SessionParametersAddInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_ADD_INFO_KHR,
        .stdSPSCount = count,
        .pStdSPSs = sets->sps,
        .stdPPSCount = count,
        .pStdPPSs = sets->pps,
    };
}

static VkResult
create_parameters(struct vk *vk, VkVideoSessionKHR session, VkVideoSessionParametersKHR template,
                  uint32_t max_count, const struct sets *sets, VkVideoSessionParametersKHR *out)
{
    const VkVideoEncodeH264SessionParametersCreateInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdSPSCount = max_count,
        .maxStdPPSCount = max_count,
        .pParametersAddInfo = sets ? &sets->add : NULL,
    };
    const VkVideoSessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pNext = &h264,
        .videoSessionParametersTemplate = template,
        .videoSession = session,
    };
    return vkCreateVideoSessionParametersKHR(vk->dev, &info, NULL, out);
}

static VkResult
update_parameters(struct vk *vk, VkVideoSessionParametersKHR params, uint32_t sequence,
                  const struct sets *sets)
{
    return vkUpdateVideoSessionParametersKHR(
        vk->dev, params,
        &(VkVideoSessionParametersUpdateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_SESSION_PARAMETERS_UPDATE_INFO_KHR,
            .pNext = &sets->add,
            .updateSequenceCount = sequence});
}

struct encoded {
    uint8_t data[512];
    size_t size_B;
    VkVideoEncodeH264SessionParametersFeedbackInfoKHR h264;
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback;
};

static VkResult
get_encoded(struct vk *vk, VkVideoSessionParametersKHR params, uint32_t id, struct encoded *out)
{
    const VkVideoEncodeH264SessionParametersGetInfoKHR h264 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdSPS = VK_TRUE,
        .writeStdPPS = VK_TRUE,
        .stdSPSId = id,
    };
    const VkVideoEncodeSessionParametersGetInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_GET_INFO_KHR,
        .pNext = &h264,
        .videoSessionParameters = params,
    };
    memset(out, 0xff, sizeof(*out));
    out->h264.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_SESSION_PARAMETERS_FEEDBACK_INFO_KHR;
    out->h264.pNext = NULL;
    out->feedback.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_PARAMETERS_FEEDBACK_INFO_KHR;
    out->feedback.pNext = &out->h264;

    /* The size that comes in with no data means nothing. */
    out->size_B = 1024;
    REQUIRE_EQ(vkGetEncodedVideoSessionParametersKHR(vk->dev, &info, NULL, &out->size_B, NULL),
               VK_SUCCESS);
    REQUIRE(out->size_B <= 256);
    size_t short_B = out->size_B ? out->size_B - 1 : 0;
    if (out->size_B) {
        REQUIRE_EQ(vkGetEncodedVideoSessionParametersKHR(vk->dev, &info, NULL, &short_B, out->data),
                   VK_INCOMPLETE);
        REQUIRE_EQ(out->data[out->size_B - 1], 0xff);
    }
    return vkGetEncodedVideoSessionParametersKHR(vk->dev, &info, &out->feedback, &out->size_B,
                                                 out->data);
}

static void
parameter_sets_are_added_updated_and_inherited(struct vk *vk)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    const VkVideoSessionCreateInfoKHR info =
        profile_session(&profile, video_std_version(profile.videoCodecOperation));
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR first, second, none;
    struct sets sets;
    struct encoded before, after;
    REQUIRE_EQ(vkCreateVideoSessionKHR(vk->dev, &info, NULL, &session), VK_SUCCESS);

    fill_sets(&sets, 0, 2);
    REQUIRE(create_parameters(vk, session, VK_NULL_HANDLE, 1, &sets, &none) < 0);
    REQUIRE_EQ(create_parameters(vk, session, VK_NULL_HANDLE, 3, &sets, &first), VK_SUCCESS);
    fill_sets(&sets, 2, 1);
    /* Not one more than the last update: as Vulkan-Video-Samples have it. */
    REQUIRE_EQ(update_parameters(vk, first, 0, &sets), VK_SUCCESS);
    REQUIRE(update_parameters(vk, first, 2, &sets) < 0); /* it is there already */
    fill_sets(&sets, 3, 1);
    REQUIRE(update_parameters(vk, first, 2, &sets) < 0); /* no room */

    fill_sets(&sets, 1, 1);
    sets.sps[0].pic_height_in_map_units_minus1 = 90; /* replaces the template's */
    REQUIRE_EQ(create_parameters(vk, session, first, 3, &sets, &second), VK_SUCCESS);
    for (uint32_t id = 0; id < 3; id++) {
        REQUIRE_EQ(get_encoded(vk, first, id, &before), VK_SUCCESS);
        REQUIRE_EQ(get_encoded(vk, second, id, &after), VK_SUCCESS);
        REQUIRE(before.size_B > 0);
        const bool is_equal =
            before.size_B == after.size_B && memcmp(before.data, after.data, before.size_B) == 0;
        REQUIRE_EQ(is_equal, id != 1);
        REQUIRE_EQ(after.feedback.hasOverrides, VK_FALSE);
    }
    vkDestroyVideoSessionParametersKHR(vk->dev, first, NULL);
    vkDestroyVideoSessionParametersKHR(vk->dev, second, NULL);
    vkDestroyVideoSessionParametersKHR(vk->dev, VK_NULL_HANDLE, NULL);
    vkDestroyVideoSessionKHR(vk->dev, session, NULL);
}

static void
what_cannot_be_done_is_overridden_and_reported(struct vk *vk)
{
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    const VkVideoSessionCreateInfoKHR info =
        profile_session(&profile, video_std_version(profile.videoCodecOperation));
    VkVideoSessionKHR session;
    VkVideoSessionParametersKHR params;
    struct sets sets;
    struct encoded encoded;
    REQUIRE_EQ(vkCreateVideoSessionKHR(vk->dev, &info, NULL, &session), VK_SUCCESS);
    fill_sets(&sets, 0, 2);
    sets.sps[0].flags.frame_mbs_only_flag = 0;     /* field coding */
    sets.pps[1].flags.transform_8x8_mode_flag = 1; /* not in Main */
    REQUIRE_EQ(create_parameters(vk, session, VK_NULL_HANDLE, 2, &sets, &params), VK_SUCCESS);

    REQUIRE_EQ(get_encoded(vk, params, 0, &encoded), VK_SUCCESS);
    REQUIRE_EQ(encoded.feedback.hasOverrides, VK_TRUE);
    REQUIRE_EQ(encoded.h264.hasStdSPSOverrides, VK_TRUE);
    REQUIRE_EQ(encoded.h264.hasStdPPSOverrides, VK_FALSE);
    REQUIRE_EQ(get_encoded(vk, params, 1, &encoded), VK_SUCCESS);
    REQUIRE_EQ(encoded.h264.hasStdSPSOverrides, VK_FALSE);
    REQUIRE_EQ(encoded.h264.hasStdPPSOverrides, VK_TRUE);
    vkDestroyVideoSessionParametersKHR(vk->dev, params, NULL);
    vkDestroyVideoSessionKHR(vk->dev, session, NULL);
}

static void
cropping_that_leaves_nothing_is_refused(struct vk *vk)
{
    static const struct {
        uint32_t left, right, top, bottom; /* in units of 2 px, of 160x128 */
        VkResult result;
    } cases[] = {
        {40, 39, 32, 31, VK_SUCCESS},
        {40, 40, 0, 0, VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR},
        {0, 0, 32, 32, VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR},
        {0, 16383, 0, 0, VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR},
    };
    const VkVideoProfileInfoKHR profile = profile_of(STD_VIDEO_H264_PROFILE_IDC_MAIN);
    const VkVideoSessionCreateInfoKHR info =
        profile_session(&profile, video_std_version(profile.videoCodecOperation));
    VkVideoSessionKHR session;
    REQUIRE_EQ(vkCreateVideoSessionKHR(vk->dev, &info, NULL, &session), VK_SUCCESS);
    for (uint32_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
        const uint32_t n = i / 2;
        struct sets sets;
        fill_sets(&sets, 0, 1);
        StdVideoH264SequenceParameterSet *sps = &sets.sps[0];
        sps->flags.frame_cropping_flag = 1;
        sps->frame_crop_left_offset = cases[n].left;
        sps->frame_crop_right_offset = cases[n].right;
        sps->frame_crop_top_offset = cases[n].top;
        sps->frame_crop_bottom_offset = cases[n].bottom;
        sps->flags.frame_mbs_only_flag = i % 2; /* else picture and units are twice as high */
        VkVideoSessionParametersKHR params = VK_NULL_HANDLE;
        REQUIRE_EQ(create_parameters(vk, session, VK_NULL_HANDLE, 1, &sets, &params),
                   cases[n].result);
        vkDestroyVideoSessionParametersKHR(vk->dev, params, NULL);
    }
    vkDestroyVideoSessionKHR(vk->dev, session, NULL);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(parameter_sets_are_added_updated_and_inherited, &vk);
    RUN(what_cannot_be_done_is_overridden_and_reported, &vk);
    RUN(cropping_that_leaves_nothing_is_refused, &vk);
    vk_close(&vk);
    return 0;
}
