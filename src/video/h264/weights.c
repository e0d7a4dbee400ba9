/* SPDX-License-Identifier: MIT */
/* Explicit weights: the application's for P pictures, one table for all slices; of B pictures the
 * coder knows none, and the stream says so.
 */
#include "video/h264/encode_picture.h"

#include <string.h>

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
is_same_table(const struct rp_h264_encode_picture *pic, const StdVideoEncodeH264WeightTable *table)
{
    struct rp_h264_weights other = {0};
    if (table)
        read_table(table, pic->job.ref_count[0], &other);
    return memcmp(&other, &pic->weights, sizeof(other)) == 0;
}

/* The one table of P pictures is that of their first P slice. */
static const StdVideoEncodeH264WeightTable *
first_p_table(const struct rp_h264_encode_picture *pic)
{
    uint32_t i = 0;
    while (pic->std_slices[i].slice_type != STD_VIDEO_H264_SLICE_TYPE_P)
        i++;
    return pic->std_slices[i].pWeightTable;
}

static void
resolve_p_weights(struct rp_h264_encode_picture *pic)
{
    const StdVideoEncodeH264WeightTable *first = first_p_table(pic);
    if (first) {
        read_table(first, pic->job.ref_count[0], &pic->weights);
        pic->common.feedback.has_overrides |=
            pic->weights.log2_denom[0] != first->luma_log2_weight_denom ||
            pic->weights.log2_denom[1] != first->chroma_log2_weight_denom;
        pic->job.weights = &pic->weights;
    }
    for (uint32_t i = 0; i < pic->job.slice_count; i++) {
        const StdVideoEncodeH264SliceHeader *std = &pic->std_slices[i];
        pic->common.feedback.has_overrides |= std->slice_type == STD_VIDEO_H264_SLICE_TYPE_P &&
                                              !is_same_table(pic, std->pWeightTable);
    }
}

void
rp_h264_resolve_weights(struct rp_h264_encode_picture *pic)
{
    const StdVideoH264PictureParameterSet *pps = &pic->active.pps;
    const bool has_explicit[] = {
        [RP_H264_SLICE_P] = pps->flags.weighted_pred_flag,
        [RP_H264_SLICE_B] = pps->weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_EXPLICIT,
        [RP_H264_SLICE_I] = false,
    };

    memset(&pic->weights, 0, sizeof(pic->weights));
    if (pic->job.slice_type == RP_H264_SLICE_P && has_explicit[RP_H264_SLICE_P]) {
        resolve_p_weights(pic);
        return;
    }
    for (uint32_t i = 0; i < pic->job.slice_count; i++) {
        const StdVideoEncodeH264SliceHeader *std = &pic->std_slices[i];
        pic->common.feedback.has_overrides |=
            has_explicit[std->slice_type] && std->pWeightTable && has_any_weight(std->pWeightTable);
    }
}
