/* SPDX-License-Identifier: MIT */
/* With robustBufferAccess2 an index beyond the buffer never comes back into it: of the device, of a
 * pipeline, of a stage.
 */
#include "compute.h"

#include "api_shaders.h"

#define FAR 0x40000000u /* words: 4 GiB */

/* robustness: on the stage, else on the pipeline; NULL: the device's */
static VkPipeline
pipeline_create(struct fixture *f, const struct compute *c,
                const VkPipelineRobustnessCreateInfo *of_stage,
                const VkPipelineRobustnessCreateInfo *of_pipeline)
{
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .pNext = of_stage,
                                           .codeSize = sizeof(spirv_far),
                                           .pCode = spirv_far};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .pNext = of_pipeline,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = &code,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = c->layout,
    };
    VkPipeline pipeline;
    REQUIRE_EQ(vkCreateComputePipelines(f->dev, VK_NULL_HANDLE, 1, &info, f->alloc, &pipeline),
               VK_SUCCESS);
    return pipeline;
}

static void
check(struct fixture *f, struct compute *c, const VkPipelineRobustnessCreateInfo *of_stage,
      const VkPipelineRobustnessCreateInfo *of_pipeline)
{
    VkPipeline pipeline = pipeline_create(f, c, of_stage, of_pipeline);
    for (uint32_t i = 0; i < COMPUTE_WORDS; i++)
        c->buf.words[i] = 100 + i;
    compute_begin(f, c, pipeline, FAR);
    vkCmdDispatch(f->cb, COMPUTE_WORDS / 16, 1, 1);
    test_submit_and_wait(f);
    for (uint32_t i = 0; i < COMPUTE_WORDS; i++)
        REQUIRE_EQ(c->buf.words[i], 5);
    vkDestroyPipeline(f->dev, pipeline, f->alloc);
}

int
main(void)
{
    struct fixture f = {0};
    struct compute c;
    const VkPipelineRobustnessCreateInfo exact = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2,
    };
    VkPipelineRobustnessCreateInfo loose = exact;
    loose.storageBuffers = loose.uniformBuffers =
        VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS;

    fixture_init(&f); /* with robustBufferAccess2 */
    compute_init(&f, &c);
    check(&f, &c, NULL, NULL);
    check(&f, &c, NULL, &exact);
    check(&f, &c, &exact, &loose);
    compute_finish(&f, &c);
    fixture_finish(&f);
    return 0;
}
