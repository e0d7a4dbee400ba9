/* SPDX-License-Identifier: MIT */
/* The rows, and the codecs behind them.
 */
#include "video/standard.h"

#include "util/compiler.h"
#include "video/av1/standard.h"
#include "video/decode/standard.h"
#include "video/encode/standard.h"
#include "video/h264/standard.h"
#include "video/h265/standard.h"
#include "video/vp9/standard.h"

#include "reelpipe/decode.h"
#include "reelpipe/encode_h264.h"

#include <assert.h>
#include <stddef.h>

/* Codecs are named to the application in this order. */
/* clang-format off */
static const struct rp_video_standard *const standards[] = {
    &rp_h264_encode_operation,
    &rp_h264_decode_operation,
    &rp_h265_encode_operation,
    &rp_h265_decode_operation,
    &rp_av1_encode_operation,
    &rp_av1_decode_operation,
    &rp_vp9_decode_operation,
};
/* clang-format on */
static_assert(RP_ARRAY_SIZE(standards) <= RP_VIDEO_STANDARD_LIMIT, "each row has its codec");

const struct rp_video_standard *const *
rp_video_standards(uint32_t *count_out)
{
    *count_out = RP_ARRAY_SIZE(standards);
    return standards;
}

void
rp_video_codecs_init(struct rp_video_codecs *codecs)
{
    *codecs = (struct rp_video_codecs){0};
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(standards); i++) {
        const struct rp_video_standard *standard = standards[i];
        if (standard->encode)
            codecs->encode[i] = standard->encode->codec();
        else
            codecs->decode[i] = standard->decode->codec();
        if (codecs->encode[i]) {
            codecs->encode_operations |= standard->operation;
            codecs->encode_bit_depths |= standard->bit_depths;
        }
        if (codecs->decode[i]) {
            codecs->decode_operations |= standard->operation;
            codecs->decode_bit_depths |= standard->bit_depths;
        }
    }
}

const char *
rp_video_codecs_name(const struct rp_video_codecs *codecs, uint32_t i)
{
    if (codecs->encode[i])
        return codecs->encode[i]->name;
    return codecs->decode[i] ? codecs->decode[i]->name : NULL;
}

/* Row i is one of the operations, or none of those that are there is asked for. */
static bool
is_meant(uint32_t i, VkVideoCodecOperationFlagsKHR operations, VkVideoCodecOperationFlagsKHR there)
{
    return !(operations & there) || operations & standards[i]->operation;
}

const struct rp_encode_codec *
rp_video_codecs_encode_layout(const struct rp_video_codecs *codecs,
                              VkVideoCodecOperationFlagsKHR operations)
{
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(standards); i++) {
        if (codecs->encode[i] && codecs->encode[i]->dpb_layout &&
            is_meant(i, operations, codecs->encode_operations))
            return codecs->encode[i];
    }
    return NULL;
}

const struct rp_decode_codec *
rp_video_codecs_decode_layout(const struct rp_video_codecs *codecs,
                              VkVideoCodecOperationFlagsKHR operations)
{
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(standards); i++) {
        if (codecs->decode[i] && codecs->decode[i]->layout &&
            is_meant(i, operations, codecs->decode_operations))
            return codecs->decode[i];
    }
    return NULL;
}
