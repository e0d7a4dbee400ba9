/* SPDX-License-Identifier: MIT */
/* Storage of H.264 parameter sets.
 */
#include "video/h264/parameters.h"

#include "util/alloc.h"
#include "util/log.h"
#include "video/h264/overrides.h"
#include "video/parameter_table.h"

#include <string.h>

#define SPS_LIMIT 32u          /* seq_parameter_set_id is 0 to 31 */
#define PPS_LIMIT (32u * 256u) /* pic_parameter_set_id is 0 to 255, per SPS */
#define REF_OFFSET_LIMIT 255u  /* num_ref_frames_in_pic_order_cnt_cycle */

/* The pointers inside std lead into the same struct. */
struct sps_entry {
    StdVideoH264SequenceParameterSet std;
    StdVideoH264SequenceParameterSetVui vui;
    StdVideoH264HrdParameters hrd;
    StdVideoH264ScalingLists scaling;
    int32_t ref_offsets[REF_OFFSET_LIMIT];
    bool has_overrides;
};

struct pps_entry {
    StdVideoH264PictureParameterSet std;
    StdVideoH264ScalingLists scaling;
};

struct rp_h264_parameters {
    struct rp_video_parameters common; /* first */
    VkAllocationCallbacks callbacks;
    bool has_callbacks;
    bool is_encode;
    StdVideoH264ProfileIdc profile_idc;
    StdVideoH264LevelIdc max_level_idc;
    struct rp_parameter_table sps;
    struct rp_parameter_table pps;
};

static const VkAllocationCallbacks *
params_callbacks(const struct rp_h264_parameters *params)
{
    return params->has_callbacks ? &params->callbacks : NULL;
}

/* What the syntax of 7.3.2.1.1 cannot express, or what leads to no picture at all. */
static bool
sps_is_valid(const StdVideoH264SequenceParameterSet *sps)
{
    return sps->seq_parameter_set_id < SPS_LIMIT &&
           (uint32_t)sps->level_idc <= STD_VIDEO_H264_LEVEL_IDC_6_2 &&
           (uint32_t)sps->profile_idc <= 255 && (uint32_t)sps->chroma_format_idc <= 3 &&
           sps->bit_depth_luma_minus8 <= 6 && sps->bit_depth_chroma_minus8 <= 6 &&
           sps->log2_max_frame_num_minus4 <= 12 && (uint32_t)sps->pic_order_cnt_type <= 2 &&
           sps->log2_max_pic_order_cnt_lsb_minus4 <= 12 && sps->max_num_ref_frames <= 16 &&
           sps->pic_width_in_mbs_minus1 < 1024 && sps->pic_height_in_map_units_minus1 < 1024 &&
           sps->frame_crop_left_offset < 16384 && sps->frame_crop_right_offset < 16384 &&
           sps->frame_crop_top_offset < 16384 && sps->frame_crop_bottom_offset < 16384;
}

/* The widths of E.1.2. */
static bool
hrd_is_valid(const StdVideoH264HrdParameters *hrd)
{
    if (hrd->cpb_cnt_minus1 >= STD_VIDEO_H264_CPB_CNT_LIST_SIZE || hrd->bit_rate_scale > 15 ||
        hrd->cpb_size_scale > 15 || hrd->initial_cpb_removal_delay_length_minus1 > 31 ||
        hrd->cpb_removal_delay_length_minus1 > 31 || hrd->dpb_output_delay_length_minus1 > 31 ||
        hrd->time_offset_length > 31)
        return false;
    for (uint32_t i = 0; i <= hrd->cpb_cnt_minus1; i++) {
        if (hrd->bit_rate_value_minus1[i] == UINT32_MAX ||
            hrd->cpb_size_value_minus1[i] == UINT32_MAX)
            return false;
    }
    return true;
}

/* Whether the VUI's elements are in the ranges of E.1.1: with bits cut off the stream would say
 * something else. */
