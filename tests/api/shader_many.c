/* SPDX-License-Identifier: MIT */
#include "shader_many.h"

static const VkShaderStageFlagBits compute_stage = VK_SHADER_STAGE_COMPUTE_BIT;
static const VkPushConstantRange push_range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
static const VkSpecializationMapEntry step_entry = {0, 0, sizeof(uint32_t)};

VkShaderCreateInfoEXT
shader_info(const struct compute *c, const uint32_t *words, size_t size_B)
{
    return (VkShaderCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
        .codeSize = size_B,
        .pCode = words,
        .pName = "main",
        .setLayoutCount = 1,
        .pSetLayouts = &c->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &push_range,
    };
}

VkShaderEXT
shader_create(struct fixture *f, const VkShaderCreateInfoEXT *info)
{
    VkShaderEXT shader;
    REQUIRE_EQ(vkCreateShadersEXT(f->dev, 1, info, f->alloc, &shader), VK_SUCCESS);
    REQUIRE(shader);
    return shader;
}

void
shader_begin(struct fixture *f, const struct compute *c, VkShaderEXT shader, uint32_t word)
{
    memset(c->buf.bytes, 0xee, COMPUTE_WORDS * 4);
    test_begin(f);
    vkCmdBindShadersEXT(f->cb, 1, &compute_stage, &shader);
    vkCmdBindDescriptorSets(f->cb, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1, &c->set, 0,
                            NULL);
    vkCmdPushConstants(f->cb, c->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &word);
}

void
shader_require_words(const struct compute *c, uint32_t begin, uint32_t end, uint32_t first,
                     uint32_t step)
{
    for (uint32_t i = begin; i < end; i++)
        REQUIRE_EQ(c->buf.words[i], first + step * i);
}

void
shader_require_numbers(struct fixture *f, const struct compute *c, VkShaderEXT shader,
                       uint32_t step)
{
    shader_begin(f, c, shader, 7);
    vkCmdDispatch(f->cb, COMPUTE_WORDS / 16, 1, 1);
    test_submit_and_wait(f);
    shader_require_words(c, 0, COMPUTE_WORDS, 7, step);
}

void
shader_many_init(struct fixture *f, struct shader_many *m, const uint32_t *words, size_t size_B)
{
    *m = (struct shader_many){0};
    compute_init(f, &m->c);
    for (uint32_t i = 0; i < SHADER_COUNT; i++) {
        m->steps[i] = i + 1;
        m->constants[i] = (VkSpecializationInfo){1, &step_entry, sizeof(m->steps[i]), &m->steps[i]};
        m->infos[i] = shader_info(&m->c, words, size_B);
        m->infos[i].pSpecializationInfo = &m->constants[i];
        memset(&m->shaders[i], 0xee, sizeof(m->shaders[i]));
    }
}

VkResult
shader_many_create(struct fixture *f, struct shader_many *m)
{
    return vkCreateShadersEXT(f->dev, SHADER_COUNT, m->infos, f->alloc, m->shaders);
}

void
shader_many_finish(struct fixture *f, struct shader_many *m)
{
    for (uint32_t i = 0; i < SHADER_COUNT; i++)
        vkDestroyShaderEXT(f->dev, m->shaders[i], f->alloc);
    compute_finish(f, &m->c);
}

size_t
shader_binary(struct fixture *f, VkShaderEXT shader, void **out)
{
    size_t size_B = 0;
    REQUIRE_EQ(vkGetShaderBinaryDataEXT(f->dev, shader, &size_B, NULL), VK_SUCCESS);
    REQUIRE(size_B > 0);
    *out = malloc(size_B);
    REQUIRE(*out);
    REQUIRE_EQ(vkGetShaderBinaryDataEXT(f->dev, shader, &size_B, *out), VK_SUCCESS);
    return size_B;
}

VkResult
shader_binary_try(struct fixture *f, const struct compute *c, const void *data, size_t size_B,
                  VkShaderEXT *out)
{
    VkShaderCreateInfoEXT info = shader_info(c, data, size_B);
    info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    info.pName = NULL;
    return vkCreateShadersEXT(f->dev, 1, &info, f->alloc, out);
}

VkShaderEXT
shader_binary_create(struct fixture *f, const struct compute *c, const void *data, size_t size_B)
{
    VkShaderEXT shader;
    REQUIRE_EQ(shader_binary_try(f, c, data, size_B, &shader), VK_SUCCESS);
    REQUIRE(shader);
    return shader;
}
