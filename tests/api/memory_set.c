/* SPDX-License-Identifier: MIT */
#include "memory_set.h"

const uint32_t all_shown[12] = {1, 101, 111, 121, 131, 1, 131, 131, 141, 151, 0, 4};

VkDeviceAddress
memory_set_address(struct fixture *f, const struct test_buffer *buf)
{
    return test_address_range(f, buf->handle, 0, 0).address;
}

struct test_buffer
memory_set_buffer(struct fixture *f, VkDeviceSize size_B)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size_B,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                 VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT,
    };
    const VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    struct test_buffer buf = {.size_B = size_B};
    VkMemoryRequirements needs;
    REQUIRE_EQ(vkCreateBuffer(f->dev, &info, f->alloc, &buf.handle), VK_SUCCESS);
    vkGetBufferMemoryRequirements(f->dev, buf.handle, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = needs.size,
        .memoryTypeIndex = fixture_mapped_type(f, needs.memoryTypeBits),
    };
    REQUIRE_EQ(vkAllocateMemory(f->dev, &memory, f->alloc, &buf.memory), VK_SUCCESS);
    REQUIRE_EQ(vkMapMemory(f->dev, buf.memory, 0, VK_WHOLE_SIZE, 0, (void **)&buf.bytes),
               VK_SUCCESS);
    REQUIRE_EQ(vkBindBufferMemory(f->dev, buf.handle, buf.memory, 0), VK_SUCCESS);
    memset(buf.bytes, 0, needs.size);
    return buf;
}

VkDescriptorSetLayout
memory_set_layout_create(struct fixture *f, VkDescriptorSetLayoutCreateFlags flags, uint32_t count,
                         const VkDescriptorSetLayoutBinding *bindings, bool is_last_variable)
{
    VkDescriptorBindingFlags binding_flags[16] = {0};
    binding_flags[count - 1] =
        is_last_variable ? VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT : 0;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = count,
        .pBindingFlags = binding_flags,
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &chained,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT | flags,
        .bindingCount = count,
        .pBindings = bindings,
    };
    VkDescriptorSetLayout layout;
    REQUIRE_EQ(vkCreateDescriptorSetLayout(f->dev, &info, f->alloc, &layout), VK_SUCCESS);
    return layout;
}

const VkDescriptorSetLayoutBinding one_of_each[9] = {
    {UNIFORM, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, STAGE, NULL},
    {TEXELS, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, STAGE, NULL},
    {STORED_TEXELS, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1, STAGE, NULL},
    {OUTSIDE, VK_DESCRIPTOR_TYPE_SAMPLER, 1, STAGE, NULL},
    {SAMPLED, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, STAGE, NULL},
    {COMBINED, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, STAGE, NULL},
    {STORED, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, STAGE, NULL},
    {INLINE, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 64, STAGE, NULL},
    {MANY, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MANY_COUNT, STAGE, NULL},
};
const VkDescriptorSetLayoutBinding one_buffer = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, STAGE,
                                                 NULL};

VkPipelineLayout
memory_set_pipeline_layout(struct fixture *f, uint32_t count, const VkDescriptorSetLayout *sets)
{
    const VkPushConstantRange range = {STAGE, 0, 4};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = count,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkPipelineLayout layout;
    REQUIRE_EQ(vkCreatePipelineLayout(f->dev, &info, f->alloc, &layout), VK_SUCCESS);
    return layout;
}

VkPipeline
memory_set_pipeline(struct fixture *f, const uint32_t *words, size_t size_B,
                    VkPipelineLayout layout)
{
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_B, .pCode = words};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &code,
                  .stage = STAGE,
                  .pName = "main"},
        .layout = layout,
    };
    VkPipeline pipeline;
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, f->alloc, &pipeline),
               VK_SUCCESS);
    return pipeline;
}

VkImageView
memory_set_view(struct fixture *f, const struct memory_set *m)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = m->img.handle,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R32_UINT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkImageView view;
    REQUIRE_EQ(vkCreateImageView(f->dev, &info, f->alloc, &view), VK_SUCCESS);
    return view;
}

VkSampler
memory_set_sampler(struct fixture *f, VkBorderColor border)
{
    const VkSamplerCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        .borderColor = border,
    };
    VkSampler sampler;
    REQUIRE_EQ(vkCreateSampler(f->dev, &info, f->alloc, &sampler), VK_SUCCESS);
    return sampler;
}

/* The image's first row is 130, 131; the values of part i begin with i, i + 1. */
struct memory_set
memory_set_create(struct fixture *f, const uint32_t *words, size_t size_B)
{
    struct memory_set m = {0};
    VkImageCreateInfo img = test_image_info(VK_FORMAT_R32_UINT, 2, 2);
    img.tiling = VK_IMAGE_TILING_LINEAR;
    img.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT;
    m.img = test_image_create_with(f, &img);
    m.view = memory_set_view(f, &m);
    m.sampler = memory_set_sampler(f, VK_BORDER_COLOR_INT_OPAQUE_WHITE);
    m.set_layouts[0] = memory_set_layout_create(f, 0, 9, one_of_each, true);
    m.set_layouts[1] = memory_set_layout_create(f, 0, 1, &one_buffer, false);
    for (uint32_t i = UNIFORM; i <= MANY; i++)
        vkGetDescriptorSetLayoutBindingOffsetEXT(f->dev, m.set_layouts[0], i, &m.offsets[i]);
    m.layout = memory_set_pipeline_layout(f, 2, m.set_layouts);
    m.pipeline = memory_set_pipeline(f, words, size_B, m.layout);
    m.values = test_buffer_create(f, 64 * 8, 0);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 16; k++)
            m.values.words[i * 16 + k] = 100 + 10 * i + k;
    m.result = test_buffer_create(f, WORDS * 4, 0xee);
    m.sets = memory_set_buffer(f, 2 * SET_B);

    const VkImageSubresource first = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
    VkSubresourceLayout rows;
    vkGetImageSubresourceLayout(f->dev, m.img.handle, &first, &rows);
    for (uint32_t i = 0; i < 2; i++)
        ((uint32_t *)(m.img.bytes + rows.offset))[i] = 130 + i;
    return m;
}