static bool
vui_is_valid(const StdVideoH264SequenceParameterSet *sps)
{
    const StdVideoH264SequenceParameterSetVui *vui = sps->pSequenceParameterSetVui;
    if (!sps->flags.vui_parameters_present_flag || !vui)
        return true;
    const bool has_hrd = vui->pHrdParameters && (vui->flags.nal_hrd_parameters_present_flag ||
                                                 vui->flags.vcl_hrd_parameters_present_flag);
    return (!vui->flags.aspect_ratio_info_present_flag || (uint32_t)vui->aspect_ratio_idc <= 255) &&
           (!vui->flags.video_signal_type_present_flag || vui->video_format <= 7) &&
           (!has_hrd || hrd_is_valid(vui->pHrdParameters));
}

/* se(v) has no code for INT32_MIN (9.1.1). */
static bool
poc_offsets_are_valid(const StdVideoH264SequenceParameterSet *sps)
{
    if (sps->pic_order_cnt_type != STD_VIDEO_H264_POC_TYPE_1)
        return true;
    bool are_valid = sps->offset_for_non_ref_pic != INT32_MIN &&
                     sps->offset_for_top_to_bottom_field != INT32_MIN;
    for (uint32_t i = 0; i < sps->num_ref_frames_in_pic_order_cnt_cycle; i++)
        are_valid &= !sps->pOffsetForRefFrame || sps->pOffsetForRefFrame[i] != INT32_MIN;
    return are_valid;
}

/* Something of a 4:2:0 picture is left (7.4.2.1.1). With fields both the map units and the crop
 * units are twice as high. */
static bool
crop_is_valid(const StdVideoH264SequenceParameterSet *sps)
{
    return !sps->flags.frame_cropping_flag ||
           (2 * (sps->frame_crop_left_offset + sps->frame_crop_right_offset) <
                16 * (sps->pic_width_in_mbs_minus1 + 1) &&
            2 * (sps->frame_crop_top_offset + sps->frame_crop_bottom_offset) <
                16 * (sps->pic_height_in_map_units_minus1 + 1));
}

/* What is coded is 4:2:0 of 8 bits. A client may forbid to override chroma_format_idc (video
 * maintenance 2). Below High nothing of this is in the syntax. */
static bool
samples_are_valid(const StdVideoH264SequenceParameterSet *sps)
{
    return !rp_h264_profile_is_high(sps->profile_idc) ||
           (sps->chroma_format_idc == STD_VIDEO_H264_CHROMA_FORMAT_IDC_420 &&
            sps->bit_depth_luma_minus8 == 0 && sps->bit_depth_chroma_minus8 == 0);
}

static bool
sps_can_be_written(const StdVideoH264SequenceParameterSet *sps)
{
    return sps_is_valid(sps) && samples_are_valid(sps) && vui_is_valid(sps) &&
           poc_offsets_are_valid(sps) && crop_is_valid(sps);
}

/* MaxDpbFrames of A.3.1 h), for pictures of the set's size. */
static uint32_t
level_dpb_frames(StdVideoH264LevelIdc level_idc, const StdVideoH264SequenceParameterSet *sps)
{
    /* MaxDpbMbs of Table A-1, by StdVideoH264LevelIdc (which has no level 1b). */
    static const uint32_t dpb_mb[STD_VIDEO_H264_LEVEL_IDC_6_2 + 1] = {
        396,   900,   2376,  2376,   2376,   4752,   8100,   8100,   18000,  20480,
        32768, 32768, 34816, 110400, 184320, 184320, 696320, 696320, 696320,
    };
    const uint32_t height_mb =
        (sps->pic_height_in_map_units_minus1 + 1) * (sps->flags.frame_mbs_only_flag ? 1 : 2);
    const uint32_t frame_mb = (sps->pic_width_in_mbs_minus1 + 1) * height_mb;
    return RP_MIN(dpb_mb[level_idc] / frame_mb, 16u);
}

/* A set whose own level holds too few pictures is the application's word against its own (ffmpeg
 * -level 3 of 1080p): decoders do not mind. A stream that is of no level is refused. */
