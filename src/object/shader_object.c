/* SPDX-License-Identifier: MIT */
/* VK_EXT_shader_object: a shader object is a compute pipeline that can say what it was made of.
 *
 * Of the other stages there are none: VUID-vkCreateShadersEXT-stage-09671.
 */
#include "object/pipeline.h"

#include "compute/compute.h"
#include "object/descriptor_layout.h"
#include "object/device.h"
#include "object/heap_mapping.h"
#include "object/kernel_build.h"
#include "object/pipeline_cache.h"
#include "object/shader_binary.h"
#include "util/alloc.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

#include <string.h>

/* A kernel on its way to a shader object. */
struct shader {
    const VkShaderCreateInfoEXT *info; /* borrowed */
    struct rp_cache_key_source *read;  /* owned: what the binary was made of; NULL: SPIR-V */
    struct rp_heap_mappings mappings;  /* owned; of SPIR-V */
};

struct call {
    struct rp_device *dev;
    const VkAllocationCallbacks *alloc;
    struct shader shaders[RP_MAX_KERNEL_BUILDS];
    struct rp_kernel_build builds[RP_MAX_KERNEL_BUILDS]; /* of each shader */
};

/* A kernel that cannot be taken back is compiled: what it was made of is there. Binaries have those
 * of devices without robustBufferAccess2. */
static VkResult
source_of_binary(struct rp_device *dev, struct shader *shader, struct rp_kernel_build *build)
{
    const VkShaderCreateInfoEXT *info = shader->info;
    struct rp_shader_binary binary;

    if (!rp_shader_binary_read(dev, info->pCode, info->codeSize, &binary))
        return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
    const VkResult result = rp_cache_key_read(binary.key, binary.key_B, &shader->read);
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
        return rp_error(dev, result);
    if (result != VK_SUCCESS)
        return VK_INCOMPATIBLE_SHADER_BINARY_EXT;
    build->source = shader->read->info;
    build->source.wants_exact_bounds = dev->has_robust_buffer_access2;
    if (binary.kernel && !build->source.wants_exact_bounds &&
        rp_kernel_load(binary.kernel, binary.kernel_B, dev->physical_device->cpu_flags,
                       &build->kernel) != VK_SUCCESS)
        build->kernel = NULL;
    return VK_SUCCESS;
}

/* The chain that says where bindings lie in heaps; NULL: they lie in sets. */
static const void *
heap_chain(const VkShaderCreateInfoEXT *info)
{
    return info->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT ? info->pNext : NULL;
}

static VkResult
shader_source(struct rp_device *dev, struct shader *shader, struct rp_kernel_build *build)
{
    const VkShaderCreateInfoEXT *info = shader->info;

    if (info->stage != VK_SHADER_STAGE_COMPUTE_BIT)
        return rp_errorf(dev, VK_ERROR_FEATURE_NOT_PRESENT,
                         "shader object: there is no stage 0x%x, only compute", info->stage);
    if (info->codeType == VK_SHADER_CODE_TYPE_BINARY_EXT)
        return source_of_binary(dev, shader, build);
    if (info->codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT || !info->pName)
        return rp_errorf(dev, VK_ERROR_UNKNOWN, "shader object: neither SPIR-V nor a binary");
    const VkResult result = rp_heap_mappings_init(dev, heap_chain(info), &shader->mappings);
    build->source = (struct rp_cache_key_info){
        .mappings = shader->mappings.items,
        .mapping_count = shader->mappings.count,
        .words = info->pCode,
        .word_count = info->codeSize / sizeof(uint32_t),
        .entry_point = info->pName,
        .specialization = info->pSpecializationInfo,
        .subgroup_size = rp_required_subgroup_size(info->pNext),
        .wants_exact_bounds = dev->has_robust_buffer_access2,
    };
    return result;
}

static void
call_build(struct call *c, uint32_t count, const VkShaderCreateInfoEXT *infos)
{
    for (uint32_t i = 0; i < count; i++) {
        struct rp_kernel_build *build = &c->builds[i];
        c->shaders[i] = (struct shader){.info = &infos[i]};
        *build = (struct rp_kernel_build){.what = "shader object"};
        build->result = shader_source(c->dev, &c->shaders[i], build);
        build->source.has_robust_images = c->dev->has_robust_image_access;
    }
    rp_kernel_builds_run(c->dev, NULL, c->builds, count);
}

/* The set layouts as a pipeline layout has them; they are borrowed. Without an array there are
 * none. */
static struct rp_pipeline_layout
layout_of(const VkShaderCreateInfoEXT *info)
{
    struct rp_pipeline_layout layout = {0};
    if (info->pSetLayouts)
        layout.set_count = RP_MIN(info->setLayoutCount, RP_MAX_SETS);
    for (uint32_t i = 0; i < layout.set_count; i++)
        layout.sets[i] = rp_set_layout_from_handle(info->pSetLayouts[i]);
    return layout;
}

