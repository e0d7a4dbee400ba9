/* SPDX-License-Identifier: MIT */
/* Sets as decoding needs them. Of a video parameter set nothing but the id is kept: decoding does
 * not need the rest.
 */
#include "video/h265/session_parameters.h"

#include "util/alloc.h"
#include "util/pnext.h"
#include "video/h265/parameter_sets.h"
#include "video/h265/set_tables.h"
#include "video/profile.h"

struct sps_entry {
    struct rp_h265_set entry;
    struct rp_h265_sps set;
};

struct pps_entry {
    struct rp_h265_set entry;
    struct rp_h265_pps set;
};

struct h265_parameters {
    struct rp_video_parameters common; /* first */
    uint32_t bit_depth;                /* of the session's profile */
    struct rp_h265_set_tables tables;
};

static const struct h265_parameters *
h265_of(const struct rp_video_parameters *common)
{
    return (const struct h265_parameters *)common;
}

static void
add_vps(struct rp_h265_adding *adding, const StdVideoH265VideoParameterSet *std)
{
    rp_h265_adding_require(adding, std->vps_video_parameter_set_id < RP_H265_VPS_LIMIT);
    (void)rp_h265_adding_grow(adding, RP_H265_VPS, std->vps_video_parameter_set_id,
                              sizeof(struct rp_h265_set));
}

static void
add_sps(struct rp_h265_adding *adding, uint32_t bit_depth,
        const StdVideoH265SequenceParameterSet *std)
{
    rp_h265_adding_require(adding, rp_h265_sps_is_valid(std) &&
                                       std->bit_depth_luma_minus8 + 8u == bit_depth);
    struct sps_entry *entry = rp_h265_adding_grow(
        adding, RP_H265_SPS,
        rp_h265_sps_key(std->sps_video_parameter_set_id, std->sps_seq_parameter_set_id),
        sizeof(*entry));
    if (entry)
        rp_h265_sps_copy(&entry->set, std);
}

static void
add_pps(struct rp_h265_adding *adding, const StdVideoH265PictureParameterSet *std)
{
    rp_h265_adding_require(adding, rp_h265_pps_is_valid(std) &&
                                       std->sps_video_parameter_set_id < RP_H265_VPS_LIMIT);
    struct pps_entry *entry = rp_h265_adding_grow(adding, RP_H265_PPS,
                                                  rp_h265_pps_key(std->sps_video_parameter_set_id,
                                                                  std->pps_seq_parameter_set_id,
                                                                  std->pps_pic_parameter_set_id),
                                                  sizeof(*entry));
    if (entry)
        rp_h265_pps_copy(&entry->set, std);
}

static void
add_all(struct rp_h265_adding *adding, uint32_t bit_depth,
        const VkVideoDecodeH265SessionParametersAddInfoKHR *add)
{
    for (uint32_t i = 0; add && add->pStdVPSs && i < add->stdVPSCount; i++)
        add_vps(adding, &add->pStdVPSs[i]);
    for (uint32_t i = 0; add && add->pStdSPSs && i < add->stdSPSCount; i++)
        add_sps(adding, bit_depth, &add->pStdSPSs[i]);
    for (uint32_t i = 0; add && add->pStdPPSs && i < add->stdPPSCount; i++)
        add_pps(adding, &add->pStdPPSs[i]);
}

/* Sets of the template whose ids are not there yet. */
static void
add_template(struct rp_h265_adding *adding, uint32_t bit_depth, const struct h265_parameters *from)
{
    for (uint32_t kind = 0; from && kind < RP_H265_SET_KINDS; kind++) {
        const struct rp_parameter_table *table = &from->tables.kind[kind];
        for (uint32_t i = 0; i < rp_parameter_table_count(table); i++) {
            const struct rp_h265_set *set = table->entries[i];
            if (rp_h265_adding_find(adding, (enum rp_h265_set_kind)kind, set->key))
                continue;
            if (kind == RP_H265_VPS)
                (void)rp_h265_adding_grow(adding, RP_H265_VPS, set->key, sizeof(*set));
            else if (kind == RP_H265_SPS)
                add_sps(adding, bit_depth, &((const struct sps_entry *)set)->set.std);
            else
                add_pps(adding, &((const struct pps_entry *)set)->set.std);
        }
    }
}

