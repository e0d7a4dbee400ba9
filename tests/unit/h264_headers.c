/* SPDX-License-Identifier: MIT */
/* SPS, PPS and slice headers: what is written is what an independent parser reads.
 */
#include "video/h264/slice_header.h"
#include "video/h264/writer.h"

#include "h264_parser.h"

static uint32_t random_state = 1;

static uint32_t
random_below(uint32_t limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(random_state >> 1) * limit >> 31);
}

static void
random_bytes(void *out, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++)
        ((uint8_t *)out)[i] = (uint8_t)random_below(256);
}

/* Lists with values as the standard has them (1 to 255), only where present and not default. */
static void
random_scaling(StdVideoH264ScalingLists *out, uint32_t list_count)
{
    memset(out, 0, sizeof(*out));
    for (uint32_t i = 0; i < list_count; i++) {
        const uint32_t kind = random_below(3);
        if (kind == 0)
            continue;
        out->scaling_list_present_mask |= (uint16_t)(1u << i);
        if (kind == 1) {
            out->use_default_scaling_matrix_mask |= (uint16_t)(1u << i);
            continue;
        }
        uint8_t *list = i < 6 ? out->ScalingList4x4[i] : out->ScalingList8x8[i - 6];
        for (uint32_t j = 0; j < (i < 6 ? 16u : 64u); j++)
            list[j] = (uint8_t)(1 + random_below(255));
    }
}

static void
random_hrd(StdVideoH264HrdParameters *out)
{
    memset(out, 0, sizeof(*out));
    out->cpb_cnt_minus1 = (uint8_t)random_below(32);
    out->bit_rate_scale = (uint8_t)random_below(16);
    out->cpb_size_scale = (uint8_t)random_below(16);
    for (uint32_t i = 0; i <= out->cpb_cnt_minus1; i++) {
        out->bit_rate_value_minus1[i] = random_below(0xfffffffeu);
        out->cpb_size_value_minus1[i] = random_below(0xfffffffeu);
        out->cbr_flag[i] = (uint8_t)random_below(2);
    }
    out->initial_cpb_removal_delay_length_minus1 = random_below(32);
    out->cpb_removal_delay_length_minus1 = random_below(32);
    out->dpb_output_delay_length_minus1 = random_below(32);
    out->time_offset_length = random_below(32);
}

static void
random_vui(struct parsed_sps *out)
{
    StdVideoH264SequenceParameterSetVui *vui = &out->vui;
    memset(vui, 0, sizeof(*vui));
    if ((vui->flags.aspect_ratio_info_present_flag = random_below(2)) != 0) {
        vui->aspect_ratio_idc = (StdVideoH264AspectRatioIdc)(random_below(2) ? 255 : 3);
        if (vui->aspect_ratio_idc == 255) {
            vui->sar_width = (uint16_t)random_below(65536);
            vui->sar_height = (uint16_t)random_below(65536);
        }
    }
    if ((vui->flags.overscan_info_present_flag = random_below(2)) != 0)
        vui->flags.overscan_appropriate_flag = random_below(2);
    if ((vui->flags.video_signal_type_present_flag = random_below(2)) != 0) {
        vui->video_format = (uint8_t)random_below(8);
        vui->flags.video_full_range_flag = random_below(2);
        if ((vui->flags.color_description_present_flag = random_below(2)) != 0) {
            vui->colour_primaries = (uint8_t)random_below(256);
            vui->transfer_characteristics = (uint8_t)random_below(256);
            vui->matrix_coefficients = (uint8_t)random_below(256);
        }
    }
    if ((vui->flags.chroma_loc_info_present_flag = random_below(2)) != 0) {
        vui->chroma_sample_loc_type_top_field = (uint8_t)random_below(6);
        vui->chroma_sample_loc_type_bottom_field = (uint8_t)random_below(6);
    }
    if ((vui->flags.timing_info_present_flag = random_below(2)) != 0) {
        vui->num_units_in_tick = random_below(0xffffffffu);
        vui->time_scale = random_below(0xffffffffu);
        vui->flags.fixed_frame_rate_flag = random_below(2);
    }
    vui->flags.nal_hrd_parameters_present_flag = random_below(2);
    vui->flags.vcl_hrd_parameters_present_flag = random_below(2);
    if (vui->flags.nal_hrd_parameters_present_flag || vui->flags.vcl_hrd_parameters_present_flag) {
        random_hrd(&out->hrd);
        vui->pHrdParameters = &out->hrd;
    }
    if ((vui->flags.bitstream_restriction_flag = random_below(2)) != 0) {
        vui->max_num_reorder_frames = (uint8_t)random_below(17);
        vui->max_dec_frame_buffering = (uint8_t)random_below(17);
    }
}

