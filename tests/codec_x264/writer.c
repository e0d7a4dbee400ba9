/* SPDX-License-Identifier: MIT */
/* 7.3.2.1, 7.3.2.2 and 7.3.3 for frames, 4:2:0, one slice group.
 */
#include "writer.h"

#define VUI_FLAGS_ABSENT \
    8 /* aspect ratio, overscan, video signal, chroma, timing, HRDs, pic_struct */

static void
put_flag(struct rp_bits *b, bool value)
{
    rp_bits_put(b, 1, value);
}

static size_t
write_nal(uint8_t header, const struct rp_bits *b, uint8_t *dst)
{
    return rp_nal_write(dst, 256, &header, 1, b->data, b->size_bits / 8);
}

static void
put_vui(struct rp_bits *b, const StdVideoH264SequenceParameterSet *sps, uint32_t reorder_count)
{
    rp_bits_put(b, VUI_FLAGS_ABSENT, 0);
    put_flag(b, true); /* bitstream_restriction_flag */
    put_flag(b, true);
    rp_bits_ue(b, 0);
    rp_bits_ue(b, 0);
    rp_bits_ue(b, 16);
    rp_bits_ue(b, 16);
    rp_bits_ue(b, reorder_count);
    rp_bits_ue(b,
               sps->max_num_ref_frames > reorder_count ? sps->max_num_ref_frames : reorder_count);
}

size_t
write_sps(const StdVideoH264SequenceParameterSet *sps, uint32_t reorder_count, uint8_t *dst)
{
    static const uint8_t levels[] = {
        10, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62,
    };
    uint8_t rbsp[256];
    struct rp_bits bits, *b = &bits;
    rp_bits_init(b, rbsp, sizeof(rbsp));

    rp_bits_put(b, 8, (uint32_t)sps->profile_idc);
    rp_bits_put(b, 8, sps->flags.constraint_set1_flag ? 0x40 : 0);
    rp_bits_put(b, 8, levels[sps->level_idc]);
    rp_bits_ue(b, sps->seq_parameter_set_id);
    if (sps->profile_idc >= 100) {
        rp_bits_ue(b, 1);
        rp_bits_ue(b, 0);
        rp_bits_ue(b, 0);
        rp_bits_put(b, 2, 0);
    }
    rp_bits_ue(b, sps->log2_max_frame_num_minus4);
    rp_bits_ue(b, (uint32_t)sps->pic_order_cnt_type);
    if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0)
        rp_bits_ue(b, sps->log2_max_pic_order_cnt_lsb_minus4);
    rp_bits_ue(b, sps->max_num_ref_frames);
    put_flag(b, false);
    rp_bits_ue(b, sps->pic_width_in_mbs_minus1);
    rp_bits_ue(b, sps->pic_height_in_map_units_minus1);
    put_flag(b, true); /* frame_mbs_only_flag */
    put_flag(b, true); /* direct_8x8_inference_flag */
    put_flag(b, sps->flags.frame_cropping_flag);
    if (sps->flags.frame_cropping_flag) {
        rp_bits_ue(b, sps->frame_crop_left_offset);
        rp_bits_ue(b, sps->frame_crop_right_offset);
        rp_bits_ue(b, sps->frame_crop_top_offset);
        rp_bits_ue(b, sps->frame_crop_bottom_offset);
    }
    put_flag(b, true); /* vui_parameters_present_flag */
    put_vui(b, sps, reorder_count);
    rp_bits_trailing(b);
    return write_nal(0x67, b, dst);
}

size_t
write_pps(const StdVideoH264PictureParameterSet *pps, uint8_t *dst)
{
    uint8_t rbsp[256];
    struct rp_bits bits, *b = &bits;
    rp_bits_init(b, rbsp, sizeof(rbsp));

    rp_bits_ue(b, pps->pic_parameter_set_id);
    rp_bits_ue(b, pps->seq_parameter_set_id);
    put_flag(b, pps->flags.entropy_coding_mode_flag);
    put_flag(b, false);
    rp_bits_ue(b, 0); /* num_slice_groups_minus1 */
    rp_bits_ue(b, pps->num_ref_idx_l0_default_active_minus1);
    rp_bits_ue(b, pps->num_ref_idx_l1_default_active_minus1);
    put_flag(b, pps->flags.weighted_pred_flag);
    rp_bits_put(b, 2, (uint32_t)pps->weighted_bipred_idc);
    rp_bits_se(b, pps->pic_init_qp_minus26);
    rp_bits_se(b, 0);
    rp_bits_se(b, pps->chroma_qp_index_offset);
    put_flag(b, pps->flags.deblocking_filter_control_present_flag);
    put_flag(b, pps->flags.constrained_intra_pred_flag);
    put_flag(b, false);
    if (pps->flags.transform_8x8_mode_flag) {
        put_flag(b, true);
        put_flag(b, false);
        rp_bits_se(b, pps->second_chroma_qp_index_offset);
    }
    rp_bits_trailing(b);
    return write_nal(0x68, b, dst);
}

