/* SPDX-License-Identifier: MIT */
/* Descriptor sets, pipelines and shader objects of the objects target.
 */
#include "objects.h"

#include "objects.spv.h"

const VkDescriptorType binding_types[BINDINGS] = {
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,       VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,        VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
    VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
};

/* A pool of one set; asking for a second one fails. A set comes anew by itself, after a reset of
 * its pool, or with its pool. */
void
step_set(struct world *w)
{
    struct set_slot *s = &w->sets[pick(w, SLOTS)];
    VkDescriptorPoolSize sizes[BINDINGS];
    for (uint32_t b = 0; b < BINDINGS; b++)
        sizes[b] = (VkDescriptorPoolSize){binding_types[b], SET_ITEMS};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .flags =
                                                 VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                             .maxSets = 1,
                                             .poolSizeCount = BINDINGS,
                                             .pPoolSizes = sizes};
    const uint32_t how = pick(w, 3);
    if (s->pool && how == 0) {
        REQUIRE_EQ(vkResetDescriptorPool(w->f->dev, s->pool, 0), VK_SUCCESS);
    } else if (s->pool && how == 1) {
        REQUIRE_EQ(vkFreeDescriptorSets(w->f->dev, s->pool, 1, &s->handle), VK_SUCCESS);
    } else {
        vkDestroyDescriptorPool(w->f->dev, s->pool, NULL);
        REQUIRE_EQ(vkCreateDescriptorPool(w->f->dev, &pool, NULL, &s->pool), VK_SUCCESS);
    }
    const VkDescriptorSetAllocateInfo set = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = s->pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &w->set_layout};
    VkDescriptorSet second;
    REQUIRE_EQ(vkAllocateDescriptorSets(w->f->dev, &set, &s->handle), VK_SUCCESS);
    REQUIRE_EQ(vkAllocateDescriptorSets(w->f->dev, &set, &second), VK_ERROR_OUT_OF_POOL_MEMORY);
    s->buffers = s->images = s->samplers = 0;
}

/* One descriptor of each kind, of slots that may be empty. */
struct written {
    VkDescriptorBufferInfo buffer;
    VkDescriptorImageInfo image;
    VkBufferView view;
    uint32_t slots[3];
};

static struct written
any_written(struct world *w)
{
    const uint32_t b = pick(w, SLOTS), i = pick(w, SLOTS), s = pick(w, SLOTS);
    const struct buffer_slot *buffer = &w->buffers[b];
    const VkDeviceSize offset =
        buffer->handle && pick(w, 3) == 0 ? pick(w, (uint32_t)buffer->size_B) & ~63u : 0;
    return (struct written){
        .buffer = {buffer->handle, offset, pick(w, 3) ? VK_WHOLE_SIZE : buffer->size_B - offset},
        .image = {w->samplers[s], w->images[i].view, VK_IMAGE_LAYOUT_GENERAL},
        .view = buffer->view,
        .slots = {1u << b, 1u << i, 1u << s},
    };
}

/* Of something that is there, or of nothing; consecutive elements run into the next binding. */
void
step_write(struct world *w)
{
    struct set_slot *set = &w->sets[pick(w, SLOTS)];
    const struct set_slot *other = &w->sets[pick(w, SLOTS)];
    const uint32_t binding = pick(w, BINDINGS);
    const uint32_t element = pick(w, SET_ITEMS);
    const struct written item = any_written(w);
    if (!set->handle)
        return;
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set->handle,
                                        .dstBinding = binding,
                                        .dstArrayElement = element,
                                        .descriptorCount = 1,
                                        .descriptorType = binding_types[binding],
                                        .pImageInfo = &item.image,
                                        .pBufferInfo = &item.buffer,
                                        .pTexelBufferView = &item.view};
    const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                      .srcSet = other->handle,
                                      .srcBinding = binding,
                                      .srcArrayElement = 0,
                                      .dstSet = set->handle,
                                      .dstBinding = binding,
                                      .dstArrayElement = element,
                                      .descriptorCount = SET_ITEMS - element};
    const bool has_copy = other->handle && other != set && pick(w, 2);
    set->buffers |= item.slots[0] | (has_copy ? other->buffers : 0);
    set->images |= item.slots[1] | (has_copy ? other->images : 0);
    set->samplers |= item.slots[2] | (has_copy ? other->samplers : 0);
    if (pick(w, 4) == 0)
        vkUpdateDescriptorSetWithTemplate(w->f->dev, set->handle, w->update, &item);
    else
        vkUpdateDescriptorSets(w->f->dev, 1, &write, has_copy, &copy);
}

