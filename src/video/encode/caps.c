/* SPDX-License-Identifier: MIT */
/* Feedback, quantization maps, intra refresh and rate control come with every one of our encoders.
 */
#include "video/encode/caps.h"

#include "video/encode/intra_refresh.h"

#include "reelpipe/encode.h"

void
rp_encode_caps_init(struct rp_encode_caps *caps, const struct rp_encode_codec *codec)
{
    *caps = (struct rp_encode_caps){
        .flags = VK_VIDEO_ENCODE_CAPABILITY_PRECEDING_EXTERNALLY_ENCODED_BYTES_BIT_KHR |
                 VK_VIDEO_ENCODE_CAPABILITY_INSUFFICIENT_BITSTREAM_BUFFER_RANGE_DETECTION_BIT_KHR |
                 VK_VIDEO_ENCODE_CAPABILITY_QUANTIZATION_DELTA_MAP_BIT_KHR,
        .rate_control_modes = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR,
        .rate_layer_count = 1,
        .quality_level_count = codec->quality_level_count,
        .refresh_modes = RP_INTRA_REFRESH_MODES,
        .feedback_flags = VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR |
                          VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR |
                          VK_VIDEO_ENCODE_FEEDBACK_BITSTREAM_HAS_OVERRIDES_BIT_KHR,
        .more_feedback_flags = VK_VIDEO_ENCODE_FEEDBACK_AVERAGE_QUANTIZATION_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_MIN_QUANTIZATION_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_MAX_QUANTIZATION_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_INTRA_PIXELS_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_INTER_PIXELS_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_SKIPPED_PIXELS_BIT_KHR |
                               VK_VIDEO_ENCODE_FEEDBACK_PICTURE_PARTITION_COUNT_BIT_KHR,
        .partition_feedback_flags =
            VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_STATUS_BIT_KHR |
            VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_BITSTREAM_BUFFER_OFFSET_BIT_KHR |
            VK_VIDEO_ENCODE_PER_PARTITION_FEEDBACK_BITSTREAM_BYTES_WRITTEN_BIT_KHR,
    };
    if (codec->rate_create) {
        caps->rate_control_modes |= VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR |
                                    VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR;
        caps->rate_layer_count = RP_RATE_LAYERS;
    }
}
