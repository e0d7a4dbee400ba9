/* SPDX-License-Identifier: MIT */
#include "capture/touches.h"

#include "capture/lookup.h"
#include "capture/memory.h"
#include "object/buffer.h"
#include "util/alloc.h"
#include "util/checked.h"
#include "util/hash.h"

#include <stdlib.h>

#define FIRST_SLOTS 64u
#define ACCESSES 8u /* values of enum rp_capture_access, together */

static uint32_t
slot_of(const struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    uint64_t hash = rp_hash_mix(touch->access, touch->object->id);
    hash = rp_hash_mix(rp_hash_mix(hash, touch->offset_B), touch->size_B);
    return (uint32_t)hash & (c->touch_slot_count - 1);
}

static bool
touches_are_equal(const struct rp_capture_touch *a, const struct rp_capture_touch *b)
{
    return a->object == b->object && a->access == b->access && a->offset_B == b->offset_B &&
           a->size_B == b->size_B;
}

/* The slot of one that is equal, or the one that such a one may have. */
static uint32_t
slot_find(const struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    uint32_t slot = slot_of(c, touch);
    while (c->touch_slots[slot] && !touches_are_equal(&c->touches[c->touch_slots[slot] - 1], touch))
        slot = (slot + 1) & (c->touch_slot_count - 1);
    return slot;
}

static void
slot_take(struct rp_capture_device *c, uint32_t index)
{
    struct rp_capture_touch *touch = &c->touches[index];
    touch->slot = slot_find(c, touch);
    c->touch_slots[touch->slot] = index + 1;
}

/* At most half of the slots are taken. */
static bool
slots_reserve(struct rp_capture_device *c)
{
    if (c->touch_count < c->touch_slot_count / 2)
        return true;
    const uint32_t count = c->touch_slot_count ? 2 * c->touch_slot_count : FIRST_SLOTS;
    uint32_t *slots =
        rp_zalloc_array(NULL, count, sizeof(*slots), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!slots)
        return false;
    rp_free(NULL, c->touch_slots);
    c->touch_slots = slots;
    c->touch_slot_count = count;
    for (uint32_t i = 0; i < c->touch_count; i++)
        slot_take(c, i);
    return true;
}

/* One that is there is not listed again, unless what it writes is told of it. */
static void
touch_add(struct rp_capture_device *c, const struct rp_capture_touch *touch)
{
    if (!slots_reserve(c) ||
        !rp_grow_array(&c->touches, c->touch_count, &c->touch_capacity, sizeof(*c->touches))) {
        rp_capture_end(c, "ends: no memory");
        return;
    }
    if (c->touch_slots[slot_find(c, touch)] && !(touch->access & RP_CAPTURE_OUTPUT))
        return;
    c->touches[c->touch_count] = *touch;
    slot_take(c, c->touch_count++);
}

void
rp_capture_touch_buffer(struct rp_capture *capture, const struct rp_buffer *buf, uint64_t offset_B,
                        uint64_t size_B, uint32_t access)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);
    struct rp_capture_object *object = rp_capture_find(c, buf);
    if (!object || !rp_capture_is_bound(object))
        return;
    const struct rp_capture_touch touch = {
        .object = object,
        .offset_B = offset_B,
        .size_B = rp_buffer_range_B(buf, offset_B, size_B),
        .access = access,
    };
    if (touch.size_B)
        touch_add(c, &touch);
}

void
rp_capture_touch_image(struct rp_capture *capture, struct rp_image *img, uint32_t access)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);
    struct rp_capture_object *object = rp_capture_find(c, img);
    if (!object || !rp_capture_is_bound(object))
        return;
    const struct rp_capture_touch touch = {.object = object, .access = access};
    touch_add(c, &touch);
}

struct address_touch {
    struct rp_capture *capture;
    uintptr_t address;
    uint64_t size_B;
    uint32_t access;
};

static bool
touch_at_address(void *ctx, const struct rp_span *span)
{
    const struct address_touch *t = ctx;
    const struct rp_capture_object *object = span->owner;
    const struct rp_buffer *buf = (const struct rp_buffer *)object->obj;
    if (buf->usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT)
        rp_capture_touch_buffer(t->capture, buf, t->address - span->begin, t->size_B, t->access);
    return false;
}

