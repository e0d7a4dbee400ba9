/* SPDX-License-Identifier: MIT */
#include "capture/kernel_scan.h"

#include "capture/capture.h"
#include "object/pipeline.h"
#include "util/pnext.h"

#include <stddef.h>

#define SPIRV_HEADER_WORDS 5u
#define OP_CAPABILITY 17u
#define OP_READ_CLOCK 5056u
#define CAPABILITY_PHYSICAL_STORAGE_BUFFER_ADDRESSES 5347u

static uint32_t
scan(const uint32_t *words, size_t count)
{
    uint32_t flags = 0;
    size_t at = SPIRV_HEADER_WORDS;
    while (at < count) {
        const uint32_t length = words[at] >> 16;
        const uint32_t op = words[at] & 0xffff;
        if (length == 0 || length > count - at)
            break;
        if (op == OP_CAPABILITY && length > 1 &&
            words[at + 1] == CAPABILITY_PHYSICAL_STORAGE_BUFFER_ADDRESSES)
            flags |= RP_CAPTURE_KERNEL_ADDRESSES;
        if (op == OP_READ_CLOCK)
            flags |= RP_CAPTURE_KERNEL_CLOCK;
        at += length;
    }
    return flags;
}

static uint32_t
scan_pipeline(const VkComputePipelineCreateInfo *info)
{
    const VkShaderModuleCreateInfo *inlined =
        rp_find_struct(info->stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    const struct rp_shader_module *module = rp_shader_module_from_handle(info->stage.module);
    if (module)
        return scan(module->words, module->word_count);
    return inlined ? scan(inlined->pCode, inlined->codeSize / sizeof(uint32_t)) : 0;
}

static uint32_t
flags_of_heaps(bool has_heaps)
{
    return has_heaps ? RP_CAPTURE_KERNEL_HEAPS : 0;
}

uint32_t
rp_capture_kernel_scan(const void *info)
{
    const VkShaderCreateInfoEXT *shader = info;
    if (shader->sType == VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT)
        return scan(shader->pCode, shader->codeSize / sizeof(uint32_t)) |
               flags_of_heaps(shader->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT);
    return scan_pipeline(info) | flags_of_heaps(rp_pipeline_flags_of(info) &
                                                VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT);
}
