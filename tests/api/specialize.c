/* SPDX-License-Identifier: MIT */
/* With REELPIPE_SPECIALIZE a pipeline whose push constants stay is compiled for them, on a thread
 * of the device: results are the same, other values may come, the pipeline may go meanwhile.
 * Without it, or where the application wants no optimisation, there is no such thread.
 */
#include "compute.h"

#include "api_shaders.h"

#include <dirent.h>
#include <stdlib.h>
#include <threads.h>

#define WORDS (UINT32_C(1) << 16)
#define MOST_RUNS 20000u
#define FEW_RUNS 500u
#define MORE_RUNS 200u /* while it is compiled, tried and kept */

static bool
has_specializer(void)
{
    bool is_found = false;
    DIR *tasks = opendir("/proc/self/task");
    REQUIRE(tasks);
    for (const struct dirent *entry = readdir(tasks); entry; entry = readdir(tasks)) {
        char path[300], name[32] = "";
        snprintf(path, sizeof(path), "/proc/self/task/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        is_found |= fgets(name, sizeof(name), file) && strcmp(name, "rp-specializer\n") == 0;
        fclose(file);
    }
    closedir(tasks);
    return is_found;
}

static void
run(struct fixture *f, const struct compute *c, VkPipeline pipeline, uint32_t factor)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    compute_begin(f, c, pipeline, factor);
    vkCmdDispatch(f->cb, WORDS / 64, 1, 1);
    vkCmdPipelineBarrier(f->cb, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &barrier, 0, NULL, 0, NULL);
    test_submit_and_wait(f);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        wrong += c->buf.words[i] != i * factor;
    REQUIRE_EQ(wrong, 0);
}

static void
begin(struct fixture *f, struct compute *c)
{
    fixture_init(f);
    compute_init(f, c);
    test_buffer_destroy(f, &c->buf);
    compute_buffer(f, c, WORDS * 4, 0xee);
}

static VkPipeline
plain_pipeline(struct fixture *f, const struct compute *c)
{
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof(spirv_fill),
                                           .pCode = spirv_fill};
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT,
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
pipelines_are_compiled_for_what_stays(void)
{
    struct fixture f = {0};
    struct compute c;
    REQUIRE_EQ(setenv("REELPIPE_SPECIALIZE", "1", 1), 0);
    begin(&f, &c);
    VkPipeline plain = plain_pipeline(&f, &c);
    for (uint32_t i = 0; i < FEW_RUNS; i++)
        run(&f, &c, plain, 3);
    REQUIRE(!has_specializer());

    VkPipeline pipeline = compute_pipeline(&f, &c, spirv_fill, sizeof(spirv_fill));
    for (uint32_t i = 0; !has_specializer(); i++) {
        REQUIRE(i < MOST_RUNS);
        run(&f, &c, pipeline, 3);
    }
    vkDestroyPipeline(f.dev, pipeline, f.alloc); /* it is being compiled */

    pipeline = compute_pipeline(&f, &c, spirv_fill, sizeof(spirv_fill));
    for (uint32_t i = 0; i < MORE_RUNS; i++) {
        run(&f, &c, pipeline, 5);
        run(&f, &c, pipeline, i % 7);
    }
    vkDestroyPipeline(f.dev, pipeline, f.alloc);
    vkDestroyPipeline(f.dev, plain, f.alloc);
    compute_finish(&f, &c);
    fixture_finish(&f);
    /* The system may list a thread for a moment after it has been joined. */
    for (uint32_t i = 0; i < 5000 && has_specializer(); i++)
        thrd_sleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    REQUIRE(!has_specializer());
}

static void
pipelines_stay_as_they_are_by_default(void)
{
    struct fixture f = {0};
    struct compute c;
    REQUIRE_EQ(unsetenv("REELPIPE_SPECIALIZE"), 0);
    begin(&f, &c);
    VkPipeline pipeline = compute_pipeline(&f, &c, spirv_fill, sizeof(spirv_fill));
    for (uint32_t i = 0; i < FEW_RUNS; i++)
        run(&f, &c, pipeline, 3);
    REQUIRE(!has_specializer());
    vkDestroyPipeline(f.dev, pipeline, f.alloc);
    compute_finish(&f, &c);
    fixture_finish(&f);
}

int
main(void)
{
    RUN(pipelines_stay_as_they_are_by_default);
    RUN(pipelines_are_compiled_for_what_stays);
    return 0;
}
