/* SPDX-License-Identifier: MIT */
/* vkCmdBindSamplerHeapEXT, vkCmdBindResourceHeapEXT and vkCmdPushDataEXT.
 *
 * Push data are push constants: whoever writes one may not read the other.
 */
#include "cmd/bind.h"

#include "cmd/cmd_buffer.h"
#include "cmd/describe.h"
#include "cmd/describe_bindings.h"
#include "cmd/replay.h"
#include "object/descriptor_heap.h"

#include "rp_entrypoints.h"

struct bind_heap {
    struct rp_cmd cmd;
    enum rp_heap_binding heap;
    VkDeviceAddressRangeEXT range;
};

static VkResult
bind_heap_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct bind_heap *c = (const struct bind_heap *)cmd;

    struct rp_bind_state *state = rp_bind_state_get(rp);
    if (!state)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    uint8_t *host = (uint8_t *)(uintptr_t)c->range.address;
    const uint64_t size_B = host ? RP_MIN(c->range.size, RP_MAX_HEAP_B) : 0;
    state->heaps[c->heap] = (struct rp_bound_descriptor_buffer){.host = host, .size_B = size_B};
    if (c->heap == RP_HEAP_RESOURCES)
        state->heap_bytes = (struct rp_descriptor){.ptr = host, .size_B = size_B};
    state->is_dirty = true;
    return VK_SUCCESS;
}

static void
bind_heap_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct bind_heap *c = (const struct bind_heap *)cmd;

    rp_json_key_u64(d->json, "address", c->range.address);
    rp_json_key_u64(d->json, "size", c->range.size);
    rp_describe_bind(cmd, d);
}

static const struct rp_cmd_ops bind_sampler_heap_ops = {
    .name = "BindSamplerHeap",
    .keeps_dispatches_open = true,
    .cost_ns = 20,
    .replay = bind_heap_replay,
    .describe = bind_heap_describe,
};

static const struct rp_cmd_ops bind_resource_heap_ops = {
    .name = "BindResourceHeap",
    .keeps_dispatches_open = true,
    .cost_ns = 20,
    .replay = bind_heap_replay,
    .describe = bind_heap_describe,
};

static void
bind_heap_record(struct rp_cmd_buffer *cb, const struct rp_cmd_ops *ops, enum rp_heap_binding heap,
                 const VkBindHeapInfoEXT *info)
{
    struct bind_heap *c = rp_cmd_record(cb, ops, sizeof(*c));
    if (!c)
        return;
    c->heap = heap;
    c->range = info->heapRange;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdBindSamplerHeapEXT(VkCommandBuffer commandBuffer, const VkBindHeapInfoEXT *info)
{
    bind_heap_record(rp_cmd_buffer_from_handle(commandBuffer), &bind_sampler_heap_ops,
                     RP_HEAP_SAMPLERS, info);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdBindResourceHeapEXT(VkCommandBuffer commandBuffer, const VkBindHeapInfoEXT *info)
{
    bind_heap_record(rp_cmd_buffer_from_handle(commandBuffer), &bind_resource_heap_ops,
                     RP_HEAP_RESOURCES, info);
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdPushDataEXT(VkCommandBuffer commandBuffer, const VkPushDataInfoEXT *info)
{
    if (info->data.size > RP_MAX_PUSH_CONSTANTS_B)
        return;
    const VkPushConstantsInfo push = {
        .sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .offset = info->offset,
        .size = (uint32_t)info->data.size,
        .pValues = info->data.address,
    };
    rp_CmdPushConstants2(commandBuffer, &push);
}
