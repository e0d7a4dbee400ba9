/* SPDX-License-Identifier: MIT */
/* An image in the middle of memory that the test sees: whoever writes beside it is found.
 */
#ifndef RP_TESTS_VIDEO_GUARDED_IMAGE_H
#define RP_TESTS_VIDEO_GUARDED_IMAGE_H

#include "vk.h"

#include <stdbool.h>
#include <stdint.h>

enum guarded_memory {
    GUARDED_OWN,      /* as vkAllocateMemory gives it */
    GUARDED_EXPORTED, /* others may import it */
    GUARDED_IMPORTED, /* from memory objects of the device */
    GUARDED_HOST,     /* from the application's pages, between pages that are not accessible */
};

struct guarded_image {
    struct vk_image image; /* its memory is below */
    struct vk_image alias; /* of the same pixels, or no handle */
    VkDeviceMemory memory;
    VkDeviceMemory exporter; /* of imported memory */
    uint8_t *pages;          /* the application's, with those around them */
    uint8_t *data;
    VkDeviceSize offset_B; /* of the image in data */
    VkDeviceSize size_B;
    VkDeviceSize memory_B;
    uint8_t filling; /* what the image was filled with */
};

/* Bound at an offset that is as odd as the image allows. All bytes are written. */
struct guarded_image guarded_image_create(struct vk *vk, const struct vk_image_info *info,
                                          enum guarded_memory kind, bool has_alias);

/* Overwrites all of the image's memory. */
void guarded_image_fill(struct guarded_image *img, uint8_t value);

/* Ends the test when something beside the image has been written. Takes what has no handle. */
void guarded_image_destroy(struct vk *vk, struct guarded_image *img);

#endif
