/* SPDX-License-Identifier: MIT */
/* Barriers between dispatches that share no memory: what stands before one and behind it, up to the
 * next, is compared. Where other commands stand there nothing is said.
 */
#include "profile/profile.h"
#include "util/alloc.h"

static bool
share_memory(const struct rp_profile_touches *a, const struct rp_profile_touches *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if ((a->items[i].may_write || b->items[k].may_write) &&
                a->items[i].begin < b->items[k].end && b->items[k].begin < a->items[i].end)
                return true;
    return false;
}

/* Is the barrier before what has come now one that nothing needs? */
static void
judge(struct rp_profile_device *p, const struct rp_profile_barriers *b)
{
    if (!b->has_barrier || b->before.is_unknown || b->now.is_unknown || !b->before.count ||
        !b->now.count || share_memory(&b->before, &b->now))
        return;
    pthread_mutex_lock(&p->mutex);
    p->needless_barriers++;
    pthread_mutex_unlock(&p->mutex);
}

static bool
part_is_unknown(const struct rp_profile_barriers *b)
{
    return b->part >= b->part_count || b->are_unknown[b->part];
}

void
rp_profile_barriers_begin(struct rp_profile_run *run)
{
    struct rp_profile_barriers *b = &run->barriers;
    b->part_count = b->part = 0;
    b->before.count = b->now.count = 0;
    b->has_barrier = false;
    b->now.is_unknown = false;
}

void
rp_profile_barriers_add_part(struct rp_profile_device *p, struct rp_profile_run *run,
                             bool is_unknown)
{
    struct rp_profile_barriers *b = &run->barriers;
    if (rp_grow_array(&b->are_unknown, b->part_count, &b->part_capacity, sizeof(*b->are_unknown))) {
        b->are_unknown[b->part_count++] = is_unknown;
        b->now.is_unknown = part_is_unknown(b);
        return;
    }
    pthread_mutex_lock(&p->mutex);
    p->is_short = true;
    pthread_mutex_unlock(&p->mutex);
}

void
rp_profile_barrier(struct rp_profile_device *p, struct rp_profile_run *run)
{
    struct rp_profile_barriers *b = &run->barriers;
    judge(p, b);
    const struct rp_profile_touches old = b->before;
    b->before = b->now;
    b->now = old;
    b->now.count = 0;
    b->part++;
    b->now.is_unknown = part_is_unknown(b);
    b->has_barrier = true;
}

void
rp_profile_barriers_end(struct rp_profile_device *p, struct rp_profile_run *run)
{
    judge(p, &run->barriers);
    run->barriers.has_barrier = false;
}

static void
touch(struct rp_profile_device *p, struct rp_profile_touches *touches, const void *ptr,
      uint64_t size_B, bool may_write)
{
    if (!ptr || !size_B)
        return;
    if (!rp_grow_array(&touches->items, touches->count, &touches->capacity,
                       sizeof(*touches->items))) {
        touches->is_unknown = p->is_short = true;
        return;
    }
    touches->items[touches->count++] =
        (struct rp_profile_touch){(uintptr_t)ptr, (uintptr_t)ptr + size_B, may_write};
}

static bool
may_write(VkDescriptorType type)
{
    switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        return false;
    default:
        return true;
    }
}

/* Images are not judged: two views of one may have no byte in common, and share it. */
void
rp_profile_barriers_touch(struct rp_profile_device *p, const struct rp_profile_dispatch *d)
{
    struct rp_profile_touches *now = &d->run->barriers.now;
    const struct rp_profile_pipeline *pp = d->pipeline;
    now->is_unknown |= pp->reaches_addresses;
    for (uint32_t i = 0; i < pp->slot_count; i++) {
        const struct rp_descriptor_array *array = &d->bindings[pp->slots[i].index];
        for (uint32_t k = 0; !array->reader && k < array->count; k++) {
            const struct rp_descriptor *item = &array->items[k];
            now->is_unknown |= item->view != NULL;
            touch(p, now, item->ptr, item->size_B, may_write(pp->slots[i].type));
        }
    }
}
