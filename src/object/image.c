/* SPDX-License-Identifier: MIT */
/* Images: life, memory, and what the application may know of their layout.
 */
#include "object/image.h"

#include "format/format.h"
#include "object/capture.h"
#include "object/debug_messenger.h"
#include "object/device.h"
#include "object/memory.h"
#include "util/checked.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateImage(VkDevice device, const VkImageCreateInfo *info, const VkAllocationCallbacks *alloc,
               VkImage *out)
{
    struct rp_device *dev = rp_device_from_handle(device);

    const uint32_t coder_count = info->usage & VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR
                                     ? RP_MIN(info->arrayLayers, RP_MAX_IMAGE_LAYERS)
                                     : 0;
    struct rp_image *img = rp_object_zalloc(
        dev, alloc, sizeof(*img) + coder_count * sizeof(*img->coders), VK_OBJECT_TYPE_IMAGE);
    if (!img)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    VkResult result = rp_image_init(img, dev, info);
    if (result != VK_SUCCESS) {
        rp_object_free(dev, alloc, img);
        return result;
    }
    img->id = atomic_fetch_add(&dev->next_image_id, 1) + 1;
    result = rp_heap_image_init(img, info);
    if (result != VK_SUCCESS) {
        rp_object_free(dev, alloc, img);
        return result;
    }
    img->coders = (struct rp_image_coders *)(img + 1);
    img->coder_count = coder_count;
    if (coder_count > 0)
        pthread_mutex_init(&img->coder_mutex, NULL);
    rp_capture_created(dev, &img->base, info);
    *out = rp_image_to_handle(img);
    return VK_SUCCESS;
}

/* Each plane that has memory of its own. */
static void
image_report_binding(const struct rp_image *img, VkDeviceAddressBindingTypeEXT type)
{
    for (uint32_t i = 0; i < (img->is_disjoint ? img->plane_count : 1); i++)
        rp_report_binding(img, type, img->plane[i].host, img->memory_size_B[i]);
}

