/* SPDX-License-Identifier: MIT */
/* Pictures in coding order with their marking, lists and slice headers.
 */
#include "generator.h"

#include "generator_state.h"
#include "test.h"

#include <string.h>

void
generator_nal_emit(struct generator *gen, uint8_t header, struct rp_bits *bits)
{
    rp_bits_trailing(bits);
    REQUIRE(!bits->has_overflow);
    const size_t room_B = bits->size_bits / 8 * 3 / 2 + 64;
    if (gen->out_B + room_B > gen->capacity_B) {
        gen->capacity_B = 2 * (gen->out_B + room_B);
        gen->out = realloc(gen->out, gen->capacity_B);
        REQUIRE(gen->out);
    }
    gen->out_B += rp_nal_write(gen->out + gen->out_B, gen->capacity_B - gen->out_B, &header, 1,
                               gen->rbsp, bits->size_bits / 8);
}

static void
sps_choose(struct generator *gen)
{
    StdVideoH264SequenceParameterSet *sps = &gen->sps;
    const bool is_interlaced = chance(gen, 65);

    sps->profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN;
    sps->pic_width_in_mbs_minus1 = 1 + pick(gen, 4);
    sps->pic_height_in_map_units_minus1 = is_interlaced ? 1 + pick(gen, 2) : 1 + pick(gen, 4);
    sps->flags.frame_mbs_only_flag = !is_interlaced;
    sps->flags.mb_adaptive_frame_field_flag = is_interlaced && chance(gen, 50);
    sps->flags.direct_8x8_inference_flag = is_interlaced || chance(gen, 50);
    sps->max_num_ref_frames = (uint8_t)(chance(gen, 20) ? 16 : 1 + pick(gen, 6));
    gen->has_long_term = chance(gen, 60);
    gen->has_pairs_only = is_interlaced && chance(gen, 30);
    gen->has_restarts = chance(gen, 25);
    /* Short-term frames have numbers of their own, however long they stay. */
    gen->has_adaptive_marking = gen->has_long_term || gen->has_restarts || chance(gen, 60);
    sps->log2_max_frame_num_minus4 =
        (uint8_t)((gen->has_adaptive_marking ? 2 : sps->max_num_ref_frames > 8) + pick(gen, 3));
    sps->pic_order_cnt_type = (StdVideoH264PocType)(chance(gen, 50) ? 0 : pick(gen, 3));
    sps->log2_max_pic_order_cnt_lsb_minus4 = (uint8_t)(2 + pick(gen, 3));
    sps->flags.gaps_in_frame_num_value_allowed_flag =
        sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0 && chance(gen, 25);
    sps->offset_for_non_ref_pic = -(int32_t)pick(gen, 3);
    sps->offset_for_top_to_bottom_field = (int32_t)pick(gen, 2);
    sps->num_ref_frames_in_pic_order_cnt_cycle = (uint8_t)pick(gen, 4);
    for (uint32_t i = 0; i < 4; i++)
        gen->offsets[i] = 2 + (int32_t)pick(gen, 3);
    sps->pOffsetForRefFrame = gen->offsets;
}