static void
templates_init(struct world *w)
{
    const VkDescriptorUpdateTemplateEntry entries[] = {
        {STORAGE, 1, 1, binding_types[STORAGE], offsetof(struct written, buffer), 0},
        {IMAGE, 2, 1, binding_types[IMAGE], offsetof(struct written, image), 0},
        {TEXELS, 3, 1, binding_types[TEXELS], offsetof(struct written, view), 0},
    };
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 3,
        .pDescriptorUpdateEntries = entries,
        .descriptorSetLayout = w->set_layout,
    };
    REQUIRE_EQ(vkCreateDescriptorUpdateTemplate(w->f->dev, &info, NULL, &w->update), VK_SUCCESS);
}

/* A pipeline of any specialization; some modules are damaged, and may be refused. */
static VkPipeline
pipeline_create(struct world *w, VkPipelineLayout layout)
{
    uint32_t words[sizeof(spirv_objects) / 4];
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const uint32_t step_words = 1u << pick(w, 16);
    const VkSpecializationInfo special = {1, &entry, sizeof(step_words), &step_words};
    memcpy(words, spirv_objects, sizeof(words));
    const bool is_damaged = pick(w, 8) == 7;
    if (is_damaged)
        words[5 + pick(w, sizeof(words) / 4 - 5)] ^= 1u << pick(w, 32);
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = sizeof(words),
                                             .pCode = words};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &module,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main",
                  .pSpecializationInfo = &special},
        .layout = layout,
    };
    VkPipeline pipeline;
    const VkResult result =
        vkCreateComputePipelines(w->f->dev, w->cache, 1, &info, NULL, &pipeline);
    REQUIRE(result == VK_SUCCESS || is_damaged);
    if (!is_damaged)
        return pipeline;
    vkDestroyPipeline(w->f->dev, pipeline, NULL); /* what it does may never end */
    return VK_NULL_HANDLE;
}

static void
cache_renew(struct world *w)
{
    size_t size_B;
    VkPipelineCache cache;
    REQUIRE_EQ(vkGetPipelineCacheData(w->f->dev, w->cache, &size_B, NULL), VK_SUCCESS);
    uint8_t *data = malloc(size_B);
    REQUIRE(data);
    REQUIRE_EQ(vkGetPipelineCacheData(w->f->dev, w->cache, &size_B, data), VK_SUCCESS);
    if (pick(w, 2))
        data[pick(w, (uint32_t)size_B)] ^= 1u << pick(w, 8);
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                            .initialDataSize = pick(w, (uint32_t)size_B + 1),
                                            .pInitialData = data};
    REQUIRE_EQ(vkCreatePipelineCache(w->f->dev, &info, NULL, &cache), VK_SUCCESS);
    REQUIRE_EQ(vkMergePipelineCaches(w->f->dev, cache, 1, &w->cache), VK_SUCCESS);
    vkDestroyPipelineCache(w->f->dev, w->cache, NULL);
    w->cache = cache;
    free(data);
}

static VkShaderCreateInfoEXT
shader_info(const struct world *w, uint32_t which, const void *code, size_t size_B)
{
    static const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(struct push)};
    return (VkShaderCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .flags = VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .codeType = VK_SHADER_CODE_TYPE_BINARY_EXT,
        .codeSize = size_B,
        .pCode = code,
        .pName = "main",
        .setLayoutCount = 1,
        .pSetLayouts = which ? &w->push_layout : &w->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
}