static VkResult
check_dpb(const struct rp_h264_parameters *params, const StdVideoH264SequenceParameterSet *sps)
{
    const StdVideoH264SequenceParameterSetVui *vui = sps->pSequenceParameterSetVui;
    uint32_t wanted = sps->max_num_ref_frames;
    if (sps->flags.vui_parameters_present_flag && vui && vui->flags.bitstream_restriction_flag)
        wanted = RP_MAX(wanted, (uint32_t)vui->max_dec_frame_buffering);

    const uint32_t most = level_dpb_frames(params->max_level_idc, sps);
    if (wanted > most) {
        rp_log(RP_LOG_ERROR, "at this size no level of the session holds %u pictures, but %u",
               wanted, most);
        return VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
    }
    const uint32_t of_set = level_dpb_frames(sps->level_idc, sps);
    if (wanted > of_set)
        rp_log(RP_LOG_WARNING, "SPS %u wants %u pictures, its level_idc holds %u",
               sps->seq_parameter_set_id, wanted, of_set);
    return VK_SUCCESS;
}

static bool
pps_is_valid(const StdVideoH264PictureParameterSet *pps)
{
    return pps->seq_parameter_set_id < SPS_LIMIT &&
           pps->num_ref_idx_l0_default_active_minus1 < 32 &&
           pps->num_ref_idx_l1_default_active_minus1 < 32 &&
           (uint32_t)pps->weighted_bipred_idc <= 2 && pps->pic_init_qp_minus26 >= -62 &&
           pps->pic_init_qp_minus26 <= 25 && pps->pic_init_qs_minus26 >= -26 &&
           pps->pic_init_qs_minus26 <= 25 && pps->chroma_qp_index_offset >= -12 &&
           pps->chroma_qp_index_offset <= 12 && pps->second_chroma_qp_index_offset >= -12 &&
           pps->second_chroma_qp_index_offset <= 12;
}

static void
sps_copy_vui(struct sps_entry *entry)
{
    if (!entry->std.pSequenceParameterSetVui || !entry->std.flags.vui_parameters_present_flag) {
        entry->std.flags.vui_parameters_present_flag = 0;
        entry->std.pSequenceParameterSetVui = NULL;
        return;
    }
    entry->vui = *entry->std.pSequenceParameterSetVui;
    entry->std.pSequenceParameterSetVui = &entry->vui;

    if (!entry->vui.pHrdParameters) {
        entry->vui.flags.nal_hrd_parameters_present_flag = 0;
        entry->vui.flags.vcl_hrd_parameters_present_flag = 0;
        return;
    }
    entry->hrd = *entry->vui.pHrdParameters;
    entry->hrd.cpb_cnt_minus1 &= STD_VIDEO_H264_CPB_CNT_LIST_SIZE - 1;
    entry->vui.pHrdParameters = &entry->hrd;
}

/* Deep copy; presence flags without their data are cleared. */
static void
sps_copy(struct sps_entry *entry, const StdVideoH264SequenceParameterSet *sps)
{
    entry->std = *sps;
    sps_copy_vui(entry);

    if (entry->std.flags.seq_scaling_matrix_present_flag && sps->pScalingLists) {
        entry->scaling = *sps->pScalingLists;
        entry->std.pScalingLists = &entry->scaling;
    } else {
        entry->std.flags.seq_scaling_matrix_present_flag = 0;
        entry->std.pScalingLists = NULL;
    }

    const uint32_t offset_count = sps->num_ref_frames_in_pic_order_cnt_cycle;
    entry->std.pOffsetForRefFrame = NULL;
    if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1 && offset_count > 0) {
        if (sps->pOffsetForRefFrame)
            memcpy(entry->ref_offsets, sps->pOffsetForRefFrame,
                   offset_count * sizeof(entry->ref_offsets[0]));
        entry->std.pOffsetForRefFrame = entry->ref_offsets;
    }
}

static void
pps_copy(struct pps_entry *entry, const StdVideoH264PictureParameterSet *pps)
{
    entry->std = *pps;
    if (entry->std.flags.pic_scaling_matrix_present_flag && pps->pScalingLists) {
        entry->scaling = *pps->pScalingLists;
        entry->std.pScalingLists = &entry->scaling;
    } else {
        entry->std.flags.pic_scaling_matrix_present_flag = 0;
        entry->std.pScalingLists = NULL;
    }
}

/* Entries below count, published or not. */
static struct sps_entry *
sps_find(const struct rp_parameter_table *table, uint32_t count, uint32_t sps_id)
{
    for (uint32_t i = 0; i < count; i++) {
        struct sps_entry *entry = table->entries[i];
        if (entry->std.seq_parameter_set_id == sps_id)
            return entry;
    }
    return NULL;
}

