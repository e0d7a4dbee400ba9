/* SPDX-License-Identifier: MIT */
/* Slices of a picture: where they are, their type, QP and filter, and what must be the same for all
 * of them.
 */
#include "video/h264/encode_picture.h"

#include "util/alloc.h"
#include "video/h264/encode_caps.h"

static uint32_t
clamp_u32(uint32_t value, uint32_t max)
{
    return value < max ? value : max;
}

static int8_t
clamp_offset(int8_t value)
{
    return (int8_t)RP_MAX(-6, RP_MIN(value, 6));
}

/* Room for count slices; what was there is not kept. */
static bool
picture_reserve_slices(struct rp_h264_encode_picture *pic, uint32_t count)
{
    if (count <= pic->slice_capacity)
        return true;
    rp_free(NULL, pic->std_slices);
    rp_free(NULL, pic->slices);
    rp_free(NULL, pic->slice_sizes_B);
    pic->std_slices =
        rp_zalloc_array(NULL, count, sizeof(*pic->std_slices), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    pic->slices =
        rp_zalloc_array(NULL, count, sizeof(*pic->slices), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    pic->slice_sizes_B = rp_zalloc_array(NULL, count, sizeof(*pic->slice_sizes_B),
                                         VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    const bool has_all = pic->std_slices && pic->slices && pic->slice_sizes_B;
    pic->slice_capacity = has_all ? count : 0;
    return pic->slice_capacity > 0;
}

/* Whether the slices differ in an element of this slice's syntax. */
static bool
slice_differs(const StdVideoH264PictureParameterSet *pps, const StdVideoEncodeH264SliceHeader *a,
              const StdVideoEncodeH264SliceHeader *b)
{
    const bool has_cabac_init =
        pps->flags.entropy_coding_mode_flag && a->slice_type != STD_VIDEO_H264_SLICE_TYPE_I;
    const bool has_filter = pps->flags.deblocking_filter_control_present_flag;

    return a->slice_type != b->slice_type ||
           (has_cabac_init && a->cabac_init_idc != b->cabac_init_idc) ||
           (has_filter && (a->disable_deblocking_filter_idc != b->disable_deblocking_filter_idc ||
                           a->slice_alpha_c0_offset_div2 != b->slice_alpha_c0_offset_div2 ||
                           a->slice_beta_offset_div2 != b->slice_beta_offset_div2));
}

/* The header as it will be written: values in range. True when it differs from what was said. */
static bool
fix_slice(const struct rp_h264_encode_picture *pic, const StdVideoEncodeH264SliceHeader *from,
          StdVideoEncodeH264SliceHeader *to)
{
    const StdVideoH264PictureParameterSet *pps = &pic->active.pps;

    *to = *from;
    if (pic->job.is_idr)
        to->slice_type = STD_VIDEO_H264_SLICE_TYPE_I;
    to->cabac_init_idc = (StdVideoH264CabacInitIdc)clamp_u32((uint32_t)from->cabac_init_idc, 2);
    to->disable_deblocking_filter_idc = (StdVideoH264DisableDeblockingFilterIdc)clamp_u32(
        (uint32_t)from->disable_deblocking_filter_idc, 2);
    to->slice_alpha_c0_offset_div2 = clamp_offset(from->slice_alpha_c0_offset_div2);
    to->slice_beta_offset_div2 = clamp_offset(from->slice_beta_offset_div2);
    const bool has_overrides = slice_differs(pps, to, from);
    if (!pps->flags.deblocking_filter_control_present_flag) {
        to->disable_deblocking_filter_idc = STD_VIDEO_H264_DISABLE_DEBLOCKING_FILTER_IDC_DISABLED;
        to->slice_alpha_c0_offset_div2 = 0;
        to->slice_beta_offset_div2 = 0;
    }
    return has_overrides;
}

/* The direct mode is the codec's for a whole picture: that of the first B slice. */
static void
choose_direct_mode(struct rp_h264_encode_picture *pic)
{
    bool has_mode = false;

    for (uint32_t i = 0; i < pic->job.slice_count; i++) {
        const StdVideoEncodeH264SliceHeader *std = &pic->std_slices[i];
        const bool is_spatial = std->flags.direct_spatial_mv_pred_flag;
        if (std->slice_type != STD_VIDEO_H264_SLICE_TYPE_B)
            continue;
        if (!has_mode)
            pic->job.direct_spatial = is_spatial;
        pic->common.feedback.has_overrides |= is_spatial != pic->job.direct_spatial;
        has_mode = true;
    }
}

/* Constant QP, or -1 when rate control decides. */
static int32_t
slice_qp(const struct rp_video_encode *enc, const struct rp_h264_encode_picture *pic,
         uint32_t slice_type, int32_t constant_qp)
{
    switch (enc->rate_control.mode) {
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR:
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR:
        return -1;
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR:
        return RP_MAX(0, RP_MIN(constant_qp, 51));
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR:
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_FLAG_BITS_MAX_ENUM_KHR:
        break;
    }
    struct rp_h264_encode_preference preference;
    rp_h264_encode_preference_get(pic->active.sps->profile_idc, 0, &preference);
    const int32_t qps[] = {preference.constant_qp.qpP, preference.constant_qp.qpB,
                           preference.constant_qp.qpI};
    return qps[slice_type];
}

static bool
slices_begin_at_0(const struct rp_h264_encode_picture *pic)
{
    for (uint32_t i = 0; i < pic->job.slice_count; i++) {
        if (pic->std_slices[i].first_mb_in_slice != 0)
            return false;
    }
    return true;
}

/* Slices of the same height, in rows as far as there are enough. */
static void
spread_slices(struct rp_h264_encode_picture *pic, uint32_t width_mb, uint32_t height_mb)
{
    const uint32_t count = pic->job.slice_count;
    const bool has_rows = count <= height_mb;
    const uint32_t unit_count = has_rows ? height_mb : width_mb * height_mb;

    for (uint32_t i = 0; i < count; i++)
        pic->std_slices[i].first_mb_in_slice =
            (uint32_t)((uint64_t)unit_count * i / count) * (has_rows ? width_mb : 1);
}

/* Where the slices lie: in order, from the first macroblock on, none empty. FFmpeg says 1 for the
 * only slice, Vulkan-Video-Samples 0 for all of several: such are spread. */
static bool
place_slices(struct rp_h264_encode_picture *pic, uint32_t width_mb, uint32_t height_mb)
{
    const uint32_t count = pic->job.slice_count;
    const uint32_t mb_count = width_mb * height_mb;
    if (count == 1 || slices_begin_at_0(pic))
        spread_slices(pic, width_mb, height_mb);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first_mb = pic->std_slices[i].first_mb_in_slice;
        const uint32_t end_mb = i + 1 < count ? pic->std_slices[i + 1].first_mb_in_slice : mb_count;
        if (end_mb <= first_mb || end_mb > mb_count || (i == 0 && first_mb != 0))
            return false;
        pic->slices[i].first_mb = first_mb;
        pic->slices[i].mb_count = end_mb - first_mb;
    }
    return true;
}

enum rp_codec_status
rp_h264_resolve_slices(const struct rp_video_encode *enc, const struct rp_encode_request *request,
                       struct rp_h264_encode_picture *pic)
{
    struct rp_h264_encode_job *job = &pic->job;
    const VkVideoEncodeH264PictureInfoKHR *info = rp_h264_picture_info(request);
    const uint32_t count = info->naluSliceEntryCount;

    if (count > RP_H264_MAX_SLICES)
        return RP_CODEC_UNSUPPORTED;
    if (!picture_reserve_slices(pic, count))
        return RP_CODEC_NO_MEMORY;

    for (uint32_t i = 0; i < count; i++) {
        const StdVideoEncodeH264SliceHeader *std = info->pNaluSliceEntries[i].pStdSliceHeader;
        if (!std)
            return RP_CODEC_FAILED;
        StdVideoEncodeH264SliceHeader *fixed = &pic->std_slices[i];
        pic->common.feedback.has_overrides |= fix_slice(pic, std, fixed);
        pic->slices[i] = (struct rp_h264_slice){
            .qp = slice_qp(enc, pic, (uint32_t)fixed->slice_type,
                           info->pNaluSliceEntries[i].constantQp),
            .type = (enum rp_h264_slice_type)fixed->slice_type,
            .cabac_init_idc = (uint32_t)fixed->cabac_init_idc,
            .disable_deblocking_filter_idc = (uint32_t)fixed->disable_deblocking_filter_idc,
            .alpha_c0_offset_div2 = fixed->slice_alpha_c0_offset_div2,
            .beta_offset_div2 = fixed->slice_beta_offset_div2,
        };
    }
    job->slices = pic->slices;
    job->slice_count = count;
    job->slice_size_B = pic->slice_sizes_B;
    choose_direct_mode(pic);
    return place_slices(pic, (job->common.width_px + 15) / 16, (job->common.height_px + 15) / 16)
               ? RP_CODEC_OK
               : RP_CODEC_FAILED;
}
