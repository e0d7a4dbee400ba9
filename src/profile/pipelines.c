/* SPDX-License-Identifier: MIT */
/* The pipelines of a profile.
 */
#include "object/pipeline.h"

#include "compute/heap.h"
#include "object/descriptor_layout.h"
#include "object/pipeline_cache.h"
#include "profile/fields.h"
#include "profile/simt.h"
#include "util/alloc.h"
#include "util/hash.h"

#include <stdlib.h>
#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE

static void
pipeline_destroy(struct rp_profile_pipeline *pp)
{
    for (uint32_t i = 0; pp->slots && i < pp->slot_count; i++)
        rp_profile_table_finish(&pp->slots[i].contents);
    rp_profile_table_finish(&pp->rows);
    rp_profile_fields_finish(pp);
    rp_profile_simt_finish(&pp->simt);
    rp_free(NULL, pp->slots);
    rp_free(NULL, pp->words);
    rp_free(NULL, pp->entry_point);
    rp_free(NULL, pp->specialization);
    rp_free(NULL, pp->mappings);
    rp_free(NULL, pp);
}

void
rp_profile_pipelines_finish(struct rp_profile_device *p)
{
    while (p->first) {
        struct rp_profile_pipeline *next = p->first->next;
        pipeline_destroy(p->first);
        p->first = next;
    }
}

static void *
copy(const void *data, size_t size_B)
{
    void *memory = rp_alloc(NULL, size_B + 1, _Alignof(max_align_t), SCOPE);
    if (memory && size_B)
        memcpy(memory, data, size_B);
    return memory;
}

/* Constant id, size and bytes of each value, in turn. */
static bool
specialization_copy(struct rp_profile_pipeline *pp, const VkSpecializationInfo *info)
{
    size_t size_B = 0;
    for (uint32_t i = 0; info && i < info->mapEntryCount; i++)
        size_B += 2 * sizeof(uint32_t) + info->pMapEntries[i].size;
    pp->specialization = rp_alloc(NULL, size_B + 1, 1, SCOPE);
    if (!pp->specialization)
        return false;
    for (uint32_t i = 0; info && i < info->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
        const uint32_t head[2] = {entry->constantID, (uint32_t)entry->size};
        memcpy(pp->specialization + pp->specialization_B, head, sizeof(head));
        pp->specialization_B += sizeof(head);
        memcpy(pp->specialization + pp->specialization_B,
               (const uint8_t *)info->pData + entry->offset, entry->size);
        pp->specialization_B += entry->size;
    }
    return true;
}

static int
slots_order(const void *left, const void *right)
{
    const struct rp_profile_slot *a = left, *b = right;
    if (a->set != b->set)
        return a->set < b->set ? -1 : 1;
    return a->binding < b->binding ? -1 : a->binding > b->binding;
}

static bool
slots_create(struct rp_profile_pipeline *pp, const struct rp_pipeline *pipeline,
             const struct rp_pipeline_layout *layout)
{
    const struct rp_kernel_binding *bindings =
        rp_kernel_bindings(pipeline->kernel, &pp->slot_count);
    pp->slots = rp_zalloc_array(NULL, pp->slot_count + 1, sizeof(*pp->slots), SCOPE);
    for (uint32_t i = 0; pp->slots && i < pp->slot_count; i++) {
        const uint32_t set = bindings[i].set;
        const struct rp_set_layout *set_layout =
            layout && set < layout->set_count ? layout->sets[set] : NULL;
        const struct rp_set_binding *b =
            set_layout ? rp_set_layout_find(set_layout, bindings[i].binding) : NULL;
        pp->slots[i] = (struct rp_profile_slot){
            .index = i,
            .set = set,
            .binding = bindings[i].binding,
            .type = b ? b->type : VK_DESCRIPTOR_TYPE_MAX_ENUM,
            .descriptor_count = b ? b->item_count : 0,
            .is_dynamic = pipeline->bindings[i].is_dynamic,
            .may_be_stale = b && b->may_be_stale,
        };
    }
    if (pp->slots)
        qsort(pp->slots, pp->slot_count, sizeof(*pp->slots), slots_order);
    return pp->slots != NULL;
}

