/* SPDX-License-Identifier: MIT */
#include "cmd/video_picture.h"

#include "cmd/describe.h"
#include "format/format.h"

bool
rp_video_picture_keep(struct rp_arena *arena, const VkVideoPictureResourceInfoKHR *info)
{
    const struct rp_image_view *view =
        info ? rp_image_view_from_handle(info->imageViewBinding) : NULL;
    if (!view)
        return true;
    struct rp_image_view *kept = rp_arena_alloc(arena, sizeof(*kept));
    if (!kept)
        return false;
    *kept = (struct rp_image_view){
        .base.type = VK_OBJECT_TYPE_IMAGE_VIEW,
        .base.capture_id = view->base.capture_id,
        .img = view->img,
        .base_layer = view->base_layer,
    };
    /* The copy is the arena's, too. */
    ((VkVideoPictureResourceInfoKHR *)info)->imageViewBinding = rp_image_view_to_handle(kept);
    return true;
}

bool
rp_video_slots_keep(struct rp_arena *arena, const VkVideoReferenceSlotInfoKHR *slots,
                    uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!rp_video_picture_keep(arena, slots[i].pPictureResource))
            return false;
    }
    return true;
}

void
rp_video_picture_name(const VkVideoPictureResourceInfoKHR *info)
{
    const struct rp_image_view *kept =
        info ? rp_image_view_from_handle(info->imageViewBinding) : NULL;
    if (kept)
        ((VkVideoPictureResourceInfoKHR *)info)->imageViewBinding =
            (VkImageView)RP_CAPTURE_ID_HANDLE(kept->base.capture_id);
}

void
rp_video_slots_name(const VkVideoReferenceSlotInfoKHR *slots, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        rp_video_picture_name(slots[i].pPictureResource);
}

struct rp_image *
rp_video_picture_image(const VkVideoPictureResourceInfoKHR *info, uint32_t *layer_out)
{
    const struct rp_image_view *view =
        info ? rp_image_view_from_handle(info->imageViewBinding) : NULL;
    if (!view)
        return NULL;
    struct rp_image *img = view->img;
    *layer_out = view->base_layer + info->baseArrayLayer;
    if (*layer_out >= img->layer_count || info->codedOffset.x < 0 || info->codedOffset.y < 0 ||
        (uint32_t)info->codedOffset.x >= img->extent_px.width ||
        (uint32_t)info->codedOffset.y >= img->extent_px.height)
        return NULL;
    return img;
}

struct picture_format {
    VkFormat format;
    enum rp_picture_layout layout;
    uint32_t bit_depth;
};

/* NULL: the engine has no such pictures. */
static const struct picture_format *
picture_format_of(VkFormat format)
{
    static const struct picture_format formats[] = {
        {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, RP_PICTURE_NV12, 8},
        {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, RP_PICTURE_I420, 8},
        {VK_FORMAT_G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16, RP_PICTURE_NV12, 10},
    };
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(formats); i++) {
        if (formats[i].format == format)
            return &formats[i];
    }
    return NULL;
}

bool
rp_video_picture_planes(const struct rp_image *img, uint32_t layer, VkOffset2D offset_px,
                        struct rp_picture *out)
{
    const struct picture_format *format = picture_format_of(img->vk_format);
    if (!format)
        return false;
    out->layout = format->layout;
    out->chroma = RP_CHROMA_420;
    out->bit_depth = format->bit_depth;
    for (uint32_t i = 0; i < img->plane_count; i++) {
        const struct rp_image_plane *plane = &img->plane[i];
        const struct rp_format_plane *texels = &img->format->planes[i];
        if (!plane->host)
            return false;
        const uint64_t stride_B = plane->level[0].row_stride_B;
        out->plane[i].stride_B = stride_B;
        out->plane[i].data = rp_image_texels(plane, 0, layer, 0) +
                             ((uint32_t)offset_px.y >> texels->log2_div_h) * stride_B +
                             ((uint32_t)offset_px.x >> texels->log2_div_w) * texels->block_B;
    }
    return true;
}

const VkVideoPictureResourceInfoKHR *
rp_video_slot_resource(const VkVideoBeginCodingInfoKHR *begin,
                       const VkVideoReferenceSlotInfoKHR *slot)
{
    if (slot->pPictureResource)
        return slot->pPictureResource;
    for (uint32_t i = 0; i < begin->referenceSlotCount; i++) {
        if (begin->pReferenceSlots[i].slotIndex == slot->slotIndex)
            return begin->pReferenceSlots[i].pPictureResource;
    }
    return NULL;
}

void
rp_video_picture_touch(struct rp_describe *d, const VkVideoPictureResourceInfoKHR *info,
                       uint32_t access)
{
    uint32_t layer;
    rp_capture_touch_image(d->capture, rp_video_picture_image(info, &layer), access);
}

void
rp_video_slots_touch(struct rp_describe *d, const VkVideoReferenceSlotInfoKHR *slots,
                     uint32_t count, uint32_t access)
{
    for (uint32_t i = 0; slots && i < count && d->replay.video.begin; i++)
        rp_video_picture_touch(d, rp_video_slot_resource(d->replay.video.begin, &slots[i]), access);
}