void
rp_capture_touch_address(struct rp_capture *capture, uint64_t address, uint64_t size_B,
                         uint32_t access)
{
    const uintptr_t first = (uintptr_t)address;
    struct address_touch touch = {
        .capture = capture, .address = first, .size_B = size_B, .access = access};
    if (first == address && first != UINTPTR_MAX)
        (void)rp_spans_find(rp_capture_spans(rp_capture_device_of(capture), RP_CAPTURE_BUFFERS),
                            first, first + 1, touch_at_address, &touch);
}

void
rp_capture_touch_addressable(struct rp_capture *capture, uint32_t access)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);
    if (c->addressable_accesses & 1u << access)
        return; /* for another dispatch of the submission */
    c->addressable_accesses |= 1u << access;
    for (struct rp_capture_object *o = c->lists[RP_CAPTURE_BUFFERS]; o; o = o->next_in_list) {
        const struct rp_buffer *buf = (const struct rp_buffer *)o->obj;
        if (buf->usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT)
            rp_capture_touch_buffer(capture, buf, 0, VK_WHOLE_SIZE, access);
    }
}

void
rp_capture_touch_heap_images(struct rp_capture *capture, uint32_t access)
{
    struct rp_capture_device *c = rp_capture_device_of(capture);
    if (c->heap_accesses & 1u << access)
        return;
    c->heap_accesses |= 1u << access;
    for (struct rp_capture_object *o = c->lists[RP_CAPTURE_IMAGES]; o; o = o->next_in_list) {
        struct rp_image *img = (struct rp_image *)o->obj;
        if (img->heap_views)
            rp_capture_touch_image(
                capture, img, img->usage & VK_IMAGE_USAGE_STORAGE_BIT ? access : RP_CAPTURE_READ);
    }
}

void
rp_capture_touches_reset(struct rp_capture_device *c)
{
    c->touch_count = 0;
    c->addressable_accesses = c->heap_accesses = 0;
}

/* By object; those that begin first, and of them the longest, before what they may hold. */
static int
touch_compare(const void *left, const void *right)
{
    const struct rp_capture_touch *a = left, *b = right;
    if (a->object->id != b->object->id)
        return a->object->id < b->object->id ? -1 : 1;
    if (a->offset_B != b->offset_B)
        return a->offset_B < b->offset_B ? -1 : 1;
    if (a->size_B != b->size_B)
        return a->size_B > b->size_B ? -1 : 1;
    return (a->access > b->access) - (a->access < b->access);
}

/* How far the touches of an object that were seen reach, by their accesses. */
struct reach {
    const struct rp_capture_object *object;
    bool is_there[ACCESSES];
    uint64_t end_B[ACCESSES];
};

/* Whether one of them holds all of touch: one of the same access, or any that says what was
 * there. */
static bool
reach_holds(const struct reach *r, const struct rp_capture_touch *touch, bool is_alike)
{
    for (uint32_t access = 0; access < ACCESSES; access++) {
        if (r->is_there[access] && !(access & RP_CAPTURE_OUTPUT) &&
            (!is_alike || access == touch->access) &&
            touch->offset_B + touch->size_B <= r->end_B[access])
            return true;
    }
    return false;
}

void
rp_capture_touches_settle(struct rp_capture_device *c)
{
    struct reach reach = {0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < c->touch_count; i++)
        c->touch_slots[c->touches[i].slot] = 0;
    if (c->touch_count)
        qsort(c->touches, c->touch_count, sizeof(*c->touches), touch_compare);
    c->touches_repeat = true;
    for (uint32_t i = 0; i < c->touch_count; i++) {
        struct rp_capture_touch touch = c->touches[i];
        if (touch.object != reach.object)
            reach = (struct reach){.object = touch.object};
        if (reach_holds(&reach, &touch, true))
            continue;
        touch.is_covered = reach_holds(&reach, &touch, false);
        reach.end_B[touch.access] =
            RP_MAX(reach.end_B[touch.access], touch.offset_B + touch.size_B);
        reach.is_there[touch.access] = true;
        c->touches_repeat &= !(touch.access & RP_CAPTURE_UNREPEATABLE);
        c->touches[count++] = touch;
    }
    c->touch_count = count;
}
