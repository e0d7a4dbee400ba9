/* SPDX-License-Identifier: MIT */
/* Compute pipelines: a kernel, and where its bindings lie in the sets of the pipeline layout.
 *
 * Several pipelines of one call are compiled side by side, equal ones once where there is a
 * cache; all else is done in their order, on the calling thread.
 */
#include "object/pipeline.h"

#include "compute/compute.h"
#include "compute/variants.h"
#include "object/capture.h"
#include "object/descriptor_layout.h"
#include "object/device.h"
#include "object/pipeline_cache.h"
#include "object/profile.h"
#include "platform/clock.h"
#include "reelpipe/workers.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

/* Takes NULL, and a pipeline in any state that pipeline_create can leave. */
static void
pipeline_destroy(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                 struct rp_pipeline *pipeline)
{
    if (!pipeline)
        return;
    rp_variants_destroy(pipeline->variants);
    rp_kernel_destroy(pipeline->kernel);
    rp_object_free(dev, alloc, pipeline);
}

static VkPipelineCreateFlags2
pipeline_flags(const VkComputePipelineCreateInfo *info)
{
    const VkPipelineCreateFlags2CreateInfo *flags =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
    return flags ? flags->flags : info->flags;
}

/* The stage has the last word, then the pipeline; NULL: neither asks for anything. */
static const VkPipelineRobustnessCreateInfo *
find_robustness(const VkComputePipelineCreateInfo *info)
{
    const VkPipelineRobustnessCreateInfo *of_stage =
        rp_find_struct(info->stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
    return of_stage
               ? of_stage
               : rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
}

/* Must reads beyond any buffer give zero? */
static bool
wants_exact_bounds(const struct rp_device *dev, const VkComputePipelineCreateInfo *info)
{
    const VkPipelineRobustnessCreateInfo *robustness = find_robustness(info);
    VkPipelineRobustnessBufferBehavior behaviors[2] = {0}; /* DEVICE_DEFAULT */
    if (robustness) {
        behaviors[0] = robustness->storageBuffers;
        behaviors[1] = robustness->uniformBuffers;
    }
    for (uint32_t b = 0; b < 2; b++)
        if (behaviors[b] == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2 ||
            (behaviors[b] == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT &&
             dev->has_robust_buffer_access2))
            return true;
    return false;
}

/* Do texels that are read outside of an image have a value? With our device they always do. */
static bool
has_robust_images(const struct rp_device *dev, const VkComputePipelineCreateInfo *info)
{
    const VkPipelineRobustnessCreateInfo *robustness = find_robustness(info);
    if (!robustness || robustness->images == VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT)
        return dev->has_robust_image_access;
    return robustness->images != VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DISABLED;
}

/* 0: none is asked for. */
static uint32_t
required_subgroup_size(const VkPipelineShaderStageCreateInfo *stage)
{
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *required = rp_find_struct(
        stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    const uint32_t size = required ? required->requiredSubgroupSize : 0;
    const bool is_there =
        size >= RP_MIN_SUBGROUP_SIZE && size <= RP_MAX_SUBGROUP_SIZE && (size & (size - 1)) == 0;
    return is_there ? size : 0;
}

static VkResult
kernel_source(struct rp_device *dev, const VkComputePipelineCreateInfo *pipeline,
              struct rp_cache_key_info *out)
{
    const VkPipelineShaderStageCreateInfo *stage = &pipeline->stage;
    const struct rp_shader_module *module = rp_shader_module_from_handle(stage->module);
    const VkShaderModuleCreateInfo *code =
        rp_find_struct(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);

    if (!module && !code)
        return rp_errorf(dev, VK_ERROR_UNKNOWN, "compute stage without a shader module");
    *out = (struct rp_cache_key_info){
        .words = module ? module->words : code->pCode,
        .word_count = module ? module->word_count : code->codeSize / sizeof(uint32_t),
        .entry_point = stage->pName,
        .specialization = stage->pSpecializationInfo,
        .subgroup_size = required_subgroup_size(stage),
        .wants_exact_bounds = wants_exact_bounds(dev, pipeline),
        .has_robust_images = has_robust_images(dev, pipeline),
    };
    return VK_SUCCESS;
}

/* A kernel on its way to a pipeline. */
struct build {
    struct rp_cache_key_info source;
    bool wants_text;
    bool may_compile; /* it was not in the cache, and its pipeline does not forbid it */
    bool is_twin;     /* of an earlier one of the call, whose kernel the cache is going to have */
    bool is_hit;
    VkResult result;
    uint64_t duration_ns;         /* of looking it up and compiling it */
    struct rp_cache_entry *entry; /* owned: the key; NULL: it is not kept */
    struct rp_kernel *kernel;     /* owned; NULL: there is none yet */
    struct rp_compute_message message;
};

/* Finds the kernel in the cache (may be NULL), or says what there is to compile. */
static void
build_begin(struct build *build, struct rp_device *dev, struct rp_pipeline_cache *cache,
            const VkComputePipelineCreateInfo *info)
{
    const uint64_t begin_ns = rp_clock_now_ns();
    *build =
        (struct build){.wants_text = pipeline_flags(info) &
                                     VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR};
    build->result = kernel_source(dev, info, &build->source);
    if (build->result != VK_SUCCESS)
        return;
    /* Text is for people, who can wait: it is not kept. Without memory for the key there is
     * none. */
    if (cache && !build->wants_text)
        build->entry = rp_cache_entry_create(&build->source);
    if (build->entry)
        build->kernel = rp_pipeline_cache_find(cache, build->entry);
    build->is_hit = build->kernel;
    build->may_compile =
        !build->is_hit &&
        !(pipeline_flags(info) & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT);
    build->duration_ns = rp_clock_now_ns() - begin_ns;
}

/* On any thread: the application's allocator and messengers are left alone. */
static void
build_compile(struct build *build, const struct rp_device *dev)
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
            .subgroup_size = source->subgroup_size,
            .wants_exact_bounds = source->wants_exact_bounds,
            .wants_text = build->wants_text,
        };
        build->result = rp_kernel_create(&info, &build->message, &build->kernel);
        rp_shader_destroy(shader);
    }
    build->duration_ns += rp_clock_now_ns() - begin_ns;
}

