/* SPDX-License-Identifier: MIT */
/* vkCmdDecodeVideoKHR: resolves views and buffers when it is replayed, and decodes. Whatever goes
 * wrong with a picture is the business of its query.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/decode_survey.h"
#include "cmd/replay.h"
#include "cmd/video_picture.h"
#include "object/buffer.h"
#include "object/device.h"
#include "object/image.h"
#include "object/instance.h"
#include "object/memory_mapping_ref.h"
#include "object/query_pool.h"
#include "object/video_session.h"
#include "util/pnext.h"
#include "util/struct_copy.h"
#include "video/decode/engine.h"
#include "video/h264/fields.h"

#include "rp_entrypoints.h"

struct decode_video {
    struct rp_cmd cmd;
    const VkVideoDecodeInfoKHR *info; /* copied */
};

/* Where the picture is; nowhere when there is no view. */
static struct rp_decode_key
resolve_key(const VkVideoPictureResourceInfoKHR *info)
{
    const struct rp_image_view *view =
        info ? rp_image_view_from_handle(info->imageViewBinding) : NULL;
    if (!view)
        return (struct rp_decode_key){.image_id = 0};
    return (struct rp_decode_key){
        .image_id = view->img->id,
        .layer = view->base_layer + info->baseArrayLayer,
        .x_px = info->codedOffset.x,
        .y_px = info->codedOffset.y,
    };
}

/* The layer's pixels from the coded offset on, as far as the coded extent and the image go. NULL
 * when there is no such picture. */
static struct rp_image *
resolve_picture(const VkVideoPictureResourceInfoKHR *info, struct rp_picture *out)
{
    uint32_t layer;
    struct rp_image *img = rp_video_picture_image(info, &layer);
    if (!img || !rp_video_picture_planes(img, layer, info->codedOffset, out))
        return NULL;
    out->width_px =
        RP_MIN(info->codedExtent.width, img->extent_px.width - (uint32_t)info->codedOffset.x);
    out->height_px =
        RP_MIN(info->codedExtent.height, img->extent_px.height - (uint32_t)info->codedOffset.y);
    return img;
}

static uint32_t
resolve_references(const struct rp_replay *rp, const VkVideoDecodeInfoKHR *info,
                   struct rp_decode_reference *refs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->referenceSlotCount && count < RP_DECODE_MAX_REFERENCES; i++) {
        const VkVideoReferenceSlotInfoKHR *slot = &info->pReferenceSlots[i];
        const VkVideoDecodeH264DpbSlotInfoKHR *h264 =
            rp_find_struct(slot->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR);
        if (!h264 || !h264->pStdReferenceInfo)
            continue;
        refs[count++] = (struct rp_decode_reference){
            .key = resolve_key(rp_video_slot_resource(rp->video.begin, slot)),
            .std = h264->pStdReferenceInfo,
        };
    }
    return count;
}

static bool
resolve_source(const VkVideoDecodeInfoKHR *info, struct rp_decode_request *request)
{
    const struct rp_buffer *buf = rp_buffer_from_handle(info->srcBuffer);
    if (!buf || !buf->host || info->srcBufferOffset > buf->size_B)
        return false;
    request->src = buf->host + info->srcBufferOffset;
    request->src_B = rp_buffer_range_B(buf, info->srcBufferOffset, info->srcBufferRange);
    return true;
}

/* Where dst may be decoded in place: memory that stays, and a layout that the decoder knows. */
static void
resolve_home(const struct rp_replay *rp, const struct rp_image *img, VkOffset2D offset_px,
             struct rp_h264_decode_home *out)
{
    if (!img->is_decode_padded || offset_px.x != 0 || offset_px.y != 0)
        return;
    struct rp_h264_decode_layout layout;
    rp->dev->physical_device->h264_decode->layout(img->extent_px.width, img->extent_px.height,
                                                  &layout);
    *out = (struct rp_h264_decode_home){
        .memory = rp_memory_mapping_ref_get(img->memory),
        .retain = rp_memory_mapping_ref_retain,
        .release = rp_memory_mapping_ref_release,
        .rows = layout.rows,
    };
}

/* The output picture; and, when it is a distinct one that somebody could read, the setup slot's. */
static bool
resolve_outputs(const struct rp_replay *rp, const VkVideoDecodeInfoKHR *info,
                struct rp_decode_request *request)
{
    const VkImageUsageFlags readable =
        VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
        VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR;

