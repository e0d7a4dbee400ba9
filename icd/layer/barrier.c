/* SPDX-License-Identifier: MIT */
/* Barriers of both kinds of command buffers.
 */
#include "icd/layer/barrier.h"

#include "icd/layer/chain.h"
#include "icd/layer/command_buffer.h"
#include "icd/layer/device.h"
#include "icd/layer/image.h"
#include "icd/layer/usage.h"
#include "util/arena.h"
#include "util/pnext.h"

#include <stddef.h>

#define ENCODE_ACCESSES \
    (VK_ACCESS_2_VIDEO_ENCODE_READ_BIT_KHR | VK_ACCESS_2_VIDEO_ENCODE_WRITE_BIT_KHR)
#define DECODE_ACCESSES \
    (VK_ACCESS_2_VIDEO_DECODE_READ_BIT_KHR | VK_ACCESS_2_VIDEO_DECODE_WRITE_BIT_KHR)

/* What only lent queues know of, for what the lower device codes itself stays as it is. */
static bool
is_above(const struct rp_layer_physical_device *pdev, enum rp_layer_lent_kind kind)
{
    return pdev->operations[kind] && !rp_layer_kind_is_lower(pdev, kind);
}

VkPipelineStageFlags2
rp_layer_stages(const struct rp_layer_device *dev)
{
    const struct rp_layer_physical_device *pdev = dev->physical_device;
    return (is_above(pdev, RP_LAYER_ENCODE) ? VK_PIPELINE_STAGE_2_VIDEO_ENCODE_BIT_KHR : 0) |
           (is_above(pdev, RP_LAYER_DECODE) ? VK_PIPELINE_STAGE_2_VIDEO_DECODE_BIT_KHR : 0);
}

static VkAccessFlags2
lent_accesses(const struct rp_layer_device *dev)
{
    const struct rp_layer_physical_device *pdev = dev->physical_device;
    return (is_above(pdev, RP_LAYER_ENCODE) ? ENCODE_ACCESSES : 0) |
           (is_above(pdev, RP_LAYER_DECODE) ? DECODE_ACCESSES : 0);
}

static VkImageLayout
layout_of_kind(const struct rp_layer_device *dev, const struct rp_layer_image *img,
               enum rp_layer_lent_kind kind, VkImageLayout layout)
{
    const bool is_lower = img ? img->lower_usage & rp_layer_image_usages_of_kind(kind)
                              : !is_above(dev->physical_device, kind);
    return is_lower ? layout : VK_IMAGE_LAYOUT_GENERAL;
}

VkImageLayout
rp_layer_lower_layout(const struct rp_layer_device *dev, const struct rp_layer_image *img,
                      VkImageLayout layout)
{
    switch ((int)layout) {
    case VK_IMAGE_LAYOUT_VIDEO_ENCODE_SRC_KHR:
    case VK_IMAGE_LAYOUT_VIDEO_ENCODE_DPB_KHR:
    case VK_IMAGE_LAYOUT_VIDEO_ENCODE_DST_KHR:
    case VK_IMAGE_LAYOUT_VIDEO_ENCODE_QUANTIZATION_MAP_KHR:
        return layout_of_kind(dev, img, RP_LAYER_ENCODE, layout);
    case VK_IMAGE_LAYOUT_VIDEO_DECODE_SRC_KHR:
    case VK_IMAGE_LAYOUT_VIDEO_DECODE_DPB_KHR:
    case VK_IMAGE_LAYOUT_VIDEO_DECODE_DST_KHR:
        return layout_of_kind(dev, img, RP_LAYER_DECODE, layout);
    default:
        return layout;
    }
}

static bool
is_transfer(uint32_t from, uint32_t to)
{
    return from != to && from != VK_QUEUE_FAMILY_IGNORED && to != VK_QUEUE_FAMILY_IGNORED;
}

static bool
is_elsewhere(uint32_t family)
{
    return family == VK_QUEUE_FAMILY_EXTERNAL || family == VK_QUEUE_FAMILY_FOREIGN_EXT;
}

/* Transfers between queue families of which one is lent concern the lower half alone, and need no
 * family there. */
static void
lower_families(const struct rp_layer_device *dev, uint32_t *from, uint32_t *to)
{
    enum rp_layer_lent_kind kind;

    if (rp_layer_device_family_is_lent(dev, *from, &kind) ||
        rp_layer_device_family_is_lent(dev, *to, &kind)) {
        *from = VK_QUEUE_FAMILY_IGNORED;
        *to = VK_QUEUE_FAMILY_IGNORED;
    } else {
        *from = rp_layer_lower_family(dev->physical_device, *from);
        *to = rp_layer_lower_family(dev->physical_device, *to);
    }
}

