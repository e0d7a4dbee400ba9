/* SPDX-License-Identifier: MIT */
/* An AV1 frame's film grain (film_grain_params(), 5.9.30, 6.8.20), by the names of its syntax
 * elements.
 */
#ifndef RP_VIDEO_AV1_FILM_GRAIN_H
#define RP_VIDEO_AV1_FILM_GRAIN_H

#include "video/av1/sequence.h"

#define RP_AV1_MAX_Y_POINTS 14
#define RP_AV1_MAX_UV_POINTS 10

struct rp_av1_grain_point {
    uint32_t value;
    uint32_t scaling;
};

/* What one frame can take from another. */
struct rp_av1_grain_model {
    uint32_t num_y_points;
    struct rp_av1_grain_point point_y[RP_AV1_MAX_Y_POINTS];
    bool chroma_scaling_from_luma;
    uint32_t num_cb_points;
    struct rp_av1_grain_point point_cb[RP_AV1_MAX_UV_POINTS];
    uint32_t num_cr_points;
    struct rp_av1_grain_point point_cr[RP_AV1_MAX_UV_POINTS];
    uint32_t grain_scaling_minus_8;
    uint32_t ar_coeff_lag;
    uint32_t ar_coeffs_y_plus_128[24];
    uint32_t ar_coeffs_cb_plus_128[25];
    uint32_t ar_coeffs_cr_plus_128[25];
    uint32_t ar_coeff_shift_minus_6;
    uint32_t grain_scale_shift;
    uint32_t cb_mult;
    uint32_t cb_luma_mult;
    uint32_t cb_offset;
    uint32_t cr_mult;
    uint32_t cr_luma_mult;
    uint32_t cr_offset;
    bool overlap_flag;
    bool clip_to_restricted_range;
};

struct rp_av1_film_grain {
    bool apply_grain;
    uint32_t grain_seed;
    bool update_grain;
    uint32_t film_grain_params_ref_idx;
    struct rp_av1_grain_model model; /* coded, or that of film_grain_params_ref_idx */
};

/* What film_grain_params() needs to know of the frame. */
struct rp_av1_grain_frame {
    bool has_grain;          /* the sequence has it, and the frame is or can be shown */
    bool is_inter;           /* frame_type is INTER_FRAME */
    uint32_t ref_frame_mask; /* bit i: ref_frame_idx[] names reference i */
    const struct rp_av1_grain_model *models[8]; /* of the references */
};

void rp_av1_code_film_grain(struct rp_av1_syntax *syntax, const struct rp_av1_color *color,
                            const struct rp_av1_grain_frame *frame,
                            struct rp_av1_film_grain *grain);

#endif
