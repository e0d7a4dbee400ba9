/* SPDX-License-Identifier: MIT */
/* Dividing usages and profiles between the two devices.
 */
#include "icd/layer/usage.h"

#include "icd/layer/chain.h"
#include "util/pnext.h"

#include <stddef.h>

static const struct {
    VkImageUsageFlags images;
    VkBufferUsageFlags2 buffers;
} usages[RP_LAYER_LENT_FAMILIES] = {
    [RP_LAYER_ENCODE] = {VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR |
                             VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR |
                             VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR | RP_LAYER_MAP_USAGES,
                         VK_BUFFER_USAGE_2_VIDEO_ENCODE_DST_BIT_KHR |
                             VK_BUFFER_USAGE_2_VIDEO_ENCODE_SRC_BIT_KHR},
    [RP_LAYER_DECODE] = {VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                             VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR |
                             VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR,
                         VK_BUFFER_USAGE_2_VIDEO_DECODE_DST_BIT_KHR |
                             VK_BUFFER_USAGE_2_VIDEO_DECODE_SRC_BIT_KHR},
};

/* Which sides have the profiles of one kind of video. */
struct sides {
    bool is_lent;
    bool is_lower;
};

static struct sides
sides_of(const struct rp_layer_physical_device *pdev, enum rp_layer_lent_kind kind,
         bool is_independent, const void *chain)
{
    const VkVideoProfileListInfoKHR *list =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);
    struct sides sides = {is_independent, is_independent};

    if (!pdev->operations[kind])
        return (struct sides){false, true};
    if (!rp_layer_kind_is_lower(pdev, kind))
        return (struct sides){true, false};
    for (uint32_t i = 0; list && i < list->profileCount; i++) {
        const VkVideoCodecOperationFlagsKHR operation = list->pProfiles[i].videoCodecOperation;
        if (operation & pdev->operations[kind])
            sides.is_lent = true;
        else if (operation & rp_layer_operations_of_kind(kind))
            sides.is_lower = true;
    }
    if (!sides.is_lent)
        sides.is_lower = true; /* as it would be without the layer */
    return sides;
}

struct rp_layer_usage
rp_layer_image_usage(const struct rp_layer_physical_device *pdev, VkImageUsageFlags usage,
                     VkImageCreateFlags flags, const void *chain)
{
    const bool is_independent = flags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    struct rp_layer_usage out = {.lower = usage};

    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
        const struct sides sides =
            sides_of(pdev, (enum rp_layer_lent_kind)kind, is_independent, chain);
        if (sides.is_lent)
            out.lent |= usage & usages[kind].images;
        if (!sides.is_lower)
            out.lower &= ~(VkFlags64)usages[kind].images;
    }
    return out;
}

struct rp_layer_usage
rp_layer_buffer_usage(const struct rp_layer_physical_device *pdev, VkBufferUsageFlags2 usage,
                      VkBufferCreateFlags flags, const void *chain)
{
    const bool is_independent = flags & VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR;
    struct rp_layer_usage out = {.lower = usage};

    for (uint32_t kind = 0; kind < RP_LAYER_LENT_FAMILIES; kind++) {
        const struct sides sides =
            sides_of(pdev, (enum rp_layer_lent_kind)kind, is_independent, chain);
        if (sides.is_lent)
            out.lent |= usage & usages[kind].buffers;
        if (!sides.is_lower)
            out.lower &= ~usages[kind].buffers;
    }
    return out;
}

VkImageUsageFlags
rp_layer_image_usages_of_kind(enum rp_layer_lent_kind kind)
{
    return usages[kind].images;
}

bool
rp_layer_image_usage_is_video(VkFlags64 usage)
{
    return usage & (usages[RP_LAYER_ENCODE].images | usages[RP_LAYER_DECODE].images);
}

bool
rp_layer_buffer_usage_is_video(VkFlags64 usage)
{
    return usage & (usages[RP_LAYER_ENCODE].buffers | usages[RP_LAYER_DECODE].buffers);
}

/* The profiles of one side, in the arena. */
static bool
copy_profiles(const struct rp_layer_physical_device *pdev, struct rp_arena *arena,
              const VkVideoProfileListInfoKHR *list, bool is_lent, VkVideoProfileListInfoKHR *out)
{
    const uint32_t count = list ? list->profileCount : 0;
    VkVideoProfileInfoKHR *profiles = rp_arena_alloc(arena, (count + 1) * sizeof(*profiles));

    *out = (VkVideoProfileListInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR,
        .pProfiles = profiles,
    };
    for (uint32_t i = 0; i < count && profiles; i++) {
        if (rp_layer_operation_is_lent(pdev, list->pProfiles[i].videoCodecOperation) == is_lent)
            profiles[out->profileCount++] = list->pProfiles[i];
    }
    return profiles != NULL;
}

bool
rp_layer_profiles_lent(const struct rp_layer_physical_device *pdev, struct rp_arena *arena,
                       const void *chain, VkVideoProfileListInfoKHR *out)
{
    return copy_profiles(pdev, arena,
                         rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR), true,
                         out);
}

bool
rp_layer_profiles_keep_lower(const struct rp_layer_physical_device *pdev, struct rp_arena *arena,
                             void **chain)
{
    VkVideoProfileListInfoKHR *list =
        rp_layer_chain_find(*chain, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);
    VkVideoProfileListInfoKHR lower;

    if (!list)
        return true;
    if (!copy_profiles(pdev, arena, list, false, &lower))
        return false;
    list->profileCount = lower.profileCount;
    list->pProfiles = lower.pProfiles;
    if (lower.profileCount == 0)
        rp_layer_chain_remove(chain, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);
    return true;
}
