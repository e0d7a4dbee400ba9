/* SPDX-License-Identifier: MIT */
/* Where the texels of an image lie: plane by plane, layer by layer, mip level by mip level.
 */
#include "object/device.h"
#include "object/image.h"
#include "object/memory.h"

#include "format/format.h"
#include "reelpipe/decode.h"
#include "reelpipe/encode_h264.h"
#include "util/checked.h"
#include "util/image_flags.h"
#include "util/log.h"
#include "util/pnext.h"

/* Rows from this size on start at multiples of it: whole cache lines for kernels. */
#define ROW_ALIGN_B 64u

/* No row is split between two texels: rows of odd texels are aligned to 16 of these. */
static uint64_t
row_align_B(uint64_t row_B, uint32_t block_B)
{
    if (row_B < ROW_ALIGN_B)
        return block_B;
    return block_B & (block_B - 1) ? 16 * (uint64_t)block_B : ROW_ALIGN_B;
}

static uint64_t
div_up(uint64_t value, uint32_t by)
{
    return (value + by - 1) / by;
}

static uint64_t
round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

static uint32_t
mip_px(uint32_t base_px, uint32_t level)
{
    return RP_MAX(base_px >> level, 1u);
}

/* row_stride_B: given by the application, or 0. offset_B is left alone. */
static bool
level_init(struct rp_image_level *l, const struct rp_image *img, uint32_t plane, uint32_t level,
           uint64_t row_stride_B)
{
    const struct rp_format_plane *fp = &img->format->planes[plane];
    const uint32_t width_px = mip_px(img->extent_px.width, level);
    const uint32_t height_px = mip_px(img->extent_px.height, level);

    l->extent_px = (VkExtent3D){
        .width = rp_format_plane_width(img->format, plane, width_px),
        .height = rp_format_plane_height(img->format, plane, height_px),
        .depth = mip_px(img->extent_px.depth, level),
    };
    const uint64_t row_B = div_up(l->extent_px.width, fp->block_w_px) * fp->block_B;
    const uint64_t row_count = div_up(l->extent_px.height, fp->block_h_px);
    l->row_stride_B =
        row_stride_B ? row_stride_B : round_up(row_B, row_align_B(row_B, fp->block_B));
    return rp_mul_u64(l->row_stride_B, row_count, &l->slice_stride_B) &&
           rp_mul_u64(l->slice_stride_B, rp_image_slice_count(img, l), &l->size_B) &&
           l->size_B <= RP_MAX_IMAGE_B;
}

/* All levels and layers of a plane from *end_B on. padded: NULL, or what the decoder wants. */
static bool
plane_init(struct rp_image *img, uint32_t index, const struct rp_decode_layout *padded,
           uint64_t *end_B)
{
    struct rp_image_plane *plane = &img->plane[index];
    uint64_t layer_B = 0;

    for (uint32_t i = 0; i < img->level_count; i++) {
        struct rp_image_level *l = &plane->level[i];
        if (!level_init(l, img, index, i, padded ? padded->stride_B : 0))
            return false;
        l->offset_B = *end_B + layer_B;
        layer_B += padded ? (uint64_t)padded->stride_B * padded->rows
                          : rp_align_u64(l->size_B, RP_MEMORY_ALIGN_B);
    }
    for (uint32_t i = 0; i < img->level_count; i++)
        plane->level[i].layer_stride_B = layer_B;

    uint64_t plane_B;
    return rp_mul_u64(layer_B, img->layer_count, &plane_B) && plane_B <= RP_MAX_IMAGE_B &&
           rp_add_u64(*end_B, plane_B, end_B);
}