void
memory_set_destroy(struct fixture *f, struct memory_set *m)
{
    test_buffer_destroy(f, &m->sets);
    test_buffer_destroy(f, &m->result);
    test_buffer_destroy(f, &m->values);
    vkDestroyPipeline(f->dev, m->pipeline, f->alloc);
    vkDestroyPipelineLayout(f->dev, m->layout, f->alloc);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyDescriptorSetLayout(f->dev, m->set_layouts[i], f->alloc);
    vkDestroySampler(f->dev, m->sampler, f->alloc);
    vkDestroyImageView(f->dev, m->view, f->alloc);
    test_image_destroy(f, &m->img);
}

/* Part i of the values, size_B of it. */
VkDescriptorAddressInfoEXT
memory_set_values(struct fixture *f, const struct memory_set *m, uint32_t i, VkDeviceSize size_B)
{
    return (VkDescriptorAddressInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = memory_set_address(f, &m->values) + i * 64,
        .range = size_B,
        .format = VK_FORMAT_R32_UINT,
    };
}

void
memory_set_descriptor(struct fixture *f, VkDescriptorType type, const void *data, void *out)
{
    const VkDescriptorGetInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
        .type = type,
        .data.pUniformBuffer = data, /* all its members are pointers */
    };
    vkGetDescriptorEXT(f->dev, &info, SIZE_B, out);
}

static void
memory_set_buffer_descriptor(struct fixture *f, const struct test_buffer *buf, void *out)
{
    const VkDescriptorAddressInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = memory_set_address(f, buf),
        .range = buf->size_B,
    };
    memory_set_descriptor(f, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &info, out);
}

/* All of both sets, with one descriptor in the last binding, at set. */
void
memory_set_write(struct fixture *f, const struct memory_set *m, uint8_t *set)
{
    const VkDescriptorAddressInfoEXT uniform = memory_set_values(f, m, 0, 16);
    const VkDescriptorAddressInfoEXT texels = memory_set_values(f, m, 1, 8);
    const VkDescriptorAddressInfoEXT stored = memory_set_values(f, m, 2, 16);
    const VkDescriptorAddressInfoEXT many = memory_set_values(f, m, 5, 16);
    const VkDescriptorImageInfo image = {m->sampler, m->view, VK_IMAGE_LAYOUT_GENERAL};
    m->values.words[0] = 101;
    m->values.words[5 * 16] = 151;

    memory_set_descriptor(f, one_of_each[0].descriptorType, &uniform, set + m->offsets[UNIFORM]);
    memory_set_descriptor(f, one_of_each[1].descriptorType, &texels, set + m->offsets[TEXELS]);
    memory_set_descriptor(f, one_of_each[2].descriptorType, &stored,
                          set + m->offsets[STORED_TEXELS]);
    memory_set_descriptor(f, one_of_each[3].descriptorType, &m->sampler, set + m->offsets[OUTSIDE]);
    memory_set_descriptor(f, one_of_each[4].descriptorType, &image, set + m->offsets[SAMPLED]);
    memory_set_descriptor(f, one_of_each[5].descriptorType, &image, set + m->offsets[COMBINED]);
    memory_set_descriptor(f, one_of_each[6].descriptorType, &image, set + m->offsets[STORED]);
    ((uint32_t *)(set + m->offsets[INLINE]))[4] = 141; /* std140: words are 16 bytes apart */
    memory_set_descriptor(f, one_of_each[8].descriptorType, &many, set + m->offsets[MANY]);
    memory_set_buffer_descriptor(f, &m->result, set + SET_B);
}

void
memory_set_bind_at(struct fixture *f, VkCommandBuffer cb, uint32_t count,
                   const struct test_buffer *const *buffers, VkDeviceSize first_at_B)
{
    VkDescriptorBufferBindingInfoEXT infos[4];
    for (uint32_t i = 0; i < count; i++)
        infos[i] = (VkDescriptorBufferBindingInfoEXT){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
            .address = memory_set_address(f, buffers[i]) + (i == 0 ? first_at_B : 0),
            .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                     VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT,
        };
    vkCmdBindDescriptorBuffersEXT(cb, count, infos);
}

void
memory_set_bind(struct fixture *f, VkCommandBuffer cb, uint32_t count,
                const struct test_buffer *const *buffers)
{
    memory_set_bind_at(f, cb, count, buffers, 0);
}

/* Begins f->cb: everything bound, both sets from m->sets. */
void
memory_set_begin(struct fixture *f, const struct memory_set *m)
{
    const uint32_t buffers[2] = {0, 0};
    const VkDeviceSize offsets[2] = {0, SET_B};
    const struct test_buffer *sets = &m->sets;
    const uint32_t index = 0;

    memset(m->result.bytes, 0xee, m->result.size_B);
    test_begin(f);
    vkCmdBindPipeline(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, m->pipeline);
    vkCmdPushConstants(f->cb, m->layout, STAGE, 0, 4, &index);
    memory_set_bind(f, f->cb, 1, &sets);
    vkCmdSetDescriptorBufferOffsetsEXT(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, m->layout, 0, 2,
                                       buffers, offsets);
}

void
memory_set_run(struct fixture *f, const struct memory_set *m)
{
    memory_set_begin(f, m);
    vkCmdDispatch(f->cb, 1, 1, 1);
    test_submit_and_wait(f);
}