static void
put_references(struct rp_bits *b, const struct header *h, uint32_t list_count)
{
    bool has_override = h->ref_count[0] != h->pps->num_ref_idx_l0_default_active_minus1 + 1u;
    if (list_count == 2)
        has_override |= h->ref_count[1] != h->pps->num_ref_idx_l1_default_active_minus1 + 1u;
    put_flag(b, has_override);
    for (uint32_t list = 0; list < list_count && has_override; list++)
        rp_bits_ue(b, h->ref_count[list] - 1);

    for (uint32_t list = 0; list < list_count; list++) {
        put_flag(b, h->mod_count[list] > 0);
        if (h->mod_count[list] == 0)
            continue;
        for (uint32_t i = 0; i < h->mod_count[list]; i++) {
            rp_bits_ue(b, h->mod[list][i].idc);
            rp_bits_ue(b, h->mod[list][i].value);
        }
        rp_bits_ue(b, 3);
    }
}

static void
put_ref_weights(struct rp_bits *b, const struct rp_h264_ref_weights *w)
{
    put_flag(b, w->has_luma);
    for (uint32_t c = 0; c < 1 && w->has_luma; c++) {
        rp_bits_se(b, w->weight[c]);
        rp_bits_se(b, w->offset[c]);
    }
    put_flag(b, w->has_chroma);
    for (uint32_t c = 1; c < 3 && w->has_chroma; c++) {
        rp_bits_se(b, w->weight[c]);
        rp_bits_se(b, w->offset[c]);
    }
}

static void
put_weights(struct rp_bits *b, const struct header *h, uint32_t list_count)
{
    static const struct rp_h264_weights none;
    const struct rp_h264_weights *weights = h->weights ? h->weights : &none;

    rp_bits_ue(b, weights->log2_denom[0]);
    rp_bits_ue(b, weights->log2_denom[1]);
    for (uint32_t list = 0; list < list_count; list++) {
        for (uint32_t i = 0; i < h->ref_count[list]; i++)
            put_ref_weights(b, &weights->ref[i]);
    }
}

static void
put_marking(struct rp_bits *b, const struct marking *m)
{
    if (m->is_idr) {
        put_flag(b, false);
        put_flag(b, m->is_long_term_idr);
        return;
    }
    put_flag(b, m->is_adaptive);
    if (!m->is_adaptive)
        return;
    for (uint32_t i = 0; i < m->mmco_count; i++) {
        const uint32_t op = m->mmco[i].op;
        rp_bits_ue(b, op);
        if (op != 5)
            rp_bits_ue(b, m->mmco[i].a);
        if (op == 3)
            rp_bits_ue(b, m->mmco[i].b);
    }
    rp_bits_ue(b, 0);
}

void
write_slice_header(const void *ctx, const struct rp_h264_slice_state *slice, struct rp_bits *b)
{
    const struct header *h = ctx;
    const StdVideoH264PictureParameterSet *pps = h->pps;
    const struct rp_h264_slice *job_slice = &h->slices[slice->index];
    const bool is_b = job_slice->type == RP_H264_SLICE_B;
    const bool is_i = job_slice->type == RP_H264_SLICE_I;
    const uint32_t list_count = is_i ? 0 : is_b ? 2 : 1;
    const uint32_t frame_num_bits = h->sps->log2_max_frame_num_minus4 + 4u;
    const uint32_t poc_bits = h->sps->log2_max_pic_order_cnt_lsb_minus4 + 4u;

    rp_bits_ue(b, slice->first_mb);
    rp_bits_ue(b, job_slice->type);
    rp_bits_ue(b, pps->pic_parameter_set_id);
    rp_bits_put(b, frame_num_bits, h->marking.frame_num & ((1u << frame_num_bits) - 1));
    if (h->marking.is_idr)
        rp_bits_ue(b, h->idr_pic_id);
    if (h->sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0)
        rp_bits_put(b, poc_bits, (uint32_t)h->poc & ((1u << poc_bits) - 1));
    if (is_b)
        put_flag(b, slice->direct_spatial);
    if (!is_i)
        put_references(b, h, list_count);
    if (is_b ? pps->weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_EXPLICIT
             : !is_i && pps->flags.weighted_pred_flag)
        put_weights(b, h, list_count);
    if (h->nal_ref_idc)
        put_marking(b, &h->marking);
    if (pps->flags.entropy_coding_mode_flag && !is_i)
        rp_bits_ue(b, job_slice->cabac_init_idc);
    rp_bits_se(b, slice->slice_qp - (26 + pps->pic_init_qp_minus26));
    if (pps->flags.deblocking_filter_control_present_flag) {
        rp_bits_ue(b, job_slice->disable_deblocking_filter_idc);
        if (job_slice->disable_deblocking_filter_idc != 1) {
            rp_bits_se(b, job_slice->alpha_c0_offset_div2);
            rp_bits_se(b, job_slice->beta_offset_div2);
        }
    }
}