static struct pps_entry *
pps_find(const struct rp_parameter_table *table, uint32_t count, uint32_t sps_id, uint32_t pps_id)
{
    for (uint32_t i = 0; i < count; i++) {
        struct pps_entry *entry = table->entries[i];
        if (entry->std.seq_parameter_set_id == sps_id && entry->std.pic_parameter_set_id == pps_id)
            return entry;
    }
    return NULL;
}

static VkResult
params_add_sps(struct rp_h264_parameters *params, const StdVideoH264SequenceParameterSet *given,
               uint32_t *count)
{
    StdVideoH264SequenceParameterSet with_profile = *given;
    const StdVideoH264SequenceParameterSet *sps = &with_profile;

    /* FFmpeg finds no name for the profile_idc of Constrained Baseline: the session's it is. */
    if (params->is_encode && given->profile_idc == STD_VIDEO_H264_PROFILE_IDC_INVALID)
        with_profile.profile_idc = params->profile_idc;
    if (!(params->is_encode ? sps_can_be_written(sps) : sps_is_valid(sps)) ||
        sps_find(&params->sps, *count, sps->seq_parameter_set_id))
        return VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;

    VkResult result = params->is_encode ? check_dpb(params, sps) : VK_SUCCESS;
    if (result != VK_SUCCESS)
        return result;
    struct sps_entry *entry = rp_parameter_table_grow(&params->sps, params_callbacks(params), count,
                                                      sizeof(*entry), &result);
    if (!entry)
        return result;

    sps_copy(entry, sps);
    if (params->is_encode)
        entry->has_overrides =
            rp_h264_override_sps(&entry->std) || sps->profile_idc != given->profile_idc;
    return VK_SUCCESS;
}

static VkResult
params_add_pps(struct rp_h264_parameters *params, const StdVideoH264PictureParameterSet *pps,
               uint32_t *count)
{
    if (!pps_is_valid(pps) ||
        pps_find(&params->pps, *count, pps->seq_parameter_set_id, pps->pic_parameter_set_id))
        return VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;

    VkResult result = VK_SUCCESS;
    struct pps_entry *entry = rp_parameter_table_grow(&params->pps, params_callbacks(params), count,
                                                      sizeof(*entry), &result);
    if (entry)
        pps_copy(entry, pps);
    return result;
}

/* Entries of the template that sets does not replace. */
static VkResult
params_add_template(struct rp_h264_parameters *params, const struct rp_h264_parameters *from,
                    uint32_t *sps_count, uint32_t *pps_count)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < rp_parameter_table_count(&from->sps) && result == VK_SUCCESS; i++) {
        const struct sps_entry *entry = from->sps.entries[i];
        if (sps_find(&params->sps, *sps_count, entry->std.seq_parameter_set_id))
            continue;
        result = params_add_sps(params, &entry->std, sps_count);
        if (result == VK_SUCCESS) {
            struct sps_entry *added = params->sps.entries[*sps_count - 1];
            added->has_overrides = entry->has_overrides;
        }
    }
    for (uint32_t i = 0; i < rp_parameter_table_count(&from->pps) && result == VK_SUCCESS; i++) {
        const struct pps_entry *entry = from->pps.entries[i];
        if (!pps_find(&params->pps, *pps_count, entry->std.seq_parameter_set_id,
                      entry->std.pic_parameter_set_id))
            result = params_add_pps(params, &entry->std, pps_count);
    }
    return result;
}

static VkResult
params_add(struct rp_h264_parameters *params, const struct rp_h264_parameter_sets *sets,
           const struct rp_h264_parameters *template)
{
    uint32_t sps_count = rp_parameter_table_count(&params->sps);
    uint32_t pps_count = rp_parameter_table_count(&params->pps);
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < sets->sps_count && result == VK_SUCCESS; i++)
        result = params_add_sps(params, &sets->sps[i], &sps_count);
    for (uint32_t i = 0; i < sets->pps_count && result == VK_SUCCESS; i++)
        result = params_add_pps(params, &sets->pps[i], &pps_count);
    if (template && result == VK_SUCCESS)
        result = params_add_template(params, template, &sps_count, &pps_count);

    rp_parameter_table_publish(&params->sps, params_callbacks(params), sps_count,
                               result == VK_SUCCESS);
    rp_parameter_table_publish(&params->pps, params_callbacks(params), pps_count,
                               result == VK_SUCCESS);
    return result;
}

