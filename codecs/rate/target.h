/* SPDX-License-Identifier: MIT */
/* From what an application set to what one temporal layer's rate control has to hold.
 */
#ifndef RP_CODECS_RATE_TARGET_H
#define RP_CODECS_RATE_TARGET_H

#include "law.h"
#include "virtual_buffer.h"

struct rp_rate_target {
    bool is_cbr;
    bool has_filler;
    double average_bps;
    double slack; /* part of the usual tolerance: 1 when the rate is all of the stream's */
    double max_bps;
    double buffer_bits;
    double initial_bits; /* in the decoder's buffer before the first picture */
    uint32_t fps_num;    /* at most 2^20, as fps_den: a rate times the time scale fits 64 bits */
    uint32_t fps_den;
    int min_index[RP_RATE_TYPES]; /* of quantisers, in the codec's range */
    int max_index[RP_RATE_TYPES];
    uint32_t gop_pictures;                  /* of this layer; 0: not known */
    uint32_t b_pictures;                    /* in a run */
    double max_picture_bits[RP_RATE_TYPES]; /* 0: no limit but the buffer */
};

bool rp_rate_settings_are_equal(const struct rp_rate_settings *a, const struct rp_rate_settings *b);

/* Pictures a second. A function of this library, which is compiled without -ffast-math, because of
 * x264's glue, which is compiled with it: a division by fps_num / fps_den written there becomes a
 * multiplication by fps_den and a division by fps_num, which round differently. */
double rp_rate_target_fps(const struct rp_rate_target *target);

/* The target of a layer below settings->layer_count. Rates and buffers fit 32 bits with a sign, as
 * those of encoders do. */
void rp_rate_target_init(struct rp_rate_target *target, const struct rp_rate_settings *settings,
                         uint32_t layer, const struct rp_rate_scale *scale);

/* Sets the buffer that all layers fill, also when there is one: others may join it. */
void rp_rate_settings_set_buffer(const struct rp_rate_settings *settings,
                                 const struct rp_rate_scale *scale,
                                 struct rp_rate_virtual_buffer *buffer);

#endif
