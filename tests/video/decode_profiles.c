/* SPDX-License-Identifier: MIT */
/* What is not decoded is refused with the error that says why: profiles that are not there, and
 * pictures whose parameter sets are not of the session's profile.
 */
#include "decode_client.h"
#include "pictures.h"
#include "test.h"
#include "tools/client/video_h264.h"

#include <stdlib.h>
#include <string.h>

#define H264 VK_VIDEO_CODEC_OPERATION_DECODE_H264_BIT_KHR
#define H265 VK_VIDEO_CODEC_OPERATION_DECODE_H265_BIT_KHR
#define AV1 VK_VIDEO_CODEC_OPERATION_DECODE_AV1_BIT_KHR
#define VP9 VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR

#define NO_FORMAT VK_ERROR_VIDEO_PROFILE_FORMAT_NOT_SUPPORTED_KHR
#define NO_CODEC VK_ERROR_VIDEO_PROFILE_CODEC_NOT_SUPPORTED_KHR

#define Y_ONLY VK_VIDEO_CHROMA_SUBSAMPLING_MONOCHROME_BIT_KHR
#define YUV_420 VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR
#define YUV_422 VK_VIDEO_CHROMA_SUBSAMPLING_422_BIT_KHR
#define YUV_444 VK_VIDEO_CHROMA_SUBSAMPLING_444_BIT_KHR
#define BITS_8 VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR
#define BITS_10 VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR
#define BITS_12 VK_VIDEO_COMPONENT_BIT_DEPTH_12_BIT_KHR

static const struct {
    VkVideoCodecOperationFlagBitsKHR operation;
    int idc;
    VkVideoChromaSubsamplingFlagsKHR chroma;
    VkVideoComponentBitDepthFlagsKHR depth;
    VkResult result;
} rows[] = {
    {H264, STD_VIDEO_H264_PROFILE_IDC_BASELINE, YUV_420, BITS_8, VK_SUCCESS},
    {H264, STD_VIDEO_H264_PROFILE_IDC_MAIN, YUV_420, BITS_8, VK_SUCCESS},
    {H264, STD_VIDEO_H264_PROFILE_IDC_HIGH, YUV_420, BITS_8, VK_SUCCESS},
    {H264, STD_VIDEO_H264_PROFILE_IDC_HIGH, Y_ONLY, BITS_8, NO_FORMAT},
    {H264, STD_VIDEO_H264_PROFILE_IDC_HIGH, YUV_422, BITS_8, NO_FORMAT},
    {H264, STD_VIDEO_H264_PROFILE_IDC_HIGH_10, YUV_420, BITS_10, NO_FORMAT},
    {H264, STD_VIDEO_H264_PROFILE_IDC_HIGH_422, YUV_422, BITS_10, NO_FORMAT},
    {H264, STD_VIDEO_H264_PROFILE_IDC_HIGH_422, YUV_420, BITS_8, NO_CODEC},
    {H264, STD_VIDEO_H264_PROFILE_IDC_HIGH_444_PREDICTIVE, YUV_444, BITS_8, NO_FORMAT},
    {H264, STD_VIDEO_H264_PROFILE_IDC_HIGH_444_PREDICTIVE, YUV_420, BITS_8, NO_CODEC},
    {H265, STD_VIDEO_H265_PROFILE_IDC_MAIN, YUV_420, BITS_8, VK_SUCCESS},
    {H265, STD_VIDEO_H265_PROFILE_IDC_MAIN_10, YUV_420, BITS_10, VK_SUCCESS},
    {H265, STD_VIDEO_H265_PROFILE_IDC_MAIN_10, YUV_422, BITS_10, NO_FORMAT},
    {H265, STD_VIDEO_H265_PROFILE_IDC_MAIN, YUV_444, BITS_8, NO_FORMAT},
    {H265, STD_VIDEO_H265_PROFILE_IDC_MAIN, Y_ONLY, BITS_8, NO_FORMAT},
    {H265, STD_VIDEO_H265_PROFILE_IDC_FORMAT_RANGE_EXTENSIONS, YUV_422, BITS_8, NO_FORMAT},
    {H265, STD_VIDEO_H265_PROFILE_IDC_FORMAT_RANGE_EXTENSIONS, YUV_420, BITS_12, NO_FORMAT},
    {H265, STD_VIDEO_H265_PROFILE_IDC_FORMAT_RANGE_EXTENSIONS, YUV_420, BITS_8, NO_CODEC},
    {H265, STD_VIDEO_H265_PROFILE_IDC_SCC_EXTENSIONS, YUV_420, BITS_8, NO_CODEC},
    {AV1, STD_VIDEO_AV1_PROFILE_MAIN, YUV_420, BITS_8, VK_SUCCESS},
    {AV1, STD_VIDEO_AV1_PROFILE_MAIN, YUV_420, BITS_10, VK_SUCCESS},
    {AV1, STD_VIDEO_AV1_PROFILE_MAIN, Y_ONLY, BITS_8, NO_FORMAT},
    {AV1, STD_VIDEO_AV1_PROFILE_HIGH, YUV_444, BITS_8, NO_FORMAT},
    {AV1, STD_VIDEO_AV1_PROFILE_HIGH, YUV_420, BITS_8, NO_CODEC},
    {AV1, STD_VIDEO_AV1_PROFILE_PROFESSIONAL, YUV_422, BITS_12, NO_FORMAT},
    {VP9, STD_VIDEO_VP9_PROFILE_0, YUV_420, BITS_8, VK_SUCCESS},
    {VP9, STD_VIDEO_VP9_PROFILE_0, YUV_420, BITS_10, NO_FORMAT},
    {VP9, STD_VIDEO_VP9_PROFILE_1, YUV_444, BITS_8, NO_FORMAT},
    {VP9, STD_VIDEO_VP9_PROFILE_2, YUV_420, BITS_10, VK_SUCCESS},
    {VP9, STD_VIDEO_VP9_PROFILE_3, YUV_422, BITS_10, NO_FORMAT},
};