/* Hands the kernel out, and to the cache. */
static VkResult
build_finish(struct build *build, struct rp_device *dev, struct rp_pipeline_cache *cache,
             struct rp_kernel **out)
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
        (void)rp_errorf(dev, result, "compute pipeline: %s", build->message.text);
    if (result == VK_SUCCESS && !build->kernel)
        result = VK_PIPELINE_COMPILE_REQUIRED;
    if (build->entry && !build->is_hit && result == VK_SUCCESS)
        rp_pipeline_cache_add(cache, build->entry, build->kernel);
    else
        rp_cache_entry_destroy(build->entry);
    *out = build->kernel;
    return result;
}

/* Of one that no pipeline is made of. */
static void
build_discard(struct build *build)
{
    rp_cache_entry_destroy(build->entry);
    rp_kernel_destroy(build->kernel);
}

/* A workgroup alone in its chunk of lanes: an upper bound for kernels of plain operations. */
#define OP_COST_NS 50u

static uint32_t
kernel_group_cost_ns(const struct rp_kernel *kernel)
{
    struct rp_kernel_statistics s;
    uint32_t local[3];
    rp_kernel_statistics(kernel, &s);
    rp_kernel_local_size(kernel, local);
    const uint64_t lanes = (uint64_t)local[0] * local[1] * local[2];
    const uint64_t chunks = lanes / RP_MAX(s.lanes, 1u) + 1;
    const uint64_t cost_ns = chunks * s.op_count * OP_COST_NS;
    return s.loop_count ? 0 : (uint32_t)RP_MIN(cost_ns + 1, UINT32_MAX);
}

