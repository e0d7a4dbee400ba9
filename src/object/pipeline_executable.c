/* SPDX-License-Identifier: MIT */
/* VK_KHR_pipeline_executable_properties: what became of a compute shader.
 */
#include "object/pipeline.h"

#include "compute/compute.h"
#include "util/compiler.h"

#include "rp_entrypoints.h"

#include <stdio.h>

/* Every pipeline is one executable. */

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPipelineExecutablePropertiesKHR(VkDevice device, const VkPipelineInfoKHR *info,
                                      uint32_t *count, VkPipelineExecutablePropertiesKHR *out)
{
    const struct rp_pipeline *pipeline = rp_pipeline_from_handle(info->pipeline);
    if (!out) {
        *count = 1;
        return VK_SUCCESS;
    }
    if (*count == 0)
        return VK_INCOMPLETE;
    *count = 1;
    out[0].stages = VK_SHADER_STAGE_COMPUTE_BIT;
    out[0].subgroupSize = rp_kernel_subgroup_size(pipeline->kernel);
    (void)snprintf(out[0].name, sizeof(out[0].name), "compute");
    (void)snprintf(out[0].description, sizeof(out[0].description),
                   "compute shader, interpreted many lanes at a time");
    return VK_SUCCESS;
}

struct statistic {
    const char *name;
    const char *description;
    size_t offset_B; /* in struct rp_kernel_statistics */
};

#define OF(member) offsetof(struct rp_kernel_statistics, member)

static const struct statistic statistics[] = {
    {"SPIR-V instructions", "instructions in the module", OF(spirv_instruction_count)},
    {"IR instructions", "after inlining and optimisation", OF(ir_instruction_count)},
    {"Operations", "interpreted operations", OF(op_count)},
    {"Scalar operations", "of these, run once instead of per lane", OF(scalar_op_count)},
    {"Gathers", "memory accesses lane by lane", OF(gather_count)},
    {"Lanes", "invocations per operation", OF(lanes)},
    {"Registers", "bytes of registers of a thread", OF(register_B)},
    {"Shared memory", "bytes of a workgroup", OF(shared_B)},
};

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPipelineExecutableStatisticsKHR(VkDevice device, const VkPipelineExecutableInfoKHR *info,
                                      uint32_t *count, VkPipelineExecutableStatisticKHR *out)
{
    const struct rp_pipeline *pipeline = rp_pipeline_from_handle(info->pipeline);
    const uint32_t total = RP_ARRAY_SIZE(statistics);
    struct rp_kernel_statistics values;

    if (!out) {
        *count = total;
        return VK_SUCCESS;
    }
    rp_kernel_statistics(pipeline->kernel, &values);
    *count = RP_MIN(*count, total);
    for (uint32_t i = 0; i < *count; i++) {
        const struct statistic *s = &statistics[i];
        (void)snprintf(out[i].name, sizeof(out[i].name), "%s", s->name);
        (void)snprintf(out[i].description, sizeof(out[i].description), "%s", s->description);
        out[i].format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
        out[i].value.u64 = *(const uint32_t *)((const uint8_t *)&values + s->offset_B);
    }
    return *count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetPipelineExecutableInternalRepresentationsKHR(
    VkDevice device, const VkPipelineExecutableInfoKHR *info, uint32_t *count,
    VkPipelineExecutableInternalRepresentationKHR *out)
{
    const struct rp_pipeline *pipeline = rp_pipeline_from_handle(info->pipeline);
    const uint32_t total =
        pipeline->flags & VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR ? 1 : 0;
    if (!out || total == 0) {
        *count = total;
        return VK_SUCCESS;
    }
    if (*count == 0)
        return VK_INCOMPLETE;
    *count = 1;
    (void)snprintf(out[0].name, sizeof(out[0].name), "Lane IR");
    (void)snprintf(out[0].description, sizeof(out[0].description),
                   "what the interpreter's operations were made of");
    out[0].isText = VK_TRUE;
    const size_t size_B = rp_kernel_print(pipeline->kernel, NULL, 0);
    if (!out[0].pData) {
        out[0].dataSize = size_B;
        return VK_SUCCESS;
    }
    const bool is_whole = out[0].dataSize >= size_B;
    (void)rp_kernel_print(pipeline->kernel, out[0].pData, out[0].dataSize);
    out[0].dataSize = RP_MIN(out[0].dataSize, size_B);
    return is_whole ? VK_SUCCESS : VK_INCOMPLETE;
}
