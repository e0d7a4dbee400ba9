/* SPDX-License-Identifier: MIT */
/* Descriptor heaps: memory with descriptors in it, which are restored with all else that buffers
 * hold. They name views and samplers that the driver made when they were written; writing them
 * again makes those here, and has to give the same bits.
 */
#include "commands.h"

#include <string.h>

#define MAX_DESCRIPTOR_B 64u /* of a capture */

/* An image whose descriptors are as they were; the structures live as long as the capture's
 * line. */
bool
replay_heap_image(struct replay *replay, const cJSON *line, VkImageCreateInfo *info)
{
    struct replay_reader *r = &replay->reader;
    const cJSON *json = replay_get(line, "heap_image");
    if (!json)
        return true;
    VkOpaqueCaptureDataCreateInfoEXT *data = replay_read_alloc(r, 1, sizeof(*data));
    VkHostAddressRangeConstEXT *range = replay_read_alloc(r, 1, sizeof(*range));
    uint32_t *name = replay_read_alloc(r, 1, sizeof(*name));
    if (!data || !range || !name || !replay_read_number(r, json, name, sizeof(*name)))
        return false;
    *range = (VkHostAddressRangeConstEXT){.address = name, .size = sizeof(*name)};
    *data = (VkOpaqueCaptureDataCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DATA_CREATE_INFO_EXT,
        .pNext = info->pNext,
        .pData = range,
    };
    info->flags |= VK_IMAGE_CREATE_DESCRIPTOR_HEAP_CAPTURE_REPLAY_BIT_EXT;
    info->pNext = data;
    return true;
}

static bool
descriptor_write(struct replay *replay, const void *structure, const VkHostAddressRangeEXT *to)
{
    const VkBaseInStructure *base = structure;
    if (base->sType == VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO)
        return replay_call(replay, vkWriteSamplerDescriptorsEXT(replay->device, 1, structure, to),
                           "vkWriteSamplerDescriptorsEXT");
    if (base->sType != VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO)
        return replay_fail(&replay->reader, "the object has no descriptor in heaps");
    const VkImageDescriptorInfoEXT image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
        .pView = structure,
        .layout = VK_IMAGE_LAYOUT_GENERAL,
    };
    const VkResourceDescriptorInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
        .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
        .data.pImage = &image,
    };
    return replay_call(replay, vkWriteResourceDescriptorsEXT(replay->device, 1, &info, to),
                       "vkWriteResourceDescriptorsEXT");
}

bool
replay_heap_descriptor(struct replay *replay, const cJSON *line, const void *structure)
{
    struct replay_reader *r = &replay->reader;
    const cJSON *json = replay_get(line, "heap");
    uint8_t written[MAX_DESCRIPTOR_B] = {0};
    void *captured;
    size_t size_B;
    if (!json)
        return true;
    if (!vkWriteSamplerDescriptorsEXT || !vkWriteResourceDescriptorsEXT)
        return replay_fail(r, "the device has no VK_EXT_descriptor_heap");
    if (!replay_read_data(r, json, 1, &captured, &size_B))
        return false;
    const VkHostAddressRangeEXT to = {.address = written, .size = size_B};
    if (size_B > sizeof(written))
        return replay_fail(r, "a descriptor of %zu bytes", size_B);
    if (!descriptor_write(replay, structure, &to))
        return false;
    return memcmp(written, captured, size_B) == 0 ||
           replay_fail(r, "the device writes another descriptor than was captured");
}

static bool
bind_info(struct ctx *c, VkBindHeapInfoEXT *out)
{
    *out = (VkBindHeapInfoEXT){.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT};
    if (!vkCmdBindResourceHeapEXT || !vkCmdBindSamplerHeapEXT)
        return replay_fail(c->r, "the device has no VK_EXT_descriptor_heap");
    return arg_u64(c, "address", &out->heapRange.address) &&
           arg_u64(c, "size", &out->heapRange.size);
}

bool
replay_do_bind_resource_heap(struct ctx *c)
{
    VkBindHeapInfoEXT info;
    if (!bind_info(c, &info))
        return false;
    vkCmdBindResourceHeapEXT(c->cb, &info);
    return true;
}

bool
replay_do_bind_sampler_heap(struct ctx *c)
{
    VkBindHeapInfoEXT info;
    if (!bind_info(c, &info))
        return false;
    vkCmdBindSamplerHeapEXT(c->cb, &info);
    return true;
}

bool
replay_heap_push(struct replay *replay, const struct replay_bound *bound)
{
    const VkPushDataInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
        .data = {.address = bound->push_constants, .size = sizeof(bound->push_constants)},
    };
    if (!vkCmdPushDataEXT)
        return replay_fail(&replay->reader, "the device has no VK_EXT_descriptor_heap");
    vkCmdPushDataEXT(replay->cb, &info);
    return true;
}