static uint64_t
pipeline_hash(const struct rp_profile_pipeline *pp)
{
    uint64_t hash = rp_hash(0, pp->words, pp->word_count * sizeof(pp->words[0]));
    hash = rp_hash(hash, pp->entry_point, strlen(pp->entry_point));
    hash = rp_hash(hash, pp->specialization, pp->specialization_B);
    return pp->mapping_count
               ? rp_hash(hash, pp->mappings, pp->mapping_count * sizeof(pp->mappings[0]))
               : hash;
}

/* Mapped bindings, and whole heaps that a module names itself. */
static bool
has_heaps(const struct rp_profile_pipeline *pp)
{
    return pp->mapping_count ||
           (pp->slot_count && pp->slots[pp->slot_count - 1].set == RP_HEAP_SET);
}

static struct rp_profile_pipeline *
pipeline_create(const struct rp_pipeline *pipeline, const struct rp_cache_key_info *source,
                const struct rp_pipeline_layout *layout)
{
    struct rp_profile_pipeline *pp =
        rp_zalloc(NULL, sizeof(*pp), _Alignof(struct rp_profile_pipeline), SCOPE);
    if (!pp)
        return NULL;
    pp->word_count = source->word_count;
    pp->wants_exact_bounds = source->wants_exact_bounds;
    pp->has_robust_images = source->has_robust_images;
    pp->words = copy(source->words, source->word_count * sizeof(source->words[0]));
    pp->entry_point = copy(source->entry_point, strlen(source->entry_point) + 1);
    pp->mapping_count = source->mapping_count;
    pp->mappings = copy(source->mappings, source->mapping_count * sizeof(source->mappings[0]));
    if (!pp->words || !pp->entry_point || !pp->mappings ||
        !specialization_copy(pp, source->specialization) || !slots_create(pp, pipeline, layout) ||
        !rp_profile_fields_init(pp)) {
        pipeline_destroy(pp);
        return NULL;
    }
    rp_kernel_local_size(pipeline->kernel, pp->local_size);
    pp->subgroup_size = rp_kernel_subgroup_size(pipeline->kernel);
    const struct rp_profile_module module = {pp->words, pp->word_count};
    pp->reaches_addresses = rp_profile_has_addresses(&module) || has_heaps(pp);
    pp->hash = pipeline_hash(pp);
    return pp;
}

static bool
slots_agree(const struct rp_profile_pipeline *a, const struct rp_profile_pipeline *b)
{
    bool is_same = a->slot_count == b->slot_count;
    for (uint32_t i = 0; is_same && i < a->slot_count; i++)
        is_same = a->slots[i].type == b->slots[i].type &&
                  a->slots[i].descriptor_count == b->slots[i].descriptor_count &&
                  a->slots[i].may_be_stale == b->slots[i].may_be_stale;
    return is_same;
}

static bool
pipelines_agree(const struct rp_profile_pipeline *a, const struct rp_profile_pipeline *b)
{
    return a->hash == b->hash && a->wants_exact_bounds == b->wants_exact_bounds &&
           a->has_robust_images == b->has_robust_images && a->subgroup_size == b->subgroup_size &&
           a->word_count == b->word_count &&
           memcmp(a->words, b->words, a->word_count * sizeof(a->words[0])) == 0 &&
           strcmp(a->entry_point, b->entry_point) == 0 &&
           a->specialization_B == b->specialization_B &&
           memcmp(a->specialization, b->specialization, a->specialization_B) == 0 &&
           a->mapping_count == b->mapping_count &&
           memcmp(a->mappings, b->mappings, a->mapping_count * sizeof(a->mappings[0])) == 0 &&
           slots_agree(a, b);
}

void
rp_profile_pipeline_created(struct rp_profile *profile, struct rp_pipeline *pipeline,
                            const struct rp_cache_key_info *source,
                            const struct rp_pipeline_layout *layout)
{
    struct rp_profile_device *p = rp_profile_device_of(profile);
    struct rp_profile_pipeline *made = pipeline_create(pipeline, source, layout);

    pthread_mutex_lock(&p->mutex);
    struct rp_profile_pipeline *known = made ? p->first : NULL;
    while (known && !pipelines_agree(known, made))
        known = known->next;
    if (known) {
        pipeline_destroy(made);
        made = known;
    } else if (made) {
        made->number = p->pipeline_count++;
        *p->last = made;
        p->last = &made->next;
    }
    p->is_short |= !made;
    pipeline->profile = made;
    pthread_mutex_unlock(&p->mutex);
}
