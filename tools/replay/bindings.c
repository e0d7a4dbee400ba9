/* SPDX-License-Identifier: MIT */
/* What is bound, made again before each dispatch: descriptor sets of this device from what the
 * captured ones held, with the layout of the pipeline that is bound then. Descriptors that lay in
 * memory are sets, too: those that a dispatch has read.
 */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

/* A binding of a set layout, by the number of its first item. */
struct binding {
    uint32_t number;
    VkDescriptorType type;
    uint32_t count;
    uint32_t first_item;
    uint32_t item_count;
    bool has_samplers;
};

struct layout {
    VkDescriptorSetLayoutCreateFlags flags;
    bool has_variable_count; /* the last binding */
    uint32_t count;
    struct binding *bindings; /* of the reader's memory, ascending */
};

static int
binding_compare(const void *a, const void *b)
{
    const struct binding *left = a, *right = b;
    return left->number < right->number ? -1 : left->number > right->number;
}

static bool
layout_read(struct replay *replay, uint64_t id, struct layout *out)
{
    const struct replay_object *object = replay_object_get(replay, id, "VkDescriptorSetLayout");
    void *structure;
    if (!object)
        return replay_fail(&replay->reader, "object %llu is no set layout", (unsigned long long)id);
    if (!replay_read_struct(&replay->reader, object->create, "VkDescriptorSetLayoutCreateInfo",
                            &structure))
        return false;
    const VkDescriptorSetLayoutCreateInfo *info = structure;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags = NULL;
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO)
            flags = (const void *)s;
    *out = (struct layout){.flags = info->flags, .count = info->bindingCount};
    for (uint32_t i = 0; flags && i < flags->bindingCount; i++)
        out->has_variable_count |=
            (flags->pBindingFlags[i] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0;
    out->bindings = replay_read_alloc(&replay->reader, out->count, sizeof(*out->bindings));
    if (!out->bindings)
        return false;
    for (uint32_t i = 0; i < out->count; i++) {
        const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
        const bool is_inline = b->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
        out->bindings[i] = (struct binding){
            .number = b->binding,
            .type = b->descriptorType,
            .count = b->descriptorCount,
            .item_count = is_inline ? 1 : b->descriptorCount,
            .has_samplers = b->pImmutableSamplers != NULL,
        };
    }
    qsort(out->bindings, out->count, sizeof(*out->bindings), binding_compare);
    for (uint32_t i = 1; i < out->count; i++)
        out->bindings[i].first_item =
            out->bindings[i - 1].first_item + out->bindings[i - 1].item_count;
    return true;
}

static const struct binding *
binding_of(const struct layout *layout, uint32_t item)
{
    for (uint32_t i = 0; i < layout->count; i++)
        if (item - layout->bindings[i].first_item < layout->bindings[i].item_count)
            return &layout->bindings[i];
    return NULL;
}

/* A pool for one set of this layout; lives as long as the submission. */
static bool
pool_create(struct replay *replay, const struct layout *layout, VkDescriptorPool *out)
{
    VkDescriptorPoolSize sizes[16];
    uint32_t size_count = 0;
    VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
    };
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct binding *b = &layout->bindings[i];
        uint32_t k = 0;
        while (k < size_count && sizes[k].type != b->type)
            k++;
        if (k == size_count && k < 16)
            sizes[size_count++] = (VkDescriptorPoolSize){.type = b->type};
        if (k < 16)
            sizes[k].descriptorCount += b->count;
        if (b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
            blocks.maxInlineUniformBlockBindings++;
    }
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .pNext = blocks.maxInlineUniformBlockBindings ? &blocks : NULL,
        .flags = layout->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT
                     ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT
                     : 0,
        .maxSets = 1,
        .poolSizeCount = size_count,
        .pPoolSizes = sizes,
    };
    VkDescriptorPool *pools =
        realloc(replay->pools, (replay->pool_count + 1) * sizeof(*replay->pools));
    if (!pools)
        return replay_fail(&replay->reader, "no memory");
    replay->pools = pools;
    if (!replay_call(replay, vkCreateDescriptorPool(replay->device, &info, NULL, out),
                     "vkCreateDescriptorPool"))
        return false;
    replay->pools[replay->pool_count++] = *out;
    return true;
}

