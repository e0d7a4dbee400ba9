/* SPDX-License-Identifier: MIT */
/* What an application asks of rate control: the same for every codec.
 *
 * The values are those of VkVideoEncodeRateControlInfoKHR, its layers and the codec's structures
 * behind them, after the engine has bounded them. A codec with rate control takes them in its
 * rate_set(); codecs/rate/ turns them into targets and quantisers for encoders that leave the
 * choice of a picture's quantiser to us.
 */
#ifndef REELPIPE_RATE_H
#define REELPIPE_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define RP_RATE_LAYERS 4 /* temporal layers with a rate of their own */

enum rp_rate_mode { RP_RATE_CBR, RP_RATE_VBR };

/* Kinds of pictures with limits, and costs, of their own: predicted from the past, from both sides,
 * and intra. Their order is that of H.264's slice_type. */
enum rp_rate_type { RP_RATE_P, RP_RATE_B, RP_RATE_I };
#define RP_RATE_TYPES 3

/* One temporal layer. Rates are those of its own pictures, without the layers below. Quantisers are
 * the codec's: QP 0..51 of H.264 and H.265, q index 0..255 of AV1. */
struct rp_rate_layer {
    uint64_t average_bps;
    uint64_t max_bps;
    uint32_t frame_rate_numerator; /* never 0 */
    uint32_t frame_rate_denominator;
    int32_t min_qp[RP_RATE_TYPES]; /* the codec's least when not limited */
    int32_t max_qp[RP_RATE_TYPES]; /* the codec's greatest when not limited */
    bool has_min_qp;
    bool has_max_qp;
    uint64_t max_frame_size_B[RP_RATE_TYPES]; /* 0: not limited */
};

struct rp_rate_settings {
    enum rp_rate_mode mode;
    uint32_t layer_count;
    struct rp_rate_layer layer[RP_RATE_LAYERS];
    uint32_t virtual_buffer_ms; /* at the average rate */
    uint32_t initial_virtual_buffer_ms;
    uint32_t gop_frame_count; /* 0: not known */
    uint32_t idr_period;      /* 0: not known */
    uint32_t consecutive_b_frame_count;
    bool wants_filler; /* the sequence's HRD says CBR: fill up to the rate */
    uint64_t hrd_bps;  /* what the sequence's HRD promises; 0: nothing */
    uint64_t hrd_buffer_bits;
};

#endif