/* codec: whose layout the luma is to have; or NULL. */
static VkResult
image_layout(struct rp_image *img, const struct rp_decode_codec *codec)
{
    struct rp_decode_layout padded;
    if (codec)
        codec->layout(img->extent_px.width, img->extent_px.height, &padded);
    img->memory_align_B = RP_MEMORY_ALIGN_B;
    uint64_t end_B = 0;
    for (uint32_t i = 0; i < img->plane_count; i++) {
        if (img->is_disjoint)
            end_B = 0;
        const bool is_padded = codec && i == 0;
        if (!plane_init(img, i, is_padded ? &padded : NULL, &end_B) || end_B > RP_MAX_IMAGE_B)
            return rp_error(NULL, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        img->memory_size_B[img->is_disjoint ? i : 0] = end_B;
    }
    return VK_SUCCESS;
}

/* A codec can work in place on images of this usage; of P010 none can, as codecs have samples of 10
 * bits in the other bits of their words. */
static bool
image_may_be_padded(const struct rp_image *img, VkImageUsageFlags usage)
{
    return (img->usage & usage) && img->vk_format == VK_FORMAT_G8_B8R8_2PLANE_420_UNORM &&
           img->tiling == VK_IMAGE_TILING_OPTIMAL && img->type == VK_IMAGE_TYPE_2D &&
           img->level_count == 1 && !img->is_disjoint;
}

static VkResult
image_layout_dpb(struct rp_image *img, const struct rp_encode_codec *codec)
{
    struct rp_dpb_layout layout;
    codec->dpb_layout(img->extent_px.width, img->extent_px.height, &layout);
    const uint64_t layer_B = rp_align_u64(layout.size_B, layout.align_B);

    for (uint32_t i = 0; i < 2; i++) {
        struct rp_image_level *l = &img->plane[i].level[0];
        if (!level_init(l, img, i, 0, layout.stride_B))
            return rp_error(NULL, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        l->offset_B = layout.offset_B[i];
        l->layer_stride_B = layer_B;
    }
    if (!rp_mul_u64(layer_B, img->layer_count, &img->memory_size_B[0]) ||
        img->memory_size_B[0] > RP_MAX_IMAGE_B)
        return rp_error(NULL, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    img->memory_align_B = RP_MAX(layout.align_B, RP_MEMORY_ALIGN_B);
    return VK_SUCCESS;
}

/* VkImageDrmFormatModifierExplicitCreateInfoEXT: the exporter's pitches and offsets. */
static VkResult
image_layout_explicit(struct rp_image *img, const VkSubresourceLayout *layouts)
{
    uint64_t end_B = 0;
    for (uint32_t i = 0; i < img->plane_count; i++) {
        struct rp_image_level *l = &img->plane[i].level[0];
        const struct rp_format_plane *fp = &img->format->planes[i];

        if (!level_init(l, img, i, 0, layouts[i].rowPitch) ||
            layouts[i].rowPitch < (uint64_t)l->extent_px.width * fp->block_B ||
            layouts[i].offset > RP_MAX_IMAGE_B || layouts[i].arrayPitch > RP_MAX_IMAGE_B)
            return rp_error(NULL, VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT);
        l->offset_B = layouts[i].offset;
        l->layer_stride_B = img->layer_count > 1 ? layouts[i].arrayPitch : l->size_B;
        uint64_t plane_B;
        if (!rp_mul_u64(l->layer_stride_B, img->layer_count - 1, &plane_B) ||
            plane_B > RP_MAX_IMAGE_B)
            return rp_error(NULL, VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT);
        plane_B += l->offset_B + l->size_B;
        if (img->is_disjoint)
            img->memory_size_B[i] = plane_B;
        end_B = RP_MAX(end_B, plane_B);
    }
    if (!img->is_disjoint)
        img->memory_size_B[0] = end_B;
    img->memory_align_B = RP_MEMORY_ALIGN_B;
    return VK_SUCCESS;
}

static void
image_init_planes(struct rp_image *img)
{
    img->plane_count = img->format->plane_count;
    for (uint32_t i = 0; i < img->plane_count; i++) {
        const struct rp_format_plane *fp = &img->format->planes[i];
        img->plane[i].format = rp_format_get(fp->format);
        img->plane[i].aspect = (VkImageAspectFlagBits)fp->aspect;
    }
}

/* The operations of the profiles that the image is made for; 0: none is named. */
static VkVideoCodecOperationFlagsKHR
image_operations(const VkImageCreateInfo *info)
{
    const VkVideoProfileListInfoKHR *list =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR);
    VkVideoCodecOperationFlagsKHR operations = 0;
    for (uint32_t i = 0; list && list->pProfiles && i < list->profileCount; i++)
        operations |= list->pProfiles[i].videoCodecOperation;
    return operations;
}

VkResult
rp_image_init(struct rp_image *img, const struct rp_device *dev, const VkImageCreateInfo *info)
{
    const VkImageDrmFormatModifierExplicitCreateInfoEXT *drm = rp_find_struct(
        info->pNext, VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);

    img->flags = (VkImageCreateFlags)rp_image_flags(info->pNext, info->flags);
    img->usage = (VkImageUsageFlags)rp_image_usage(info->pNext, info->usage);
    img->type = info->imageType;
    img->tiling = info->tiling;
    img->vk_format = info->format;
    img->format = rp_format_get(info->format);
    img->extent_px = info->extent;
    img->level_count = info->mipLevels;
    img->layer_count = info->arrayLayers;
    img->sample_count = info->samples;
    if (!img->format)
        return rp_error(NULL, VK_ERROR_FORMAT_NOT_SUPPORTED);
    if (img->level_count > RP_MAX_MIP_LEVELS)
        return rp_error(NULL, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    img->is_disjoint = (img->flags & VK_IMAGE_CREATE_DISJOINT_BIT) && img->format->plane_count > 1;
    image_init_planes(img);

    if (drm && info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
        return image_layout_explicit(img, drm->pPlaneLayouts);

    const struct rp_video_codecs *codecs = &dev->physical_device->video;
    const VkVideoCodecOperationFlagsKHR operations = image_operations(info);
    const struct rp_encode_codec *encode = NULL;
    const struct rp_decode_codec *decode = NULL;
    if (image_may_be_padded(img, VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR))
        encode = rp_video_codecs_encode_layout(codecs, operations);
    if (!encode && image_may_be_padded(img, VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR))
        decode = rp_video_codecs_decode_layout(codecs, operations);
    img->is_dpb_padded = encode != NULL;
    img->is_decode_padded = decode != NULL;
    return encode ? image_layout_dpb(img, encode) : image_layout(img, decode);
}