/* What each operation's profile is said with, and what it can do is asked with. */
struct structures {
    VkVideoDecodeH264ProfileInfoKHR h264;
    VkVideoDecodeH265ProfileInfoKHR h265;
    VkVideoDecodeAV1ProfileInfoKHR av1;
    VkVideoDecodeVP9ProfileInfoKHR vp9;
    VkVideoDecodeH264CapabilitiesKHR h264_caps;
    VkVideoDecodeH265CapabilitiesKHR h265_caps;
    VkVideoDecodeAV1CapabilitiesKHR av1_caps;
    VkVideoDecodeVP9CapabilitiesKHR vp9_caps;
};

static const void *
profile_structure(struct structures *s, VkVideoCodecOperationFlagBitsKHR operation, int idc)
{
    s->h264.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PROFILE_INFO_KHR;
    s->h264.stdProfileIdc = (StdVideoH264ProfileIdc)idc;
    s->h265.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_PROFILE_INFO_KHR;
    s->h265.stdProfileIdc = (StdVideoH265ProfileIdc)idc;
    s->av1.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PROFILE_INFO_KHR;
    s->av1.stdProfile = (StdVideoAV1Profile)idc;
    s->vp9.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PROFILE_INFO_KHR;
    s->vp9.stdProfile = (StdVideoVP9Profile)idc;
    return operation == H264   ? (const void *)&s->h264
           : operation == H265 ? (const void *)&s->h265
           : operation == AV1  ? (const void *)&s->av1
                               : (const void *)&s->vp9;
}

static void *
capabilities_structure(struct structures *s, VkVideoCodecOperationFlagBitsKHR operation)
{
    s->h264_caps.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_CAPABILITIES_KHR;
    s->h265_caps.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_CAPABILITIES_KHR;
    s->av1_caps.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_CAPABILITIES_KHR;
    s->vp9_caps.sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_CAPABILITIES_KHR;
    return operation == H264   ? (void *)&s->h264_caps
           : operation == H265 ? (void *)&s->h265_caps
           : operation == AV1  ? (void *)&s->av1_caps
                               : (void *)&s->vp9_caps;
}

static VkResult
get_capabilities(struct vk *vk, const VkVideoProfileInfoKHR *profile, struct structures *s)
{
    VkVideoDecodeCapabilitiesKHR decode = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_CAPABILITIES_KHR,
        .pNext = capabilities_structure(s, profile->videoCodecOperation),
    };
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &decode};
    return vkGetPhysicalDeviceVideoCapabilitiesKHR(vk->pdev, profile, &caps);
}

static void
each_profile_is_there_or_gets_the_error_that_fits(struct vk *vk)
{
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct structures s = {.h264 = {.pictureLayout = 0}};
        VkVideoProfileInfoKHR profile =
            video_profile(rows[i].operation, profile_structure(&s, rows[i].operation, rows[i].idc));
        profile.chromaSubsampling = rows[i].chroma;
        profile.lumaBitDepth = profile.chromaBitDepth = rows[i].depth;
        const VkResult result = get_capabilities(vk, &profile, &s);
        if (result == VK_ERROR_VIDEO_PROFILE_OPERATION_NOT_SUPPORTED_KHR)
            continue; /* the codec's library is not on this machine */
        if (result != rows[i].result)
            (void)fprintf(stderr, "row %u\n", i);
        REQUIRE_EQ(result, rows[i].result);
    }
}