static void
sps_write(struct generator *gen)
{
    const StdVideoH264SequenceParameterSet *sps = &gen->sps;
    struct rp_bits bits;
    rp_bits_init(&bits, gen->rbsp, sizeof(gen->rbsp));
    rp_bits_put(&bits, 8, (uint32_t)sps->profile_idc);
    rp_bits_put(&bits, 8, 0);
    rp_bits_put(&bits, 8, 40);
    rp_bits_ue(&bits, 0);
    rp_bits_ue(&bits, sps->log2_max_frame_num_minus4);
    rp_bits_ue(&bits, (uint32_t)sps->pic_order_cnt_type);
    if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0) {
        rp_bits_ue(&bits, sps->log2_max_pic_order_cnt_lsb_minus4);
    } else if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1) {
        rp_bits_put(&bits, 1, 0);
        rp_bits_se(&bits, sps->offset_for_non_ref_pic);
        rp_bits_se(&bits, sps->offset_for_top_to_bottom_field);
        rp_bits_ue(&bits, sps->num_ref_frames_in_pic_order_cnt_cycle);
        for (uint32_t i = 0; i < sps->num_ref_frames_in_pic_order_cnt_cycle; i++)
            rp_bits_se(&bits, gen->offsets[i]);
    }
    rp_bits_ue(&bits, sps->max_num_ref_frames);
    rp_bits_put(&bits, 1, sps->flags.gaps_in_frame_num_value_allowed_flag);
    rp_bits_ue(&bits, sps->pic_width_in_mbs_minus1);
    rp_bits_ue(&bits, sps->pic_height_in_map_units_minus1);
    rp_bits_put(&bits, 1, sps->flags.frame_mbs_only_flag);
    if (!sps->flags.frame_mbs_only_flag)
        rp_bits_put(&bits, 1, sps->flags.mb_adaptive_frame_field_flag);
    rp_bits_put(&bits, 1, sps->flags.direct_8x8_inference_flag);
    rp_bits_put(&bits, 2, 0);
    generator_nal_emit(gen, 0x67, &bits);
}

/* Three sets that agree in what orders pictures. */
static void
pps_choose(struct generator *gen)
{
    StdVideoH264PictureParameterSet common = {.chroma_qp_index_offset = (int8_t)pick(gen, 5)};
    common.flags.bottom_field_pic_order_in_frame_present_flag = chance(gen, 50);
    common.flags.weighted_pred_flag = chance(gen, 40);
    common.weighted_bipred_idc = (StdVideoH264WeightedBipredIdc)pick(gen, 3);
    for (uint32_t i = 0; i < 3; i++) {
        gen->pps[i] = common;
        gen->pps[i].pic_parameter_set_id = (uint8_t)(i + 3 * pick(gen, 20));
        gen->pps[i].num_ref_idx_l0_default_active_minus1 = (uint8_t)pick(gen, 4);
        gen->pps[i].num_ref_idx_l1_default_active_minus1 = (uint8_t)pick(gen, 4);
        gen->pps[i].pic_init_qp_minus26 = (int8_t)((int32_t)pick(gen, 9) - 4);
        gen->pps[i].flags.deblocking_filter_control_present_flag = chance(gen, 60);
        gen->pps[i].flags.redundant_pic_cnt_present_flag = chance(gen, 30);
    }
}

static void
pps_write(struct generator *gen, const StdVideoH264PictureParameterSet *pps)
{
    struct rp_bits bits;
    rp_bits_init(&bits, gen->rbsp, sizeof(gen->rbsp));
    rp_bits_ue(&bits, pps->pic_parameter_set_id);
    rp_bits_ue(&bits, 0);
    rp_bits_put(&bits, 1, 0);
    rp_bits_put(&bits, 1, pps->flags.bottom_field_pic_order_in_frame_present_flag);
    rp_bits_ue(&bits, 0);
    rp_bits_ue(&bits, pps->num_ref_idx_l0_default_active_minus1);
    rp_bits_ue(&bits, pps->num_ref_idx_l1_default_active_minus1);
    rp_bits_put(&bits, 1, pps->flags.weighted_pred_flag);
    rp_bits_put(&bits, 2, (uint32_t)pps->weighted_bipred_idc);
    rp_bits_se(&bits, pps->pic_init_qp_minus26);
    rp_bits_se(&bits, 0);
    rp_bits_se(&bits, pps->chroma_qp_index_offset);
    rp_bits_put(&bits, 1, pps->flags.deblocking_filter_control_present_flag);
    rp_bits_put(&bits, 1, 0);
    rp_bits_put(&bits, 1, pps->flags.redundant_pic_cnt_present_flag);
    generator_nal_emit(gen, 0x68, &bits);
}