    struct rp_image *dst = resolve_picture(&info->dstPictureResource, &request->dst);
    if (!dst)
        return false;
    rp_image_mark_written(dst);

    struct rp_picture setup = request->dst;
    if (info->pSetupReferenceSlot && info->pSetupReferenceSlot->slotIndex >= 0) {
        const VkVideoPictureResourceInfoKHR *resource =
            rp_video_slot_resource(rp->video.begin, info->pSetupReferenceSlot);
        request->setup = resolve_key(resource);
        struct rp_image *img = resolve_picture(resource, &setup);
        if (!img)
            return true;
        if (setup.plane[0].data != request->dst.plane[0].data && img->usage & readable) {
            request->dst_setup = setup;
            rp_image_mark_written(img);
        }
    }
    if (setup.plane[0].data == request->dst.plane[0].data)
        resolve_home(rp, dst, info->dstPictureResource.codedOffset, &request->home);
    return true;
}

/* Both fields when neither is named. */
static uint32_t
fields_of(bool has_top, bool has_bottom)
{
    if (has_top == has_bottom)
        return RP_DECODE_TOP | RP_DECODE_BOTTOM;
    return has_top ? RP_DECODE_TOP : RP_DECODE_BOTTOM;
}

static const StdVideoDecodeH264PictureInfo *
picture_of(const VkVideoDecodeInfoKHR *info)
{
    const VkVideoDecodeH264PictureInfoKHR *picture =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR);
    return picture ? picture->pStdPictureInfo : NULL;
}

/* Zeroed without a setup slot. */
static struct rp_decode_identity
identity_of(const VkVideoDecodeInfoKHR *info, const VkVideoBeginCodingInfoKHR *begin)
{
    const StdVideoDecodeH264PictureInfo *std = picture_of(info);
    if (!std || !info->pSetupReferenceSlot)
        return (struct rp_decode_identity){.fields = 0};
    const bool is_field = std->flags.field_pic_flag;
    const struct rp_decode_key key =
        resolve_key(rp_video_slot_resource(begin, info->pSetupReferenceSlot));
    return (struct rp_decode_identity){
        .image_id = key.image_id,
        .layer = key.layer,
        .x_px = key.x_px,
        .y_px = key.y_px,
        .fields = fields_of(is_field && !std->flags.bottom_field_flag,
                            is_field && std->flags.bottom_field_flag),
        .frame_num = std->frame_num,
        .poc = {std->PicOrderCnt[0], std->PicOrderCnt[1]},
    };
}

/* A picture that will not be decoded: it was expected when it was submitted. */
static void
give_up(const struct rp_replay *rp, const VkVideoDecodeInfoKHR *info)
{
    const struct rp_decode_identity identity = identity_of(info, rp->video.begin);
    const struct rp_decode_field field = {
        .key = rp_decode_identity_key(&identity),
        .fields = identity.fields,
        .sequence = rp->sequence,
    };
    rp_video_decode_give_up(rp->video.session->decode, &field);
}

static enum rp_codec_status
decode(struct rp_replay *rp, const VkVideoDecodeInfoKHR *info)
{
    struct rp_video_session *vs = rp->video.session;
    if (!vs || !vs->decode)
        return RP_CODEC_FAILED;

    struct rp_decode_reference refs[RP_DECODE_MAX_REFERENCES];
    struct rp_decode_request request = {
        .parameters = rp->video.parameters,
        .inlined = rp_find_struct(
            info->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_INLINE_SESSION_PARAMETERS_INFO_KHR),
        .picture =
            rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_PICTURE_INFO_KHR),
        .refs = refs,
        .ref_count = resolve_references(rp, info, refs),
        .sequence = rp->sequence,
    };
    if (!resolve_source(info, &request) || !resolve_outputs(rp, info, &request)) {
        give_up(rp, info);
        return RP_CODEC_FAILED;
    }
    return rp_video_decode_picture(vs->decode, &request);
}

/* An inline query wins over one that is active in the scope. */
static void
complete_query(struct rp_replay *rp, const VkVideoDecodeInfoKHR *info, enum rp_codec_status status)
{
    const VkVideoInlineQueryInfoKHR *inlined =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_INLINE_QUERY_INFO_KHR);
    const VkQueryResultStatusKHR result = status == RP_CODEC_OK
                                              ? VK_QUERY_RESULT_STATUS_COMPLETE_KHR
                                              : VK_QUERY_RESULT_STATUS_ERROR_KHR;
    if (inlined && inlined->queryPool) {
        rp_query_complete(rp_query_pool_from_handle(inlined->queryPool), inlined->firstQuery, NULL,
                          0, result);
    } else if (rp->video.query_pool && !rp->video.is_query_taken) {
        rp->video.is_query_taken = true;
        rp_query_complete(rp->video.query_pool, rp->video.query, NULL, 0, result);
    }
}

