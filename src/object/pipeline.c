/* SPDX-License-Identifier: MIT */
/* Compute pipelines: a kernel, and where its bindings lie in the sets of the pipeline layout.
 */
#include "object/pipeline.h"

#include "compute/compute.h"
#include "compute/variants.h"
#include "object/capture.h"
#include "object/descriptor_layout.h"
#include "object/device.h"
#include "object/heap_mapping.h"
#include "object/kernel_build.h"
#include "object/pipeline_cache.h"
#include "object/profile.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

void
rp_pipeline_destroy(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                    struct rp_pipeline *pipeline)
{
    if (!pipeline)
        return;
    rp_variants_destroy(pipeline->variants);
    rp_kernel_destroy(pipeline->kernel);
    rp_cache_entry_destroy(pipeline->code);
    rp_free(NULL, pipeline->embedded);
    rp_object_free(dev, alloc, pipeline);
}

VkPipelineCreateFlags2
rp_pipeline_flags_of(const VkComputePipelineCreateInfo *info)
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

/* The chain that says where bindings lie in heaps; NULL: they lie in sets. */
static const void *
heap_chain(const VkComputePipelineCreateInfo *info)
{
    const bool has_heaps =
        rp_pipeline_flags_of(info) & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
    return has_heaps ? info->stage.pNext : NULL;
}

/* The mappings are the caller's. */
static VkResult
kernel_source(struct rp_device *dev, const VkComputePipelineCreateInfo *pipeline,
              struct rp_heap_mappings *mappings, struct rp_cache_key_info *out)
{
    const VkPipelineShaderStageCreateInfo *stage = &pipeline->stage;
    const struct rp_shader_module *module = rp_shader_module_from_handle(stage->module);
    const VkShaderModuleCreateInfo *code =
        rp_find_struct(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);

