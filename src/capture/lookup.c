/* SPDX-License-Identifier: MIT */
#include "capture/lookup.h"

#include "object/buffer.h"
#include "object/buffer_view.h"
#include "object/pipeline.h"
#include "object/sampler.h"
#include "util/checked.h"

#include <string.h>

static bool
span_add(struct rp_spans *spans, struct rp_capture_object *object)
{
    if (object->obj->type == VK_OBJECT_TYPE_BUFFER) {
        const struct rp_buffer *buf = (const struct rp_buffer *)object->obj;
        return !rp_capture_is_bound(object) ||
               rp_spans_add(spans, (uintptr_t)buf->host, buf->size_B, object);
    }
    const struct rp_buffer_view *view = (const struct rp_buffer_view *)object->obj;
    return rp_spans_add(spans, (uintptr_t)view->host, view->range_B, object);
}

const struct rp_spans *
rp_capture_spans(struct rp_capture_device *c, enum rp_capture_list list)
{
    struct rp_spans *spans = &c->spans[list];
    if (c->spans_are_current[list])
        return spans;
    spans->count = 0;
    for (struct rp_capture_object *o = c->lists[list]; o; o = o->next_in_list) {
        if (!span_add(spans, o)) {
            rp_capture_end(c, "ends: no memory");
            break;
        }
    }
    rp_spans_sort(spans);
    c->spans_are_current[list] = true;
    return spans;
}

/* end: where the buffer ends; 0: anywhere. */
static bool
buffer_ends_there(void *end, const struct rp_span *span)
{
    return !*(const uintptr_t *)end || span->end == *(const uintptr_t *)end;
}

const struct rp_buffer *
rp_capture_find_buffer(struct rp_capture *capture, const uint8_t *ptr, uint64_t size_B,
                       uint64_t limit_B)
{
    const uintptr_t begin = (uintptr_t)ptr;
    uintptr_t end = limit_B ? begin + (uintptr_t)limit_B : 0;
    if (size_B > RP_MAX_BUFFER_B || begin + (uintptr_t)size_B < begin)
        return NULL;
    const struct rp_capture_object *object =
        rp_spans_find(rp_capture_spans(rp_capture_device_of(capture), RP_CAPTURE_BUFFERS), begin,
                      RP_MAX(begin + (uintptr_t)size_B, end), buffer_ends_there, &end);
    return object ? (const struct rp_buffer *)object->obj : NULL;
}

static bool
view_is_the_items(void *item, const struct rp_span *span)
{
    const struct rp_descriptor *wanted = item;
    const struct rp_capture_object *object = span->owner;
    const struct rp_buffer_view *view = (const struct rp_buffer_view *)object->obj;
    return view->host == wanted->ptr && view->range_B == wanted->size_B &&
           view->vk_format == wanted->format;
}

const struct rp_buffer_view *
rp_capture_find_buffer_view(struct rp_capture *capture, const struct rp_descriptor *item)
{
    struct rp_descriptor wanted = *item;
    const uintptr_t begin = (uintptr_t)item->ptr;
    const struct rp_capture_object *object =
        rp_spans_find(rp_capture_spans(rp_capture_device_of(capture), RP_CAPTURE_BUFFER_VIEWS),
                      begin, begin + (uintptr_t)item->size_B, view_is_the_items, &wanted);
    return object ? (const struct rp_buffer_view *)object->obj : NULL;
}

const struct rp_image_view *
rp_capture_find_view(struct rp_capture *capture, const struct rp_texture *texture)
{
    const struct rp_capture_device *c = rp_capture_device_of(capture);
    if (!texture)
        return NULL;
    /* The view may be gone: its address is looked up before it is looked at. */
    const struct rp_image_view *views[] = {
        rp_container_of(texture, struct rp_image_view, texture),
        rp_container_of(texture, struct rp_image_view, storage),
    };
    for (uint32_t i = 0; i < 2; i++) {
        const struct rp_capture_object *object = rp_capture_find(c, views[i]);
        if (object && object->obj->type == VK_OBJECT_TYPE_IMAGE_VIEW)
            return views[i];
    }
    return NULL;
}

static bool
sampler_matches(const struct rp_sampler_state *a, const struct rp_sampler_state *b)
{
    struct rp_sampler_state left = *a, right = *b;
    if (!a->ycbcr != !b->ycbcr)
        return false;
    left.ycbcr = right.ycbcr = NULL;
    return memcmp(&left, &right, sizeof(left)) == 0 &&
           (!a->ycbcr || memcmp(a->ycbcr, b->ycbcr, sizeof(*a->ycbcr)) == 0);
}

const struct rp_sampler *
rp_capture_find_sampler(struct rp_capture *capture, const struct rp_sampler_state *state)
{
    const struct rp_capture_device *c = rp_capture_device_of(capture);
    if (!state)
        return NULL;
    const struct rp_sampler *exact = rp_container_of(state, struct rp_sampler, state);
    const struct rp_capture_object *object = rp_capture_find(c, exact);
    return object && object->obj->type == VK_OBJECT_TYPE_SAMPLER ? exact : NULL;
}

const struct rp_sampler *
rp_capture_find_equal_sampler(struct rp_capture *capture, const struct rp_sampler_state *state)
{
    for (struct rp_capture_object *o = rp_capture_device_of(capture)->lists[RP_CAPTURE_SAMPLERS]; o;
         o = o->next_in_list) {
        const struct rp_sampler *sampler = (const struct rp_sampler *)o->obj;
        if (sampler_matches(&sampler->state, state))
            return sampler;
    }
    return NULL;
}

uint32_t
rp_capture_kernel_flags(struct rp_capture *capture, const struct rp_pipeline *pipeline)
{
    const struct rp_capture_object *object =
        rp_capture_find(rp_capture_device_of(capture), pipeline);
    return object ? object->kernel_flags : 0;
}