/* Whether a transfer is none below: between families that are one there, or of a picture, which all
 * that are in use share (sharing.h). Then its two halves would change the layout twice. */
static bool
is_transfer_above(const struct rp_layer_device *dev, const struct rp_layer_image *img,
                  const VkImageMemoryBarrier2 *barrier)
{
    const uint32_t from = barrier->srcQueueFamilyIndex;
    const uint32_t to = barrier->dstQueueFamilyIndex;
    const struct rp_layer_physical_device *pdev = dev->physical_device;
    enum rp_layer_lent_kind kind;

    if (!is_transfer(from, to) || is_elsewhere(from) || is_elsewhere(to) ||
        rp_layer_device_family_is_lent(dev, from, &kind) ||
        rp_layer_device_family_is_lent(dev, to, &kind))
        return false;
    return (img && dev->family_count > 1) ||
           rp_layer_lower_family(pdev, from) == rp_layer_lower_family(pdev, to);
}

static void
lower_scopes(const struct rp_layer_device *dev, VkPipelineStageFlags2 *stages,
             VkAccessFlags2 *accesses)
{
    *stages &= ~rp_layer_stages(dev);
    *accesses &= ~lent_accesses(dev);
}

bool
rp_layer_lower_image_barrier(struct rp_layer_device *dev, uint32_t family,
                             VkImageMemoryBarrier2 *barrier)
{
    const struct rp_layer_image *img = rp_layer_image_get(dev, barrier->image);

    if (img && !img->entry.is_lower)
        return false;
    if (is_transfer_above(dev, img, barrier)) {
        /* A half has no scope on the other's side; the first half changes the layout. */
        if (barrier->dstQueueFamilyIndex == family) {
            barrier->oldLayout = barrier->newLayout;
            barrier->srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
            barrier->srcAccessMask = 0;
        } else {
            barrier->dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
            barrier->dstAccessMask = 0;
        }
        barrier->srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier->dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    }
    lower_scopes(dev, &barrier->srcStageMask, &barrier->srcAccessMask);
    lower_scopes(dev, &barrier->dstStageMask, &barrier->dstAccessMask);
    lower_families(dev, &barrier->srcQueueFamilyIndex, &barrier->dstQueueFamilyIndex);
    barrier->oldLayout = rp_layer_lower_layout(dev, img, barrier->oldLayout);
    barrier->newLayout = rp_layer_lower_layout(dev, img, barrier->newLayout);
    return true;
}

/* The ranges of memory in a copied chain. False when memory is short. */
static bool
lower_ranges(const struct rp_layer_device *dev, struct rp_arena *arena,
             VkMemoryRangeBarriersInfoKHR *ranges)
{
    const uint32_t count = ranges ? ranges->memoryRangeBarrierCount : 0;
    VkMemoryRangeBarrierKHR *barriers =
        count ? rp_arena_copy(arena, ranges->pMemoryRangeBarriers, count * sizeof(*barriers))
              : NULL;

    if (count == 0 || !barriers)
        return count == 0;
    for (uint32_t i = 0; i < count; i++) {
        VkMemoryRangeBarrierKHR *b = &barriers[i];
        lower_scopes(dev, &b->srcStageMask, &b->srcAccessMask);
        lower_scopes(dev, &b->dstStageMask, &b->dstAccessMask);
        lower_families(dev, &b->srcQueueFamilyIndex, &b->dstQueueFamilyIndex);
    }
    ranges->pMemoryRangeBarriers = barriers;
    return true;
}

static void
lower_tensor(const struct rp_layer_device *dev, VkTensorMemoryBarrierARM *b)
{
    lower_scopes(dev, &b->srcStageMask, &b->srcAccessMask);
    lower_scopes(dev, &b->dstStageMask, &b->dstAccessMask);
    lower_families(dev, &b->srcQueueFamilyIndex, &b->dstQueueFamilyIndex);
}