void
replay_bindings_reset(struct replay *replay)
{
    for (uint32_t i = 0; i < replay->pool_count; i++)
        vkDestroyDescriptorPool(replay->device, replay->pools[i], NULL);
    for (uint32_t i = 0; i < replay->texel_view_count; i++)
        vkDestroyBufferView(replay->device, replay->texel_views[i], NULL);
    free(replay->texel_views);
    replay->texel_views = NULL;
    replay->texel_view_count = 0;
    free(replay->pools);
    replay->pools = NULL;
    replay->pool_count = 0;
}

/* A texel buffer that had no view, for as long as the submission. */
static bool
texel_view_create(struct replay *replay, const cJSON *item, VkBufferView *out)
{
    struct replay_reader *r = &replay->reader;
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
    if (!replay_read_handle(r, replay_get(item, "buffer"), &info.buffer, "VkBuffer", false) ||
        !replay_read_u64(r, replay_get(item, "offset"), &info.offset) ||
        !replay_read_u64(r, replay_get(item, "range"), &info.range) ||
        !replay_read_number(r, replay_get(item, "format"), &info.format, sizeof(info.format)))
        return false;
    *out = VK_NULL_HANDLE;
    if (info.range == 0)
        return true;
    VkBufferView *views =
        realloc(replay->texel_views, (replay->texel_view_count + 1) * sizeof(*views));
    if (!views)
        return replay_fail(r, "no memory");
    replay->texel_views = views;
    if (!replay_call(replay, vkCreateBufferView(replay->device, &info, NULL, out),
                     "vkCreateBufferView"))
        return false;
    replay->texel_views[replay->texel_view_count++] = *out;
    return true;
}

/* One written descriptor, with room for what it points to. */
struct write {
    VkWriteDescriptorSet vk;
    VkDescriptorBufferInfo buffer;
    VkDescriptorImageInfo image;
    VkBufferView texels;
    VkWriteDescriptorSetInlineUniformBlock block;
};

