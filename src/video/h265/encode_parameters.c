/* SPDX-License-Identifier: MIT */
/* Sets as the encoder writes them, and the NAL units of those that are asked for.
 */
#include "video/h265/encode_parameters.h"

#include "platform/environment.h"
#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"
#include "video/h265/encode_overrides.h"
#include "video/h265/parameter_sets.h"
#include "video/h265/set_tables.h"
#include "video/h265/slice_header.h"
#include "video/profile.h"

#define WAVEFRONTS_MIN_PX 512u /* of a session's pictures, in both directions */

#define RBSP_CAPACITY_B 8192u /* 64 short-term sets of 16 pictures are the most of it */

/* Every entry begins so. */
struct entry {
    struct rp_h265_set set; /* first */
    bool has_overrides;
};

struct vps_entry {
    struct entry entry;
    struct rp_h265_vps set;
};

struct sps_entry {
    struct entry entry;
    struct rp_h265_sps set;
    StdVideoH265SequenceParameterSetVui vui;
};

struct pps_entry {
    struct entry entry;
    struct rp_h265_pps set;
};

struct encode_parameters {
    struct rp_video_parameters common; /* first */
    StdVideoH265ProfileIdc profile_idc;
    uint32_t bit_depth;
    struct rp_h265_pps_rules rules;
    struct rp_h265_set_tables tables;
};

/* While sets are added. */
struct adding {
    const struct encode_parameters *params;
    struct rp_h265_adding sets;
};

static const struct entry *
find_published(const struct rp_video_parameters *common, enum rp_h265_set_kind kind, uint32_t key)
{
    const struct encode_parameters *params = (const struct encode_parameters *)common;
    return (const struct entry *)rp_h265_set_find(&params->tables, kind, key);
}

static void
require(struct adding *adding, bool condition)
{
    rp_h265_adding_require(&adding->sets, condition);
}

static void
add_vps(struct adding *adding, const StdVideoH265VideoParameterSet *std)
{
    require(adding, rp_h265_vps_is_valid(std));
    struct vps_entry *entry = rp_h265_adding_grow(&adding->sets, RP_H265_VPS,
                                                  std->vps_video_parameter_set_id, sizeof(*entry));
    if (!entry)
        return;
    rp_h265_vps_copy(&entry->set, std);
    entry->entry.has_overrides =
        rp_h265_override_profile(&entry->set.profile_tier_level, adding->params->profile_idc) ||
        (std->flags.vps_timing_info_present_flag && std->pHrdParameters);
    uint8_t rbsp[RBSP_CAPACITY_B];
    struct rp_h265_syntax syntax;
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    rp_h265_code_vps(&syntax, &entry->set);
    require(adding, rp_h265_syntax_is_ok(&syntax));
}

/* There is no buffer model that would be kept. */
static bool
copy_vui(struct sps_entry *entry, const StdVideoH265SequenceParameterSet *std)
{
    if (!std->flags.vui_parameters_present_flag || !std->pSequenceParameterSetVui)
        return false;
    entry->vui = *std->pSequenceParameterSetVui;
    entry->vui.flags.vui_hrd_parameters_present_flag = 0;
    entry->vui.pHrdParameters = NULL;
    entry->set.std.flags.vui_parameters_present_flag = 1;
    entry->set.std.pSequenceParameterSetVui = &entry->vui;
    return std->pSequenceParameterSetVui->flags.vui_timing_info_present_flag &&
           std->pSequenceParameterSetVui->flags.vui_hrd_parameters_present_flag;
}

/* Something of the picture is left (7.4.3.2.1). */
static bool
window_is_valid(const StdVideoH265SequenceParameterSet *std)
{
    return !std->flags.conformance_window_flag ||
           (2 * ((uint64_t)std->conf_win_left_offset + std->conf_win_right_offset) <
                std->pic_width_in_luma_samples &&
            2 * ((uint64_t)std->conf_win_top_offset + std->conf_win_bottom_offset) <
                std->pic_height_in_luma_samples);
}