/* Of the binary of a shader object, which may be damaged or cut. */
static VkShaderEXT
shader_again(struct world *w, uint32_t which, VkShaderEXT shader)
{
    size_t size_B = 0;
    REQUIRE_EQ(vkGetShaderBinaryDataEXT(w->f->dev, shader, &size_B, NULL), VK_SUCCESS);
    uint8_t *data = malloc(size_B);
    REQUIRE(data);
    REQUIRE_EQ(vkGetShaderBinaryDataEXT(w->f->dev, shader, &size_B, data), VK_SUCCESS);
    const bool is_damaged = pick(w, 2);
    const bool is_cut = pick(w, 4) == 3;
    if (is_damaged)
        data[pick(w, (uint32_t)size_B)] ^= (uint8_t)(1u << pick(w, 8));
    if (is_cut)
        size_B = pick(w, (uint32_t)size_B);
    const VkShaderCreateInfoEXT info = shader_info(w, which, data, size_B);
    VkShaderEXT again;
    const VkResult result = vkCreateShadersEXT(w->f->dev, 1, &info, NULL, &again);
    REQUIRE_EQ(result, is_damaged || is_cut ? VK_INCOMPATIBLE_SHADER_BINARY_EXT : VK_SUCCESS);
    REQUIRE_EQ(!again, result != VK_SUCCESS);
    free(data);
    return again;
}

/* A shader object takes the place of which, by way of its binary. */
static void
shader_renew(struct world *w, uint32_t which)
{
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const uint32_t step_words = 1u << pick(w, 16);
    const VkSpecializationInfo special = {1, &entry, sizeof(step_words), &step_words};
    VkShaderCreateInfoEXT info = shader_info(w, which, spirv_objects, sizeof(spirv_objects));
    VkShaderEXT shader;
    info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info.pSpecializationInfo = &special;
    REQUIRE_EQ(vkCreateShadersEXT(w->f->dev, 1, &info, NULL, &shader), VK_SUCCESS);
    VkShaderEXT again = shader_again(w, which, shader);
    vkDestroyShaderEXT(w->f->dev, w->shaders[which], NULL);
    w->shaders[which] = again ? again : shader;
    if (again)
        vkDestroyShaderEXT(w->f->dev, shader, NULL);
}

void
step_pipeline(struct world *w)
{
    const uint32_t i = pick(w, 2);
    VkPipeline pipeline = pipeline_create(w, i ? w->pushed : w->layout);
    if (!pipeline)
        return;
    vkDestroyPipeline(w->f->dev, w->pipelines[i], NULL);
    w->pipelines[i] = pipeline;
    cache_renew(w);
    shader_renew(w, i);
}

static VkDescriptorSetLayout
set_layout_create(struct world *w, VkDescriptorSetLayoutCreateFlags flags)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    VkDescriptorSetLayout layout;
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, binding_types[i], SET_ITEMS,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = flags,
        .bindingCount = BINDINGS,
        .pBindings = bindings};
    REQUIRE_EQ(vkCreateDescriptorSetLayout(w->f->dev, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

static VkPipelineLayout
layout_create(struct world *w, const VkDescriptorSetLayout *set)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(struct push)};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = set,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    VkPipelineLayout layout;
    REQUIRE_EQ(vkCreatePipelineLayout(w->f->dev, &info, NULL, &layout), VK_SUCCESS);
    return layout;
}

void
layouts_init(struct world *w)
{
    const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    w->set_layout = set_layout_create(w, 0);
    w->push_layout = set_layout_create(w, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT);
    w->layout = layout_create(w, &w->set_layout);
    w->pushed = layout_create(w, &w->push_layout);
    templates_init(w);
    REQUIRE_EQ(vkCreatePipelineCache(w->f->dev, &cache, NULL, &w->cache), VK_SUCCESS);
}

void
layouts_finish(struct world *w)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        vkDestroyDescriptorPool(w->f->dev, w->sets[i].pool, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        vkDestroyPipeline(w->f->dev, w->pipelines[i], NULL);
        vkDestroyShaderEXT(w->f->dev, w->shaders[i], NULL);
    }
    vkDestroyPipelineCache(w->f->dev, w->cache, NULL);
    vkDestroyDescriptorUpdateTemplate(w->f->dev, w->update, NULL);
    vkDestroyPipelineLayout(w->f->dev, w->layout, NULL);
    vkDestroyPipelineLayout(w->f->dev, w->pushed, NULL);
    vkDestroyDescriptorSetLayout(w->f->dev, w->set_layout, NULL);
    vkDestroyDescriptorSetLayout(w->f->dev, w->push_layout, NULL);
}