/* What a mutable descriptor was written as, as far as it matters. */
static VkDescriptorType
type_of_item(VkDescriptorType type, const cJSON *item)
{
    if (type != VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
        return type;
    if (replay_get(item, "buffer") && !replay_get(item, "format"))
        return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    if (replay_get(item, "texels") || replay_get(item, "format"))
        return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    if (!replay_get(item, "view"))
        return VK_DESCRIPTOR_TYPE_SAMPLER;
    return replay_get(item, "sampler") ? VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
                                       : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
}

static bool
write_fill_block(struct replay *replay, const struct binding *b, const cJSON *item,
                 struct write *out, bool *is_empty_out)
{
    struct replay_reader *r = &replay->reader;
    void *data;
    size_t size_B;

    if (!replay_read_data(r, replay_get(item, "bytes"), 1, &data, &size_B))
        return false;
    if (size_B > b->count)
        return replay_fail(r, "an inline uniform block has %u bytes", b->count);
    out->block = (VkWriteDescriptorSetInlineUniformBlock){
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = (uint32_t)size_B,
        .pData = data,
    };
    out->vk.pNext = &out->block;
    out->vk.descriptorCount = (uint32_t)size_B;
    *is_empty_out = size_B == 0;
    return true;
}

/* What the descriptor of the write names, by its type. */
static bool
write_fill_descriptor(struct replay *replay, const struct binding *b, const cJSON *item,
                      struct write *out, bool *is_empty_out)
{
    struct replay_reader *r = &replay->reader;
    const VkDescriptorType type = out->vk.descriptorType;
    const cJSON *view = replay_get(item, "view"), *sampler = replay_get(item, "sampler");

    switch ((int)type) {
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
        return write_fill_block(replay, b, item, out, is_empty_out);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        if (replay_get(item, "format")) {
            const bool is_good = texel_view_create(replay, item, &out->texels);
            *is_empty_out = !out->texels;
            return is_good;
        }
        *is_empty_out = !replay_get(item, "texels");
        return replay_read_handle(r, replay_get(item, "texels"), &out->texels, "VkBufferView",
                                  true);
    case VK_DESCRIPTOR_TYPE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT: {
        const bool wants_view = type != VK_DESCRIPTOR_TYPE_SAMPLER;
        const bool wants_sampler =
            !b->has_samplers && type <= VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        *is_empty_out = (wants_view && !view) || (wants_sampler && !sampler) ||
                        (!wants_view && b->has_samplers);
        return replay_read_handle(r, view, &out->image.imageView, "VkImageView", true) &&
               replay_read_handle(r, sampler, &out->image.sampler, "VkSampler", true);
    }
    default:
        *is_empty_out = !replay_get(item, "buffer");
        return replay_read_handle(r, replay_get(item, "buffer"), &out->buffer.buffer, "VkBuffer",
                                  true) &&
               replay_read_u64(r, replay_get(item, "offset"), &out->buffer.offset) &&
               replay_read_u64(r, replay_get(item, "range"), &out->buffer.range);
    }
}

static bool
write_fill(struct replay *replay, const struct layout *layout, const cJSON *item, struct write *out,
           bool *is_empty_out)
{
    struct replay_reader *r = &replay->reader;
    uint32_t index;
    *is_empty_out = false;
    if (!replay_read_number(r, replay_get(item, "i"), &index, sizeof(index)))
        return false;
    const struct binding *b = binding_of(layout, index);
    if (!b)
        return replay_fail(r, "the set has no item %u", index);
    *out = (struct write){.vk = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET}};
    out->vk.dstBinding = b->number;
    out->vk.dstArrayElement = index - b->first_item;
    out->vk.descriptorCount = 1;
    out->vk.descriptorType = type_of_item(b->type, item);
    out->vk.pBufferInfo = &out->buffer;
    out->vk.pImageInfo = &out->image;
    out->vk.pTexelBufferView = &out->texels;
    out->image.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    return write_fill_descriptor(replay, b, item, out, is_empty_out);
}

/* Writes the items of a set, or pushes them (set VK_NULL_HANDLE). */
static bool
items_write(struct replay *replay, const struct layout *layout, const cJSON *items,
            VkDescriptorSet set, VkPipelineLayout pipeline_layout, uint32_t number)
{
    const cJSON *item;
    /* The function of Vulkan 1.4, or of VK_KHR_push_descriptor on devices before it. */
    PFN_vkCmdPushDescriptorSet push =
        vkCmdPushDescriptorSet ? vkCmdPushDescriptorSet : vkCmdPushDescriptorSetKHR;
    if (!set && !push)
        return replay_fail(&replay->reader, "the device has no VK_KHR_push_descriptor");
    cJSON_ArrayForEach(item, items)
    {
        struct write write;
        bool is_empty;
        if (!write_fill(replay, layout, item, &write, &is_empty))
            return false;
        write.vk.dstSet = set;
        if (is_empty || (write.vk.pBufferInfo->buffer && write.buffer.range == 0))
            continue;
        if (set)
            vkUpdateDescriptorSets(replay->device, 1, &write.vk, 0, NULL);
        else
            push(replay->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, number, 1, &write.vk);
    }
    return true;
}

/* How many descriptors the last binding has: as captured, or, of a set in memory, as many as it
 * takes for its items. */
static bool
variable_count_read(struct replay *replay, const struct layout *layout, const cJSON *json,
                    uint32_t *out)
{
    struct replay_reader *r = &replay->reader;
    *out = 0;
    if (replay_get(json, "variable"))
        return replay_read_number(r, replay_get(json, "variable"), out, 4);
    if (!layout->has_variable_count || layout->count == 0)
        return true;
    const struct binding *last = &layout->bindings[layout->count - 1];
    if (last->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
        *out = last->count;
        return true;
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, replay_get(json, "items"))
    {
        uint32_t index;
        if (!replay_read_number(r, replay_get(item, "i"), &index, sizeof(index)))
            return false;
        if (index >= last->first_item && index - last->first_item >= *out)
            *out = index - last->first_item + 1;
    }
    return *out <= last->count || replay_fail(r, "a set has too many items");
}

