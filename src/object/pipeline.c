/* SPDX-License-Identifier: MIT */
/* Compute pipelines: a kernel, and where its bindings lie in the sets of the pipeline layout.
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

/* Must reads beyond any buffer give zero? The stage has the last word, then the pipeline. */
static bool
wants_exact_bounds(const struct rp_device *dev, const VkComputePipelineCreateInfo *info)
{
    const void *const chains[] = {info->stage.pNext, info->pNext};
    VkPipelineRobustnessBufferBehavior behaviors[2] = {0}; /* DEVICE_DEFAULT */

    for (uint32_t i = 0; i < 2; i++) {
        const VkPipelineRobustnessCreateInfo *robustness =
            rp_find_struct(chains[i], VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO);
        if (!robustness)
            continue;
        behaviors[0] = robustness->storageBuffers;
        behaviors[1] = robustness->uniformBuffers;
        break;
    }
    for (uint32_t b = 0; b < 2; b++)
        if (behaviors[b] == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2 ||
            (behaviors[b] == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT &&
             dev->has_robust_buffer_access2))
            return true;
    return false;
}

static VkResult
kernel_compile(struct rp_device *dev, const struct rp_cache_key_info *source, bool wants_text,
               struct rp_kernel **out)
{
    struct rp_compute_message message = {0};
    struct rp_shader *shader = NULL;

    VkResult result = rp_shader_create(source->words, source->word_count, &message, &shader);
    if (result == VK_SUCCESS) {
        const struct rp_kernel_info info = {
            .shader = shader,
            .entry_point = source->entry_point,
            .specialization = source->specialization,
            .cpu_flags = dev->physical_device->cpu_flags,
            .wants_exact_bounds = source->wants_exact_bounds,
            .wants_text = wants_text,
        };
        result = rp_kernel_create(&info, &message, out);
        rp_shader_destroy(shader);
    }
    return result == VK_SUCCESS ? result
                                : rp_errorf(dev, result, "compute pipeline: %s", message.text);
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
        .wants_exact_bounds = wants_exact_bounds(dev, pipeline),
    };
    return VK_SUCCESS;
}

/* cache may be NULL. */
static VkResult
kernel_get(struct rp_device *dev, struct rp_pipeline_cache *cache,
           const VkComputePipelineCreateInfo *pipeline, bool *is_hit_out, struct rp_kernel **out)
{
    const VkPipelineCreateFlags2 flags = pipeline_flags(pipeline);
    const bool wants_text = flags & VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    struct rp_cache_key_info source;
    VkResult result = kernel_source(dev, pipeline, &source);
    if (result != VK_SUCCESS)
        return result;

    /* Text is for people, who can wait: it is not kept. Without memory for the key there is
     * none. */
    struct rp_cache_entry *entry = cache && !wants_text ? rp_cache_entry_create(&source) : NULL;
    *out = entry ? rp_pipeline_cache_find(cache, entry) : NULL;
    *is_hit_out = *out;
    if (!*out && (flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT))
        result = VK_PIPELINE_COMPILE_REQUIRED;
    else if (!*out)
        result = kernel_compile(dev, &source, wants_text, out);
    if (entry && !*is_hit_out && result == VK_SUCCESS)
        rp_pipeline_cache_add(cache, entry, *out);
    else
        rp_cache_entry_destroy(entry);
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
    out.is_dynamic = b->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
                     b->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
    return out;
}

static VkResult
pipeline_create(struct rp_device *dev, struct rp_pipeline_cache *cache,
                const VkComputePipelineCreateInfo *info, const VkAllocationCallbacks *alloc,
                bool *is_hit_out, VkPipeline *out)
{
    const struct rp_pipeline_layout *layout = rp_pipeline_layout_from_handle(info->layout);
    struct rp_kernel *kernel = NULL;
    const VkResult result = kernel_get(dev, cache, info, is_hit_out, &kernel);
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
    struct rp_cache_key_info source;
    const bool has_source = kernel_source(dev, info, &source) == VK_SUCCESS;
    if (has_source)
        pipeline->variants = variants_create(dev, pipeline, &source);
    if (RP_UNLIKELY(dev->profile) && has_source)
        dev->profile->ops->pipeline_created(dev->profile, pipeline, &source, layout);
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

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                          const VkComputePipelineCreateInfo *infos,
                          const VkAllocationCallbacks *alloc, VkPipeline *out)
{
    struct rp_device *dev = rp_device_from_handle(device);
    VkResult result = VK_SUCCESS;
    uint32_t i = 0;

    for (; i < count; i++) {
        const uint64_t begin_ns = rp_clock_now_ns();
        out[i] = VK_NULL_HANDLE;
        bool is_hit = false;
        const VkResult one = pipeline_create(dev, rp_pipeline_cache_from_handle(cache), &infos[i],
                                             alloc, &is_hit, &out[i]);
        feedback_fill(&infos[i], one, is_hit, rp_clock_now_ns() - begin_ns);
        if (one == VK_SUCCESS)
            continue;
        /* An error wins over VK_PIPELINE_COMPILE_REQUIRED, the first one over later ones. */
        if (result >= 0)
            result = one;
        if (pipeline_flags(&infos[i]) & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT) {
            i++;
            break;
        }
    }
    for (; i < count; i++)
        out[i] = VK_NULL_HANDLE;
    return result;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyPipeline(VkDevice device, VkPipeline handle, const VkAllocationCallbacks *alloc)
{
    pipeline_destroy(rp_device_from_handle(device), alloc, rp_pipeline_from_handle(handle));
}