/* Syntax elements that give the field or frame its place in output order. */
static void
order_choose(struct generator *gen, struct picture *pic, int32_t top, int32_t bottom)
{
    const bool has_bottom = gen->pps[0].flags.bottom_field_pic_order_in_frame_present_flag;
    const int32_t own = pic->fields == BOTTOM ? bottom : top;
    const int32_t mask = (1 << (gen->sps.log2_max_pic_order_cnt_lsb_minus4 + 4)) - 1;
    int32_t poc[2];
    struct dpb dpb = gen->dpb;

    pic->poc_lsb = (uint32_t)(own & mask);
    pic->delta_poc_bottom = has_bottom ? bottom - top : 0;
    if (gen->sps.pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1) {
        int32_t base = dpb_expected_order(&gen->dpb, pic);
        if (pic->fields == BOTTOM)
            base += gen->sps.offset_for_top_to_bottom_field;
        pic->delta_poc[0] = own - base;
        if (has_bottom && pic->fields == FRAME)
            pic->delta_poc[1] = bottom - top - gen->sps.offset_for_top_to_bottom_field;
    }
    dpb_picture_order(&dpb, pic, poc);
    if (gen->sps.pic_order_cnt_type != STD_VIDEO_H264_POC_TYPE_2)
        REQUIRE_EQ(pic->fields == BOTTOM ? poc[1] : poc[0], own);
}

static void
picture_make(struct generator *gen, struct picture *pic, enum rp_h264dec_slice_type type,
             int32_t top, int32_t bottom, bool is_second, bool may_restart)
{
    int32_t poc[2];
    order_choose(gen, pic, top, bottom);
    dpb_picture_order(&gen->dpb, pic, poc);
    for (uint32_t i = 0; i < 2; i++) {
        if (pic->fields & (1u << i))
            gen->cur.poc[i] = poc[i];
    }
    generator_marking_choose(gen, pic, is_second, may_restart);
    generator_picture_write(gen, pic, pic->is_idr ? RP_H264DEC_I : type);
    generator_marking_apply(gen, pic);
}

static uint32_t
free_slot(const struct generator *gen)
{
    for (uint32_t slot = 0;; slot++) {
        bool is_taken = false;
        for (uint32_t i = 0; i < gen->dpb.count; i++)
            is_taken |= gen->dpb.frames[i].slot == (int32_t)slot;
        if (!is_taken)
            return slot;
    }
}

static void
frame_begin(struct generator *gen, const struct picture *pic)
{
    gen->cur = (struct frame){
        .slot = (int32_t)free_slot(gen),
        .frame_num = pic->frame_num,
        .is_reference = pic->is_reference,
    };
    gen->ids[gen->cur.slot] = gen->next_id++;
    gen->cur_refs = 0;
}

/* Frames that do not exist push others out, which must be short-term. */
static bool
may_skip_numbers(const struct generator *gen)
{
    if (!gen->sps.flags.gaps_in_frame_num_value_allowed_flag || gen->dpb.last_ref_frame_num == 0)
        return false;
    for (uint32_t i = 0; i < gen->dpb.count; i++) {
        if (gen->dpb.frames[i].long_fields)
            return false;
    }
    return true;
}