/* NULL: none are wanted, or there is no memory for them. What is captured or profiled runs as it
 * is. */
static struct rp_variants *
variants_create(const struct rp_device *dev, const struct rp_pipeline *pipeline,
                const struct rp_cache_key_info *source)
{
    if (!dev->specializer || dev->capture || dev->profile ||
        (pipeline->flags & VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT))
        return NULL;
    return rp_variants_create(&(struct rp_variants_info){
        .specializer = dev->specializer,
        .kernel = pipeline->kernel,
        .words = source->words,
        .word_count = source->word_count,
        .entry_point = source->entry_point,
        .specialization = source->specialization,
        .cpu_flags = dev->physical_device->cpu_flags,
        .wants_exact_bounds = source->wants_exact_bounds,
    });
}

static struct rp_pipeline_binding
pipeline_resolve(const struct rp_pipeline_layout *layout, const struct rp_kernel_binding *kernel)
{
    struct rp_pipeline_binding out = {.set = kernel->set};
    if (kernel->set >= layout->set_count || !layout->sets[kernel->set])
        return out;
    const struct rp_set_binding *b = rp_set_layout_find(layout->sets[kernel->set], kernel->binding);
    if (!b)
        return out;
    out.first_item = b->first_item;
    out.item_count = b->item_count;
    out.first_dynamic = b->first_dynamic;
    out.memory_offset_B = b->memory_offset_B;
    out.memory_count = kernel->count ? RP_MIN(b->item_count, kernel->count) : b->item_count;
    out.is_inline = b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    out.inline_B = out.is_inline ? b->count : 0;
    out.is_dynamic = b->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
                     b->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    return out;
}

static VkResult
pipeline_create(struct rp_device *dev, struct rp_pipeline_cache *cache, struct build *build,
                const VkComputePipelineCreateInfo *info, const VkAllocationCallbacks *alloc,
                VkPipeline *out)
{
    const struct rp_pipeline_layout *layout = rp_pipeline_layout_from_handle(info->layout);
    struct rp_kernel *kernel = NULL;
    const VkResult result = build_finish(build, dev, cache, &kernel);
    if (result != VK_SUCCESS)
        return result;

    uint32_t count;
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(kernel, &count);
    struct rp_pipeline *pipeline =
        rp_object_zalloc(dev, alloc, sizeof(*pipeline) + count * sizeof(pipeline->bindings[0]),
                         VK_OBJECT_TYPE_PIPELINE);
    if (!pipeline) {
        rp_kernel_destroy(kernel);
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    pipeline->flags = pipeline_flags(info);
    pipeline->kernel = kernel;
    pipeline->group_cost_ns = kernel_group_cost_ns(kernel);
    pipeline->binding_count = count;
    for (uint32_t i = 0; layout && i < count; i++)
        pipeline->bindings[i] = pipeline_resolve(layout, &bindings[i]);
    rp_capture_created(dev, &pipeline->base, info);
    pipeline->variants = variants_create(dev, pipeline, &build->source);
    if (RP_UNLIKELY(dev->profile))
        dev->profile->ops->pipeline_created(dev->profile, pipeline, &build->source, layout);
    *out = rp_pipeline_to_handle(pipeline);
    return VK_SUCCESS;
}

static void
feedback_fill(const VkComputePipelineCreateInfo *info, VkResult result, bool is_hit,
              uint64_t duration_ns)
{
    const VkPipelineCreationFeedbackCreateInfo *feedback =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    if (!feedback)
        return;

    VkPipelineCreationFeedback filled = {0};
    if (result == VK_SUCCESS) {
        filled.flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
        filled.duration = duration_ns;
        if (is_hit)
            filled.flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
    }
    *feedback->pPipelineCreationFeedback = filled;
    for (uint32_t i = 0; i < feedback->pipelineStageCreationFeedbackCount; i++)
        feedback->pPipelineStageCreationFeedbacks[i] = filled;
}

/* As many are compiled side by side. */
#define MAX_BUILDS 16u

struct builds {
    struct rp_device *dev;
    struct rp_pipeline_cache *cache; /* may be NULL */
    const VkAllocationCallbacks *alloc;
    struct build build[MAX_BUILDS];
    uint32_t to_compile[MAX_BUILDS]; /* which of them */
};

static void
compile_one(void *ctx, uint32_t i, uint32_t thread)
{
    struct builds *b = ctx;

    build_compile(&b->build[b->to_compile[i]], b->dev);
}

/* A loop of the workers leaves one of them for tasks, such as those of the video queues; two of them
 * at a time would leave none. Calls at the same time have a thread each as it is. */
static void
builds_compile(struct builds *b, uint32_t compile_count)
{
    struct rp_device *dev = b->dev;
    if (compile_count > 1 && !atomic_exchange(&dev->pipelines_have_workers, true)) {
        rp_workers_run(dev->workers, compile_count, compile_one, b);
        atomic_store(&dev->pipelines_have_workers, false);
        return;
    }
    for (uint32_t i = 0; i < compile_count; i++)
        compile_one(b, i, 0);
}

/* Whether one of those that are to be compiled is build's equal, and goes to the cache. */
static bool
builds_have_twin(const struct builds *b, uint32_t compile_count, const struct build *build)
{
    for (uint32_t i = 0; build->entry && i < compile_count; i++) {
        const struct build *other = &b->build[b->to_compile[i]];
        if (other->entry && rp_cache_entry_has_key(other->entry, build->entry))
            return true;
    }
    return false;
}

static void
builds_run(struct builds *b, uint32_t count, const VkComputePipelineCreateInfo *infos)
{
    uint32_t compile_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct build *build = &b->build[i];
        build_begin(build, b->dev, b->cache, &infos[i]);
        build->is_twin = build->may_compile && builds_have_twin(b, compile_count, build);
        if (build->may_compile && !build->is_twin)
            b->to_compile[compile_count++] = i;
    }
    builds_compile(b, compile_count);
}

