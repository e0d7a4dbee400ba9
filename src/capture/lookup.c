/* SPDX-License-Identifier: MIT */
#include "capture/lookup.h"

#include "object/buffer.h"
#include "object/buffer_view.h"
#include "object/pipeline.h"
#include "object/sampler.h"

#include <string.h>

const struct rp_buffer *
rp_capture_find_buffer(struct rp_capture *capture, const uint8_t *ptr, uint64_t size_B,
                       uint64_t limit_B)
{
    for (struct rp_capture_object *o = rp_capture_device_of(capture)->lists[RP_CAPTURE_BUFFERS]; o;
         o = o->next_in_list) {
        if (!rp_capture_is_bound(o))
            continue;
        const struct rp_buffer *buf = (const struct rp_buffer *)o->obj;
        const uintptr_t at = (uintptr_t)ptr, begin = (uintptr_t)buf->host;
        if (at < begin || at - begin > buf->size_B || size_B > buf->size_B - (at - begin))
            continue;
        if (!limit_B || at + limit_B == begin + buf->size_B)
            return buf;
    }
    return NULL;
}

const struct rp_buffer_view *
rp_capture_find_buffer_view(struct rp_capture *capture, const struct rp_descriptor *item)
{
    for (struct rp_capture_object *o =
             rp_capture_device_of(capture)->lists[RP_CAPTURE_BUFFER_VIEWS];
         o; o = o->next_in_list) {
        const struct rp_buffer_view *view = (const struct rp_buffer_view *)o->obj;
        if (view->host == item->ptr && view->range_B == item->size_B &&
            view->vk_format == item->format)
            return view;
    }
    return NULL;
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
