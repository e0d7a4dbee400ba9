/* SPDX-License-Identifier: MIT */
/* VkImageView: a part of an image, also in the form that shaders read.
 */
#include "object/capture.h"
#include "object/device.h"
#include "object/image.h"

#include "format/format.h"
#include "util/image_flags.h"
#include "util/log.h"
#include "util/pnext.h"

#include "rp_entrypoints.h"

static VkComponentSwizzle
swizzle_resolve(VkComponentSwizzle swizzle, VkComponentSwizzle identity)
{
    return swizzle == VK_COMPONENT_SWIZZLE_IDENTITY ? identity : swizzle;
}

/* A 2D view of a 3D image: its layers are depth slices. */
static bool
view_has_slices(const struct rp_image *img, VkImageViewType type)
{
    return img->type == VK_IMAGE_TYPE_3D && type != VK_IMAGE_VIEW_TYPE_3D;
}

static uint32_t
view_layer_count(const struct rp_image *img, const VkImageViewCreateInfo *info)
{
    const VkImageSubresourceRange *range = &info->subresourceRange;
    if (range->layerCount != VK_REMAINING_ARRAY_LAYERS)
        return range->layerCount;
    const uint32_t total = view_has_slices(img, info->viewType)
                               ? img->plane[0].level[range->baseMipLevel].extent_px.depth
                               : img->layer_count;
    return total - range->baseArrayLayer;
}

/* The planes of the image that the view shows: one, but for COLOR of a multi-planar format. */
static uint32_t
view_first_plane(const struct rp_image *img, const VkImageViewCreateInfo *info, uint32_t *count_out)
{
    const VkImageAspectFlags aspects = info->subresourceRange.aspectMask;
    const bool is_whole = aspects == VK_IMAGE_ASPECT_COLOR_BIT && img->format->chroma &&
                          info->format == img->vk_format;
    *count_out = is_whole ? img->plane_count : 1;
    return is_whole ? 0 : rp_format_plane_index(img->format, aspects);
}

static void
view_fill_level(const struct rp_image_view *view, const struct rp_image_plane *plane,
                uint32_t level, struct rp_texture_level *out)
{
    const struct rp_image_level *l = &plane->level[level];
    const bool has_slices = view_has_slices(view->img, view->type);
    const uint64_t layer_B = has_slices ? l->slice_stride_B : l->layer_stride_B;
    /* A view of blocks of a compressed image as texels (BLOCK_TEXEL_VIEW_COMPATIBLE). */
    const bool is_block_view =
        rp_format_is_compressed(view->img->format) && !rp_format_is_compressed(view->format);
    const uint32_t block_w = is_block_view ? view->img->format->planes[0].block_w_px : 1;
    const uint32_t block_h = is_block_view ? view->img->format->planes[0].block_h_px : 1;

    const uint64_t offset_B = l->offset_B + view->base_layer * layer_B;

    *out = (struct rp_texture_level){
        .data = plane->host ? plane->host + offset_B : NULL,
        .width_px = (l->extent_px.width + block_w - 1) / block_w,
        .height_px = (l->extent_px.height + block_h - 1) / block_h,
        .depth_px = has_slices ? 1 : l->extent_px.depth,
        .row_B = l->row_stride_B,
        .slice_B = l->slice_stride_B,
        .layer_B = layer_B,
    };
}

static void
view_fill_texture(struct rp_image_view *view, uint32_t first_plane, uint32_t plane_count)
{
    for (uint32_t p = 0; p < plane_count; p++)
        for (uint32_t l = 0; l < view->level_count; l++)
            view_fill_level(view, &view->img->plane[first_plane + p], view->base_level + l,
                            &view->levels[p * view->level_count + l]);
    view->texture = (struct rp_texture){
        .type = view->type,
        .format = view->vk_format,
        .swizzle = view->swizzle,
        .plane_count = plane_count,
        .level_count = view->level_count,
        .layer_count = view->layer_count,
        .sample_count = view->img->sample_count,
        .min_lod = view->min_lod,
        .levels = view->levels,
    };
    view->storage = view->texture;
}

/* VK_EXT_image_sliced_view_of_3d: storage images see a part of the depth, samplers all of it. */
static void
view_set_slices(struct rp_image_view *view, const void *chain)
{
    const VkImageViewSlicedCreateInfoEXT *sliced =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT);
    if (!sliced || view->type != VK_IMAGE_VIEW_TYPE_3D)
        return;
    view->part = view->levels[0];
    const uint32_t first = RP_MIN(sliced->sliceOffset, view->part.depth_px - 1);
    view->part.depth_px = RP_MIN(sliced->sliceCount, view->part.depth_px - first);
    if (view->part.data)
        view->part.data += first * view->part.slice_B;
    view->storage.levels = &view->part;
}

