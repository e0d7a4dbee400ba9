/* SPDX-License-Identifier: MIT */
/* VkVideoEncodeRateControlInfoKHR and what hangs from it.
 */
#include "video/encode/rate.h"

#include "util/compiler.h"
#include "util/pnext.h"
#include "video/encode/standard.h"

#define DEFAULT_BUFFER_MS 1000u

static void
parse_layer(const struct rp_encode_standard *standard,
            const VkVideoEncodeRateControlLayerInfoKHR *info, enum rp_rate_mode mode,
            struct rp_rate_layer *out)
{
    const uint64_t wish_bps = info->averageBitrate ? info->averageBitrate : info->maxBitrate;
    out->average_bps = RP_MIN(wish_bps, standard->max_bitrate_bps);
    out->max_bps = RP_MIN(info->maxBitrate, standard->max_bitrate_bps);
    if (mode == RP_RATE_CBR || out->max_bps < out->average_bps)
        out->max_bps = out->average_bps;

    /* GStreamer sends 0/1 for a variable frame rate. */
    const bool has_rate = info->frameRateNumerator && info->frameRateDenominator;
    out->frame_rate_numerator = has_rate ? info->frameRateNumerator : 30;
    out->frame_rate_denominator = has_rate ? info->frameRateDenominator : 1;
    standard->parse_rate_layer(info->pNext, out);
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
rp_encode_rate_control_parse(const struct rp_encode_standard *standard, const void *chain,
                             struct rp_encode_rate_control *out)
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
        parse_layer(standard, &info->pLayers[i], settings->mode, &settings->layer[i]);
    settings->virtual_buffer_ms =
        info->virtualBufferSizeInMs ? info->virtualBufferSizeInMs : DEFAULT_BUFFER_MS;
    settings->initial_virtual_buffer_ms =
        RP_MIN(info->initialVirtualBufferSizeInMs, settings->virtual_buffer_ms);

    standard->parse_rate(chain, out);
    if (!has_rate(settings))
        out->mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR;
    return true;
}