/* Makes pipelines until one fails that ends the call, and returns how many were tried. */
static uint32_t
builds_finish(struct builds *b, uint32_t count, const VkComputePipelineCreateInfo *infos,
              VkPipeline *out, VkResult *result, bool *ends)
{
    for (uint32_t i = 0; i < count; i++) {
        struct build *build = &b->build[i];
        const VkResult one = pipeline_create(b->dev, b->cache, build, &infos[i], b->alloc, &out[i]);
        feedback_fill(&infos[i], one, build->is_hit, build->duration_ns);
        if (one == VK_SUCCESS)
            continue;
        /* An error wins over VK_PIPELINE_COMPILE_REQUIRED, the first one over later ones. */
        if (*result >= 0)
            *result = one;
        if (pipeline_flags(&infos[i]) & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT) {
            *ends = true;
            return i + 1;
        }
    }
    return count;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                          const VkComputePipelineCreateInfo *infos,
                          const VkAllocationCallbacks *alloc, VkPipeline *out)
{
    struct builds b = {
        .dev = rp_device_from_handle(device),
        .cache = rp_pipeline_cache_from_handle(cache),
        .alloc = alloc,
    };
    VkResult result = VK_SUCCESS;
    bool ends = false;

    for (uint32_t i = 0; i < count; i++)
        out[i] = VK_NULL_HANDLE;
    for (uint32_t first = 0; first < count && !ends; first += MAX_BUILDS) {
        const uint32_t n = RP_MIN(count - first, MAX_BUILDS);
        builds_run(&b, n, infos + first);
        const uint32_t done = builds_finish(&b, n, infos + first, out + first, &result, &ends);
        for (uint32_t i = done; i < n; i++)
            build_discard(&b.build[i]);
    }
    return result;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyPipeline(VkDevice device, VkPipeline handle, const VkAllocationCallbacks *alloc)
{
    pipeline_destroy(rp_device_from_handle(device), alloc, rp_pipeline_from_handle(handle));
}