/* One frame, coded as such or as two fields, at a display position. */
static void
frame_make(struct generator *gen, enum rp_h264dec_slice_type type, int64_t display, bool is_idr,
           bool is_reference, bool may_restart)
{
    const bool is_pair =
        !gen->sps.flags.frame_mbs_only_flag && (gen->has_pairs_only || chance(gen, 50));
    const uint32_t mask = dpb_max_frame_num(&gen->dpb) - 1;
    /* Long-term pairs only by operation 3: libavcodec forgets the first field when the second one
     * is marked by operation 6. */
    struct picture pic = {
        .is_idr = is_idr,
        .is_reference = is_reference,
        .frame_num = is_idr ? 0 : (gen->dpb.last_ref_frame_num + 1) & mask,
        .is_long_term_idr = is_idr && !is_pair && gen->has_long_term && chance(gen, 30),
    };
    if (may_skip_numbers(gen) && !is_idr && chance(gen, 12))
        pic.frame_num = (pic.frame_num + 1 + pick(gen, 2)) & mask;
    if (is_idr) {
        gen->order_origin = display;
        gen->idr_pic_id = (gen->idr_pic_id + 1) & 7;
    }
    dpb_prepare(&gen->dpb, &pic);
    frame_begin(gen, &pic);

    int32_t top = (int32_t)(2 * (display - gen->order_origin));
    int32_t bottom = top + (int32_t)pick(gen, 2);
    if (gen->sps.pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1 && !is_pair &&
        !gen->pps[0].flags.bottom_field_pic_order_in_frame_present_flag)
        bottom = top + gen->sps.offset_for_top_to_bottom_field;
    if (!is_pair) {
        pic.fields = FRAME;
        picture_make(gen, &pic, type, top, bottom, false, may_restart);
    } else {
        /* libavcodec sorts the first field by the lower count of both: let that be its own. */
        const bool is_bottom_first = chance(gen, 40);
        const int32_t later = bottom;
        pic.fields = is_bottom_first ? BOTTOM : TOP;
        bottom = is_bottom_first ? top : later;
        top = is_bottom_first ? later : top;
        picture_make(gen, &pic, type, top, bottom, false, false);
        struct picture second = {
            .fields = pic.fields ^ FRAME,
            .is_reference = is_reference,
            .frame_num = pic.frame_num,
        };
        const bool becomes_p = type == RP_H264DEC_I && is_reference && chance(gen, 60);
        picture_make(gen, &second, becomes_p ? RP_H264DEC_P : type, top, bottom, true, false);
    }
    gen->refs_of[gen->ids[gen->cur.slot] % 64] = gen->cur_refs;
    gen->last_was_reference = is_reference;
    dpb_insert(&gen->dpb, &gen->cur);
    memset(&gen->cur, 0, sizeof(gen->cur));
}

/* An anchor and up to three pictures that are shown before it. Returns how many. */
static uint32_t
group_make(struct generator *gen, bool is_first)
{
    const bool may_reorder = gen->sps.pic_order_cnt_type != STD_VIDEO_H264_POC_TYPE_2;
    const bool is_idr = is_first || chance(gen, 4);
    const uint32_t count = is_idr || !may_reorder ? 1 : 1 + pick(gen, 4);
    const int64_t anchor = gen->next_display + count - 1;
    uint32_t order[3] = {0, 1, 2};

    const bool may_restart = gen->has_restarts && count == 1 && !is_idr;
    gen->next_display = anchor;
    frame_make(gen,
               chance(gen, 15)   ? RP_H264DEC_I
               : chance(gen, 20) ? RP_H264DEC_B
                                 : RP_H264DEC_P,
               anchor, is_idr, is_idr || may_reorder || !gen->last_was_reference || chance(gen, 70),
               may_restart);
    for (uint32_t i = 0; i + 1 < count; i++) {
        const uint32_t other = i + pick(gen, count - 1 - i);
        const uint32_t position = order[other];
        order[other] = order[i];
        order[i] = position;
        frame_make(gen, chance(gen, 85) ? RP_H264DEC_B : RP_H264DEC_P,
                   anchor - (int64_t)(count - 1) + position, false, chance(gen, 50), false);
    }
    gen->next_display = anchor + 1;
    return count;
}

uint8_t *
generator_make(uint32_t seed, uint32_t frame_count, size_t *size_B_out)
{
    struct generator *gen = calloc(1, sizeof(*gen));
    REQUIRE(gen && frame_count <= 60); /* frame ids are told apart modulo 64 */
    gen->ids = calloc(40, sizeof(*gen->ids));
    REQUIRE(gen->ids);
    gen->random = seed * 7919 + 1;
    pick(gen, 2);
    gen->max_long_term_idx = -1;
    sps_choose(gen);
    pps_choose(gen);
    gen->dpb.sps = &gen->sps;
    sps_write(gen);
    for (uint32_t i = 0; i < 3; i++)
        pps_write(gen, &gen->pps[i]);
    for (uint32_t made = 0; made < frame_count;)
        made += group_make(gen, made == 0);

    uint8_t *out = gen->out;
    *size_B_out = gen->out_B;
    free(gen->ids);
    free(gen);
    return out;
}
