/* SPDX-License-Identifier: MIT */
/* Parsing of slice headers.
 */
#include "codecs/avcodec/h264/slice_header.h"

#include "codecs/avcodec/h264/params.h"
#include "reelpipe/bit_reader.h"

static void
picture_order_parse(struct rp_bit_reader *reader, const StdVideoH264SequenceParameterSet *sps,
                    const struct rp_h264dec_slice_header *header)
{
    const bool has_bottom =
        header->pps->flags.bottom_field_pic_order_in_frame_present_flag && !header->is_field;

    if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0) {
        rp_bit_reader_u(reader, sps->log2_max_pic_order_cnt_lsb_minus4 + 4);
        if (has_bottom)
            rp_bit_reader_se(reader);
    } else if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1 &&
               !sps->flags.delta_pic_order_always_zero_flag) {
        rp_bit_reader_se(reader);
        if (has_bottom)
            rp_bit_reader_se(reader);
    }
}

static bool
ref_counts_parse(struct rp_bit_reader *reader, struct rp_h264dec_slice_header *header)
{
    const uint32_t max = header->is_field ? 32 : 16;

    header->ref_count[0] = 0;
    header->ref_count[1] = 0;
    if (header->type == RP_H264DEC_I)
        return true;

    header->ref_count[0] = header->pps->num_ref_idx_l0_default_active_minus1 + 1u;
    if (header->type == RP_H264DEC_B)
        header->ref_count[1] = header->pps->num_ref_idx_l1_default_active_minus1 + 1u;
    if (rp_bit_reader_bit(reader)) {
        const uint32_t count0 = rp_bit_reader_ue(reader);
        const uint32_t count1 = header->type == RP_H264DEC_B ? rp_bit_reader_ue(reader) : 0;
        if (count0 >= max || count1 >= max)
            return false;
        header->ref_count[0] = count0 + 1;
        header->ref_count[1] = header->type == RP_H264DEC_B ? count1 + 1 : 0;
    }
    return header->ref_count[0] <= max && header->ref_count[1] <= max;
}

static bool
modifications_parse(struct rp_bit_reader *reader, struct rp_h264dec_slice_header *header,
                    uint32_t list)
{
    header->modification_count[list] = 0;
    if (header->ref_count[list] == 0 || !rp_bit_reader_bit(reader))
        return true;

    for (;;) {
        const uint32_t idc = rp_bit_reader_ue(reader);
        if (idc == 3)
            return true;
        if (idc > 3 || reader->has_overrun ||
            header->modification_count[list] == header->ref_count[list])
            return false;
        header->modifications[list][header->modification_count[list]++] =
            (struct rp_h264dec_modification){idc, rp_bit_reader_ue(reader)};
    }
}

static bool
weight_parse(struct rp_bit_reader *reader)
{
    const int32_t weight = rp_bit_reader_se(reader);
    const int32_t offset = rp_bit_reader_se(reader);
    return weight >= -128 && weight <= 127 && offset >= -128 && offset <= 127;
}

static bool
weights_parse(struct rp_bit_reader *reader, const struct rp_h264dec_slice_header *header,
              bool has_chroma)
{
    if (rp_bit_reader_ue(reader) > 7 || (has_chroma && rp_bit_reader_ue(reader) > 7))
        return false;

    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < header->ref_count[list]; i++) {
            if (rp_bit_reader_bit(reader) && !weight_parse(reader))
                return false;
            if (has_chroma && rp_bit_reader_bit(reader) &&
                !(weight_parse(reader) && weight_parse(reader)))
                return false;
        }
    }
    return true;
}

static bool
has_weights(const struct rp_h264dec_slice_header *header)
{
    if (header->type == RP_H264DEC_P)
        return header->pps->flags.weighted_pred_flag;
    return header->type == RP_H264DEC_B &&
           header->pps->weighted_bipred_idc == STD_VIDEO_H264_WEIGHTED_BIPRED_IDC_EXPLICIT;
}

/* dec_ref_pic_marking() (7.3.3.3) */
static bool
marking_parse(struct rp_bit_reader *reader, struct rp_h264dec_slice_header *header)
{
    header->is_long_term_idr = false;
    header->has_adaptive_marking = false;
    header->mmco_count = 0;
    if (header->nal_ref_idc == 0)
        return true;
    if (header->is_idr_nal) {
        rp_bit_reader_bit(reader); /* no_output_of_prior_pics_flag */
        header->is_long_term_idr = rp_bit_reader_bit(reader);
        return true;
    }

    header->has_adaptive_marking = rp_bit_reader_bit(reader);
    if (!header->has_adaptive_marking)
        return true;
    for (;;) {
        struct rp_h264dec_mmco mmco = {.op = rp_bit_reader_ue(reader)};
        if (mmco.op == 0)
            return !reader->has_overrun;
        if (mmco.op > 6 || header->mmco_count == RP_H264DEC_MAX_MARKINGS)
            return false;
        if (mmco.op != 5)
            mmco.value[0] = rp_bit_reader_ue(reader);
        if (mmco.op == 3)
            mmco.value[1] = rp_bit_reader_ue(reader);
        header->mmcos[header->mmco_count++] = mmco;
    }
}