static bool
set_bind(struct replay *replay, const cJSON *json, uint64_t layout_id,
         VkPipelineLayout pipeline_layout, uint32_t number)
{
    struct replay_reader *r = &replay->reader;
    struct layout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    uint32_t variable_count, offsets[256], offset_count = 0;

    if (!layout_read(replay, layout_id, &layout) ||
        !variable_count_read(replay, &layout, json, &variable_count) ||
        !pool_create(replay, &layout, &pool))
        return false;
    const VkDescriptorSetLayout handle = (VkDescriptorSetLayout)(uintptr_t)replay_object_get(
                                             replay, layout_id, "VkDescriptorSetLayout")
                                             ->handle;
    const VkDescriptorSetVariableDescriptorCountAllocateInfo variable = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO,
        .descriptorSetCount = 1,
        .pDescriptorCounts = &variable_count,
    };
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .pNext = variable_count ? &variable : NULL,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &handle,
    };
    if (!replay_call(replay, vkAllocateDescriptorSets(replay->device, &info, &set),
                     "vkAllocateDescriptorSets") ||
        !items_write(replay, &layout, replay_get(json, "items"), set, pipeline_layout, number))
        return false;
    const cJSON *offset;
    cJSON_ArrayForEach(offset, replay_get(json, "dynamic"))
    {
        if (offset_count == 256 || !replay_read_number(r, offset, &offsets[offset_count++], 4))
            return replay_fail(r, "too many dynamic offsets");
    }
    vkCmdBindDescriptorSets(replay->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout, number, 1,
                            &set, offset_count, offsets);
    return true;
}

static bool
constants_push(struct replay *replay, const struct replay_bound *bound,
               const VkPipelineLayoutCreateInfo *info, VkPipelineLayout layout)
{
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
        const VkPushConstantRange *range = &info->pPushConstantRanges[i];
        if (!(range->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT))
            continue;
        if (range->offset > sizeof(bound->push_constants) ||
            range->size > sizeof(bound->push_constants) - range->offset)
            return replay_fail(&replay->reader, "a range of push constants is too long");
        if (range->size)
            vkCmdPushConstants(replay->cb, layout, range->stageFlags, range->offset, range->size,
                               bound->push_constants + range->offset);
    }
    return true;
}

/* Set layouts are compatible when they are defined alike. A set in memory has none. */
static bool
layouts_match(struct replay *replay, const cJSON *json, uint64_t wanted)
{
    uint64_t id;
    if (!replay_get(json, "layout"))
        return true;
    if (!replay_read_u64(&replay->reader, replay_get(json, "layout"), &id))
        return false;
    const struct replay_object *a = replay_object_get(replay, id, "VkDescriptorSetLayout");
    const struct replay_object *b = replay_object_get(replay, wanted, "VkDescriptorSetLayout");
    return a && b && (a == b || cJSON_Compare(a->create, b->create, true));
}

static bool
set_flush(struct replay *replay, const struct replay_set *set, uint64_t layout_id,
          VkPipelineLayout pipeline_layout, uint32_t number)
{
    struct layout layout;
    if (!set->json || !layout_id)
        return true;
    if (!set->is_pushed)
        return !layouts_match(replay, set->json, layout_id) ||
               set_bind(replay, set->json, layout_id, pipeline_layout, number);
    return layout_read(replay, layout_id, &layout) &&
           (!(layout.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT) ||
            items_write(replay, &layout, replay_get(set->json, "items"), VK_NULL_HANDLE,
                        pipeline_layout, number));
}

/* The sets in memory that a dispatch has read. */
static bool
memory_sets_take(struct replay *replay, struct replay_bound *bound, const cJSON *dispatch)
{
    const cJSON *set;
    cJSON_ArrayForEach(set, replay_get(dispatch, "sets"))
    {
        uint32_t number;
        if (!replay_read_number(&replay->reader, replay_get(set, "set"), &number, sizeof(number)))
            return false;
        if (number >= REPLAY_MAX_SETS)
            return replay_fail(&replay->reader, "there is no set %u", number);
        bound->sets[number] = (struct replay_set){.json = set};
        bound->is_set_dirty[number] = true;
    }
    return true;
}

