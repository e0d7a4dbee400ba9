/* SPDX-License-Identifier: MIT */
/* A table for each kind of set. Of a video parameter set nothing but the id is kept: decoding does not
 * need the rest.
 */
#include "video/h265/session_parameters.h"

#include "util/alloc.h"
#include "util/compiler.h"
#include "util/pnext.h"
#include "video/h265/parameter_sets.h"
#include "video/parameter_table.h"
#include "video/profile.h"

enum kind { VPS, SPS, PPS, KIND_COUNT };

/* Every entry begins so. */
struct entry {
    uint32_t key; /* its ids, in one number */
};

struct sps_entry {
    struct entry entry;
    struct rp_h265_sps set;
};

struct pps_entry {
    struct entry entry;
    struct rp_h265_pps set;
};

struct h265_parameters {
    struct rp_video_parameters common; /* first */
    VkAllocationCallbacks callbacks;
    bool has_callbacks;
    uint32_t bit_depth; /* of the session's profile */
    struct rp_parameter_table tables[KIND_COUNT];
};

/* While sets are added. */
struct adding {
    struct h265_parameters *params;
    uint32_t counts[KIND_COUNT];
    VkResult result;
};

static const uint32_t limits[KIND_COUNT] = {
    RP_H265_VPS_LIMIT,
    RP_H265_VPS_LIMIT *RP_H265_SPS_LIMIT,
    RP_H265_VPS_LIMIT *RP_H265_SPS_LIMIT *RP_H265_PPS_LIMIT,
};

static uint32_t
sps_key(uint32_t vps_id, uint32_t sps_id)
{
    return vps_id * RP_H265_SPS_LIMIT + sps_id;
}

static uint32_t
pps_key(uint32_t vps_id, uint32_t sps_id, uint32_t pps_id)
{
    return sps_key(vps_id, sps_id) * RP_H265_PPS_LIMIT + pps_id;
}

static const VkAllocationCallbacks *
params_callbacks(const struct h265_parameters *params)
{
    return params->has_callbacks ? &params->callbacks : NULL;
}

static const struct h265_parameters *
h265_of(const struct rp_video_parameters *common)
{
    return (const struct h265_parameters *)common;
}

/* Among the first count entries, published or not. */
static struct entry *
find(const struct rp_parameter_table *table, uint32_t count, uint32_t key)
{
    for (uint32_t i = 0; i < count; i++) {
        struct entry *entry = table->entries[i];
        if (entry->key == key)
            return entry;
    }
    return NULL;
}

static bool
has(const struct adding *adding, enum kind kind, uint32_t key)
{
    return find(&adding->params->tables[kind], adding->counts[kind], key);
}

/* A new entry; NULL with the result when there is one with this key, or no room. */
static void *
grow(struct adding *adding, enum kind kind, uint32_t key, size_t size_B)
{
    if (adding->result != VK_SUCCESS)
        return NULL;
    if (has(adding, kind, key)) {
        adding->result = VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
        return NULL;
    }
    struct entry *entry =
        rp_parameter_table_grow(&adding->params->tables[kind], params_callbacks(adding->params),
                                &adding->counts[kind], size_B, &adding->result);
    if (entry)
        entry->key = key;
    return entry;
}

static void
require(struct adding *adding, bool condition)
{
    if (adding->result == VK_SUCCESS && !condition)
        adding->result = VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
}

static void
add_vps(struct adding *adding, const StdVideoH265VideoParameterSet *std)
{
    require(adding, std->vps_video_parameter_set_id < RP_H265_VPS_LIMIT);
    (void)grow(adding, VPS, std->vps_video_parameter_set_id, sizeof(struct entry));
}

static void
add_sps(struct adding *adding, const StdVideoH265SequenceParameterSet *std)
{
    require(adding, rp_h265_sps_is_valid(std) &&
                        std->bit_depth_luma_minus8 + 8u == adding->params->bit_depth);
    struct sps_entry *entry =
        grow(adding, SPS, sps_key(std->sps_video_parameter_set_id, std->sps_seq_parameter_set_id),
             sizeof(*entry));
    if (entry)
        rp_h265_sps_copy(&entry->set, std);
}

static void
add_pps(struct adding *adding, const StdVideoH265PictureParameterSet *std)
{
    require(adding,
            rp_h265_pps_is_valid(std) && std->sps_video_parameter_set_id < RP_H265_VPS_LIMIT);
    struct pps_entry *entry =
        grow(adding, PPS,
             pps_key(std->sps_video_parameter_set_id, std->pps_seq_parameter_set_id,
                     std->pps_pic_parameter_set_id),
             sizeof(*entry));
    if (entry)
        rp_h265_pps_copy(&entry->set, std);
}

