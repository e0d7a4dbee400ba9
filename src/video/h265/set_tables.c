/* SPDX-License-Identifier: MIT */
/* Three tables that grow together.
 */
#include "video/h265/set_tables.h"

#include "video/h265/parameter_sets.h"

static const uint32_t limits[RP_H265_SET_KINDS] = {
    RP_H265_VPS_LIMIT,
    RP_H265_VPS_LIMIT *RP_H265_SPS_LIMIT,
    RP_H265_VPS_LIMIT *RP_H265_SPS_LIMIT *RP_H265_PPS_LIMIT,
};

uint32_t
rp_h265_sps_key(uint32_t vps_id, uint32_t sps_id)
{
    return vps_id * RP_H265_SPS_LIMIT + sps_id;
}

uint32_t
rp_h265_pps_key(uint32_t vps_id, uint32_t sps_id, uint32_t pps_id)
{
    return rp_h265_sps_key(vps_id, sps_id) * RP_H265_PPS_LIMIT + pps_id;
}

static const VkAllocationCallbacks *
callbacks_of(const struct rp_h265_set_tables *tables)
{
    return tables->has_callbacks ? &tables->callbacks : NULL;
}

VkResult
rp_h265_set_tables_init(struct rp_h265_set_tables *tables, const VkAllocationCallbacks *callbacks,
                        const uint32_t counts[RP_H265_SET_KINDS])
{
    VkResult result = VK_SUCCESS;
    tables->has_callbacks = callbacks != NULL;
    if (callbacks)
        tables->callbacks = *callbacks;
    for (uint32_t kind = 0; kind < RP_H265_SET_KINDS && result == VK_SUCCESS; kind++)
        result = rp_parameter_table_init(&tables->kind[kind], callbacks,
                                         RP_MIN(counts[kind], limits[kind]));
    return result;
}

void
rp_h265_set_tables_finish(struct rp_h265_set_tables *tables)
{
    for (uint32_t kind = 0; kind < RP_H265_SET_KINDS; kind++)
        rp_parameter_table_finish(&tables->kind[kind], callbacks_of(tables));
}

/* Among the first count entries, published or not. */
static struct rp_h265_set *
find(const struct rp_parameter_table *table, uint32_t count, uint32_t key)
{
    for (uint32_t i = 0; i < count; i++) {
        struct rp_h265_set *set = table->entries[i];
        if (set->key == key)
            return set;
    }
    return NULL;
}

const struct rp_h265_set *
rp_h265_set_find(const struct rp_h265_set_tables *tables, enum rp_h265_set_kind kind, uint32_t key)
{
    const struct rp_parameter_table *table = &tables->kind[kind];
    return find(table, rp_parameter_table_count(table), key);
}

struct rp_h265_adding
rp_h265_adding_begin(struct rp_h265_set_tables *tables)
{
    struct rp_h265_adding adding = {.tables = tables, .result = VK_SUCCESS};
    for (uint32_t kind = 0; kind < RP_H265_SET_KINDS; kind++)
        adding.counts[kind] = rp_parameter_table_count(&tables->kind[kind]);
    return adding;
}

struct rp_h265_set *
rp_h265_adding_find(const struct rp_h265_adding *adding, enum rp_h265_set_kind kind, uint32_t key)
{
    return find(&adding->tables->kind[kind], adding->counts[kind], key);
}

void
rp_h265_adding_require(struct rp_h265_adding *adding, bool condition)
{
    if (adding->result == VK_SUCCESS && !condition)
        adding->result = VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
}

void *
rp_h265_adding_grow(struct rp_h265_adding *adding, enum rp_h265_set_kind kind, uint32_t key,
                    size_t size_B)
{
    rp_h265_adding_require(adding, !rp_h265_adding_find(adding, kind, key));
    if (adding->result != VK_SUCCESS)
        return NULL;
    struct rp_h265_set *set =
        rp_parameter_table_grow(&adding->tables->kind[kind], callbacks_of(adding->tables),
                                &adding->counts[kind], size_B, &adding->result);
    if (set)
        set->key = key;
    return set;
}

VkResult
rp_h265_adding_end(struct rp_h265_adding *adding)
{
    for (uint32_t kind = 0; kind < RP_H265_SET_KINDS; kind++)
        rp_parameter_table_publish(&adding->tables->kind[kind], callbacks_of(adding->tables),
                                   adding->counts[kind], adding->result == VK_SUCCESS);
    return adding->result;
}
