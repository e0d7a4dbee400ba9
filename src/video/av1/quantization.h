/* SPDX-License-Identifier: MIT */
/* An AV1 frame's quantizers: quantization_params(), segmentation_params(), delta_q_params() and
 * delta_lf_params() (5.9.12, 5.9.14, 5.9.17, 5.9.18).
 */
#ifndef RP_VIDEO_AV1_QUANTIZATION_H
#define RP_VIDEO_AV1_QUANTIZATION_H

#include "video/av1/sequence.h"

#define RP_AV1_MAX_SEGMENTS 8
#define RP_AV1_SEG_LVL_MAX 8

/* read_delta_q() (5.9.13) */
struct rp_av1_delta_q {
    int32_t value;
    bool delta_coded; /* values other than 0 are, whatever it says */
};

struct rp_av1_quantization {
    uint32_t base_q_idx;
    struct rp_av1_delta_q y_dc; /* DeltaQYDc and so on */
    bool diff_uv_delta;
    struct rp_av1_delta_q u_dc;
    struct rp_av1_delta_q u_ac;
    struct rp_av1_delta_q v_dc;
    struct rp_av1_delta_q v_ac;
    bool using_qmatrix;
    uint32_t qm_y;
    uint32_t qm_u;
    uint32_t qm_v;
};

struct rp_av1_segmentation_data {
    bool feature_enabled[RP_AV1_MAX_SEGMENTS][RP_AV1_SEG_LVL_MAX];
    int32_t feature_value[RP_AV1_MAX_SEGMENTS][RP_AV1_SEG_LVL_MAX]; /* as coded, not clipped */
};

struct rp_av1_segmentation {
    bool segmentation_enabled;
    bool segmentation_update_map;
    bool segmentation_temporal_update;
    bool segmentation_update_data;
    struct rp_av1_segmentation_data data; /* coded, or of the primary reference frame */
};

struct rp_av1_block_deltas {
    bool delta_q_present;
    uint32_t delta_q_res;
    bool delta_lf_present;
    uint32_t delta_lf_res;
    bool delta_lf_multi;
};

void rp_av1_code_quantization(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq,
                              struct rp_av1_quantization *quantization);

/* previous: of the primary reference frame; NULL when there is none. */
void rp_av1_code_segmentation(struct rp_av1_syntax *syntax,
                              const struct rp_av1_segmentation_data *previous,
                              struct rp_av1_segmentation *segmentation);

void rp_av1_code_block_deltas(struct rp_av1_syntax *syntax, uint32_t base_q_idx, bool allow_intrabc,
                              struct rp_av1_block_deltas *deltas);

/* CodedLossless: whether no segment loses anything. */
bool rp_av1_is_coded_lossless(const struct rp_av1_quantization *quantization,
                              const struct rp_av1_segmentation *segmentation);

#endif