static void
random_sps(struct parsed_sps *out)
{
    static const StdVideoH264ProfileIdc profiles[] = {66, 77, 100, 244};
    memset(out, 0, sizeof(*out));
    StdVideoH264SequenceParameterSet *sps = &out->std;
    sps->profile_idc = profiles[random_below(4)];
    sps->level_idc = (StdVideoH264LevelIdc)random_below(19);
    sps->chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420;
    sps->flags.constraint_set1_flag = random_below(2);
    sps->flags.constraint_set5_flag = random_below(2);
    sps->seq_parameter_set_id = (uint8_t)random_below(32);
    if (is_high((uint32_t)sps->profile_idc)) {
        sps->chroma_format_idc = (StdVideoH264ChromaFormatIdc)random_below(4);
        sps->bit_depth_luma_minus8 = (uint8_t)random_below(7);
        sps->bit_depth_chroma_minus8 = (uint8_t)random_below(7);
        sps->flags.qpprime_y_zero_transform_bypass_flag = random_below(2);
        if ((sps->flags.seq_scaling_matrix_present_flag = random_below(2)) != 0) {
            random_scaling(&out->scaling, sps->chroma_format_idc == 3 ? 12 : 8);
            sps->pScalingLists = &out->scaling;
        }
    }
    sps->log2_max_frame_num_minus4 = (uint8_t)random_below(13);
    sps->pic_order_cnt_type = (StdVideoH264PocType)random_below(3);
    if (sps->pic_order_cnt_type == 0)
        sps->log2_max_pic_order_cnt_lsb_minus4 = (uint8_t)random_below(13);
    if (sps->pic_order_cnt_type == 1) {
        sps->flags.delta_pic_order_always_zero_flag = random_below(2);
        sps->offset_for_non_ref_pic = (int32_t)random_below(2001) - 1000;
        sps->offset_for_top_to_bottom_field = (int32_t)random_below(2001) - 1000;
        sps->num_ref_frames_in_pic_order_cnt_cycle = (uint8_t)random_below(256);
        for (uint32_t i = 0; i < sps->num_ref_frames_in_pic_order_cnt_cycle; i++)
            out->offsets[i] = (int32_t)random_below(0xffffffffu) / 2;
        sps->pOffsetForRefFrame = out->offsets;
    }
    sps->max_num_ref_frames = (uint8_t)random_below(17);
    sps->flags.gaps_in_frame_num_value_allowed_flag = random_below(2);
    sps->pic_width_in_mbs_minus1 = random_below(512);
    sps->pic_height_in_map_units_minus1 = random_below(512);
    sps->flags.frame_mbs_only_flag = random_below(2);
    if (!sps->flags.frame_mbs_only_flag)
        sps->flags.mb_adaptive_frame_field_flag = random_below(2);
    sps->flags.direct_8x8_inference_flag = random_below(2);
    if ((sps->flags.frame_cropping_flag = random_below(2)) != 0) {
        sps->frame_crop_right_offset = random_below(8);
        sps->frame_crop_bottom_offset = random_below(8);
    }
    if ((sps->flags.vui_parameters_present_flag = random_below(2)) != 0) {
        random_vui(out);
        sps->pSequenceParameterSetVui = &out->vui;
    }
}