/* The tensors of a copied chain likewise. */
static bool
lower_tensors(const struct rp_layer_device *dev, struct rp_arena *arena,
              VkTensorDependencyInfoARM *tensors)
{
    const uint32_t count = tensors ? tensors->tensorMemoryBarrierCount : 0;
    VkTensorMemoryBarrierARM *barriers =
        count ? rp_arena_copy(arena, tensors->pTensorMemoryBarriers, count * sizeof(*barriers))
              : NULL;

    if (count == 0 || !barriers)
        return count == 0;
    for (uint32_t i = 0; i < count; i++)
        lower_tensor(dev, &barriers[i]);
    tensors->pTensorMemoryBarriers = barriers;
    return true;
}

/* What a dependency's chain has that names families: these are all in the registry. The chain is
 * copied for them. False when memory is short. */
static bool
lower_chain(const struct rp_layer_device *dev, struct rp_arena *arena, VkDependencyInfo *info)
{
    void *chain;

    if (!rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR) &&
        !rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM) &&
        !rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM))
        return true;
    if (!rp_layer_chain_copy(arena, info->pNext, &chain))
        return false;
    info->pNext = chain;
    VkTensorMemoryBarrierARM *tensor =
        rp_layer_chain_find(chain, VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM);
    if (tensor)
        lower_tensor(dev, tensor);
    return lower_ranges(
               dev, arena,
               rp_layer_chain_find(chain, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR)) &&
           lower_tensors(dev, arena,
                         rp_layer_chain_find(chain, VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM));
}

bool
rp_layer_lower_dependency(struct rp_layer_device *dev, VkCommandBuffer cb, struct rp_arena *arena,
                          const VkDependencyInfo *info, VkDependencyInfo *out)
{
    const uint32_t family = rp_layer_command_buffer_family(dev, cb);
    VkMemoryBarrier2 *memory =
        rp_arena_copy(arena, info->pMemoryBarriers, info->memoryBarrierCount * sizeof(*memory));
    VkBufferMemoryBarrier2 *buffers = rp_arena_copy(
        arena, info->pBufferMemoryBarriers, info->bufferMemoryBarrierCount * sizeof(*buffers));
    VkImageMemoryBarrier2 *images =
        rp_arena_alloc(arena, (info->imageMemoryBarrierCount + 1) * sizeof(*images));
    if ((info->memoryBarrierCount && !memory) || (info->bufferMemoryBarrierCount && !buffers) ||
        !images)
        return false;
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        lower_scopes(dev, &memory[i].srcStageMask, &memory[i].srcAccessMask);
        lower_scopes(dev, &memory[i].dstStageMask, &memory[i].dstAccessMask);
    }
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        VkBufferMemoryBarrier2 *b = &buffers[i];
        lower_scopes(dev, &b->srcStageMask, &b->srcAccessMask);
        lower_scopes(dev, &b->dstStageMask, &b->dstAccessMask);
        lower_families(dev, &b->srcQueueFamilyIndex, &b->dstQueueFamilyIndex);
    }
    *out = *info;
    out->imageMemoryBarrierCount = 0;
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
        VkImageMemoryBarrier2 *b = &images[out->imageMemoryBarrierCount];
        *b = info->pImageMemoryBarriers[i];
        if (rp_layer_lower_image_barrier(dev, family, b))
            out->imageMemoryBarrierCount++;
    }
    out->pMemoryBarriers = memory;
    out->pBufferMemoryBarriers = buffers;
    out->pImageMemoryBarriers = images;
    return lower_chain(dev, arena, out);
}

static bool
has_families_above(const struct rp_layer_device *dev, uint32_t from, uint32_t to)
{
    return rp_layer_family_is_above(dev->physical_device, from) ||
           rp_layer_family_is_above(dev->physical_device, to);
}

/* What a dependency of a lower command buffer names. */
struct uses {
    VkPipelineStageFlags2 stages;
    VkAccessFlags2 accesses;
    bool is_above; /* a family or an image that is not the lower device's alone */
};

static void
add_uses_of_ranges(const struct rp_layer_device *dev, const VkDependencyInfo *info,
                   struct uses *uses)
{
    const VkMemoryRangeBarriersInfoKHR *ranges =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);

    for (uint32_t i = 0; ranges && i < ranges->memoryRangeBarrierCount; i++) {
        const VkMemoryRangeBarrierKHR *b = &ranges->pMemoryRangeBarriers[i];
        uses->stages |= b->srcStageMask | b->dstStageMask;
        uses->accesses |= b->srcAccessMask | b->dstAccessMask;
        uses->is_above |= has_families_above(dev, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex);
    }
}

