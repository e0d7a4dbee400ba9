/* SPDX-License-Identifier: MIT */
/* VkVideoEncodeRateControlInfoKHR and what hangs from it.
 */
#include "video/encode/rate.h"

#include "util/compiler.h"
#include "util/pnext.h"
#include "video/h264/encode_caps.h"

#define DEFAULT_BUFFER_MS 1000u

static void
set_qps(int32_t *out, const VkVideoEncodeH264QpKHR *qp)
{
    out[RP_RATE_I] = RP_MAX(0, RP_MIN(qp->qpI, 51));
    out[RP_RATE_P] = RP_MAX(0, RP_MIN(qp->qpP, 51));
    out[RP_RATE_B] = RP_MAX(0, RP_MIN(qp->qpB, 51));
}

static void
parse_h264_layer(const void *chain, struct rp_rate_layer *out)
{
    out->max_qp[0] = out->max_qp[1] = out->max_qp[2] = 51;

    const VkVideoEncodeH264RateControlLayerInfoKHR *h264 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_LAYER_INFO_KHR);
    if (!h264)
        return;
    out->has_min_qp = h264->useMinQp;
    if (h264->useMinQp)
        set_qps(out->min_qp, &h264->minQp);
    out->has_max_qp = h264->useMaxQp;
    if (h264->useMaxQp)
        set_qps(out->max_qp, &h264->maxQp);
    for (uint32_t i = 0; i < RP_RATE_TYPES; i++)
        out->max_qp[i] = RP_MAX(out->min_qp[i], out->max_qp[i]);
    if (h264->useMaxFrameSize) { /* a size of 0 limits nothing (the CTS sends it) */
        out->max_frame_size_B[RP_RATE_I] = h264->maxFrameSize.frameISize;
        out->max_frame_size_B[RP_RATE_P] = h264->maxFrameSize.framePSize;
        out->max_frame_size_B[RP_RATE_B] = h264->maxFrameSize.frameBSize;
    }
}

static void
parse_layer(const VkVideoEncodeRateControlLayerInfoKHR *info, enum rp_rate_mode mode,
            struct rp_rate_layer *out)
{
    const uint64_t wish_bps = info->averageBitrate ? info->averageBitrate : info->maxBitrate;
    out->average_bps = RP_MIN(wish_bps, RP_H264_MAX_BITRATE);
    out->max_bps = RP_MIN(info->maxBitrate, RP_H264_MAX_BITRATE);
    if (mode == RP_RATE_CBR || out->max_bps < out->average_bps)
        out->max_bps = out->average_bps;

    /* GStreamer sends 0/1 for a variable frame rate. */
    const bool has_rate = info->frameRateNumerator && info->frameRateDenominator;
    out->frame_rate_numerator = has_rate ? info->frameRateNumerator : 30;
    out->frame_rate_denominator = has_rate ? info->frameRateDenominator : 1;
    parse_h264_layer(info->pNext, out);
}

/* Without a rate there is nothing to control. */
static bool
has_rate(const struct rp_rate_settings *settings)
{
    for (uint32_t i = 0; i < settings->layer_count; i++) {
        if (settings->layer[i].average_bps == 0)
            return false;
    }
    return settings->layer_count > 0;
}

bool
rp_encode_rate_control_parse(const void *chain, struct rp_encode_rate_control *out)
{
    const VkVideoEncodeRateControlInfoKHR *info =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR);
    if (!info)
        return false;

    *out = (struct rp_encode_rate_control){.mode = info->rateControlMode};
    if (info->rateControlMode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR &&
        info->rateControlMode != VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR)
        return true;

    struct rp_rate_settings *settings = &out->settings;
    settings->mode = info->rateControlMode == VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR
                         ? RP_RATE_CBR
                         : RP_RATE_VBR;
    settings->layer_count = info->pLayers ? RP_MIN(info->layerCount, RP_RATE_LAYERS) : 0;
    for (uint32_t i = 0; i < settings->layer_count; i++)
        parse_layer(&info->pLayers[i], settings->mode, &settings->layer[i]);
    settings->virtual_buffer_ms =
        info->virtualBufferSizeInMs ? info->virtualBufferSizeInMs : DEFAULT_BUFFER_MS;
    settings->initial_virtual_buffer_ms =
        RP_MIN(info->initialVirtualBufferSizeInMs, settings->virtual_buffer_ms);

    const VkVideoEncodeH264RateControlInfoKHR *h264 =
        rp_find_struct(chain, VK_STRUCTURE_TYPE_VIDEO_ENCODE_H264_RATE_CONTROL_INFO_KHR);
    if (h264) {
        settings->gop_frame_count = h264->gopFrameCount;
        settings->idr_period = h264->idrPeriod;
        settings->consecutive_b_frame_count = h264->consecutiveBFrameCount;
        out->wants_hrd =
            h264->flags & VK_VIDEO_ENCODE_H264_RATE_CONTROL_ATTEMPT_HRD_COMPLIANCE_BIT_KHR;
    }
    if (!has_rate(settings))
        out->mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
    return true;
}
