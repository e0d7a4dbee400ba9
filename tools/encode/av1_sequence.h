/* SPDX-License-Identifier: MIT */
/* The sequence header of an AV1 stream of 4:2:0 frames, and what it promises of them.
 */
#ifndef RP_TOOLS_ENCODE_AV1_SEQUENCE_H
#define RP_TOOLS_ENCODE_AV1_SEQUENCE_H

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

/* Order hints are written with this many bits. */
#define AV1_ORDER_HINT_BITS 7

struct av1_settings {
    uint32_t width_px; /* 1..65536 */
    uint32_t height_px;
    uint32_t fps_numerator;
    uint32_t fps_denominator;
    uint32_t bit_depth; /* 8 or 10 */
    uint32_t tile_columns;
    uint32_t tile_count;
    bool uses_superblocks_128;
    bool is_bt709;        /* converted from RGB by us: the stream says how */
    uint64_t bitrate_bps; /* 0: not known */
};

/* The structures point to each other: they stay where they are made. */
struct av1_sequence {
    StdVideoAV1ColorConfig color;
    StdVideoAV1TimingInfo timing;
    StdVideoAV1SequenceHeader header;
    StdVideoEncodeAV1OperatingPointInfo operating_point;
};

void av1_sequence_init(struct av1_sequence *sequence, const struct av1_settings *settings);

#endif