static void
random_pps(const StdVideoH264SequenceParameterSet *sps, struct parsed_pps *out)
{
    memset(out, 0, sizeof(*out));
    StdVideoH264PictureParameterSet *pps = &out->std;
    random_bytes(&pps->pic_parameter_set_id, 1);
    pps->seq_parameter_set_id = sps->seq_parameter_set_id;
    pps->flags.entropy_coding_mode_flag = random_below(2);
    pps->flags.bottom_field_pic_order_in_frame_present_flag = random_below(2);
    pps->num_ref_idx_l0_default_active_minus1 = (uint8_t)random_below(32);
    pps->num_ref_idx_l1_default_active_minus1 = (uint8_t)random_below(32);
    pps->flags.weighted_pred_flag = random_below(2);
    pps->weighted_bipred_idc = (StdVideoH264WeightedBipredIdc)random_below(3);
    pps->pic_init_qp_minus26 = (int8_t)((int32_t)random_below(52) - 26);
    pps->pic_init_qs_minus26 = (int8_t)((int32_t)random_below(52) - 26);
    pps->chroma_qp_index_offset = (int8_t)((int32_t)random_below(25) - 12);
    pps->second_chroma_qp_index_offset = pps->chroma_qp_index_offset;
    pps->flags.deblocking_filter_control_present_flag = random_below(2);
    pps->flags.constrained_intra_pred_flag = random_below(2);
    pps->flags.redundant_pic_cnt_present_flag = random_below(2);
    if (!is_high((uint32_t)sps->profile_idc) || random_below(2))
        return;
    pps->flags.transform_8x8_mode_flag = random_below(2);
    pps->second_chroma_qp_index_offset = (int8_t)((int32_t)random_below(25) - 12);
    if ((pps->flags.pic_scaling_matrix_present_flag = random_below(2)) != 0) {
        const uint32_t count8x8 = sps->chroma_format_idc == 3 ? 6 : 2;
        random_scaling(&out->scaling, 6 + (pps->flags.transform_8x8_mode_flag ? count8x8 : 0));
        pps->pScalingLists = &out->scaling;
    }
}

/* Equal but for the pointers, which shall lead to equal things. */
static void
require_equal_sps(const struct parsed_sps *a, const struct parsed_sps *b)
{
    struct parsed_sps x = *a;
    struct parsed_sps y = *b;
    REQUIRE_EQ(!x.std.pScalingLists, !y.std.pScalingLists);
    REQUIRE_EQ(!x.std.pSequenceParameterSetVui, !y.std.pSequenceParameterSetVui);
    REQUIRE_EQ(!x.vui.pHrdParameters, !y.vui.pHrdParameters);
    x.std.pScalingLists = y.std.pScalingLists = NULL;
    x.std.pOffsetForRefFrame = y.std.pOffsetForRefFrame = NULL;
    x.std.pSequenceParameterSetVui = y.std.pSequenceParameterSetVui = NULL;
    x.vui.pHrdParameters = y.vui.pHrdParameters = NULL;
    REQUIRE(memcmp(&x, &y, sizeof(x)) == 0);
}

static void
parameter_sets_survive_parsing_and_writing_again(void)
{
    static struct parsed_sps sps, sps_back;
    static struct parsed_pps pps, pps_back;
    static uint8_t first[16384], second[16384];

    for (uint32_t i = 0; i < 2000; i++) {
        random_sps(&sps);
        size_t size_B = rp_h264_write_sps(&sps.std, first, sizeof(first));
        REQUIRE(size_B <= sizeof(first));
        parse_sps(first, size_B, &sps_back);
        require_equal_sps(&sps, &sps_back);
        REQUIRE_EQ(rp_h264_write_sps(&sps_back.std, second, sizeof(second)), size_B);
        REQUIRE(memcmp(first, second, size_B) == 0);

        random_pps(&sps.std, &pps);
        size_B = rp_h264_write_pps(&sps.std, &pps.std, first, sizeof(first));
        parse_pps(first, size_B, &sps.std, &pps_back);
        REQUIRE_EQ(!pps.std.pScalingLists, !pps_back.std.pScalingLists);
        REQUIRE_EQ(rp_h264_write_pps(&sps.std, &pps_back.std, second, sizeof(second)), size_B);
        REQUIRE(memcmp(first, second, size_B) == 0);
        pps.std.pScalingLists = pps_back.std.pScalingLists = NULL;
        REQUIRE(memcmp(&pps, &pps_back, sizeof(pps)) == 0);
    }
}

