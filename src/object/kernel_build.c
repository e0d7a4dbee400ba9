/* SPDX-License-Identifier: MIT */
#include "object/kernel_build.h"

#include "object/device.h"
#include "platform/clock.h"
#include "reelpipe/workers.h"
#include "util/log.h"
#include "util/pnext.h"

/* Finds the kernel in the cache (may be NULL), or says what there is to compile. */
static void
build_begin(struct rp_kernel_build *build, struct rp_pipeline_cache *cache)
{
    if (build->result != VK_SUCCESS)
        return;
    const uint64_t begin_ns = rp_clock_now_ns();
    /* Text is for people, who can wait: it is not kept. Without memory for the key there is
     * none. */
    if (cache && !build->wants_text)
        build->entry = rp_cache_entry_create(&build->source);
    if (build->entry)
        build->kernel = rp_pipeline_cache_find(cache, build->entry);
    build->is_hit = build->entry && build->kernel;
    build->may_compile = !build->kernel && !build->is_forbidden;
    build->duration_ns = rp_clock_now_ns() - begin_ns;
}

/* On any thread: the application's allocator and messengers are left alone. */
static void
build_compile(struct rp_kernel_build *build, const struct rp_device *dev)
{
    const uint64_t begin_ns = rp_clock_now_ns();
    const struct rp_cache_key_info *source = &build->source;
    struct rp_shader *shader = NULL;

    build->result = rp_shader_create(source->words, source->word_count, &build->message, &shader);
    if (build->result == VK_SUCCESS) {
        const struct rp_kernel_info info = {
            .shader = shader,
            .entry_point = source->entry_point,
            .specialization = source->specialization,
            .cpu_flags = dev->physical_device->cpu_flags,
            .mappings = source->mappings,
            .mapping_count = source->mapping_count,
            .subgroup_size = source->subgroup_size,
            .wants_exact_bounds = source->wants_exact_bounds,
            .wants_text = build->wants_text,
        };
        build->result = rp_kernel_create(&info, &build->message, &build->kernel);
        rp_shader_destroy(shader);
    }
    build->duration_ns += rp_clock_now_ns() - begin_ns;
}

VkResult
rp_kernel_build_finish(struct rp_kernel_build *build, struct rp_device *dev,
                       struct rp_pipeline_cache *cache, struct rp_kernel **out)
{
    /* An earlier one of this call may have brought it. */
    if (build->result == VK_SUCCESS && !build->kernel && build->entry) {
        build->kernel = rp_pipeline_cache_find(cache, build->entry);
        build->is_hit = build->kernel;
    }
    if (build->is_twin && !build->is_hit) /* that one failed, or the cache had no room for it */
        build_compile(build, dev);
    VkResult result = build->result;
    if (build->may_compile && result != VK_SUCCESS)
        (void)rp_errorf(dev, result, "%s: %s", build->what, build->message.text);
    if (result == VK_SUCCESS && !build->kernel)
        result = VK_PIPELINE_COMPILE_REQUIRED;
    if (build->entry && !build->is_hit && result == VK_SUCCESS)
        rp_pipeline_cache_add(cache, build->entry, build->kernel);
    else
        rp_cache_entry_destroy(build->entry);
    *out = build->kernel;
    return result;
}

void
rp_kernel_build_discard(struct rp_kernel_build *build)
{
    rp_cache_entry_destroy(build->entry);
    rp_kernel_destroy(build->kernel);
}

struct compile {
    struct rp_device *dev;
    struct rp_kernel_build *builds;
    uint32_t count;
    uint32_t which[RP_MAX_KERNEL_BUILDS]; /* of the builds */
};

static void
compile_one(void *ctx, uint32_t i, uint32_t thread)
{
    struct compile *c = ctx;

    build_compile(&c->builds[c->which[i]], c->dev);
}

/* A loop of the workers leaves one of them for tasks, such as those of the video queues; two of
 * them at a time would leave none. Calls at the same time have a thread each as it is. */
static void
compile_all(struct compile *c)
{
    struct rp_device *dev = c->dev;
    if (c->count > 1 && !atomic_exchange(&dev->pipelines_have_workers, true)) {
        rp_workers_run(dev->workers, c->count, compile_one, c);
        atomic_store(&dev->pipelines_have_workers, false);
        return;
    }
    for (uint32_t i = 0; i < c->count; i++)
        compile_one(c, i, 0);
}

/* Whether one of those that are to be compiled is build's equal, and goes to the cache. */
static bool
compile_has_twin(const struct compile *c, const struct rp_kernel_build *build)
{
    for (uint32_t i = 0; build->entry && i < c->count; i++) {
        const struct rp_kernel_build *other = &c->builds[c->which[i]];
        if (other->entry && rp_cache_entry_has_key(other->entry, build->entry))
            return true;
    }
    return false;
}

void
rp_kernel_builds_run(struct rp_device *dev, struct rp_pipeline_cache *cache,
                     struct rp_kernel_build *builds, uint32_t count)
{
    struct compile c = {.dev = dev, .builds = builds};
    for (uint32_t i = 0; i < count; i++) {
        struct rp_kernel_build *build = &builds[i];
        build_begin(build, cache);
        build->is_twin = build->may_compile && compile_has_twin(&c, build);
        if (build->may_compile && !build->is_twin)
            c.which[c.count++] = i;
    }
    compile_all(&c);
}

uint32_t
rp_required_subgroup_size(const void *chain)
{
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *required = rp_find_struct(
        chain, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    const uint32_t size = required ? required->requiredSubgroupSize : 0;
    const bool is_there =
        size >= RP_MIN_SUBGROUP_SIZE && size <= RP_MAX_SUBGROUP_SIZE && (size & (size - 1)) == 0;
    return is_there ? size : 0;
}