/* What a pipeline or shader object was made with. */
struct bound_layout {
    VkPipelineLayoutCreateInfo info;
    VkPipelineLayout handle;
    const cJSON *set_ids;
};

static bool
bound_layout_find(struct replay *replay, const struct replay_object *pipeline,
                  struct bound_layout *out)
{
    struct replay_reader *r = &replay->reader;
    const bool is_shader = pipeline && pipeline->own_layout;
    const struct replay_object *from = pipeline;
    void *structure;
    if (pipeline && !is_shader)
        from = replay_object_get(replay, pipeline->layout, "VkPipelineLayout");
    if (!from)
        return replay_fail(r, "a dispatch without a pipeline layout");
    if (!replay_read_struct(r, from->create,
                            is_shader ? "VkShaderCreateInfoEXT" : "VkPipelineLayoutCreateInfo",
                            &structure))
        return false;
    *out = (struct bound_layout){
        .info = is_shader ? replay_shader_layout(structure)
                          : *(const VkPipelineLayoutCreateInfo *)structure,
        .handle = is_shader ? pipeline->own_layout : (VkPipelineLayout)(uintptr_t)from->handle,
        .set_ids = replay_get(from->create, "pSetLayouts"),
    };
    return true;
}

static bool
sets_flush(struct replay *replay, struct replay_bound *bound, const cJSON *dispatch,
           const struct replay_object *pipeline, bool is_new)
{
    struct replay_reader *r = &replay->reader;
    struct bound_layout layout = {0};
    if (!bound_layout_find(replay, pipeline, &layout) || !memory_sets_take(replay, bound, dispatch))
        return false;
    const VkPipelineLayoutCreateInfo *info = &layout.info;
    const VkPipelineLayout handle = layout.handle;

    for (uint32_t i = 0; i < info->setLayoutCount && i < REPLAY_MAX_SETS; i++) {
        uint64_t id;
        if (!is_new && !bound->is_set_dirty[i])
            continue;
        if (!replay_read_u64(r, cJSON_GetArrayItem(layout.set_ids, (int)i), &id) ||
            !set_flush(replay, &bound->sets[i], id, handle, i))
            return false;
        bound->is_set_dirty[i] = false;
    }
    return (!is_new && !bound->are_constants_dirty) || constants_push(replay, bound, info, handle);
}

bool
replay_bindings_flush(struct replay *replay, struct replay_bound *bound, const cJSON *dispatch)
{
    struct replay_reader *r = &replay->reader;
    const struct replay_object *pipeline = replay_object_get(replay, bound->pipeline, "VkPipeline");
    if (!pipeline)
        pipeline = replay_object_get(replay, bound->pipeline, "VkShaderEXT");
    if (!pipeline)
        return replay_fail(r, "a dispatch without a pipeline");
    const bool has_heaps = pipeline->kernel & REPLAY_KERNEL_HEAPS;
    if ((has_heaps || pipeline->kernel & REPLAY_KERNEL_ADDRESSES) &&
        !(replay->is_same_driver && replay->has_capture_replay))
        return replay_fail(r, "uses buffer device addresses, which this device cannot have where "
                              "they were (bufferDeviceAddressCaptureReplay)");
    const bool is_new = bound->flushed_pipeline != bound->pipeline;
    if (is_new)
        vkCmdBindPipeline(replay->cb, VK_PIPELINE_BIND_POINT_COMPUTE,
                          (VkPipeline)(uintptr_t)pipeline->handle);
    bound->flushed_pipeline = bound->pipeline;
    if (has_heaps ? !replay_heap_push(replay, bound)
                  : !sets_flush(replay, bound, dispatch, pipeline, is_new))
        return false;
    bound->are_constants_dirty = false;
    return true;
}
