/* SPDX-License-Identifier: MIT */
/* vkCmdDecodeVideoKHR: resolves views and buffers when it is replayed, and decodes. Whatever goes
 * wrong with a picture is the business of its query.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/decode_survey.h"
#include "cmd/describe.h"
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
#include "video/decode/standard.h"
#include "video/standard.h"

#include "rp_entrypoints.h"

struct decode_video {
    struct rp_cmd cmd;
    const VkVideoDecodeInfoKHR *info; /* copied */
};

/* Where the picture is; nowhere when there is no view. */
static struct rp_picture_key
resolve_key(const VkVideoPictureResourceInfoKHR *info)
{
    const struct rp_image_view *view =
        info ? rp_image_view_from_handle(info->imageViewBinding) : NULL;
    if (!view)
        return (struct rp_picture_key){.image_id = 0};
    return (struct rp_picture_key){
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

static const struct rp_decode_standard *
standard_of(const struct rp_video_session *vs)
{
    return vs->profile.standard->decode;
}

/* The standard's structure of a slot. False when it is missing: then the slot is left out. */
static bool
slot_info(const struct rp_video_session *vs, const VkVideoReferenceSlotInfoKHR *slot,
          const void **out)
{
    const VkStructureType type = standard_of(vs)->reference_info_type;
    *out = type ? rp_find_struct(slot->pNext, type) : NULL;
    return !type || *out;
}

static uint32_t
resolve_references(const struct rp_replay *rp, const VkVideoDecodeInfoKHR *info,
                   struct rp_decode_reference *refs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->referenceSlotCount && count < RP_DECODE_MAX_REFERENCES; i++) {
        const VkVideoReferenceSlotInfoKHR *slot = &info->pReferenceSlots[i];
        struct rp_decode_reference *ref = &refs[count];
        if (!slot_info(rp->video.session, slot, &ref->info))
            continue;
        ref->key = resolve_key(rp_video_slot_resource(rp->video.begin, slot));
        ref->slot_index = slot->slotIndex;
        count++;
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
resolve_target(const struct rp_replay *rp, const struct rp_image *img, VkOffset2D offset_px,
               struct rp_decode_target *out)
{
    const struct rp_decode_codec *codec = rp->video.session->profile.decode_codec;
    if (!img->is_decode_padded || !codec->layout || offset_px.x != 0 || offset_px.y != 0)
        return;
    struct rp_decode_layout layout;
    codec->layout(img->extent_px.width, img->extent_px.height, &layout);
    const struct rp_image_level *luma = &img->plane[0].level[0];
    if (layout.stride_B != luma->row_stride_B ||
        (uint64_t)layout.stride_B * layout.rows > luma->layer_stride_B)
        return; /* the image is laid out for another codec */
    *out = (struct rp_decode_target){
        .memory = rp_memory_mapping_ref_get(img->memory),
        .retain = rp_memory_mapping_ref_retain,
        .release = rp_memory_mapping_ref_release,
        .rows = layout.rows,
    };
}

/* NULL: the picture is kept in no slot. */
static const VkVideoReferenceSlotInfoKHR *
setup_slot_of(const VkVideoDecodeInfoKHR *info)
{
    const VkVideoReferenceSlotInfoKHR *slot = info->pSetupReferenceSlot;
    return slot && slot->slotIndex >= 0 ? slot : NULL;
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
    request->coded_width_px = info->dstPictureResource.codedExtent.width;
    request->coded_height_px = info->dstPictureResource.codedExtent.height;
    const VkOffset2D offset_px = info->dstPictureResource.codedOffset;
    request->image_width_px = dst->extent_px.width - (uint32_t)offset_px.x;
    request->image_height_px = dst->extent_px.height - (uint32_t)offset_px.y;

    struct rp_picture setup = request->dst;
    if (setup_slot_of(info)) {
        const VkVideoPictureResourceInfoKHR *resource =
            rp_video_slot_resource(rp->video.begin, setup_slot_of(info));
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
        resolve_target(rp, dst, offset_px, &request->target);
    return true;
}

static const void *
picture_of(const struct rp_video_session *vs, const VkVideoDecodeInfoKHR *info)
{
    return rp_find_struct(info->pNext, standard_of(vs)->picture_info_type);
}

/* The command decodes something on a session that decodes; vs may be NULL. */
static bool
names_picture(const struct rp_video_session *vs, const VkVideoDecodeInfoKHR *info)
{
    struct rp_decode_identity identity = {.fields = 0};
    return vs && vs->decode && standard_of(vs)->identify_picture(picture_of(vs, info), &identity);
}

/* Zeroed when there is no picture, or no setup slot. */
static struct rp_decode_identity
identity_of(const struct rp_video_session *vs, const VkVideoDecodeInfoKHR *info,
            const VkVideoBeginCodingInfoKHR *begin)
{
    struct rp_decode_identity identity = {.fields = 0};
    if (setup_slot_of(info) && standard_of(vs)->identify_picture(picture_of(vs, info), &identity))
        identity.key = resolve_key(rp_video_slot_resource(begin, info->pSetupReferenceSlot));
    return identity;
}

/* A picture that will not be decoded: it was expected when it was submitted. */
static void
give_up(const struct rp_replay *rp, const VkVideoDecodeInfoKHR *info)
{
    const struct rp_video_session *vs = rp->video.session;
    const struct rp_decode_identity identity = identity_of(vs, info, rp->video.begin);
    rp_video_decode_give_up(vs->decode, &identity, rp->sequence);
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
        .inlined = rp_find_struct(info->pNext, standard_of(vs)->inline_parameters_type),
        .picture = picture_of(vs, info),
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
    if (RP_UNLIKELY(rp->dev->quirks) && names_picture(rp->video.session, c->info))
        rp->dev->quirks->ops->picture_decoded(rp->dev->quirks);
    return VK_SUCCESS;
}

static void
survey_references(const struct rp_decode_survey *survey, const VkVideoDecodeInfoKHR *info,
                  struct rp_quirk_decode *out)
{
    for (uint32_t i = 0; i < RP_MIN(info->referenceSlotCount, RP_DECODE_MAX_REFERENCES); i++) {
        const VkVideoReferenceSlotInfoKHR *slot = &info->pReferenceSlots[i];
        struct rp_decode_identity *ref = &out->refs[out->ref_count];
        const void *slot_structure;
        if (!slot_info(survey->session, slot, &slot_structure) ||
            !standard_of(survey->session)->identify_reference(slot_structure, ref))
            continue;
        ref->key = resolve_key(rp_video_slot_resource(survey->begin, slot));
        out->ref_count++;
    }
}

static void
decode_video_survey(const struct rp_cmd *cmd, struct rp_decode_survey *survey)
{
    const VkVideoDecodeInfoKHR *info = ((const struct decode_video *)cmd)->info;
    if (!names_picture(survey->session, info))
        return;

    struct rp_quirk_decode decode = {
        .session_id = (uintptr_t)survey->session,
        .picture = identity_of(survey->session, info, survey->begin),
    };
    survey_references(survey, info, &decode);
    decode.picture.ref_count = decode.ref_count;
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

static void
decode_video_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const VkVideoDecodeInfoKHR *info = ((const struct decode_video *)cmd)->info;
    const uint32_t setup_count = info->pSetupReferenceSlot != NULL;
    void *copy = NULL;

    if (rp_struct_copy(&d->arena, info, &copy)) {
        const VkVideoDecodeInfoKHR *named = copy;
        rp_video_picture_name(&named->dstPictureResource);
        rp_video_slots_name(named->pSetupReferenceSlot, setup_count);
        rp_video_slots_name(named->pReferenceSlots, named->referenceSlotCount);
    }
    rp_describe_info(d, copy);
    rp_capture_touch_buffer(d->capture, rp_buffer_from_handle(info->srcBuffer),
                            info->srcBufferOffset, info->srcBufferRange, RP_CAPTURE_READ);
    rp_video_picture_touch(d, &info->dstPictureResource, RP_CAPTURE_WRITE);
    rp_video_slots_touch(d, info->pReferenceSlots, info->referenceSlotCount, RP_CAPTURE_READ);
    rp_video_slots_touch(d, info->pSetupReferenceSlot, setup_count, RP_CAPTURE_WRITE);
}

static const struct rp_cmd_ops decode_video_ops = {
    .name = "DecodeVideo",
    .replay = decode_video_replay,
    .describe = decode_video_describe,
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
