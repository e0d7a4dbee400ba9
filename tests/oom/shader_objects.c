/* SPDX-License-Identifier: MIT */
#include "shader_objects.h"

#include "kernel.h"
#include "test.h"

/* Two of one call, and one of the second's binary. */
VkResult
shader_objects_make(struct scenario *s)
{
    static _Alignas(16) uint8_t data[1 << 16];
    static const uint32_t rounds[2] = {3, 6};
    static const VkSpecializationMapEntry entry = {0, 0, sizeof(rounds[0])};
    VkSpecializationInfo constants[2];
    VkShaderCreateInfoEXT infos[2];
    for (uint32_t i = 0; i < 2; i++) {
        constants[i] = (VkSpecializationInfo){1, &entry, sizeof(rounds[i]), &rounds[i]};
        infos[i] = (VkShaderCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
            .codeSize = sizeof(scenario_kernel),
            .pCode = scenario_kernel,
            .pName = "main",
            .setLayoutCount = 1,
            .pSetLayouts = &s->set_layout,
            .pSpecializationInfo = &constants[i],
        };
    }
    VkResult result = vkCreateShadersEXT(s->dev, 2, infos, s->alloc, s->shaders);
    REQUIRE(result != VK_SUCCESS || (s->shaders[0] && s->shaders[1]));
    REQUIRE(result == VK_SUCCESS || !s->shaders[1]);
    if (result != VK_SUCCESS)
        return result;
    size_t size_B = sizeof(data);
    result = vkGetShaderBinaryDataEXT(s->dev, s->shaders[1], &size_B, data);
    infos[1].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    infos[1].codeSize = size_B;
    infos[1].pCode = data;
    return result == VK_SUCCESS ? vkCreateShadersEXT(s->dev, 1, &infos[1], s->alloc, &s->shaders[2])
                                : result;
}

void
shader_objects_destroy(struct scenario *s)
{
    for (uint32_t i = 0; i < SCENARIO_SHADERS; i++)
        vkDestroyShaderEXT(s->dev, s->shaders[i], s->alloc);
}

void
shader_objects_record(struct scenario *s, VkCommandBuffer cb)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    for (uint32_t i = 0; i < SCENARIO_SHADERS; i++) {
        vkCmdBindShadersEXT(cb, 1, &stage, &s->shaders[i]);
        vkCmdDispatch(cb, 4, 1, 1);
    }
}