static void
nothing_is_written_past_the_capacity(void)
{
    static struct parsed_sps sps;
    uint8_t dst[64];
    random_sps(&sps);
    memset(dst, 0xa5, sizeof(dst));
    const size_t size_B = rp_h264_write_sps(&sps.std, dst, 5);
    REQUIRE(size_B > 5);
    for (uint32_t i = 5; i < sizeof(dst); i++)
        REQUIRE_EQ(dst[i], 0xa5);
}

static struct parsed_sps header_sps;
static struct parsed_pps header_pps;

static void
header_begin(struct rp_h264_slice_header *h, StdVideoEncodeH264PictureInfo *picture,
             StdVideoEncodeH264SliceHeader *slice)
{
    memset(&header_sps, 0, sizeof(header_sps));
    memset(&header_pps, 0, sizeof(header_pps));
    memset(picture, 0, sizeof(*picture));
    memset(slice, 0, sizeof(*slice));
    header_sps.std.log2_max_pic_order_cnt_lsb_minus4 = 2;
    *h = (struct rp_h264_slice_header){
        .sps = &header_sps.std,
        .pps = &header_pps.std,
        .picture = picture,
        .slices = slice,
        .nal_ref_idc = 1,
        .ref_count = {1, 1},
    };
}

/* Writes the header and leaves it to be parsed. */
static void
header_write(const struct rp_h264_slice_header *h, const struct rp_h264_slice_state *state,
             struct parser *p)
{
    struct rp_bits bits;
    memset(p, 0, sizeof(*p));
    rp_bits_init(&bits, p->rbsp, sizeof(p->rbsp));
    rp_h264_write_slice_header(h, state, &bits);
    p->size_B = (bits.size_bits + 7) / 8;
}

static void
unwrapped_numbers_are_masked(void)
{
    static struct parser p;
    struct rp_h264_slice_header h;
    StdVideoEncodeH264PictureInfo picture;
    StdVideoEncodeH264SliceHeader slice;
    header_begin(&h, &picture, &slice);
    h.slice_type = 2;
    slice.slice_type = STD_VIDEO_H264_SLICE_TYPE_I;
    picture.frame_num = 0x12345; /* 4 bits in the SPS */
    picture.PicOrderCnt = -3;    /* 6 bits */
    header_pps.std.pic_init_qp_minus26 = -8;
    header_write(&h, &(struct rp_h264_slice_state){.first_mb = 7, .slice_qp = 30}, &p);

    REQUIRE_EQ(parse_ue(&p), 7);
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_u(&p, 4), 5);
    REQUIRE_EQ(parse_u(&p, 6), 61);
    REQUIRE_EQ(parse_u(&p, 1), 0);     /* adaptive_ref_pic_marking_mode_flag */
    REQUIRE_EQ(parse_se(&p), 30 - 18); /* slice_qp_delta */
}

static void
lists_and_markings_are_written_as_given(void)
{
    static struct parser p;
    struct rp_h264_slice_header h;
    StdVideoEncodeH264PictureInfo picture;
    StdVideoEncodeH264SliceHeader slice;
    header_begin(&h, &picture, &slice);
    const StdVideoEncodeH264RefListModEntry mods[] = {
        {.modification_of_pic_nums_idc = 0, .abs_diff_pic_num_minus1 = 4},
        {.modification_of_pic_nums_idc = 2, .long_term_pic_num = 3},
        {.modification_of_pic_nums_idc = 3},
    };
    const StdVideoEncodeH264RefPicMarkingEntry marks[] = {
        {.memory_management_control_operation = 3,
         .difference_of_pic_nums_minus1 = 2,
         .long_term_frame_idx = 1},
        {.memory_management_control_operation = 4, .max_long_term_frame_idx_plus1 = 2},
        {.memory_management_control_operation = 0},
        {.memory_management_control_operation = 5}, /* after the end: not written */
    };
    const StdVideoEncodeH264ReferenceListsInfo lists = {
        .flags = {.ref_pic_list_modification_flag_l0 = 1},
        .refList0ModOpCount = 3,
        .pRefList0ModOperations = mods,
        .refPicMarkingOpCount = 4,
        .pRefPicMarkingOperations = marks,
    };
    h.lists = &lists;
    h.ref_count[0] = 3; /* the PPS says 1 */
    picture.flags.adaptive_ref_pic_marking_mode_flag = 1;
    header_pps.std.flags.weighted_pred_flag = 1;
    header_pps.std.flags.entropy_coding_mode_flag = 1;
    header_pps.std.flags.deblocking_filter_control_present_flag = 1;
    slice.cabac_init_idc = 2;
    slice.slice_beta_offset_div2 = -3;
    header_write(&h, &(struct rp_h264_slice_state){.slice_qp = 26}, &p);

    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 0); /* P */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_u(&p, 4 + 6), 0);
    REQUIRE_EQ(parse_u(&p, 1), 1); /* num_ref_idx_active_override_flag */
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_u(&p, 1), 1); /* ref_pic_list_modification_flag_l0 */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 4);
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_ue(&p), 3);
    REQUIRE_EQ(parse_ue(&p), 3);
    REQUIRE_EQ(parse_ue(&p), 0); /* pred_weight_table: denominators */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_u(&p, 6), 0); /* no weights for three references */
    REQUIRE_EQ(parse_u(&p, 1), 1); /* adaptive_ref_pic_marking_mode_flag */
    REQUIRE_EQ(parse_ue(&p), 3);
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_ue(&p), 1);
    REQUIRE_EQ(parse_ue(&p), 4);
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 2); /* cabac_init_idc */
    REQUIRE_EQ(parse_se(&p), 0); /* slice_qp_delta */
    REQUIRE_EQ(parse_ue(&p), 0); /* disable_deblocking_filter_idc */
    REQUIRE_EQ(parse_se(&p), 0);
    REQUIRE_EQ(parse_se(&p), -3);
}