static void
add_uses_of_tensor(const struct rp_layer_device *dev, const VkTensorMemoryBarrierARM *b,
                   struct uses *uses)
{
    uses->stages |= b->srcStageMask | b->dstStageMask;
    uses->accesses |= b->srcAccessMask | b->dstAccessMask;
    uses->is_above |= has_families_above(dev, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex);
}

static void
add_uses_of_tensors(const struct rp_layer_device *dev, const VkDependencyInfo *info,
                    struct uses *uses)
{
    const VkTensorMemoryBarrierARM *tensor =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM);
    const VkTensorDependencyInfoARM *tensors =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM);

    if (tensor)
        add_uses_of_tensor(dev, tensor, uses);
    for (uint32_t i = 0; tensors && i < tensors->tensorMemoryBarrierCount; i++)
        add_uses_of_tensor(dev, &tensors->pTensorMemoryBarriers[i], uses);
}

/* Whether a dependency of a lower command buffer knows of anything lent: most do not. */
static bool
is_touched(struct rp_layer_device *dev, const VkDependencyInfo *info)
{
    struct uses uses = {0};

    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        uses.stages |= b->srcStageMask | b->dstStageMask;
        uses.accesses |= b->srcAccessMask | b->dstAccessMask;
    }
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        uses.stages |= b->srcStageMask | b->dstStageMask;
        uses.accesses |= b->srcAccessMask | b->dstAccessMask;
        uses.is_above |= has_families_above(dev, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex);
    }
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        uses.is_above |= rp_layer_image_get(dev, b->image) ||
                         has_families_above(dev, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex);
    }
    add_uses_of_ranges(dev, info, &uses);
    add_uses_of_tensors(dev, info, &uses);
    return uses.is_above || uses.stages & rp_layer_stages(dev) ||
           uses.accesses & lent_accesses(dev);
}

/* What pictures need the lower device does when it copies; references and memory are our
 * driver's. */
void
rp_layer_lent_dependency(struct rp_layer_command_buffer *cb, struct rp_arena *arena,
                         const VkDependencyInfo *info, VkDependencyInfo *out)
{
    struct rp_layer_device *dev = cb->dev;
    VkImageMemoryBarrier2 *images =
        rp_arena_alloc(arena, (info->imageMemoryBarrierCount + 1) * sizeof(*images));

    *out = *info;
    out->pNext = NULL; /* ranges of lower memory, and tensors */
    out->bufferMemoryBarrierCount = 0;
    out->imageMemoryBarrierCount = 0;
    out->pImageMemoryBarriers = images;
    if (!images)
        cb->result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; images && i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        struct rp_layer_image *img = rp_layer_image_get(dev, b->image);
        if (img && !img->entry.is_lower) {
            images[out->imageMemoryBarrierCount] = *b;
            images[out->imageMemoryBarrierCount].srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
            images[out->imageMemoryBarrierCount++].dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        } else if (img && !is_transfer(b->srcQueueFamilyIndex, b->dstQueueFamilyIndex) &&
                   rp_layer_lower_layout(dev, img, b->oldLayout) !=
                       rp_layer_lower_layout(dev, img, b->newLayout)) {
            const struct rp_layer_op op = {
                .kind = RP_LAYER_OP_BARRIER,
                .image = img,
                .barrier = *b,
            };
            rp_layer_command_buffer_add(cb, &op);
        }
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdPipelineBarrier2(VkCommandBuffer handle, const VkDependencyInfo *info)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);
    struct rp_arena arena;
    VkDependencyInfo changed;

    if (!cb && !is_touched(dev, info)) {
        dev->lower.CmdPipelineBarrier2(handle, info);
        return;
    }
    rp_arena_init(&arena, NULL);
    if (cb) {
        rp_layer_lent_dependency(cb, &arena, info, &changed);
        dev->driver.CmdPipelineBarrier2(handle, &changed);
    } else if (rp_layer_lower_dependency(dev, handle, &arena, info, &changed)) {
        dev->lower.CmdPipelineBarrier2(handle, &changed);
    } else {
        rp_layer_device_lose(dev, "no memory for a barrier");
    }
    rp_arena_finish(&arena);
}

