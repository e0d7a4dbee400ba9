/* SPDX-License-Identifier: MIT */
/* VK_EXT_descriptor_heap: descriptors written from infos, without objects of the application.
 *
 * They have the form of descriptor_memory.h. Equal infos share one view or sampler that we make,
 * and it has a number that is made of the info alone, beside its image's name: an image that is
 * made again with the data of vkGetImageOpaqueCaptureDataEXT has the same descriptors. Views go
 * with their image, samplers with the device.
 */
#ifndef RP_OBJECT_DESCRIPTOR_HEAP_H
#define RP_OBJECT_DESCRIPTOR_HEAP_H

#include "compute/heap.h"
#include "object/descriptor_names.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <pthread.h>
#include <stdint.h>

#define RP_HEAP_ALIGN_B 64u /* of a heap's address */
#define RP_MAX_HEAP_B ((uint64_t)RP_MAX_HEAP_DESCRIPTORS * RP_HEAP_DESCRIPTOR_B)
#define RP_MAX_EMBEDDED_SAMPLERS 65536u
#define RP_MAX_BORDER_COLORS 65536u
#define RP_HEAP_SAMPLER_SHIFT 56u /* the upper bits of a sampler's number: where it is found */

/* An image's number: its place in rp_descriptor_heap::images is in the upper bit. */
#define RP_HEAP_IMAGE_SHIFT 31u
#define RP_HEAP_IMAGE_NAME 0x7fffffffu

struct rp_device;
struct rp_heap_sampler;
struct rp_image;

/* What descriptors in heaps need of a device. */
struct rp_descriptor_heap {
    /* Names of images, on a device with the feature. Images that may be made again have the second
     * list, so that no other image has a name which is asked for then. */
    struct rp_descriptor_names images[2];
    /* Guards what follows, and rp_image::heap_views: readers of both lists take no lock. */
    pthread_mutex_t mutex;
    _Atomic(struct rp_heap_sampler *) samplers[256];   /* owned */
    uint64_t border_colors[RP_MAX_BORDER_COLORS / 64]; /* a bit for each that is taken */
};

void rp_descriptor_heap_init(struct rp_device *dev);
void rp_descriptor_heap_finish(struct rp_device *dev);

/* The image's name, and what descriptors have made for it. finish takes an image without any. */
VkResult rp_heap_image_init(struct rp_image *img, const VkImageCreateInfo *info) RP_MUST_CHECK;
void rp_heap_image_finish(struct rp_image *img);

#endif
