/* SPDX-License-Identifier: MIT */
/* Quantizers of a frame, of its segments, and of blocks.
 */
#include "video/av1/quantization.h"

#include "util/compiler.h"

#define SEG_LVL_ALT_Q 0

struct feature {
    uint32_t bits;
    bool is_signed;
    int32_t max;
};

/* Segmentation_Feature_Bits, _Signed and _Max (5.9.14). */
static const struct feature features[RP_AV1_SEG_LVL_MAX] = {
    {8, true, 255}, {6, true, 63}, {6, true, 63}, {6, true, 63},
    {6, true, 63},  {3, false, 7}, {0, false, 0}, {0, false, 0},
};

static void
code_delta_q(struct rp_av1_syntax *syntax, struct rp_av1_delta_q *delta)
{
    delta->delta_coded |= delta->value != 0;
    rp_av1_code_flag(syntax, &delta->delta_coded);
    if (delta->delta_coded)
        rp_av1_code_su(syntax, 7, &delta->value);
    else
        delta->value = 0;
}

static void
code_chroma(struct rp_av1_syntax *syntax, bool separate_uv_delta_q, struct rp_av1_quantization *q)
{
    if (separate_uv_delta_q)
        rp_av1_code_flag(syntax, &q->diff_uv_delta);
    else
        q->diff_uv_delta = false;
    code_delta_q(syntax, &q->u_dc);
    code_delta_q(syntax, &q->u_ac);
    if (q->diff_uv_delta) {
        code_delta_q(syntax, &q->v_dc);
        code_delta_q(syntax, &q->v_ac);
    } else {
        q->v_dc = q->u_dc;
        q->v_ac = q->u_ac;
    }
}

void
rp_av1_code_quantization(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq,
                         struct rp_av1_quantization *q)
{
    rp_av1_code_f(syntax, 8, &q->base_q_idx);
    code_delta_q(syntax, &q->y_dc);
    if (seq->color.mono_chrome) {
        q->diff_uv_delta = false;
        q->u_dc = q->u_ac = q->v_dc = q->v_ac = (struct rp_av1_delta_q){0};
    } else {
        code_chroma(syntax, seq->color.separate_uv_delta_q, q);
    }
    rp_av1_code_flag(syntax, &q->using_qmatrix);
    if (!q->using_qmatrix)
        return;
    rp_av1_code_f(syntax, 4, &q->qm_y);
    rp_av1_code_f(syntax, 4, &q->qm_u);
    if (seq->color.separate_uv_delta_q)
        rp_av1_code_f(syntax, 4, &q->qm_v);
    else
        q->qm_v = q->qm_u;
}

static void
code_feature(struct rp_av1_syntax *syntax, const struct feature *feature, bool *enabled,
             int32_t *value)
{
    rp_av1_code_flag(syntax, enabled);
    if (!*enabled || feature->bits == 0) {
        *value = 0;
    } else if (feature->is_signed) {
        rp_av1_code_su(syntax, 1 + feature->bits, value);
    } else {
        uint32_t code = (uint32_t)*value;
        rp_av1_code_f(syntax, feature->bits, &code);
        *value = (int32_t)code;
    }
}

static void
code_update(struct rp_av1_syntax *syntax, bool has_previous, struct rp_av1_segmentation *seg)
{
    if (!has_previous) {
        seg->segmentation_update_map = true;
        seg->segmentation_temporal_update = false;
        seg->segmentation_update_data = true;
        return;
    }
    rp_av1_code_flag(syntax, &seg->segmentation_update_map);
    if (seg->segmentation_update_map)
        rp_av1_code_flag(syntax, &seg->segmentation_temporal_update);
    else
        seg->segmentation_temporal_update = false;
    rp_av1_code_flag(syntax, &seg->segmentation_update_data);
}

void
rp_av1_code_segmentation(struct rp_av1_syntax *syntax,
                         const struct rp_av1_segmentation_data *previous,
                         struct rp_av1_segmentation *seg)
{
    rp_av1_code_flag(syntax, &seg->segmentation_enabled);
    if (!seg->segmentation_enabled) {
        *seg = (struct rp_av1_segmentation){0};
        return;
    }
    code_update(syntax, previous != NULL, seg);
    if (!seg->segmentation_update_data) {
        seg->data = *previous;
        return;
    }
    for (uint32_t i = 0; i < RP_AV1_MAX_SEGMENTS; i++) {
        for (uint32_t j = 0; j < RP_AV1_SEG_LVL_MAX; j++)
            code_feature(syntax, &features[j], &seg->data.feature_enabled[i][j],
                         &seg->data.feature_value[i][j]);
    }
}

void
rp_av1_code_block_deltas(struct rp_av1_syntax *syntax, uint32_t base_q_idx, bool allow_intrabc,
                         struct rp_av1_block_deltas *deltas)
{
    if (base_q_idx > 0)
        rp_av1_code_flag(syntax, &deltas->delta_q_present);
    else
        deltas->delta_q_present = false;
    if (!deltas->delta_q_present) {
        *deltas = (struct rp_av1_block_deltas){0};
        return;
    }
    rp_av1_code_f(syntax, 2, &deltas->delta_q_res);
    if (allow_intrabc)
        deltas->delta_lf_present = false;
    else
        rp_av1_code_flag(syntax, &deltas->delta_lf_present);
    if (deltas->delta_lf_present) {
        rp_av1_code_f(syntax, 2, &deltas->delta_lf_res);
        rp_av1_code_flag(syntax, &deltas->delta_lf_multi);
    } else {
        deltas->delta_lf_res = 0;
        deltas->delta_lf_multi = false;
    }
}

/* FeatureData: the value that counts, clipped to the feature's range. */
static int32_t
feature_data(const struct rp_av1_segmentation_data *data, uint32_t segment, uint32_t feature)
{
    const int32_t max = features[feature].max;
    const int32_t min = features[feature].is_signed ? -max : 0;
    return RP_MAX(min, RP_MIN(data->feature_value[segment][feature], max));
}

bool
rp_av1_is_coded_lossless(const struct rp_av1_quantization *q, const struct rp_av1_segmentation *seg)
{
    if (q->y_dc.value || q->u_dc.value || q->u_ac.value || q->v_dc.value || q->v_ac.value)
        return false;
    for (uint32_t i = 0; i < RP_AV1_MAX_SEGMENTS; i++) {
        int32_t q_index = (int32_t)q->base_q_idx;
        if (seg->segmentation_enabled && seg->data.feature_enabled[i][SEG_LVL_ALT_Q])
            q_index += feature_data(&seg->data, i, SEG_LVL_ALT_Q);
        if (q_index > 0) /* below 0 it is clipped to 0 */
            return false;
    }
    return true;
}
