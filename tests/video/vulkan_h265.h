/* SPDX-License-Identifier: MIT */
/* Pictures of tests/codec_h265 decoded by Vulkan commands: its application with a DPB of its own is
 * then a client of the device.
 */
#ifndef RP_TESTS_VIDEO_VULKAN_H265_H
#define RP_TESTS_VIDEO_VULKAN_H265_H

#include "tests/codec_h265/app.h"
#include "vk.h"

struct vulkan_h265;

/* Spoils a command, and the scope that it is in; all slots of both can be written. */
typedef void vulkan_h265_change_fn(VkVideoDecodeInfoKHR *info, VkVideoBeginCodingInfoKHR *begin,
                                   StdVideoDecodeH265PictureInfo *std);

struct vulkan_h265_options {
    bool is_distinct; /* output and DPB picture are different images */
    bool is_layered;  /* slots are the layers of one image */
    bool is_main_10;  /* the profile, whatever the bit depth */
    bool is_inlined;  /* parameter sets come with the picture (video maintenance 2) */
};

struct vulkan_h265 *vulkan_h265_open(struct vk *vk, const struct vulkan_h265_options *options);
void vulkan_h265_close(struct vulkan_h265 *dec);
void vulkan_h265_set_change(struct vulkan_h265 *dec,
                            vulkan_h265_change_fn *change); /* NULL: none */

/* The session's decode(); context is a struct vulkan_h265. */
enum rp_codec_status vulkan_h265_decode(void *context,
                                        const struct rp_h265_private_request *request,
                                        const struct rp_picture *dst);

#endif
