/* SPDX-License-Identifier: MIT */
/* Explicit weights: the application's for P pictures, one table for all slices; of B pictures the
 * coder knows none, and the stream says so.
 */
#include "video/encode_session.h"

#include <string.h>

#define SLICE_P 0
#define SLICE_B 1

static bool
has_explicit_weights(const struct rp_encode_picture *pic)
{
    const StdVideoH264PictureParameterSet *pps = &pic->active.pps;
    return (pic->job.slice_type == SLICE_P && pps->flags.weighted_pred_flag) ||
           (pic->job.slice_type == SLICE_B &&
            pps->weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_EXPLICIT);
}

static bool
has_any_weight(const StdVideoEncodeH264WeightTable *table)
{
    return table->flags.luma_weight_l0_flag || table->flags.chroma_weight_l0_flag ||
           table->flags.luma_weight_l1_flag || table->flags.chroma_weight_l1_flag;
}

static void
read_table(const StdVideoEncodeH264WeightTable *table, uint32_t ref_count,
           struct rp_h264_weights *out)
{
    memset(out, 0, sizeof(*out)); /* is compared */
    out->log2_denom[0] = RP_MIN(table->luma_log2_weight_denom, 7);
    out->log2_denom[1] = RP_MIN(table->chroma_log2_weight_denom, 7);
    for (uint32_t i = 0; i < ref_count; i++) {
        struct rp_h264_ref_weights *ref = &out->ref[i];
        ref->has_luma = table->flags.luma_weight_l0_flag >> i & 1;
        ref->has_chroma = table->flags.chroma_weight_l0_flag >> i & 1;
        if (ref->has_luma) {
            ref->weight[0] = table->luma_weight_l0[i];
            ref->offset[0] = table->luma_offset_l0[i];
        }
        for (uint32_t c = 0; c < 2 && ref->has_chroma; c++) {
            ref->weight[1 + c] = table->chroma_weight_l0[i][c];
            ref->offset[1 + c] = table->chroma_offset_l0[i][c];
        }
    }
}

static bool
is_same_table(const struct rp_encode_picture *pic, const StdVideoEncodeH264WeightTable *table)
{
    struct rp_h264_weights other = {0};
    if (table)
        read_table(table, pic->job.ref_count[0], &other);
    return memcmp(&other, &pic->weights, sizeof(other)) == 0;
}

void
rp_encode_resolve_weights(struct rp_encode_picture *pic)
{
    struct rp_h264_encode_job *job = &pic->job;
    if (!has_explicit_weights(pic))
        return;
    memset(&pic->weights, 0, sizeof(pic->weights));
    if (job->slice_type == SLICE_B) {
        for (uint32_t i = 0; i < job->slice_count; i++) {
            const StdVideoEncodeH264WeightTable *table = pic->std_slices[i].pWeightTable;
            pic->result.has_overrides |= table && has_any_weight(table);
        }
        return;
    }
    const StdVideoEncodeH264WeightTable *first = pic->std_slices[0].pWeightTable;
    if (first) {
        read_table(first, job->ref_count[0], &pic->weights);
        pic->result.has_overrides |= pic->weights.log2_denom[0] != first->luma_log2_weight_denom ||
                                     pic->weights.log2_denom[1] != first->chroma_log2_weight_denom;
        job->weights = &pic->weights;
    }
    for (uint32_t i = 1; i < job->slice_count; i++)
        pic->result.has_overrides |= !is_same_table(pic, pic->std_slices[i].pWeightTable);
}