/* The newer form of barriers that share their stages. False when memory is short. */
static bool
newer_dependency(struct rp_arena *arena, VkPipelineStageFlags src, VkPipelineStageFlags dst,
                 const VkDependencyInfo *counts, const VkMemoryBarrier *memory,
                 const VkBufferMemoryBarrier *buffers, const VkImageMemoryBarrier *images,
                 VkDependencyInfo *out)
{
    VkMemoryBarrier2 *m = rp_arena_alloc(arena, (counts->memoryBarrierCount + 1) * sizeof(*m));
    VkBufferMemoryBarrier2 *b =
        rp_arena_alloc(arena, (counts->bufferMemoryBarrierCount + 1) * sizeof(*b));
    VkImageMemoryBarrier2 *i2 =
        rp_arena_alloc(arena, (counts->imageMemoryBarrierCount + 1) * sizeof(*i2));
    if (!m || !b || !i2)
        return false;
    for (uint32_t i = 0; i < counts->memoryBarrierCount; i++)
        m[i] = (VkMemoryBarrier2){
            .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
            .srcStageMask = src,
            .srcAccessMask = memory[i].srcAccessMask,
            .dstStageMask = dst,
            .dstAccessMask = memory[i].dstAccessMask,
        };
    for (uint32_t i = 0; i < counts->bufferMemoryBarrierCount; i++)
        b[i] = (VkBufferMemoryBarrier2){
            .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
            .pNext = buffers[i].pNext,
            .srcStageMask = src,
            .srcAccessMask = buffers[i].srcAccessMask,
            .dstStageMask = dst,
            .dstAccessMask = buffers[i].dstAccessMask,
            .srcQueueFamilyIndex = buffers[i].srcQueueFamilyIndex,
            .dstQueueFamilyIndex = buffers[i].dstQueueFamilyIndex,
            .buffer = buffers[i].buffer,
            .offset = buffers[i].offset,
            .size = buffers[i].size,
        };
    for (uint32_t i = 0; i < counts->imageMemoryBarrierCount; i++)
        i2[i] = (VkImageMemoryBarrier2){
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
            .pNext = images[i].pNext,
            .srcStageMask = src,
            .srcAccessMask = images[i].srcAccessMask,
            .dstStageMask = dst,
            .dstAccessMask = images[i].dstAccessMask,
            .oldLayout = images[i].oldLayout,
            .newLayout = images[i].newLayout,
            .srcQueueFamilyIndex = images[i].srcQueueFamilyIndex,
            .dstQueueFamilyIndex = images[i].dstQueueFamilyIndex,
            .image = images[i].image,
            .subresourceRange = images[i].subresourceRange,
        };
    /* The dependency between the stages alone, whatever becomes of the rest. */
    m[counts->memoryBarrierCount] = (VkMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = src,
        .dstStageMask = dst,
    };
    *out = *counts;
    out->memoryBarrierCount++;
    out->pMemoryBarriers = m;
    out->pBufferMemoryBarriers = b;
    out->pImageMemoryBarriers = i2;
    return true;
}

VKAPI_ATTR void VKAPI_CALL
rp_layer_CmdPipelineBarrier(VkCommandBuffer handle, VkPipelineStageFlags src,
                            VkPipelineStageFlags dst, VkDependencyFlags flags,
                            uint32_t memory_count, const VkMemoryBarrier *memory,
                            uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                            uint32_t image_count, const VkImageMemoryBarrier *images)
{
    struct rp_layer_device *dev = rp_layer_device_find(handle);
    struct rp_layer_command_buffer *cb = rp_layer_command_buffer_get(dev, handle);
    const VkDependencyInfo counts = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .dependencyFlags = flags,
        .memoryBarrierCount = memory_count,
        .bufferMemoryBarrierCount = buffer_count,
        .imageMemoryBarrierCount = image_count,
    };
    struct rp_arena arena;
    VkDependencyInfo newer;
    bool is_other = cb != NULL;

    for (uint32_t i = 0; i < buffer_count && !is_other; i++)
        is_other =
            has_families_above(dev, buffers[i].srcQueueFamilyIndex, buffers[i].dstQueueFamilyIndex);
    for (uint32_t i = 0; i < image_count && !is_other; i++)
        is_other =
            rp_layer_image_get(dev, images[i].image) ||
            has_families_above(dev, images[i].srcQueueFamilyIndex, images[i].dstQueueFamilyIndex);
    if (!is_other) {
        dev->lower.CmdPipelineBarrier(handle, src, dst, flags, memory_count, memory, buffer_count,
                                      buffers, image_count, images);
        return;
    }
    rp_arena_init(&arena, NULL);
    if (newer_dependency(&arena, src, dst, &counts, memory, buffers, images, &newer))
        rp_layer_CmdPipelineBarrier2(handle, &newer);
    else
        rp_layer_device_lose(dev, "no memory for a barrier");
    rp_arena_finish(&arena);
}
