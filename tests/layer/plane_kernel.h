/* SPDX-License-Identifier: MIT */
/* A shader of the application that reads or writes a picture of the coder's size by an R8 and an
 * R8G8 view of its planes.
 */
#ifndef RP_TESTS_LAYER_PLANE_KERNEL_H
#define RP_TESTS_LAYER_PLANE_KERNEL_H

#include "fixture.h"

/* What an image needs for it, beside what it is for. */
#define PLANE_KERNEL_FLAGS (VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT)
#define PLANE_KERNEL_USAGE VK_IMAGE_USAGE_STORAGE_BIT

struct plane_kernel {
    VkImageView views[2];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

/* For a layer of the image, and the bytes of NV12 without padding in the buffer. */
struct plane_kernel plane_kernel_create(struct fixture *f, VkImage image, uint32_t layer,
                                        const struct test_buffer *buf);
void plane_kernel_destroy(struct fixture *f, struct plane_kernel *kernel);

/* Records into f->cb a dispatch to the image or from it, which is GENERAL. */
void plane_kernel_record(struct fixture *f, const struct plane_kernel *kernel, bool is_write);

#endif