static void
view_set_min_lod(struct rp_image_view *view, const void *chain)
{
    const VkImageViewMinLodCreateInfoEXT *min_lod =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
    if (min_lod && min_lod->minLod > (float)view->base_level)
        view->min_lod = min_lod->minLod - (float)view->base_level;
}

static VkResult
view_take_name(struct rp_image_view *view)
{
    const uint32_t uses = rp_image_view_uses(view);
    return uses ? rp_descriptor_name_take(view->base.dev, view, uses, &view->descriptor_name)
                : VK_SUCCESS;
}

/* A whole picture that an application with a quirk may be about to decode. */
static bool
view_is_of_decode(const struct rp_image_view *view, uint32_t plane_count)
{
    return view->base.dev->quirks && plane_count > 1 &&
           view->usage &
               (VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR | VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR);
}

VkResult
rp_image_view_create(struct rp_device *dev, const VkAllocationCallbacks *alloc,
                     const VkImageViewCreateInfo *info, uint64_t heap_number,
                     struct rp_image_view **out)
{
    struct rp_image *img = rp_image_from_handle(info->image);
    const VkImageSubresourceRange *range = &info->subresourceRange;
    const uint32_t level_count = range->levelCount == VK_REMAINING_MIP_LEVELS
                                     ? img->level_count - range->baseMipLevel
                                     : range->levelCount;
    uint32_t plane_count;
    const uint32_t first_plane = view_first_plane(img, info, &plane_count);

    struct rp_image_view *view = NULL;
    const size_t levels_B = plane_count * level_count * sizeof(view->levels[0]);
    view = rp_object_zalloc(dev, alloc, sizeof(*view) + levels_B, VK_OBJECT_TYPE_IMAGE_VIEW);
    if (!view)
        return rp_error(dev, VK_ERROR_OUT_OF_HOST_MEMORY);

    view->img = img;
    view->type = info->viewType;
    view->vk_format = info->format;
    view->format = rp_format_get(info->format);
    view->swizzle = (VkComponentMapping){
        swizzle_resolve(info->components.r, VK_COMPONENT_SWIZZLE_R),
        swizzle_resolve(info->components.g, VK_COMPONENT_SWIZZLE_G),
        swizzle_resolve(info->components.b, VK_COMPONENT_SWIZZLE_B),
        swizzle_resolve(info->components.a, VK_COMPONENT_SWIZZLE_A),
    };
    view->aspects = range->aspectMask;
    view->usage = (VkImageUsageFlags)rp_image_view_usage(info->pNext, img->usage);
    view->base_level = range->baseMipLevel;
    view->level_count = level_count;
    view->base_layer = range->baseArrayLayer;
    view->layer_count = view_layer_count(img, info);
    view_set_min_lod(view, info->pNext);
    view_fill_texture(view, first_plane, plane_count);
    view_set_slices(view, info->pNext);
    view->heap_number = heap_number;
    const VkResult result = heap_number ? VK_SUCCESS : view_take_name(view);
    if (result != VK_SUCCESS) {
        rp_object_free(dev, alloc, view);
        return result;
    }
    if (RP_UNLIKELY(view_is_of_decode(view, plane_count)))
        dev->quirks->ops->begin_picture(dev->quirks, (uintptr_t)view, img->id);
    rp_capture_created(dev, &view->base, info);
    *out = view;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
rp_CreateImageView(VkDevice device, const VkImageViewCreateInfo *info,
                   const VkAllocationCallbacks *alloc, VkImageView *out)
{
    struct rp_image_view *view;
    const VkResult result =
        rp_image_view_create(rp_device_from_handle(device), alloc, info, 0, &view);
    if (result == VK_SUCCESS)
        *out = rp_image_view_to_handle(view);
    return result;
}

VKAPI_ATTR void VKAPI_CALL
rp_DestroyImageView(VkDevice device, VkImageView handle, const VkAllocationCallbacks *alloc)
{
    struct rp_device *dev = rp_device_from_handle(device);
    struct rp_image_view *view = rp_image_view_from_handle(handle);
    if (RP_UNLIKELY(dev->quirks) && view)
        dev->quirks->ops->forget_view(dev->quirks, (uintptr_t)view);
    if (view)
        rp_descriptor_name_drop(dev, view->descriptor_name);
    rp_object_free(dev, alloc, view);
}