static void
add_sps(struct adding *adding, const StdVideoH265SequenceParameterSet *std)
{
    StdVideoH265SequenceParameterSet fixed = *std;
    const bool has_overrides = rp_h265_override_sps(&fixed);
    require(adding, rp_h265_sps_is_valid(&fixed) && window_is_valid(&fixed) &&
                        std->bit_depth_luma_minus8 + 8u == adding->params->bit_depth &&
                        std->bit_depth_chroma_minus8 == std->bit_depth_luma_minus8);
    struct sps_entry *entry = rp_h265_adding_grow(
        &adding->sets, RP_H265_SPS,
        rp_h265_sps_key(std->sps_video_parameter_set_id, std->sps_seq_parameter_set_id),
        sizeof(*entry));
    if (!entry)
        return;
    rp_h265_sps_copy(&entry->set, &fixed);
    entry->entry.has_overrides = has_overrides;
    entry->entry.has_overrides |= copy_vui(entry, std);
    entry->entry.has_overrides |=
        rp_h265_override_profile(&entry->set.profile_tier_level, adding->params->profile_idc);
    uint8_t rbsp[RBSP_CAPACITY_B];
    struct rp_h265_syntax syntax;
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    rp_h265_code_sps(&syntax, &entry->set); /* derives its short-term sets */
    require(adding, rp_h265_syntax_is_ok(&syntax));
}

static void
add_pps(struct adding *adding, const StdVideoH265PictureParameterSet *std)
{
    StdVideoH265PictureParameterSet fixed = *std;
    const bool has_overrides = rp_h265_override_pps(&fixed, &adding->params->rules);
    require(adding, rp_h265_pps_is_valid(&fixed) &&
                        std->sps_video_parameter_set_id < RP_H265_VPS_LIMIT &&
                        std->init_qp_minus26 >= -26 - 6 * ((int32_t)adding->params->bit_depth - 8));
    struct pps_entry *entry = rp_h265_adding_grow(&adding->sets, RP_H265_PPS,
                                                  rp_h265_pps_key(std->sps_video_parameter_set_id,
                                                                  std->pps_seq_parameter_set_id,
                                                                  std->pps_pic_parameter_set_id),
                                                  sizeof(*entry));
    if (!entry)
        return;
    rp_h265_pps_copy(&entry->set, &fixed);
    entry->entry.has_overrides = has_overrides;
}

static void
add_all(struct adding *adding, const VkVideoEncodeH265SessionParametersAddInfoKHR *add)
{
    for (uint32_t i = 0; add && add->pStdVPSs && i < add->stdVPSCount; i++)
        add_vps(adding, &add->pStdVPSs[i]);
    for (uint32_t i = 0; add && add->pStdSPSs && i < add->stdSPSCount; i++)
        add_sps(adding, &add->pStdSPSs[i]);
    for (uint32_t i = 0; add && add->pStdPPSs && i < add->stdPPSCount; i++)
        add_pps(adding, &add->pStdPPSs[i]);
}

/* Sets of the template whose ids are not there yet. */
static void
add_template(struct adding *adding, const struct encode_parameters *from)
{
    struct rp_h265_adding *sets = &adding->sets;
    for (uint32_t k = 0; from && k < RP_H265_SET_KINDS; k++) {
        const enum rp_h265_set_kind kind = (enum rp_h265_set_kind)k;
        const struct rp_parameter_table *table = &from->tables.kind[kind];
        for (uint32_t i = 0; i < rp_parameter_table_count(table); i++) {
            const struct entry *entry = table->entries[i];
            if (sets->result != VK_SUCCESS || rp_h265_adding_find(sets, kind, entry->set.key))
                continue;
            if (kind == RP_H265_VPS)
                add_vps(adding, &((const struct vps_entry *)entry)->set.std);
            else if (kind == RP_H265_SPS)
                add_sps(adding, &((const struct sps_entry *)entry)->set.std);
            else
                add_pps(adding, &((const struct pps_entry *)entry)->set.std);
            struct entry *added = (struct entry *)rp_h265_adding_find(sets, kind, entry->set.key);
            if (added)
                added->has_overrides |= entry->has_overrides;
        }
    }
}

static struct adding
adding_begin(struct encode_parameters *params)
{
    return (struct adding){.params = params, .sets = rp_h265_adding_begin(&params->tables)};
}

