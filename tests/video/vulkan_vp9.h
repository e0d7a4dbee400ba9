/* SPDX-License-Identifier: MIT */
/* Pictures of tests/codec_vp9 decoded by Vulkan commands: its application is then a client of the
 * device.
 */
#ifndef RP_TESTS_VIDEO_VULKAN_VP9_H
#define RP_TESTS_VIDEO_VULKAN_VP9_H

#include "tests/codec_vp9/app.h"
#include "vk.h"

struct vulkan_vp9;

/* Spoils a command. */
typedef void vulkan_vp9_change_fn(VkVideoDecodeInfoKHR *info, VkVideoDecodeVP9PictureInfoKHR *vp9,
                                  StdVideoDecodeVP9PictureInfo *std);

struct vulkan_vp9_options {
    bool is_distinct;  /* output and DPB picture are different images */
    bool is_layered;   /* slots are the layers of one image */
    bool is_planar;    /* outputs are I420, with distinct ones of 8 bits */
    bool has_queues;   /* a picture goes to another queue than the one before */
    uint32_t margin_B; /* in front of a frame */
    uint32_t border_px;
    uint32_t bit_depth;
};

/* NULL when the device has no such profile. */
struct vulkan_vp9 *vulkan_vp9_open(struct vk *vk, const struct vulkan_vp9_options *options);
void vulkan_vp9_close(struct vulkan_vp9 *dec);
void vulkan_vp9_set_change(struct vulkan_vp9 *dec, vulkan_vp9_change_fn *change); /* NULL: none */

/* app_decoder's decode(); context is a struct vulkan_vp9. OK or DAMAGED. */
enum rp_codec_status vulkan_vp9_decode(void *context, const struct app_job *job);

#endif
