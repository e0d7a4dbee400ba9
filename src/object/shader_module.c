/* SPDX-License-Identifier: MIT */
/* Shader modules: a copy of the words.
 */
#include "object/pipeline.h"

#include "object/capture.h"
#include "object/device.h"
#include "util/log.h"

#include "rp_entrypoints.h"

#include <string.h>

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                      const VkAllocationCallbacks *alloc, VkShaderModule *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_shader_module *module = rp_object_zalloc(dev, alloc, sizeof(*module) + info->codeSize,
                                                       VK_OBJECT_TYPE_SHADER_MODULE);
    if (!module)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    module->word_count = info->codeSize / sizeof(uint32_t);
    memcpy(module->words, info->pCode, module->word_count * sizeof(uint32_t));
    rp_capture_created(dev, &module->base, info);
    *out = rp_shader_module_to_handle(module);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyShaderModule(VkDevice device, VkShaderModule handle, const VkAllocationCallbacks *alloc)
{
    rp_object_free(rp_device_from_handle(device), alloc, rp_shader_module_from_handle(handle));
}