    if (!module && !code)
        return rp_errorf(dev, VK_ERROR_UNKNOWN, "compute stage without a shader module");
    const VkResult result = rp_heap_mappings_init(dev, heap_chain(pipeline), mappings);
    *out = (struct rp_cache_key_info){
        .mappings = mappings->items,
        .mapping_count = mappings->count,
        .words = module ? module->words : code->pCode,
        .word_count = module ? module->word_count : code->codeSize / sizeof(uint32_t),
        .entry_point = stage->pName,
        .specialization = stage->pSpecializationInfo,
        .subgroup_size = rp_required_subgroup_size(stage->pNext),
        .wants_exact_bounds = wants_exact_bounds(dev, pipeline),
        .has_robust_images = has_robust_images(dev, pipeline),
    };
    return result;
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
    if (!dev->specializer || dev->capture || dev->profile || source->mapping_count ||
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
    if (kernel->set == RP_HEAP_SET)
        out.first_item = kernel->binding;
    if (!layout || kernel->set >= layout->set_count || !layout->sets[kernel->set])
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

/* Embedded samplers lie in one block: descriptors, then the samplers that they point to. */
static VkResult
embedded_create(struct rp_device *dev, const void *chain, struct rp_pipeline *pipeline)
{
    const uint32_t count = rp_embedded_sampler_count(chain);
    struct rp_embedded_sampler *samplers;
    if (!count)
        return VK_SUCCESS;
    if (count > RP_MAX_EMBEDDED_SAMPLERS)
        return rp_errorf(dev, VK_ERROR_OUT_OF_HOST_MEMORY, "%u embedded samplers", count);
    pipeline->embedded =
        rp_zalloc(NULL, count * (sizeof(pipeline->embedded[0]) + sizeof(*samplers)),
                  _Alignof(max_align_t), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
    if (!pipeline->embedded)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    pipeline->embedded_count = count;
    samplers = (struct rp_embedded_sampler *)(void *)(pipeline->embedded + count);
    rp_embedded_samplers_init(chain, samplers, pipeline->embedded);
    return VK_SUCCESS;
}

VkResult
rp_pipeline_create(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                   const struct rp_pipeline_info *info, struct rp_kernel *kernel,
                   struct rp_pipeline **out)
{
    uint32_t count;
    const struct rp_kernel_binding *bindings = rp_kernel_bindings(kernel, &count);
    struct rp_pipeline *pipeline = rp_object_zalloc(
        dev, alloc, sizeof(*pipeline) + count * sizeof(pipeline->bindings[0]), info->type);
    if (!pipeline) {
        rp_kernel_destroy(kernel);
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    pipeline->flags = info->flags;
    pipeline->kernel = kernel;
    pipeline->group_cost_ns = kernel_group_cost_ns(kernel);
    pipeline->binding_count = count;
    for (uint32_t i = 0; i < count; i++)
        pipeline->bindings[i] = pipeline_resolve(info->layout, &bindings[i]);
    const VkResult result = embedded_create(dev, info->heap_chain, pipeline);
    if (result != VK_SUCCESS) {
        rp_pipeline_destroy(dev, alloc, pipeline);
        return result;
    }
    rp_capture_created(dev, &pipeline->base, info->create_info);
    pipeline->variants = variants_create(dev, pipeline, info->source);
    if (RP_UNLIKELY(dev->profile))
        dev->profile->ops->pipeline_created(dev->profile, pipeline, info->source, info->layout);
    *out = pipeline;
    return VK_SUCCESS;
}

static VkResult
pipeline_finish(struct rp_device *dev, struct rp_pipeline_cache *cache,
                struct rp_kernel_build *build, const VkComputePipelineCreateInfo *create_info,
                const VkAllocationCallbacks *alloc, VkPipeline *out)
{
    const struct rp_pipeline_info info = {
        .type = VK_OBJECT_TYPE_PIPELINE,
        .flags = rp_pipeline_flags_of(create_info),
        .source = &build->source,
        .layout = rp_pipeline_layout_from_handle(create_info->layout),
        .heap_chain = heap_chain(create_info),
        .create_info = create_info,
    };
    struct rp_pipeline *pipeline = NULL;
    struct rp_kernel *kernel = NULL;
    VkResult result = rp_kernel_build_finish(build, dev, cache, &kernel);
    if (result == VK_SUCCESS)
        result = rp_pipeline_create(dev, alloc, &info, kernel, &pipeline);
    *out = rp_pipeline_to_handle(pipeline);
    return result;
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

struct call {
    struct rp_device *dev;
    struct rp_pipeline_cache *cache; /* may be NULL */
    const VkAllocationCallbacks *alloc;
    struct rp_kernel_build builds[RP_MAX_KERNEL_BUILDS];
    struct rp_heap_mappings mappings[RP_MAX_KERNEL_BUILDS];
    VkResult result;
};

static void
call_build(struct call *c, uint32_t count, const VkComputePipelineCreateInfo *infos)
{
    for (uint32_t i = 0; i < count; i++) {
        struct rp_kernel_build *build = &c->builds[i];
        const VkPipelineCreateFlags2 flags = rp_pipeline_flags_of(&infos[i]);
        *build = (struct rp_kernel_build){
            .what = "compute pipeline",
            .wants_text = flags & VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR,
            .is_forbidden = flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT,
        };
        build->result = kernel_source(c->dev, &infos[i], &c->mappings[i], &build->source);
    }
    rp_kernel_builds_run(c->dev, c->cache, c->builds, count);
}

/* Makes pipelines until one fails that ends the call, and returns how many were tried. */
static uint32_t
call_finish(struct call *c, uint32_t count, const VkComputePipelineCreateInfo *infos,
            VkPipeline *out, bool *ends)
{
    for (uint32_t i = 0; i < count; i++) {
        struct rp_kernel_build *build = &c->builds[i];
        const VkResult one = pipeline_finish(c->dev, c->cache, build, &infos[i], c->alloc, &out[i]);
        feedback_fill(&infos[i], one, build->is_hit, build->duration_ns);
        if (one == VK_SUCCESS)
            continue;
        /* An error wins over VK_PIPELINE_COMPILE_REQUIRED, the first one over later ones. */
        if (c->result >= 0)
            c->result = one;
        if (rp_pipeline_flags_of(&infos[i]) & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT) {
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
    struct call c = {
        .dev = rp_device_from_handle(device),
        .cache = rp_pipeline_cache_from_handle(cache),
        .alloc = alloc,
    };
    bool ends = false;

    for (uint32_t i = 0; i < count; i++)
        out[i] = VK_NULL_HANDLE;
    for (uint32_t first = 0; first < count && !ends; first += RP_MAX_KERNEL_BUILDS) {
        const uint32_t n = RP_MIN(count - first, RP_MAX_KERNEL_BUILDS);
        call_build(&c, n, infos + first);
        const uint32_t done = call_finish(&c, n, infos + first, out + first, &ends);
        for (uint32_t i = done; i < n; i++)
            rp_kernel_build_discard(&c.builds[i]);
        for (uint32_t i = 0; i < n; i++)
            rp_heap_mappings_finish(&c.mappings[i]);
    }
    return c.result;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyPipeline(VkDevice device, VkPipeline handle, const VkAllocationCallbacks *alloc)
{
    rp_pipeline_destroy(rp_device_from_handle(device), alloc, rp_pipeline_from_handle(handle));
}
