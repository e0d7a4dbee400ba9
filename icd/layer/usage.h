/* SPDX-License-Identifier: MIT */
/* Which usages of an image or a buffer our driver serves, and which the lower device.
 *
 * Those of a kind of video, encode or decode, go to whoever codes the object's profiles: to our
 * driver, to the lower device, or to both where the profiles are of both, or the object is
 * independent of profiles. Where the lower device has nothing of the kind, they are our driver's.
 */
#ifndef RP_ICD_LAYER_USAGE_H
#define RP_ICD_LAYER_USAGE_H

#include "icd/layer/physical_device.h"
#include "util/arena.h"
#include "util/compiler.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>

/* Pictures and maps, which both devices see; what is lent without one of these is a reference. */
#define RP_LAYER_PICTURE_USAGES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR | \
     RP_LAYER_MAP_USAGES)
#define RP_LAYER_MAP_USAGES \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)

/* With one of these the application can read what a reference holds. */
#define RP_LAYER_READING_USAGES \
    (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | \
     VK_IMAGE_USAGE_HOST_TRANSFER_BIT)

struct rp_layer_usage {
    VkFlags64 lent;
    VkFlags64 lower; /* what is not lent, and what is lent and below, too */
};

/* chain: of the object, or of a query about it. */
struct rp_layer_usage rp_layer_image_usage(const struct rp_layer_physical_device *pdev,
                                           VkImageUsageFlags usage, VkImageCreateFlags flags,
                                           const void *chain);
struct rp_layer_usage rp_layer_buffer_usage(const struct rp_layer_physical_device *pdev,
                                            VkBufferUsageFlags2 usage, VkBufferCreateFlags flags,
                                            const void *chain);

/* The usages of images by a kind of video. */
VkImageUsageFlags rp_layer_image_usages_of_kind(enum rp_layer_lent_kind kind);

/* Whether usages are for video at all. */
bool rp_layer_image_usage_is_video(VkFlags64 usage);
bool rp_layer_buffer_usage_is_video(VkFlags64 usage);

/* The lent profiles of a chain's list, in the arena; count 0 where there are none. False when
 * memory is short. */
bool rp_layer_profiles_lent(const struct rp_layer_physical_device *pdev, struct rp_arena *arena,
                            const void *chain, VkVideoProfileListInfoKHR *out) RP_MUST_CHECK;

/* Takes the lent profiles out of a copied chain's list, and the list when nothing is left. */
bool rp_layer_profiles_keep_lower(const struct rp_layer_physical_device *pdev,
                                  struct rp_arena *arena, void **chain) RP_MUST_CHECK;

#endif
