/* SPDX-License-Identifier: MIT */
/* Samplers and Y'CbCr conversions.
 */
#include "object/sampler.h"

#include "object/capture.h"
#include "object/device.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateSamplerYcbcrConversion(VkDevice device, const VkSamplerYcbcrConversionCreateInfo *info,
                                const VkAllocationCallbacks *alloc, VkSamplerYcbcrConversion *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_ycbcr_conversion *conversion =
        rp_object_zalloc(dev, alloc, sizeof(*conversion), VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION);
    if (!conversion)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    conversion->state = (struct rp_ycbcr){
        .format = info->format,
        .model = info->ycbcrModel,
        .range = info->ycbcrRange,
        .components = info->components,
        .x_offset = info->xChromaOffset,
        .y_offset = info->yChromaOffset,
        .chroma_filter = info->chromaFilter,
    };
    rp_capture_created(dev, &conversion->base, info);
    *out = rp_ycbcr_conversion_to_handle(conversion);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroySamplerYcbcrConversion(VkDevice device, VkSamplerYcbcrConversion handle,
                                 const VkAllocationCallbacks *alloc)
{
    rp_object_free(rp_device_from_handle(device), alloc, rp_ycbcr_conversion_from_handle(handle));
}

/* The border colours without custom ones. */
static VkClearColorValue
sampler_border_color(VkBorderColor color)
{
    VkClearColorValue value = {0};

    switch ((int)color) {
    case VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK:
        value.float32[3] = 1.0f;
        break;
    case VK_BORDER_COLOR_INT_OPAQUE_BLACK:
        value.int32[3] = 1;
        break;
    case VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE:
        for (int i = 0; i < 4; i++)
            value.float32[i] = 1.0f;
        break;
    case VK_BORDER_COLOR_INT_OPAQUE_WHITE:
        for (int i = 0; i < 4; i++)
            value.int32[i] = 1;
        break;
    default: /* transparent black */
        break;
    }
    return value;
}

static void
state_apply_chain(struct rp_sampler_state *state, struct rp_ycbcr *state_ycbcr, const void *chain)
{
    const VkSamplerReductionModeCreateInfo *reduction =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
    const VkSamplerYcbcrConversionInfo *ycbcr =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    const VkSamplerCustomBorderColorCreateInfoEXT *border =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);

    if (reduction)
        state->reduction = reduction->reductionMode;
    if (ycbcr && ycbcr->conversion) {
        *state_ycbcr = rp_ycbcr_conversion_from_handle(ycbcr->conversion)->state;
        state->ycbcr = state_ycbcr;
    }
    if (border)
        state->border_color = border->customBorderColor;
}

void
rp_sampler_state_init(struct rp_sampler_state *state, struct rp_ycbcr *ycbcr,
                      const VkSamplerCreateInfo *info)
{
    *state = (struct rp_sampler_state){
        .mag_filter = info->magFilter,
        .min_filter = info->minFilter,
        .mipmap_mode = info->mipmapMode,
        .address_mode = {info->addressModeU, info->addressModeV, info->addressModeW},
        .mip_lod_bias = info->mipLodBias,
        .min_lod = info->minLod,
        .max_lod = info->maxLod,
        .max_anisotropy = info->anisotropyEnable ? info->maxAnisotropy : 0.0f,
        .has_compare = info->compareEnable,
        .compare_op = info->compareOp,
        .reduction = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE,
        .is_unnormalized = info->unnormalizedCoordinates,
        .is_non_seamless = info->flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT,
        .border_color = sampler_border_color(info->borderColor),
    };
    state_apply_chain(state, ycbcr, info->pNext);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateSampler(VkDevice device, const VkSamplerCreateInfo *info,
                 const VkAllocationCallbacks *alloc, VkSampler *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    struct rp_sampler *sampler =
        rp_object_zalloc(dev, alloc, sizeof(*sampler), VK_OBJECT_TYPE_SAMPLER);
    if (!sampler)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    rp_sampler_state_init(&sampler->state, &sampler->ycbcr, info);
    const VkResult result =
        rp_descriptor_name_take(dev, sampler, RP_DESCRIPTOR_SAMPLER, &sampler->descriptor_name);
    if (result != VK_SUCCESS) {
        rp_object_free(dev, alloc, sampler);
        return result;
    }
    rp_capture_created(dev, &sampler->base, info);
    *out = rp_sampler_to_handle(sampler);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroySampler(VkDevice device, VkSampler handle, const VkAllocationCallbacks *alloc)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_sampler *sampler = rp_sampler_from_handle(handle);
    if (sampler)
        rp_descriptor_name_drop(dev, sampler->descriptor_name);
    rp_object_free(dev, alloc, sampler);
}