static void
fields_in_planes_of_their_own_are_refused(struct vk *vk)
{
    struct structures s = {
        .h264 = {.pictureLayout =
                     VK_VIDEO_DECODE_H264_PICTURE_LAYOUT_INTERLACED_SEPARATE_PLANES_BIT_KHR}};
    const VkVideoProfileInfoKHR profile =
        video_profile(H264, profile_structure(&s, H264, STD_VIDEO_H264_PROFILE_IDC_HIGH));
    REQUIRE_EQ(get_capabilities(vk, &profile, &s), VK_ERROR_VIDEO_PICTURE_LAYOUT_NOT_SUPPORTED_KHR);
}

static VkVideoSessionParametersKHR
parameters_create(struct vk *vk, const struct decode *d, StdVideoH264ProfileIdc profile_idc,
                  StdVideoH264ChromaFormatIdc chroma, uint8_t bit_depth_minus8)
{
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    StdVideoH264HrdParameters hrd;
    stream_fill_sps(&d->stream->options, &sps, &vui, &hrd);
    stream_fill_pps(&d->stream->options, &pps);
    sps.profile_idc = profile_idc;
    sps.chroma_format_idc = chroma;
    sps.bit_depth_luma_minus8 = sps.bit_depth_chroma_minus8 = bit_depth_minus8;
    struct video_h264_decode_sets sets;
    video_h264_decode_sets_init(&sets, &sps, &pps);
    VkVideoSessionParametersKHR params;
    CHECK(video_parameters_create(&vk->video, d->session.handle, 0, &sets.info, &params));
    return params;
}

static int32_t
decode_with(struct vk *vk, struct decode *d, const struct decode_source *pic,
            VkVideoSessionParametersKHR params)
{
    const VkVideoSessionParametersKHR own = d->params;
    struct slots refs = {0};
    d->params = params;
    decode_record(d, 0, &pic->std, &refs, pic->slot, pic->data, pic->size_B);
    d->params = own;
    CHECK(vkQueueSubmit(vk->decode_queue, 1,
                        &(VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                        .commandBufferCount = 1,
                                        .pCommandBuffers = &d->cbs[0]},
                        VK_NULL_HANDLE));
    CHECK(vkDeviceWaitIdle(vk->dev));
    return decode_status(d, 0);
}

static void
parameter_sets_of_other_formats_are_errors_of_pictures(struct vk *vk)
{
    struct stream *stream =
        stream_open(vk, &(struct stream_options){.width_px = 176, .height_px = 144});
    struct decode *d = decode_open(vk, stream);
    const struct decode_source pic = decode_source_make(d, 0);
    const VkVideoSessionParametersKHR others[] = {
        parameters_create(vk, d, STD_VIDEO_H264_PROFILE_IDC_HIGH_422,
                          STD_VIDEO_H264_CHROMA_FORMAT_IDC_422, 0),
        parameters_create(vk, d, STD_VIDEO_H264_PROFILE_IDC_HIGH_444_PREDICTIVE,
                          STD_VIDEO_H264_CHROMA_FORMAT_IDC_444, 0),
        parameters_create(vk, d, STD_VIDEO_H264_PROFILE_IDC_HIGH_10,
                          STD_VIDEO_H264_CHROMA_FORMAT_IDC_420, 2),
    };
    for (uint32_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        REQUIRE_EQ(decode_with(vk, d, &pic, others[i]), VK_QUERY_RESULT_STATUS_ERROR_KHR);
        REQUIRE_EQ(decode_with(vk, d, &pic, d->params), VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        vkDestroyVideoSessionParametersKHR(vk->dev, others[i], NULL);
    }
    free(pic.data);
    decode_close(d);
    (void)stream_finish(stream);
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    if (vk.decode_family == UINT32_MAX)
        return TEST_SKIPPED;
    RUN(each_profile_is_there_or_gets_the_error_that_fits, &vk);
    RUN(fields_in_planes_of_their_own_are_refused, &vk);
    RUN(parameter_sets_of_other_formats_are_errors_of_pictures, &vk);
    vk_close(&vk);
    return 0;
}
