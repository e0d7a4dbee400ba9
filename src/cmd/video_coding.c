/* SPDX-License-Identifier: MIT */
/* The video coding scope: vkCmdBeginVideoCodingKHR, vkCmdControlVideoCodingKHR and
 * vkCmdEndVideoCodingKHR.
 */
#include "cmd/cmd_buffer.h"
#include "cmd/decode_survey.h"
#include "cmd/describe.h"
#include "cmd/replay.h"
#include "cmd/video_picture.h"
#include "object/capture.h"
#include "object/video_session.h"
#include "util/pnext.h"
#include "util/struct_copy.h"
#include "video/decode/engine.h"
#include "video/encode/engine.h"
#include "video/parameters.h"
#include "video/standard.h"

#include "rp_entrypoints.h"

/* The parameter sets are kept alive: GStreamer destroys their object while the command buffer is
 * pending. */
struct begin_video_coding {
    struct rp_cmd cmd;
    struct rp_cmd_held held;
    const VkVideoBeginCodingInfoKHR *info;  /* copied */
    struct rp_video_parameters *parameters; /* a reference, or NULL */
    uint32_t parameters_id;                 /* in captures */
    bool has_rate;
    struct rp_encode_rate_control rate; /* that the application believes to be set */
};

static VkResult
begin_video_coding_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct begin_video_coding *c = (const struct begin_video_coding *)cmd;

    rp->video.session = rp_video_session_from_handle(c->info->videoSession);
    rp->video.parameters = c->parameters;
    rp->video.begin = c->info;
    if (c->has_rate)
        rp_video_encode_expect_rate(rp->video.session->encode, &c->rate);
    return VK_SUCCESS;
}

static void
begin_video_coding_survey(const struct rp_cmd *cmd, struct rp_decode_survey *survey)
{
    const struct begin_video_coding *c = (const struct begin_video_coding *)cmd;

    survey->session = rp_video_session_from_handle(c->info->videoSession);
    survey->begin = c->info;
}

static void
begin_video_coding_release(struct rp_cmd_held *held)
{
    rp_video_parameters_unref(rp_container_of(held, struct begin_video_coding, held)->parameters);
}

static void
begin_video_coding_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    const struct begin_video_coding *c = (const struct begin_video_coding *)cmd;
    void *copy = NULL;

    d->replay.video.begin = c->info;
    if (rp_struct_copy(&d->arena, c->info, &copy)) {
        VkVideoBeginCodingInfoKHR *info = copy;
        rp_video_slots_name(info->pReferenceSlots, info->referenceSlotCount);
        info->videoSessionParameters =
            (VkVideoSessionParametersKHR)RP_CAPTURE_ID_HANDLE(c->parameters_id);
    }
    rp_describe_info(d, copy);
}

static const struct rp_cmd_ops begin_video_coding_ops = {
    .name = "BeginVideoCoding",
    .goes_with_pictures = true,
    .replay = begin_video_coding_replay,
    .describe = begin_video_coding_describe,
    .survey = begin_video_coding_survey,
};

/* NULL when memory is short. */
static const VkVideoBeginCodingInfoKHR *
begin_copy(struct rp_arena *arena, const VkVideoBeginCodingInfoKHR *info)
{
    void *copy;
    if (!rp_struct_copy(arena, info, &copy))
        return NULL;
    const VkVideoBeginCodingInfoKHR *begin = copy;
    return rp_video_slots_keep(arena, begin->pReferenceSlots, begin->referenceSlotCount) ? begin
                                                                                         : NULL;
}

