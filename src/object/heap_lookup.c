/* SPDX-License-Identifier: MIT */
#include "object/heap_lookup.h"

#include "object/device.h"
#include "object/image.h"

struct rp_heap_sampler *
rp_heap_sampler_of(const struct rp_descriptor_heap *heap, uint64_t number)
{
    struct rp_heap_sampler *sampler = atomic_load_explicit(
        &heap->samplers[number >> RP_HEAP_SAMPLER_SHIFT], memory_order_acquire);
    while (sampler && sampler->sampler.heap_number != number)
        sampler = sampler->next;
    return sampler;
}

const struct rp_sampler_state *
rp_heap_sampler_find(const struct rp_device *dev, uint64_t number)
{
    const struct rp_heap_sampler *sampler = rp_heap_sampler_of(&dev->descriptor_heap, number);
    return sampler ? &sampler->sampler.state : NULL;
}

struct rp_heap_view *
rp_heap_view_of(const struct rp_image *img, uint64_t number)
{
    struct rp_heap_view *view = atomic_load_explicit(&img->heap_views, memory_order_acquire);
    while (view && view->view->heap_number != number)
        view = view->next;
    return view;
}

const struct rp_image_view *
rp_heap_view_find(const struct rp_device *dev, uint32_t image, uint64_t number, uint32_t use)
{
    const struct rp_descriptor_names *names =
        &dev->descriptor_heap.images[image >> RP_HEAP_IMAGE_SHIFT];
    const struct rp_image *img =
        rp_descriptor_names_find(names, image & RP_HEAP_IMAGE_NAME, RP_DESCRIPTOR_IMAGE);
    const struct rp_heap_view *view = img ? rp_heap_view_of(img, number) : NULL;
    return view && rp_image_view_uses(view->view) & use ? view->view : NULL;
}
