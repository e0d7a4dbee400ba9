/* SPDX-License-Identifier: MIT */
/* Shader objects: replayed as pipelines, on devices without VK_EXT_shader_object, too.
 */
#include "replay.h"

VkPipelineLayoutCreateInfo
replay_shader_layout(const VkShaderCreateInfoEXT *info)
{
    return (VkPipelineLayoutCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = info->pSetLayouts ? info->setLayoutCount : 0,
        .pSetLayouts = info->pSetLayouts,
        .pushConstantRangeCount = info->pPushConstantRanges ? info->pushConstantRangeCount : 0,
        .pPushConstantRanges = info->pPushConstantRanges,
    };
}

static VkPipelineShaderStageCreateFlags
stage_flags(VkShaderCreateFlagsEXT flags)
{
    VkPipelineShaderStageCreateFlags out = 0;
    if (flags & VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT)
        out |= VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
    if (flags & VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT)
        out |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    return out;
}

static VkPipelineCreateFlags2
pipeline_flags(VkShaderCreateFlagsEXT flags)
{
    VkPipelineCreateFlags2 out = 0;
    if (flags & VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT)
        out |= VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT;
    if (flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT)
        out |= VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    return out;
}

bool
replay_create_shader(struct replay *replay, struct replay_object *object, void *structure)
{
    const VkShaderCreateInfoEXT *info = structure;
    const VkPipelineLayoutCreateInfo layout = replay_shader_layout(info);
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = info->codeSize,
                                           .pCode = info->pCode};
    VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = pipeline_flags(info->flags),
    };
    VkComputePipelineCreateInfo pipeline_info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        /* Without heaps the flags are those that every device knows. */
        .pNext = info->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT ? &flags : NULL,
        .flags = (VkPipelineCreateFlags)pipeline_flags(info->flags),
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = info->pNext,
                  .flags = stage_flags(info->flags),
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = info->pName,
                  .pSpecializationInfo = info->pSpecializationInfo},
    };
    VkPipeline pipeline;

    if (info->codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT || !info->pCode || !info->pName)
        return replay_fail(&replay->reader, "a shader object without SPIR-V");
    if (!replay_call(replay,
                     vkCreatePipelineLayout(replay->device, &layout, NULL, &object->own_layout),
                     "vkCreatePipelineLayout"))
        return false;
    pipeline_info.layout = object->own_layout;
    if (!replay_call(replay,
                     vkCreateShaderModule(replay->device, &code, NULL, &pipeline_info.stage.module),
                     "vkCreateShaderModule"))
        return false;
    const VkResult result = vkCreateComputePipelines(replay->device, VK_NULL_HANDLE, 1,
                                                     &pipeline_info, NULL, &pipeline);
    vkDestroyShaderModule(replay->device, pipeline_info.stage.module, NULL);
    if (!replay_call(replay, result, "vkCreateComputePipelines"))
        return false;
    object->handle = (uint64_t)(uintptr_t)pipeline;
    return true;
}