static void
destroy(struct rp_video_parameters *common)
{
    struct encode_parameters *params = (struct encode_parameters *)common;
    const VkAllocationCallbacks callbacks = params->tables.callbacks;
    const bool has_callbacks = params->tables.has_callbacks;
    rp_h265_set_tables_finish(&params->tables);
    rp_free(has_callbacks ? &callbacks : NULL, params);
}

/* Rows of a picture are coded side by side for some four bytes of each. REELPIPE_WAVEFRONTS: 1 has
 * it done in all sessions, 0 in none whose PPS does not say so. Without it those get it that let us
 * override parameters and want a low latency, which may cost quality, when their pictures may have
 * rows enough. The number of processors is nothing that bytes may depend on. */
static bool
wants_wavefronts(const struct rp_video_parameters_info *info)
{
    const char *setting = rp_environment_get("REELPIPE_WAVEFRONTS");
    if (setting)
        return setting[0] == '1';
    const VkVideoEncodeTuningModeKHR mode = info->profile->tuning_mode;
    return info->may_optimize &&
           (mode == VK_VIDEO_ENCODE_TUNING_MODE_LOW_LATENCY_KHR ||
            mode == VK_VIDEO_ENCODE_TUNING_MODE_ULTRA_LOW_LATENCY_KHR) &&
           info->max_coded_extent.width >= WAVEFRONTS_MIN_PX &&
           info->max_coded_extent.height >= WAVEFRONTS_MIN_PX;
}

static VkResult
create(const VkAllocationCallbacks *callbacks, const struct rp_video_parameters_info *info,
       struct rp_video_parameters **out)
{
    const VkVideoEncodeH265SessionParametersCreateInfoKHR *h265 = rp_find_struct(
        info->chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR);
    const uint32_t counts[RP_H265_SET_KINDS] = {
        h265 ? h265->maxStdVPSCount : 0,
        h265 ? h265->maxStdSPSCount : 0,
        h265 ? h265->maxStdPPSCount : 0,
    };
    struct encode_parameters *params =
        rp_zalloc(callbacks, sizeof(*params), 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!params)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_video_parameters_init(&params->common, &rp_h265_encode_parameters_ops);
    params->rules.has_maps = info->has_quantization_maps;
    params->rules.has_wavefronts = wants_wavefronts(info);
    params->profile_idc = (StdVideoH265ProfileIdc)info->profile->idc;
    params->bit_depth =
        info->profile->bit_depth == VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR ? 10 : 8;

    VkResult result = rp_h265_set_tables_init(&params->tables, callbacks, counts);
    if (result == VK_SUCCESS) {
        struct adding adding = adding_begin(params);
        add_all(&adding, h265 ? h265->pParametersAddInfo : NULL);
        add_template(&adding, (const struct encode_parameters *)info->template);
        result = rp_h265_adding_end(&adding.sets);
    }
    if (result != VK_SUCCESS) {
        destroy(&params->common);
        return result;
    }
    *out = &params->common;
    return VK_SUCCESS;
}

static VkResult
update(struct rp_video_parameters *common, const void *chain)
{
    struct adding adding = adding_begin((struct encode_parameters *)common);
    add_all(
        &adding,
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR));
    return rp_h265_adding_end(&adding.sets);
}

bool
rp_h265_encode_parameters_find(const struct rp_video_parameters *params, uint32_t vps_id,
                               uint32_t sps_id, uint32_t pps_id, struct rp_h265_active *out)
{
    if (!params || vps_id >= RP_H265_VPS_LIMIT || sps_id >= RP_H265_SPS_LIMIT ||
        pps_id >= RP_H265_PPS_LIMIT)
        return false;
    const struct entry *sps = find_published(params, RP_H265_SPS, rp_h265_sps_key(vps_id, sps_id));
    const struct entry *pps =
        find_published(params, RP_H265_PPS, rp_h265_pps_key(vps_id, sps_id, pps_id));
    if (!sps || !pps)
        return false;
    *out = (struct rp_h265_active){
        .sps = &((const struct sps_entry *)sps)->set.std,
        .pps = &((const struct pps_entry *)pps)->set.std,
        .has_overrides = sps->has_overrides || pps->has_overrides,
    };
    return true;
}