VkResult
rp_h264_parameters_create(const VkAllocationCallbacks *callbacks,
                          const struct rp_h264_parameters_info *info,
                          struct rp_h264_parameters **out)
{
    struct rp_h264_parameters *params =
        rp_zalloc(callbacks, sizeof(*params), 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!params)
        return VK_ERROR_OUT_OF_HOST_MEMORY;

    rp_video_parameters_init(&params->common, &rp_h264_parameters_ops);
    params->has_callbacks = callbacks != NULL;
    if (callbacks)
        params->callbacks = *callbacks;
    params->is_encode = info->is_encode;
    params->profile_idc = info->profile_idc;
    params->max_level_idc = info->max_level_idc;

    VkResult result = rp_parameter_table_init(&params->sps, params_callbacks(params),
                                              RP_MIN(info->max_sps_count, SPS_LIMIT));
    if (result == VK_SUCCESS)
        result = rp_parameter_table_init(&params->pps, params_callbacks(params),
                                         RP_MIN(info->max_pps_count, PPS_LIMIT));
    if (result == VK_SUCCESS)
        result = params_add(params, &info->sets, info->template);
    if (result != VK_SUCCESS) {
        rp_h264_parameters_destroy(params);
        return result;
    }
    *out = params;
    return VK_SUCCESS;
}

void
rp_h264_parameters_destroy(struct rp_h264_parameters *params)
{
    rp_parameter_table_finish(&params->sps, params_callbacks(params));
    rp_parameter_table_finish(&params->pps, params_callbacks(params));
    const VkAllocationCallbacks callbacks = params->callbacks;
    rp_free(params->has_callbacks ? &callbacks : NULL, params);
}

bool
rp_h264_parameters_is_encode(const struct rp_h264_parameters *params)
{
    return params->is_encode;
}

struct rp_video_parameters *
rp_h264_parameters_common(struct rp_h264_parameters *params)
{
    return params ? &params->common : NULL;
}

const struct rp_h264_parameters *
rp_h264_parameters_of(const struct rp_video_parameters *params)
{
    return (const struct rp_h264_parameters *)params;
}

VkResult
rp_h264_parameters_update(struct rp_h264_parameters *params,
                          const struct rp_h264_parameter_sets *sets)
{
    return params_add(params, sets, NULL);
}

const StdVideoH264SequenceParameterSet *
rp_h264_parameters_find_sps(const struct rp_h264_parameters *params, uint32_t sps_id,
                            bool *has_overrides_out)
{
    const struct sps_entry *entry =
        sps_find(&params->sps, rp_parameter_table_count(&params->sps), sps_id);
    if (!entry)
        return NULL;
    *has_overrides_out = entry->has_overrides;
    return &entry->std;
}

const StdVideoH264PictureParameterSet *
rp_h264_parameters_find_pps(const struct rp_h264_parameters *params, uint32_t sps_id,
                            uint32_t pps_id)
{
    const struct pps_entry *entry =
        pps_find(&params->pps, rp_parameter_table_count(&params->pps), sps_id, pps_id);
    return entry ? &entry->std : NULL;
}

bool
rp_h264_parameters_find(const struct rp_h264_parameters *params, uint32_t sps_id, uint32_t pps_id,
                        struct rp_h264_active *out)
{
    const struct sps_entry *sps =
        sps_find(&params->sps, rp_parameter_table_count(&params->sps), sps_id);
    const StdVideoH264PictureParameterSet *pps =
        rp_h264_parameters_find_pps(params, sps_id, pps_id);
    if (!sps || !pps)
        return false;

    *out = (struct rp_h264_active){
        .sps = &sps->std,
        .pps = *pps,
        .has_sps_overrides = sps->has_overrides,
    };
    if (params->is_encode)
        out->has_pps_overrides = rp_h264_override_pps(out->sps, &out->pps);
    return true;
}