/* GStreamer 1.28 forgets one number, and the flag of the operations on the list. */
static void
operations_that_the_client_lost_are_found(void)
{
    static struct parser p;
    struct rp_h264_slice_header h;
    StdVideoEncodeH264PictureInfo picture;
    StdVideoEncodeH264SliceHeader slice;
    header_begin(&h, &picture, &slice);
    const StdVideoEncodeH264RefPicMarkingEntry marks[] = {
        {.memory_management_control_operation = 0, .difference_of_pic_nums_minus1 = 2},
        {.memory_management_control_operation = 0},
    };
    const StdVideoEncodeH264RefListModEntry mods[] = {
        {.modification_of_pic_nums_idc = 0, .abs_diff_pic_num_minus1 = 1},
        {.modification_of_pic_nums_idc = 3},
    };
    const StdVideoEncodeH264ReferenceListsInfo lists = {
        .refList0ModOpCount = 2,
        .pRefList0ModOperations = mods,
        .refPicMarkingOpCount = 2,
        .pRefPicMarkingOperations = marks,
    };
    h.lists = &lists;
    h.ref[0][0].frame_num = 3;
    picture.frame_num = 5;
    picture.flags.adaptive_ref_pic_marking_mode_flag = 1;
    header_write(&h, &(struct rp_h264_slice_state){.slice_qp = 26}, &p);

    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 0); /* P */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_u(&p, 4), 5);
    REQUIRE_EQ(parse_u(&p, 6), 0);
    REQUIRE_EQ(parse_u(&p, 1), 0); /* num_ref_idx_active_override_flag */
    REQUIRE_EQ(parse_u(&p, 1), 1); /* ref_pic_list_modification_flag_l0 */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 1);
    REQUIRE_EQ(parse_ue(&p), 3);
    REQUIRE_EQ(parse_u(&p, 1), 1); /* adaptive_ref_pic_marking_mode_flag */
    REQUIRE_EQ(parse_ue(&p), 1);
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_ue(&p), 0);
}

