/* SPDX-License-Identifier: MIT */
/* What is bound to the slots of a pipeline from dispatch to dispatch.
 *
 * Memory stands for the resource in it: a buffer that is made anew in the same place is the same.
 */
#include "profile/fields.h"

#include "util/alloc.h"

#include <string.h>

#define SCOPE VK_SYSTEM_ALLOCATION_SCOPE_DEVICE

/* A descriptor without padding. */
struct item {
    uint64_t ptr;
    uint64_t size_B;
    uint64_t view;
    uint64_t sampler;
    uint64_t format;
};

void
rp_profile_run_finish(struct rp_profile_run *run)
{
    rp_free(NULL, run->contents);
    rp_free(NULL, run->now);
    rp_free(NULL, run->barriers.before.items);
    rp_free(NULL, run->barriers.now.items);
    rp_free(NULL, run->barriers.are_unknown);
}

static bool
run_reserve(struct rp_profile_run *run, uint32_t count)
{
    if (count <= run->capacity)
        return true;
    rp_free(NULL, run->contents);
    rp_free(NULL, run->now);
    run->contents = rp_zalloc_array(NULL, 2 * (size_t)count, sizeof(*run->contents), SCOPE);
    run->now = rp_zalloc_array(NULL, 2 * (size_t)count, sizeof(*run->now), SCOPE);
    run->capacity = run->contents && run->now ? count : 0;
    return run->capacity != 0;
}

/* The number of a content; RP_PROFILE_NONE: memory was short, or there are too many. */
static uint32_t
content_add(struct rp_profile_slot *slot, const struct rp_descriptor_array *array)
{
    if (slot->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
        return rp_profile_table_add(&slot->contents, array->count ? array->items->ptr : NULL,
                                    array->count && array->items->ptr ? array->items->size_B : 0,
                                    RP_PROFILE_MAX_CONTENTS);

    if (array->reader) {
        const struct item heap = {.ptr = (uintptr_t)array->memory, .size_B = array->count};
        return rp_profile_table_add(&slot->contents, &heap, sizeof(heap), RP_PROFILE_MAX_CONTENTS);
    }

    struct item few[16] = {{0}};
    struct item *items = few;
    if (array->count > 16)
        items = rp_zalloc_array(NULL, array->count, sizeof(*items), SCOPE);
    if (!items)
        return RP_PROFILE_NONE;
    for (uint32_t i = 0; i < array->count; i++) {
        const struct rp_descriptor *from = &array->items[i];
        items[i] = (struct item){
            .ptr = (uintptr_t)from->ptr,
            .size_B = from->size_B,
            .view = (uintptr_t)from->view,
            .sampler = (uintptr_t)from->sampler,
            .format = from->format,
        };
    }
    const uint32_t number = rp_profile_table_add(
        &slot->contents, items, array->count * sizeof(*items), RP_PROFILE_MAX_CONTENTS);
    if (items != few)
        rp_free(NULL, items);
    return number;
}

static void
slots_compare(struct rp_profile_pipeline *pp, const struct rp_profile_run *run)
{
    pp->pair_count++;
    for (uint32_t i = 0; i < pp->slot_count; i++) {
        pp->slots[i].same += run->now[i] == run->contents[i] && run->now[i] != RP_PROFILE_NONE;
        const uint32_t k = pp->slot_count + i;
        pp->slots[i].same_undynamic +=
            run->now[k] == run->contents[k] && run->now[k] != RP_PROFILE_NONE;
    }
}

static bool
slots_add(const struct rp_profile_dispatch *d)
{
    struct rp_profile_pipeline *pp = d->pipeline;
    struct rp_profile_run *run = d->run;
    bool is_complete = true;

    const bool is_next = run->pipeline == pp;
    run->pipeline = NULL;
    if (!run_reserve(run, RP_MAX(pp->slot_count, 1u)))
        return false;
    for (uint32_t i = 0; i < pp->slot_count; i++) {
        struct rp_profile_slot *slot = &pp->slots[i];
        run->now[i] = run->now[pp->slot_count + i] = content_add(slot, &d->bindings[slot->index]);
        if (slot->is_dynamic)
            run->now[pp->slot_count + i] = content_add(slot, &d->undynamic[slot->index]);
        is_complete &= run->now[i] != RP_PROFILE_NONE;
    }
    if (is_next)
        slots_compare(pp, run);
    if (is_complete)
        (void)rp_profile_table_add(&pp->rows, run->now, pp->slot_count * sizeof(run->now[0]),
                                   RP_PROFILE_MAX_ROWS);
    memcpy(run->contents, run->now, 2 * (size_t)pp->slot_count * sizeof(run->now[0]));
    run->pipeline = pp;
    return is_complete;
}

void
rp_profile_dispatch_begin(struct rp_profile_device *p, const struct rp_profile_dispatch *d)
{
    pthread_mutex_lock(&p->mutex);
    p->is_short |= !slots_add(d);
    rp_profile_fields_add(d);
    rp_profile_barriers_touch(p, d);
    pthread_mutex_unlock(&p->mutex);
}

void
rp_profile_dispatch_end(struct rp_profile_device *p, const struct rp_profile_dispatch *d,
                        uint64_t time_ns)
{
    struct rp_profile_pipeline *pp = d->pipeline;
    uint64_t invocation_count = 1;
    for (uint32_t i = 0; i < 3; i++)
        invocation_count *= (uint64_t)d->group_count[i] * pp->local_size[i];

    pthread_mutex_lock(&p->mutex);
    pp->dispatch_count++;
    pp->invocation_count += invocation_count;
    pp->time_ns += time_ns;
    pthread_mutex_unlock(&p->mutex);
}

void
rp_profile_command_buffer(struct rp_profile_device *p,
                          const struct rp_profile_state counts[RP_PROFILE_STATE_COUNT])
{
    pthread_mutex_lock(&p->mutex);
    p->command_buffer_count++;
    for (uint32_t i = 0; i < RP_PROFILE_STATE_COUNT; i++) {
        p->state[i].kept += counts[i].kept;
        p->state[i].dropped += counts[i].dropped;
    }
    pthread_mutex_unlock(&p->mutex);
}