static VkResult
shader_create(struct call *c, const struct shader *shader, struct rp_kernel_build *build,
              const VkShaderCreateInfoEXT *described, VkShaderEXT *out)
{
    const struct rp_pipeline_layout layout = layout_of(shader->info);
    const struct rp_pipeline_info info = {
        .type = VK_OBJECT_TYPE_SHADER_EXT,
        .source = &build->source,
        .layout = &layout,
        .heap_chain = heap_chain(shader->info),
        .create_info = described,
    };
    struct rp_pipeline *pipeline = NULL;
    struct rp_kernel *kernel = NULL;
    VkResult result = rp_kernel_build_finish(build, c->dev, NULL, &kernel);
    if (result != VK_SUCCESS)
        return result;
    struct rp_cache_key_info plain = build->source;
    plain.wants_exact_bounds = false;
    struct rp_cache_entry *code = rp_cache_entry_create(&plain);
    if (!code) {
        rp_kernel_destroy(kernel);
        return rp_error(c->dev, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    result = rp_pipeline_create(c->dev, c->alloc, &info, kernel, &pipeline);
    if (result != VK_SUCCESS) {
        rp_cache_entry_destroy(code);
        return result;
    }
    pipeline->code = code;
    *out = (VkShaderEXT)(uintptr_t)pipeline;
    return VK_SUCCESS;
}

/* A binary is captured as the SPIR-V that it was made of, which any build can replay, and the
 * mappings that came with it. */
static VkResult
shader_finish(struct call *c, const struct shader *shader, struct rp_kernel_build *build,
              VkShaderEXT *out)
{
    const struct rp_cache_key_info *source = &build->source;
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = source->subgroup_size,
    };
    const VkShaderDescriptorSetAndBindingMappingInfoEXT *found =
        rp_find_struct(heap_chain(shader->info),
                       VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT);
    VkShaderDescriptorSetAndBindingMappingInfoEXT mappings;
    VkShaderCreateInfoEXT described = *shader->info;
    if (shader->read) {
        described.pNext = source->subgroup_size ? &size : NULL;
        if (found) {
            mappings = *found;
            mappings.pNext = described.pNext;
            described.pNext = &mappings;
        }
        described.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
        described.codeSize = source->word_count * sizeof(source->words[0]);
        described.pCode = source->words;
        described.pName = source->entry_point;
        described.pSpecializationInfo = source->specialization;
    }
    return shader_create(c, shader, build, &described, out);
}

/* After the first one that fails there are none, so that the application finds which it was. */
static VkResult
call_finish(struct call *c, uint32_t count, VkShaderEXT *out)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count; i++) {
        if (result == VK_SUCCESS)
            result = shader_finish(c, &c->shaders[i], &c->builds[i], &out[i]);
        else
            rp_kernel_build_discard(&c->builds[i]);
        rp_free(NULL, c->shaders[i].read);
        rp_heap_mappings_finish(&c->shaders[i].mappings);
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateShadersEXT(VkDevice device, uint32_t count, const VkShaderCreateInfoEXT *infos,
                    const VkAllocationCallbacks *alloc, VkShaderEXT *out)
{
    struct call c = {.dev = rp_device_from_handle(device), .alloc = alloc};
    VkResult result = VK_SUCCESS;

    for (uint32_t i = 0; i < count; i++)
        out[i] = VK_NULL_HANDLE;
    for (uint32_t first = 0; first < count && result == VK_SUCCESS; first += RP_MAX_KERNEL_BUILDS) {
        const uint32_t n = RP_MIN(count - first, RP_MAX_KERNEL_BUILDS);
        call_build(&c, n, infos + first);
        result = call_finish(&c, n, out + first);
    }
    return result;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyShaderEXT(VkDevice device, VkShaderEXT handle, const VkAllocationCallbacks *alloc)
{
    rp_pipeline_destroy(rp_device_from_handle(device), alloc, rp_pipeline_from_shader(handle));
}

/* The kernel that a binary has, for one owner more: on every device the same, whatever features are
 * enabled, as the CTS demands (shader_object.binary.device_features). */
static VkResult
plain_kernel(struct rp_device *dev, const struct rp_pipeline *shader, struct rp_kernel **out)
{
    struct rp_kernel_build build = {.what = "shader object"};
    struct rp_cache_key_source *source;

    if (!dev->has_robust_buffer_access2) {
        *out = rp_kernel_ref(shader->kernel);
        return VK_SUCCESS;
    }
    VkResult result = rp_cache_key_read(shader->code->bytes, (size_t)shader->code->key_B, &source);
    if (result != VK_SUCCESS)
        return rp_error(dev, result);
    build.source = source->info;
    rp_kernel_builds_run(dev, NULL, &build, 1);
    result = rp_kernel_build_finish(&build, dev, NULL, out);
    rp_free(NULL, source);
    return result;
}

/* "Nothing is written to pData unless pDataSize is large enough to fit the data in its
 * entirety." */
VKAPI_ATTR VkResult VKAPI_CALL
rp_GetShaderBinaryDataEXT(VkDevice device, VkShaderEXT handle, size_t *size_B, void *data)
{
    struct rp_device *dev = rp_device_from_handle(device);
    const struct rp_cache_entry *code = rp_pipeline_from_shader(handle)->code;
    struct rp_kernel *kernel = NULL;

    VkResult result = plain_kernel(dev, rp_pipeline_from_shader(handle), &kernel);
    if (result != VK_SUCCESS)
        return result;
    size_t needed_B = rp_shader_binary_write(dev, code, kernel, NULL);
    if (data && *size_B < needed_B) {
        needed_B = 0;
        result = VK_INCOMPLETE;
    } else if (data) {
        (void)rp_shader_binary_write(dev, code, kernel, data);
    }
    *size_B = needed_B;
    rp_kernel_destroy(kernel);
    return result;
}