/* One operation of a list of three: the initial list follows it. */
static void
few_operations_with_their_end_are_written_as_given(void)
{
    static struct parser p;
    struct rp_h264_slice_header h;
    StdVideoEncodeH264PictureInfo picture;
    StdVideoEncodeH264SliceHeader slice;
    header_begin(&h, &picture, &slice);
    const StdVideoEncodeH264RefListModEntry mods[] = {
        {.modification_of_pic_nums_idc = 1, .abs_diff_pic_num_minus1 = 12},
        {.modification_of_pic_nums_idc = 3},
    };
    const StdVideoEncodeH264ReferenceListsInfo lists = {
        .flags = {.ref_pic_list_modification_flag_l0 = 1},
        .refList0ModOpCount = 2,
        .pRefList0ModOperations = mods,
    };
    h.lists = &lists;
    h.ref_count[0] = 3;
    picture.frame_num = 5;
    header_write(&h, &(struct rp_h264_slice_state){.slice_qp = 26}, &p);

    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 0); /* P */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_u(&p, 4), 5);
    REQUIRE_EQ(parse_u(&p, 6), 0);
    REQUIRE_EQ(parse_u(&p, 1), 1); /* num_ref_idx_active_override_flag */
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_u(&p, 1), 1); /* ref_pic_list_modification_flag_l0 */
    REQUIRE_EQ(parse_ue(&p), 1);
    REQUIRE_EQ(parse_ue(&p), 12);
    REQUIRE_EQ(parse_ue(&p), 3);
    REQUIRE_EQ(parse_u(&p, 1), 0); /* adaptive_ref_pic_marking_mode_flag */
}

/* Its initial list is another one than that which the application modifies. */
static void
a_p_slice_of_a_b_picture_names_its_references(void)
{
    static struct parser p;
    struct rp_h264_slice_header h;
    StdVideoEncodeH264PictureInfo picture;
    StdVideoEncodeH264SliceHeader slice;
    header_begin(&h, &picture, &slice);
    h.slice_type = 1;
    slice.slice_type = STD_VIDEO_H264_SLICE_TYPE_P;
    picture.frame_num = 5;
    h.ref_count[0] = 3;
    h.ref_count[1] = 1;
    h.ref[0][0].frame_num = 2;
    h.ref[0][1] = (struct rp_h264_ref_name){.is_long_term = true, .long_term_frame_idx = 4};
    h.ref[0][2].frame_num = 3;
    header_write(&h, &(struct rp_h264_slice_state){.slice_qp = 26}, &p);

    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 0); /* P */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_u(&p, 4), 5);
    REQUIRE_EQ(parse_u(&p, 6), 0);
    REQUIRE_EQ(parse_u(&p, 1), 1); /* num_ref_idx_active_override_flag */
    REQUIRE_EQ(parse_ue(&p), 2);   /* of list 0 alone */
    REQUIRE_EQ(parse_u(&p, 1), 1); /* ref_pic_list_modification_flag_l0 */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 2); /* 5 - 3 is 2 */
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_ue(&p), 4); /* LongTermPicNum */
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 14); /* 2 - 15 is 3, modulo 16 */
    REQUIRE_EQ(parse_ue(&p), 3);
}

static void
idr_has_its_id_and_no_frame_num(void)
{
    static struct parser p;
    struct rp_h264_slice_header h;
    StdVideoEncodeH264PictureInfo picture;
    StdVideoEncodeH264SliceHeader slice;
    header_begin(&h, &picture, &slice);
    header_sps.std.pic_order_cnt_type = STD_VIDEO_H264_POC_TYPE_2;
    h.slice_type = 2;
    slice.slice_type = STD_VIDEO_H264_SLICE_TYPE_I;
    h.is_idr = true;
    h.idr_pic_id = 77;
    picture.frame_num = 9;
    picture.flags.long_term_reference_flag = 1;
    header_write(&h, &(struct rp_h264_slice_state){.slice_qp = 0}, &p);

    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_ue(&p), 2);
    REQUIRE_EQ(parse_ue(&p), 0);
    REQUIRE_EQ(parse_u(&p, 4), 0);
    REQUIRE_EQ(parse_ue(&p), 77);
    REQUIRE_EQ(parse_u(&p, 2), 1); /* no_output_of_prior_pics_flag, long_term_reference_flag */
    REQUIRE_EQ(parse_se(&p), -26);
}

int
main(void)
{
    RUN(parameter_sets_survive_parsing_and_writing_again);
    RUN(nothing_is_written_past_the_capacity);
    RUN(unwrapped_numbers_are_masked);
    RUN(lists_and_markings_are_written_as_given);
    RUN(few_operations_with_their_end_are_written_as_given);
    RUN(operations_that_the_client_lost_are_found);
    RUN(a_p_slice_of_a_b_picture_names_its_references);
    RUN(idr_has_its_id_and_no_frame_num);
    return 0;
}
