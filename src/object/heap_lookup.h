/* SPDX-License-Identifier: MIT */
/* From descriptors in heaps to the views and samplers that they name. Readers take no lock: kernels
 * run while others are written.
 */
#ifndef RP_OBJECT_HEAP_LOOKUP_H
#define RP_OBJECT_HEAP_LOOKUP_H

#include "object/sampler.h"

#include <stdint.h>

#define RP_HEAP_KEY_WORDS 24u

struct rp_descriptor_heap;
struct rp_device;
struct rp_image;
struct rp_image_view;

/* All that a sampler's or a view's info says, as words to compare. */
struct rp_heap_key {
    uint32_t words[RP_HEAP_KEY_WORDS];
};

struct rp_heap_sampler {
    struct rp_sampler sampler;    /* first */
    struct rp_heap_sampler *next; /* of the same rp_descriptor_heap::samplers */
    struct rp_heap_key key;
};

struct rp_heap_view {
    struct rp_heap_view *next;  /* of the same image */
    struct rp_image_view *view; /* owned */
    struct rp_heap_key key;
};

/* By number; NULL: there is none. */
struct rp_heap_sampler *rp_heap_sampler_of(const struct rp_descriptor_heap *heap, uint64_t number);
struct rp_heap_view *rp_heap_view_of(const struct rp_image *img, uint64_t number);

/* What a descriptor names; NULL: it is gone, or was never there. use: of enum rp_descriptor_use. */
const struct rp_image_view *rp_heap_view_find(const struct rp_device *dev, uint32_t image,
                                              uint64_t number, uint32_t use);
const struct rp_sampler_state *rp_heap_sampler_find(const struct rp_device *dev, uint64_t number);

#endif