static bool
quantiser_and_filter_parse(struct rp_bit_reader *reader, struct rp_h264dec_slice_header *header)
{
    header->cabac_init_idc = 0;
    if (header->pps->flags.entropy_coding_mode_flag && header->type != RP_H264DEC_I)
        header->cabac_init_idc = rp_bit_reader_ue(reader);
    header->slice_qp_delta = rp_bit_reader_se(reader);

    const int32_t qp = 26 + header->pps->pic_init_qp_minus26;
    if (header->cabac_init_idc > 2 || header->slice_qp_delta < -qp ||
        header->slice_qp_delta > 51 - qp)
        return false;

    header->disable_deblocking_filter_idc = 0;
    header->alpha_c0_offset_div2 = 0;
    header->beta_offset_div2 = 0;
    if (!header->pps->flags.deblocking_filter_control_present_flag)
        return true;
    header->disable_deblocking_filter_idc = rp_bit_reader_ue(reader);
    if (header->disable_deblocking_filter_idc != 1) {
        header->alpha_c0_offset_div2 = rp_bit_reader_se(reader);
        header->beta_offset_div2 = rp_bit_reader_se(reader);
    }
    return header->disable_deblocking_filter_idc <= 2 && header->alpha_c0_offset_div2 >= -6 &&
           header->alpha_c0_offset_div2 <= 6 && header->beta_offset_div2 >= -6 &&
           header->beta_offset_div2 <= 6;
}

/* From first_mb_in_slice to direct_spatial_mv_pred_flag. */
static bool
picture_part_parse(struct rp_bit_reader *reader, struct rp_h264dec_slice_header *header,
                   const struct rp_h264_decode_job *job)
{
    const StdVideoH264SequenceParameterSet *sps = job->sps;

    header->first_mb = rp_bit_reader_ue(reader);
    const uint32_t type = rp_bit_reader_ue(reader);
    rp_bit_reader_ue(reader); /* pic_parameter_set_id: the same in all slices */
    if (type > 9 || type % 5 > RP_H264DEC_I || reader->has_overrun)
        return false;
    header->type = (enum rp_h264dec_slice_type)(type % 5);

    rp_bit_reader_u(reader, sps->log2_max_frame_num_minus4 + 4);
    header->is_field = !sps->flags.frame_mbs_only_flag && rp_bit_reader_bit(reader);
    header->is_bottom_field = header->is_field && rp_bit_reader_bit(reader);
    if (header->is_idr_nal)
        rp_bit_reader_ue(reader);
    picture_order_parse(reader, sps, header);
    header->redundant_pic_cnt =
        header->pps->flags.redundant_pic_cnt_present_flag ? rp_bit_reader_ue(reader) : 0;
    header->direct_spatial = header->type == RP_H264DEC_B && rp_bit_reader_bit(reader);
    return true;
}

/* first_mb_in_slice counts macroblock pairs in MBAFF frames. */
static uint32_t
mb_address_count(const struct rp_h264dec_format *format,
                 const StdVideoH264SequenceParameterSet *sps,
                 const struct rp_h264dec_slice_header *header)
{
    const uint32_t mb_count = format->width_mb * format->height_mb;
    const bool is_mbaff = !sps->flags.frame_mbs_only_flag &&
                          sps->flags.mb_adaptive_frame_field_flag && !header->is_field;
    return header->is_field || is_mbaff ? mb_count / 2 : mb_count;
}

bool
rp_h264dec_slice_header_parse(struct rp_h264dec_slice_header *out,
                              const struct rp_h264_decode_job *job, const uint8_t *nal,
                              size_t nal_B)
{
    struct rp_h264dec_format format;
    struct rp_bit_reader reader = {.data = nal, .size_bits = nal_B * 8};

    rp_h264dec_format_init(&format, job->sps);
    const uint32_t nal_header = rp_bit_reader_u(&reader, 8);
    out->is_idr_nal = (nal_header & 31) == 5;
    out->nal_ref_idc = nal_header >> 5 & 3;
    out->pps = job->pps;
    if (!picture_part_parse(&reader, out, job) || !ref_counts_parse(&reader, out) ||
        !modifications_parse(&reader, out, 0) || !modifications_parse(&reader, out, 1))
        return false;

    out->weights_begin_bits = reader.position_bits;
    if (has_weights(out) && !weights_parse(&reader, out, format.chroma_format_idc != 0))
        return false;
    out->weights_end_bits = reader.position_bits;

    if (!marking_parse(&reader, out) || !quantiser_and_filter_parse(&reader, out))
        return false;
    out->data_begin_bits = reader.position_bits;
    return !reader.has_overrun && out->first_mb < mb_address_count(&format, job->sps, out);
}