static void
destroy(struct rp_video_parameters *common)
{
    struct h265_parameters *params = (struct h265_parameters *)common;
    const VkAllocationCallbacks callbacks = params->tables.callbacks;
    const bool has_callbacks = params->tables.has_callbacks;
    rp_h265_set_tables_finish(&params->tables);
    rp_free(has_callbacks ? &callbacks : NULL, params);
}

static VkResult
create(const VkAllocationCallbacks *callbacks, const struct rp_video_parameters_info *info,
       struct rp_video_parameters **out)
{
    const VkVideoDecodeH265SessionParametersCreateInfoKHR *h265 = rp_find_struct(
        info->chain, VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR);
    const uint32_t counts[RP_H265_SET_KINDS] = {
        h265 ? h265->maxStdVPSCount : 0,
        h265 ? h265->maxStdSPSCount : 0,
        h265 ? h265->maxStdPPSCount : 0,
    };
    struct h265_parameters *params =
        rp_zalloc(callbacks, sizeof(*params), 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!params)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_video_parameters_init(&params->common, &rp_h265_parameters_ops);
    params->bit_depth =
        info->profile->bit_depth == VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR ? 10 : 8;

    VkResult result = rp_h265_set_tables_init(&params->tables, callbacks, counts);
    if (result == VK_SUCCESS) {
        struct rp_h265_adding adding = rp_h265_adding_begin(&params->tables);
        add_all(&adding, params->bit_depth, h265 ? h265->pParametersAddInfo : NULL);
        add_template(&adding, params->bit_depth, h265_of(info->template));
        result = rp_h265_adding_end(&adding);
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
    struct h265_parameters *params = (struct h265_parameters *)common;
    struct rp_h265_adding adding = rp_h265_adding_begin(&params->tables);
    add_all(
        &adding, params->bit_depth,
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR));
    return rp_h265_adding_end(&adding);
}

static const struct rp_h265_set *
find_published(const struct rp_video_parameters *common, enum rp_h265_set_kind kind, uint32_t key)
{
    const struct h265_parameters *params = h265_of(common);
    return params ? rp_h265_set_find(&params->tables, kind, key) : NULL;
}

const StdVideoH265SequenceParameterSet *
rp_h265_parameters_find_sps(const struct rp_video_parameters *params, uint32_t vps_id,
                            uint32_t sps_id)
{
    if (vps_id >= RP_H265_VPS_LIMIT || sps_id >= RP_H265_SPS_LIMIT)
        return NULL;
    const struct rp_h265_set *entry =
        find_published(params, RP_H265_SPS, rp_h265_sps_key(vps_id, sps_id));
    return entry ? &((const struct sps_entry *)entry)->set.std : NULL;
}

const StdVideoH265PictureParameterSet *
rp_h265_parameters_find_pps(const struct rp_video_parameters *params, uint32_t vps_id,
                            uint32_t sps_id, uint32_t pps_id)
{
    if (vps_id >= RP_H265_VPS_LIMIT || sps_id >= RP_H265_SPS_LIMIT || pps_id >= RP_H265_PPS_LIMIT)
        return NULL;
    const struct rp_h265_set *entry =
        find_published(params, RP_H265_PPS, rp_h265_pps_key(vps_id, sps_id, pps_id));
    return entry ? &((const struct pps_entry *)entry)->set.std : NULL;
}

const struct rp_video_parameters_ops rp_h265_parameters_ops = {
    .create = create,
    .destroy = destroy,
    .update = update,
};