/* What an encoder knows of it may be overwritten through another image. */
static bool
is_dpb_alias(const struct rp_image *img)
{
    return rp_image_may_be_alias(img) && img->coder_count > 0;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyImage(VkDevice device, VkImage handle, const VkAllocationCallbacks *alloc)
{
    struct rp_image *img = rp_image_from_handle(handle);

    if (img) {
        rp_heap_image_finish(img);
        image_report_binding(img, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
        if (is_dpb_alias(img))
            rp_image_aliases_remove(&img->base.dev->image_aliases, img);
        if (img->coder_count > 0)
            pthread_mutex_destroy(&img->coder_mutex);
    }
    rp_object_free(rp_device_from_handle(device), alloc, img);
}

void
rp_image_mark_coded(struct rp_image *img, uint32_t layer, const struct rp_image_place *place,
                    uint64_t session_id)
{
    rp_image_mark_aliases_written(img);
    if (layer >= img->coder_count)
        return;
    pthread_mutex_lock(&img->coder_mutex);
    rp_image_coders_write(&img->coders[layer], place, session_id);
    pthread_mutex_unlock(&img->coder_mutex);
}

uint64_t
rp_image_generation(struct rp_image *img, uint32_t layer, const struct rp_image_place *place)
{
    uint64_t written = atomic_load_explicit(&img->generation, memory_order_relaxed);
    if (layer < img->coder_count) {
        pthread_mutex_lock(&img->coder_mutex);
        written += rp_image_coders_generation(&img->coders[layer], place);
        pthread_mutex_unlock(&img->coder_mutex);
    }
    if (img->usage & VK_IMAGE_USAGE_STORAGE_BIT)
        written += atomic_load_explicit(&img->base.dev->shader_write_count, memory_order_relaxed);
    return written;
}

static uint32_t
image_plane_index(const struct rp_image *img, VkImageAspectFlags aspect)
{
    switch (aspect) {
    case VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT:
        return 1;
    case VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT:
        return 2;
    default:
        return rp_format_plane_index(img->format, aspect);
    }
}

struct rp_image_plane *
rp_image_plane_of(struct rp_image *img, VkImageAspectFlags aspect)
{
    return &img->plane[image_plane_index(img, aspect)];
}

static void
image_requirements(const struct rp_image *img, VkImageAspectFlags plane_aspect,
                   VkMemoryRequirements2 *out)
{
    const uint32_t plane = img->is_disjoint ? image_plane_index(img, plane_aspect) : 0;
    VkMemoryDedicatedRequirements *dedicated =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);

    out->memoryRequirements = (VkMemoryRequirements){
        .size = rp_align_u64(img->memory_size_B[plane], img->memory_align_B),
        .alignment = img->memory_align_B,
        .memoryTypeBits = 1,
    };
    if (dedicated) {
        dedicated->prefersDedicatedAllocation = VK_FALSE;
        dedicated->requiresDedicatedAllocation = VK_FALSE;
    }
}

VKAPI_ATTR void VKAPI_CALL
rp_GetImageMemoryRequirements2(VkDevice device, const VkImageMemoryRequirementsInfo2 *info,
                               VkMemoryRequirements2 *out)
{
    const VkImagePlaneMemoryRequirementsInfo *plane =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO);

    image_requirements(rp_image_from_handle(info->image), plane ? plane->planeAspect : 0, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDeviceImageMemoryRequirements(VkDevice device, const VkDeviceImageMemoryRequirements *info,
                                    VkMemoryRequirements2 *out)
{
    struct rp_image img = {0};

    if (rp_image_init(&img, rp_device_from_handle(device), info->pCreateInfo) != VK_SUCCESS)
        img.memory_size_B[0] = RP_MAX_IMAGE_B; /* cannot be had, and says so */
    if (!img.memory_align_B)
        img.memory_align_B = RP_MEMORY_ALIGN_B;
    image_requirements(&img, info->planeAspect, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_GetImageSparseMemoryRequirements2(VkDevice device,
                                     const VkImageSparseMemoryRequirementsInfo2 *info,
                                     uint32_t *count_out, VkSparseImageMemoryRequirements2 *out)
{
    *count_out = 0;
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDeviceImageSparseMemoryRequirements(VkDevice device,
                                          const VkDeviceImageMemoryRequirements *info,
                                          uint32_t *count_out,
                                          VkSparseImageMemoryRequirements2 *out)
{
    *count_out = 0;
}

static void
plane_bind(struct rp_image *img, uint32_t index, const struct rp_memory *mem, uint64_t offset_B)
{
    img->plane[index].host = mem->host + offset_B;
    img->plane[index].file_id = mem->file_id;
    img->plane[index].file_offset_B = offset_B;
    img->is_in_file |= mem->file_id != 0;
}

static void
image_bind(struct rp_image *img, struct rp_memory *mem, const VkBindImageMemoryInfo *info)
{
    const VkBindImagePlaneMemoryInfo *plane =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO);
    uint8_t *host = mem->host + info->memoryOffset;

    if (img->is_disjoint && plane) {
        const uint32_t index = image_plane_index(img, plane->planeAspect);
        plane_bind(img, index, mem, info->memoryOffset);
        rp_memory_expect_dense(mem, info->memoryOffset, img->memory_size_B[index]);
        rp_report_binding(img, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, host,
                          img->memory_size_B[index]);
        if (index == 0)
            img->memory = mem;
        return;
    }
    img->memory = mem;
    for (uint32_t i = 0; i < img->plane_count; i++)
        plane_bind(img, i, mem, info->memoryOffset);
    rp_memory_expect_dense(mem, info->memoryOffset, img->memory_size_B[0]);
    image_report_binding(img, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_BindImageMemory2(VkDevice device, uint32_t count, const VkBindImageMemoryInfo *infos)
{
    for (uint32_t i = 0; i < count; i++) {
        VkBindMemoryStatus *status =
            rp_find_struct_mut((void *)infos[i].pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);

        struct rp_image *img = rp_image_from_handle(infos[i].image);
        image_bind(img, rp_memory_from_handle(infos[i].memory), &infos[i]);
        if (is_dpb_alias(img))
            rp_image_aliases_add(&img->base.dev->image_aliases, img);
        rp_capture_changed(rp_device_from_handle(device), &img->base, &infos[i]);
        if (status)
            *status->pResult = VK_SUCCESS;
    }
    return VK_SUCCESS;
}

static void
image_subresource_layout(const struct rp_image *img, const VkImageSubresource2 *subresource,
                         VkSubresourceLayout2 *out)
{
    const VkImageSubresource *s = &subresource->imageSubresource;
    const struct rp_image_plane *plane = &img->plane[image_plane_index(img, s->aspectMask)];
    const struct rp_image_level *l = &plane->level[s->mipLevel];
    VkSubresourceHostMemcpySize *memcpy_size =
        rp_find_struct_mut(out->pNext, VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE);

    out->subresourceLayout = (VkSubresourceLayout){
        .offset = l->offset_B + s->arrayLayer * l->layer_stride_B,
        .size = l->size_B,
        .rowPitch = l->row_stride_B,
        .arrayPitch = l->layer_stride_B,
        .depthPitch = l->slice_stride_B,
    };
    if (memcpy_size)
        memcpy_size->size = l->size_B;
}

VKAPI_ATTR void VKAPI_CALL
rp_GetImageSubresourceLayout2(VkDevice device, VkImage handle,
                              const VkImageSubresource2 *subresource, VkSubresourceLayout2 *out)
{
    image_subresource_layout(rp_image_from_handle(handle), subresource, out);
}

VKAPI_ATTR void VKAPI_CALL
rp_GetDeviceImageSubresourceLayout(VkDevice device, const VkDeviceImageSubresourceInfo *info,
                                   VkSubresourceLayout2 *out)
{
    struct rp_image img = {0};

    if (rp_image_init(&img, rp_device_from_handle(device), info->pCreateInfo) == VK_SUCCESS)
        image_subresource_layout(&img, info->pSubresource, out);
    else
        out->subresourceLayout = (VkSubresourceLayout){0};
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_GetImageDrmFormatModifierPropertiesEXT(VkDevice device, VkImage handle,
                                          VkImageDrmFormatModifierPropertiesEXT *out)
{
    out->drmFormatModifier = 0; /* DRM_FORMAT_MOD_LINEAR is all there is */
    return VK_SUCCESS;
}