static VkResult
decode_video_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct decode_video *c = (const struct decode_video *)cmd;

    rp_replay_wait_jobs(rp);
    complete_query(rp, c->info, decode(rp, c->info));
    if (RP_UNLIKELY(rp->dev->quirks) && picture_of(c->info) && rp->video.session)
        rp->dev->quirks->ops->picture_decoded(rp->dev->quirks);
    return VK_SUCCESS;
}

static void
survey_references(const VkVideoDecodeInfoKHR *info, const VkVideoBeginCodingInfoKHR *begin,
                  struct rp_quirk_decode *out)
{
    for (uint32_t i = 0; i < RP_MIN(info->referenceSlotCount, RP_DECODE_MAX_REFERENCES); i++) {
        const VkVideoReferenceSlotInfoKHR *slot = &info->pReferenceSlots[i];
        const VkVideoDecodeH264DpbSlotInfoKHR *h264 =
            rp_find_struct(slot->pNext, VK_STRUCTURE_TYPE_VIDEO_DECODE_H264_DPB_SLOT_INFO_KHR);
        const StdVideoDecodeH264ReferenceInfo *std = h264 ? h264->pStdReferenceInfo : NULL;
        if (!std || std->flags.is_non_existing)
            continue;
        const struct rp_decode_key key = resolve_key(rp_video_slot_resource(begin, slot));
        out->refs[out->ref_count++] = (struct rp_decode_identity){
            .image_id = key.image_id,
            .layer = key.layer,
            .x_px = key.x_px,
            .y_px = key.y_px,
            .fields = fields_of(std->flags.top_field_flag, std->flags.bottom_field_flag),
            .frame_num = std->FrameNum,
            .is_long_term = std->flags.used_for_long_term_reference,
            .poc = {std->PicOrderCnt[0], std->PicOrderCnt[1]},
        };
    }
}

static void
decode_video_survey(const struct rp_cmd *cmd, struct rp_decode_survey *survey)
{
    const VkVideoDecodeInfoKHR *info = ((const struct decode_video *)cmd)->info;
    if (!picture_of(info) || !survey->session)
        return;

    struct rp_quirk_decode decode = {
        .session_id = (uintptr_t)survey->session,
        .picture = identity_of(info, survey->begin),
    };
    survey_references(info, survey->begin, &decode);
    survey->visit(survey->ctx, survey->session, &decode);
}

void
rp_decode_survey_run(struct rp_decode_survey *survey, const struct rp_cmd_buffer *cb)
{
    for (const struct rp_cmd *cmd = cb->has_decode ? cb->first : NULL; cmd; cmd = cmd->next) {
        if (cmd->ops->survey)
            cmd->ops->survey(cmd, survey);
    }
}

static const struct rp_cmd_ops decode_video_ops = {
    .name = "DecodeVideo",
    .replay = decode_video_replay,
    .survey = decode_video_survey,
};

/* NULL when memory is short. */
static const VkVideoDecodeInfoKHR *
decode_copy(struct rp_arena *arena, const VkVideoDecodeInfoKHR *info)
{
    void *copy;
    if (!rp_struct_copy(arena, info, &copy))
        return NULL;
    const VkVideoDecodeInfoKHR *decode = copy;
    const uint32_t setup_count = decode->pSetupReferenceSlot != NULL;
    if (!rp_video_picture_keep(arena, &decode->dstPictureResource) ||
        !rp_video_slots_keep(arena, decode->pSetupReferenceSlot, setup_count) ||
        !rp_video_slots_keep(arena, decode->pReferenceSlots, decode->referenceSlotCount))
        return NULL;
    return decode;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdDecodeVideoKHR(VkCommandBuffer commandBuffer, const VkVideoDecodeInfoKHR *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    const VkVideoDecodeInfoKHR *copy = decode_copy(&cb->arena, info);
    if (!copy) {
        rp_cmd_fail(cb, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    struct decode_video *c = rp_cmd_record(cb, &decode_video_ops, sizeof(*c));
    if (!c)
        return;
    c->info = copy;
    cb->has_decode = true;
}