/* Where NAL units are written one after the other. */
struct output {
    uint8_t *dst;
    size_t capacity_B;
    size_t size_B;
};

static void
append(struct output *out, uint32_t nal_unit_type, const struct rp_h265_syntax *syntax)
{
    const uint8_t header[2] = {(uint8_t)(nal_unit_type << 1), 1};
    const size_t used_B = RP_MIN(out->size_B, out->capacity_B);
    uint8_t *dst = out->dst ? out->dst + used_B : NULL; /* NULL when the size alone is asked for */
    out->size_B += rp_nal_write(dst, out->capacity_B - used_B, header, sizeof(header),
                                syntax->writer.data, syntax->writer.size_bits / 8);
}

/* A copy of the set, since whoever codes it may set what it says. */
static void
append_set(struct output *out, enum rp_h265_set_kind kind, const struct entry *entry)
{
    static const uint32_t types[RP_H265_SET_KINDS] = {RP_H265_NAL_VPS, RP_H265_NAL_SPS,
                                                      RP_H265_NAL_PPS};
    uint8_t rbsp[RBSP_CAPACITY_B];
    struct rp_h265_syntax syntax;
    rp_h265_syntax_init_write(&syntax, rbsp, sizeof(rbsp));
    if (kind == RP_H265_VPS) {
        struct rp_h265_vps set = ((const struct vps_entry *)entry)->set;
        rp_h265_code_vps(&syntax, &set);
    } else if (kind == RP_H265_SPS) {
        struct rp_h265_sps set = ((const struct sps_entry *)entry)->set;
        rp_h265_code_sps(&syntax, &set);
    } else {
        struct rp_h265_pps set = ((const struct pps_entry *)entry)->set;
        rp_h265_code_pps(&syntax, &set);
    }
    append(out, types[kind], &syntax);
}

static bool
write(const struct rp_video_parameters *common, const void *chain, uint8_t *dst, size_t capacity_B,
      VkVideoEncodeSessionParametersFeedbackInfoKHR *feedback, size_t *size_B_out)
{
    const VkVideoEncodeH265SessionParametersGetInfoKHR *get =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_GET_INFO_KHR);
    if (!get || get->stdVPSId >= RP_H265_VPS_LIMIT || get->stdSPSId >= RP_H265_SPS_LIMIT ||
        get->stdPPSId >= RP_H265_PPS_LIMIT)
        return false;
    const bool wanted[RP_H265_SET_KINDS] = {get->writeStdVPS, get->writeStdSPS, get->writeStdPPS};
    const uint32_t keys[RP_H265_SET_KINDS] = {
        get->stdVPSId,
        rp_h265_sps_key(get->stdVPSId, get->stdSPSId),
        rp_h265_pps_key(get->stdVPSId, get->stdSPSId, get->stdPPSId),
    };
    struct output out = {.dst = dst, .capacity_B = capacity_B};
    bool have_overrides[RP_H265_SET_KINDS] = {false};
    for (uint32_t kind = 0; kind < RP_H265_SET_KINDS; kind++) {
        if (!wanted[kind])
            continue;
        const struct entry *entry = find_published(common, (enum rp_h265_set_kind)kind, keys[kind]);
        if (!entry)
            return false;
        have_overrides[kind] = entry->has_overrides;
        append_set(&out, (enum rp_h265_set_kind)kind, entry);
    }
    *size_B_out = out.size_B;
    if (!feedback)
        return true;
    feedback->hasOverrides =
        have_overrides[RP_H265_VPS] || have_overrides[RP_H265_SPS] || have_overrides[RP_H265_PPS];
    VkVideoEncodeH265SessionParametersFeedbackInfoKHR *h265 = rp_find_struct_mut(
        feedback->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_FEEDBACK_INFO_KHR);
    if (h265) {
        h265->hasStdVPSOverrides = have_overrides[RP_H265_VPS];
        h265->hasStdSPSOverrides = have_overrides[RP_H265_SPS];
        h265->hasStdPPSOverrides = have_overrides[RP_H265_PPS];
    }
    return true;
}

const struct rp_video_parameters_ops rp_h265_encode_parameters_ops = {
    .create = create,
    .destroy = destroy,
    .update = update,
    .write = write,
};