static void
add_all(struct adding *adding, const VkVideoDecodeH265SessionParametersAddInfoKHR *add)
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
add_template(struct adding *adding, const struct h265_parameters *from)
{
    for (uint32_t kind = 0; from && kind < KIND_COUNT; kind++) {
        const struct rp_parameter_table *table = &from->tables[kind];
        for (uint32_t i = 0; i < rp_parameter_table_count(table); i++) {
            const struct entry *entry = table->entries[i];
            if (has(adding, (enum kind)kind, entry->key))
                continue;
            if (kind == VPS)
                (void)grow(adding, VPS, entry->key, sizeof(*entry));
            else if (kind == SPS)
                add_sps(adding, &((const struct sps_entry *)entry)->set.std);
            else
                add_pps(adding, &((const struct pps_entry *)entry)->set.std);
        }
    }
}

static struct adding
adding_begin(struct h265_parameters *params)
{
    struct adding adding = {.params = params, .result = VK_SUCCESS};
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++)
        adding.counts[kind] = rp_parameter_table_count(&params->tables[kind]);
    return adding;
}

static VkResult
adding_end(struct adding *adding)
{
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++)
        rp_parameter_table_publish(&adding->params->tables[kind], params_callbacks(adding->params),
                                   adding->counts[kind], adding->result == VK_SUCCESS);
    return adding->result;
}

static void
destroy(struct rp_video_parameters *common)
{
    struct h265_parameters *params = (struct h265_parameters *)common;
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++)
        rp_parameter_table_finish(&params->tables[kind], params_callbacks(params));
    const VkAllocationCallbacks callbacks = params->callbacks;
    rp_free(params->has_callbacks ? &callbacks : NULL, params);
}

static VkResult
tables_init(struct h265_parameters *params,
            const VkVideoDecodeH265SessionParametersCreateInfoKHR *info)
{
    const uint32_t wanted[KIND_COUNT] = {
        info ? info->maxStdVPSCount : 0,
        info ? info->maxStdSPSCount : 0,
        info ? info->maxStdPPSCount : 0,
    };
    VkResult result = VK_SUCCESS;
    for (uint32_t kind = 0; kind < KIND_COUNT && result == VK_SUCCESS; kind++)
        result = rp_parameter_table_init(&params->tables[kind], params_callbacks(params),
                                         RP_MIN(wanted[kind], limits[kind]));
    return result;
}

static VkResult
create(const VkAllocationCallbacks *callbacks, const struct rp_video_parameters_info *info,
       struct rp_video_parameters **out)
{
    const VkVideoDecodeH265SessionParametersCreateInfoKHR *h265 = rp_find_struct(
        info->chain, VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR);
    struct h265_parameters *params =
        rp_zalloc(callbacks, sizeof(*params), 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!params)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    rp_video_parameters_init(&params->common, &rp_h265_parameters_ops);
    params->has_callbacks = callbacks != NULL;
    if (callbacks)
        params->callbacks = *callbacks;
    params->bit_depth =
        info->profile->bit_depth == VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR ? 10 : 8;

    VkResult result = tables_init(params, h265);
    if (result == VK_SUCCESS) {
        struct adding adding = adding_begin(params);
        add_all(&adding, h265 ? h265->pParametersAddInfo : NULL);
        add_template(&adding, h265_of(info->template));
        result = adding_end(&adding);
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
    struct adding adding = adding_begin((struct h265_parameters *)common);
    add_all(
        &adding,
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_DECODE_H265_SESSION_PARAMETERS_ADD_INFO_KHR));
    return adding_end(&adding);
}

static const struct entry *
find_published(const struct rp_video_parameters *common, enum kind kind, uint32_t key)
{
    const struct h265_parameters *params = h265_of(common);
    if (!params)
        return NULL;
    const struct rp_parameter_table *table = &params->tables[kind];
    return find(table, rp_parameter_table_count(table), key);
}

const StdVideoH265SequenceParameterSet *
rp_h265_parameters_find_sps(const struct rp_video_parameters *params, uint32_t vps_id,
                            uint32_t sps_id)
{
    if (vps_id >= RP_H265_VPS_LIMIT || sps_id >= RP_H265_SPS_LIMIT)
        return NULL;
    const struct entry *entry = find_published(params, SPS, sps_key(vps_id, sps_id));
    return entry ? &((const struct sps_entry *)entry)->set.std : NULL;
}

const StdVideoH265PictureParameterSet *
rp_h265_parameters_find_pps(const struct rp_video_parameters *params, uint32_t vps_id,
                            uint32_t sps_id, uint32_t pps_id)
{
    if (vps_id >= RP_H265_VPS_LIMIT || sps_id >= RP_H265_SPS_LIMIT || pps_id >= RP_H265_PPS_LIMIT)
        return NULL;
    const struct entry *entry = find_published(params, PPS, pps_key(vps_id, sps_id, pps_id));
    return entry ? &((const struct pps_entry *)entry)->set.std : NULL;
}

const struct rp_video_parameters_ops rp_h265_parameters_ops = {
    .create = create,
    .destroy = destroy,
    .update = update,
};