VKAPI_ATTR void VKAPI_CALL
rp_CmdBeginVideoCodingKHR(VkCommandBuffer commandBuffer, const VkVideoBeginCodingInfoKHR *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    const VkVideoBeginCodingInfoKHR *copy = begin_copy(&cb->arena, info);
    if (!copy) {
        rp_cmd_fail(cb, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    struct begin_video_coding *c = rp_cmd_record(cb, &begin_video_coding_ops, sizeof(*c));
    if (!c)
        return;
    const struct rp_video_session_parameters *params =
        rp_video_session_parameters_from_handle(info->videoSessionParameters);
    c->info = copy;
    c->parameters = params ? rp_video_parameters_ref(params->sets) : NULL;
    c->parameters_id = params ? params->base.capture_id : 0;
    struct rp_video_session *vs = rp_video_session_from_handle(info->videoSession);
    c->has_rate = vs->encode &&
                  rp_encode_rate_control_parse(vs->profile.standard->encode, info->pNext, &c->rate);
    cb->scope_session = vs;
    cb->scope_parameters = c->parameters;
    cb->has_session = true;
    if (!cb->encode_session && vs->encode)
        cb->encode_session = vs;
    cb->has_more_than_pictures |= cb->encode_session != vs;
    c->held.release = begin_video_coding_release;
    c->held.next = cb->held;
    cb->held = &c->held;
}

struct control_video_coding {
    struct rp_cmd cmd;
    const VkVideoCodingControlInfoKHR *info; /* copied: for captures */
    const struct rp_video_session *session;  /* borrowed; NULL: outside of a scope */
    VkVideoCodingControlFlagsKHR flags;
    bool has_rate;
    struct rp_encode_rate_control rate;
    uint32_t quality_level;
};

static VkResult
control_video_coding_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    const struct control_video_coding *c = (const struct control_video_coding *)cmd;
    struct rp_video_session *vs = rp->video.session;
    if (vs && vs->decode && c->flags & VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR)
        rp_video_decode_reset(vs->decode, rp->sequence);
    if (!vs || !vs->encode)
        return VK_SUCCESS;

    if (c->flags & VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR)
        rp_video_encode_reset(vs->encode);
    if (c->has_rate)
        rp_video_encode_set_rate(vs->encode, &c->rate);
    if (c->flags & VK_VIDEO_CODING_CONTROL_ENCODE_QUALITY_LEVEL_BIT_KHR)
        rp_video_encode_set_quality(vs->encode, c->quality_level);
    return VK_SUCCESS;
}

static void
control_video_coding_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    rp_describe_info(d, ((const struct control_video_coding *)cmd)->info);
}

/* A replay of the capture runs in this order, in which a reset would forget pictures that it did
 * not forget here. */
static bool
control_video_coding_is_past(const struct rp_cmd *cmd, const struct rp_describe *d)
{
    const struct control_video_coding *c = (const struct control_video_coding *)cmd;
    return c->session && c->session->decode &&
           rp_video_decode_is_past(c->session->decode, d->replay.sequence);
}

static const struct rp_cmd_ops control_video_coding_ops = {
    .name = "ControlVideoCoding",
    .goes_with_pictures = true,
    .replay = control_video_coding_replay,
    .describe = control_video_coding_describe,
    .is_past = control_video_coding_is_past,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdControlVideoCodingKHR(VkCommandBuffer commandBuffer, const VkVideoCodingControlInfoKHR *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    void *copy;
    if (!rp_struct_copy(&cb->arena, info, &copy)) {
        rp_cmd_fail(cb, VK_ERROR_OUT_OF_HOST_MEMORY);
        return;
    }
    struct control_video_coding *c = rp_cmd_record(cb, &control_video_coding_ops, sizeof(*c));
    if (!c)
        return;
    c->info = copy;
    c->flags = info->flags;
    const struct rp_video_session *vs = cb->scope_session;
    c->session = vs;
    c->has_rate = (info->flags & VK_VIDEO_CODING_CONTROL_ENCODE_RATE_CONTROL_BIT_KHR) && vs &&
                  vs->encode &&
                  rp_encode_rate_control_parse(vs->profile.standard->encode, info->pNext, &c->rate);
    const VkVideoEncodeQualityLevelInfoKHR *quality =
        rp_find_struct(info->pNext, VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUALITY_LEVEL_INFO_KHR);
    c->quality_level = quality ? quality->qualityLevel : 0;
}

static VkResult
end_video_coding_replay(const struct rp_cmd *cmd, struct rp_replay *rp)
{
    rp->video.session = NULL;
    rp->video.parameters = NULL;
    rp->video.begin = NULL;
    return VK_SUCCESS;
}

static void
end_video_coding_describe(const struct rp_cmd *cmd, struct rp_describe *d)
{
    d->replay.video.begin = NULL;
}

static const struct rp_cmd_ops end_video_coding_ops = {
    .name = "EndVideoCoding",
    .goes_with_pictures = true,
    .is_instant = true,
    .replay = end_video_coding_replay,
    .describe = end_video_coding_describe,
};

VKAPI_ATTR void VKAPI_CALL
rp_CmdEndVideoCodingKHR(VkCommandBuffer commandBuffer, const VkVideoEndCodingInfoKHR *info)
{
    struct rp_cmd_buffer *cb = rp_cmd_buffer_from_handle(commandBuffer);

    struct rp_cmd *cmd = rp_cmd_record(cb, &end_video_coding_ops, sizeof(*cmd));
    (void)cmd; /* nothing to fill in; an error sticks to the command buffer */
    cb->scope_session = NULL;
    cb->scope_parameters = NULL;
}
