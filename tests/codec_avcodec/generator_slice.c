/* SPDX-License-Identifier: MIT */
/* Slices with random reference lists.
 */
#include "generator_state.h"

#define MAX_ENTRIES 64

/* A picture that a list may name: a frame or one of its fields. */
struct entry {
    const struct frame *frame;
    uint32_t fields;
    bool is_long_term;
};

struct entries {
    struct entry at[MAX_ENTRIES];
    uint32_t count;
};

static uint32_t
frame_id(const struct generator *gen, const struct frame *frame)
{
    return (uint32_t)(gen->ids[frame->slot] % 64);
}

static void
entries_add(struct entries *all, const struct frame *frame, uint32_t cur_fields)
{
    for (uint32_t long_term = 0; long_term < 2; long_term++) {
        const uint32_t marked = long_term ? frame->long_fields : frame->short_fields;
        if (cur_fields == FRAME) {
            if (marked == FRAME)
                all->at[all->count++] = (struct entry){frame, FRAME, long_term};
            continue;
        }
        for (uint32_t field = TOP; field <= BOTTOM; field++) {
            if (marked & field)
                all->at[all->count++] = (struct entry){frame, field, long_term};
        }
    }
}

/* What a picture may refer to, and whether default lists are safe: they would name frames that do
 * not exist. */
static bool
entries_collect(const struct generator *gen, uint32_t cur_fields, struct entries *all)
{
    bool has_only_existing = true;
    all->count = 0;
    for (uint32_t i = 0; i < gen->dpb.count; i++) {
        if (gen->dpb.frames[i].is_non_existing)
            has_only_existing = false;
        else
            entries_add(all, &gen->dpb.frames[i], cur_fields);
    }
    if (frame_is_used(&gen->cur))
        entries_add(all, &gen->cur, cur_fields);
    return has_only_existing;
}

struct slice_plan {
    const struct picture *pic;
    const StdVideoH264PictureParameterSet *pps;
    struct generator_slice data;
    uint32_t first_address;
    bool is_direct_spatial;
    struct entry lists[2][32]; /* modifications */
    uint32_t modification_count[2];
};

static void
modification_write(struct rp_bits *bits, const struct generator *gen, const struct slice_plan *plan,
                   uint32_t list)
{
    const bool is_field = plan->pic->fields != FRAME;
    const int32_t max = (int32_t)dpb_max_frame_num(&gen->dpb) << is_field;
    int32_t predicted =
        is_field ? 2 * (int32_t)plan->pic->frame_num + 1 : (int32_t)plan->pic->frame_num;

    rp_bits_put(bits, 1, plan->modification_count[list] > 0);
    for (uint32_t i = 0; i < plan->modification_count[list]; i++) {
        const struct entry *entry = &plan->lists[list][i];
        const int32_t number = entry->is_long_term ? (int32_t)entry->frame->long_term_frame_idx
                                                   : (int32_t)entry->frame->frame_num;
        const int32_t pic_num =
            is_field ? 2 * number + (entry->fields == plan->pic->fields) : number;
        if (entry->is_long_term) {
            rp_bits_ue(bits, 2);
            rp_bits_ue(bits, (uint32_t)pic_num);
            continue;
        }
        const int32_t step = (pic_num - predicted + 2 * max) % max;
        if (step && i % 2) {
            rp_bits_ue(bits, 1);
            rp_bits_ue(bits, (uint32_t)step - 1);
        } else {
            rp_bits_ue(bits, 0);
            rp_bits_ue(bits, (uint32_t)(max - step - 1));
        }
        predicted = pic_num;
    }
    if (plan->modification_count[list])
        rp_bits_ue(bits, 3);
}

static void
weight_write(struct generator *gen, struct rp_bits *bits, uint32_t component_count)
{
    const bool is_present = chance(gen, 40);
    rp_bits_put(bits, 1, is_present);
    for (uint32_t i = 0; is_present && i < component_count; i++) {
        rp_bits_se(bits, (int32_t)pick(gen, 70) - 10);
        rp_bits_se(bits, (int32_t)pick(gen, 60) - 30);
    }
}

static void
weights_write(struct generator *gen, struct rp_bits *bits, const struct slice_plan *plan)
{
    const bool is_p = plan->data.type == RP_H264DEC_P && plan->pps->flags.weighted_pred_flag;
    const bool is_b = plan->data.type == RP_H264DEC_B && plan->pps->weighted_bipred_idc == 1;
    if (!is_p && !is_b)
        return;
    rp_bits_ue(bits, pick(gen, 6));
    rp_bits_ue(bits, pick(gen, 6));
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < plan->data.ref_count[list]; i++) {
            weight_write(gen, bits, 1);
            weight_write(gen, bits, 2);
        }
    }
}

static void
marking_write(struct rp_bits *bits, const struct picture *pic)
{
    if (!pic->is_reference)
        return;
    if (pic->is_idr) {
        rp_bits_put(bits, 1, 0);
        rp_bits_put(bits, 1, pic->is_long_term_idr);
        return;
    }
    rp_bits_put(bits, 1, pic->has_adaptive_marking);
    if (!pic->has_adaptive_marking)
        return;
    for (uint32_t i = 0; i < pic->mmco_count; i++) {
        rp_bits_ue(bits, pic->mmcos[i].op);
        if (pic->mmcos[i].op != 5)
            rp_bits_ue(bits, pic->mmcos[i].value[0]);
        if (pic->mmcos[i].op == 3)
            rp_bits_ue(bits, pic->mmcos[i].value[1]);
    }
    rp_bits_ue(bits, 0);
}

static void
header_picture_write(struct generator *gen, struct rp_bits *bits, const struct slice_plan *plan)
{
    const struct picture *pic = plan->pic;
    const StdVideoH264SequenceParameterSet *sps = &gen->sps;
    const bool has_bottom =
        plan->pps->flags.bottom_field_pic_order_in_frame_present_flag && pic->fields == FRAME;

    rp_bits_put(bits, sps->log2_max_frame_num_minus4 + 4u, pic->frame_num);
    if (!sps->flags.frame_mbs_only_flag) {
        rp_bits_put(bits, 1, pic->fields != FRAME);
        if (pic->fields != FRAME)
            rp_bits_put(bits, 1, pic->fields == BOTTOM);
    }
    if (pic->is_idr)
        rp_bits_ue(bits, gen->idr_pic_id);
    if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0) {
        rp_bits_put(bits, sps->log2_max_pic_order_cnt_lsb_minus4 + 4u, pic->poc_lsb);
        if (has_bottom)
            rp_bits_se(bits, pic->delta_poc_bottom);
    } else if (sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_1) {
        rp_bits_se(bits, pic->delta_poc[0]);
        if (has_bottom)
            rp_bits_se(bits, pic->delta_poc[1]);
    }
    if (plan->pps->flags.redundant_pic_cnt_present_flag)
        rp_bits_ue(bits, 0);
}

static void
header_filter_write(struct generator *gen, struct rp_bits *bits, const struct slice_plan *plan)
{
    rp_bits_se(bits, (int32_t)pick(gen, 9) - 4); /* slice_qp_delta */
    if (!plan->pps->flags.deblocking_filter_control_present_flag)
        return;
    const uint32_t idc = pick(gen, 3);
    rp_bits_ue(bits, idc);
    if (idc == 1)
        return;
    rp_bits_se(bits, (int32_t)pick(gen, 7) - 3);
    rp_bits_se(bits, (int32_t)pick(gen, 7) - 3);
}

static void
slice_write(struct generator *gen, const struct slice_plan *plan)
{
    struct rp_bits bits;
    const struct generator_slice *data = &plan->data;
    const uint32_t defaults[2] = {plan->pps->num_ref_idx_l0_default_active_minus1 + 1u,
                                  plan->pps->num_ref_idx_l1_default_active_minus1 + 1u};

    rp_bits_init(&bits, gen->rbsp, sizeof(gen->rbsp));
    rp_bits_ue(&bits, plan->first_address);
    rp_bits_ue(&bits, data->type);
    rp_bits_ue(&bits, plan->pps->pic_parameter_set_id);
    header_picture_write(gen, &bits, plan);
    if (data->type == RP_H264DEC_B)
        rp_bits_put(&bits, 1, plan->is_direct_spatial);
    if (data->type != RP_H264DEC_I) {
        const bool overrides = data->ref_count[0] != defaults[0] ||
                               (data->type == RP_H264DEC_B && data->ref_count[1] != defaults[1]);
        rp_bits_put(&bits, 1, overrides);
        for (uint32_t i = 0; overrides && i < (data->type == RP_H264DEC_B ? 2u : 1u); i++)
            rp_bits_ue(&bits, data->ref_count[i] - 1);
        modification_write(&bits, gen, plan, 0);
        if (data->type == RP_H264DEC_B)
            modification_write(&bits, gen, plan, 1);
    }
    weights_write(gen, &bits, plan);
    marking_write(&bits, plan->pic);
    header_filter_write(gen, &bits, plan);
    generator_slice_data(&bits, &gen->random, data);
    generator_nal_emit(
        gen, (uint8_t)((plan->pic->is_reference ? 0x60 : 0) | (plan->pic->is_idr ? 5 : 1)), &bits);
}

/* One list: its length, its modifications, and how far it may be used. */
static void
list_plan(struct generator *gen, struct slice_plan *plan, uint32_t list, const struct entries *all,
          bool is_explicit)
{
    const uint32_t max = plan->pic->fields == FRAME ? 16 : 32;
    uint32_t count = 1 + pick(gen, all->count + (chance(gen, 20) ? 4 : 0));
    if (count > max)
        count = max;
    const uint32_t modified = is_explicit ? count : chance(gen, 50) ? 0 : pick(gen, count + 1);

    plan->data.ref_count[list] = count;
    plan->data.usable[list] = is_explicit || count < all->count ? count : all->count;
    plan->modification_count[list] = modified;
    for (uint32_t i = 0; i < modified; i++)
        plan->lists[list][i] = all->at[pick(gen, all->count)];
}

/* Temporal direct prediction needs in list 0 whatever the co-located picture, first in list 1,
 * referred to. Makes such lists if it can. */
static bool
temporal_plan(struct generator *gen, struct slice_plan *plan, const struct entries *all)
{
    const struct entry *col = &plan->lists[1][0];
    uint64_t needed = gen->refs_of[frame_id(gen, col->frame)];
    if (col->frame == &gen->cur)
        needed |= gen->cur_refs;
    uint64_t found = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const uint64_t id = (uint64_t)1 << frame_id(gen, all->at[i].frame);
        const struct frame *frame = all->at[i].frame;
        const bool is_whole =
            plan->pic->fields == FRAME ||
            (all->at[i].is_long_term ? frame->long_fields : frame->short_fields) == FRAME;
        if (!(needed & id) || !is_whole)
            continue;
        found |= id;
        plan->lists[0][count++] = all->at[i];
    }
    if (found != needed || count == 0 || count > (plan->pic->fields == FRAME ? 16u : 32u))
        return false;
    plan->data.ref_count[0] = count;
    plan->data.usable[0] = count;
    plan->modification_count[0] = count;
    return true;
}

static void
slice_plan(struct generator *gen, struct slice_plan *plan, enum rp_h264dec_slice_type type)
{
    struct entries all;
    if (type == RP_H264DEC_B && gen->has_restarts)
        type = RP_H264DEC_P;
    const bool is_explicit = !entries_collect(gen, plan->pic->fields, &all) || chance(gen, 30);
    if (all.count == 0)
        type = RP_H264DEC_I;

    plan->data.type = type;
    plan->data.is_pcm = chance(gen, type == RP_H264DEC_I ? 70 : 20);
    plan->data.is_mbaff = gen->sps.flags.mb_adaptive_frame_field_flag && plan->pic->fields == FRAME;
    if (type == RP_H264DEC_I)
        return;
    list_plan(gen, plan, 0, &all, is_explicit);
    if (type == RP_H264DEC_P)
        return;
    const bool wants_temporal = chance(gen, 50);
    const bool is_second = frame_is_used(&gen->cur);
    list_plan(gen, plan, 1, &all, is_explicit || wants_temporal || is_second);
    plan->is_direct_spatial = !(wants_temporal && temporal_plan(gen, plan, &all));
    /* With the first field of the same frame as co-located picture, libavcodec asks macroblocks
     * that are not decoded yet whether they are interlaced. */
    plan->data.has_direct = !is_second || plan->lists[1][0].frame != &gen->cur;
}

static void
remember_references(struct generator *gen, const struct picture *pic)
{
    struct entries all;
    entries_collect(gen, pic->fields, &all);
    for (uint32_t i = 0; i < all.count; i++)
        gen->cur_refs |= (uint64_t)1 << frame_id(gen, all.at[i].frame);
}

/* All slices of one frame or field. */
void
generator_picture_write(struct generator *gen, const struct picture *pic,
                        enum rp_h264dec_slice_type type)
{
    const uint32_t height_mb = (gen->sps.pic_height_in_map_units_minus1 + 1) *
                               (gen->sps.flags.frame_mbs_only_flag || pic->fields != FRAME ? 1 : 2);
    const bool is_mbaff = gen->sps.flags.mb_adaptive_frame_field_flag && pic->fields == FRAME;
    const uint32_t total = (gen->sps.pic_width_in_mbs_minus1 + 1) * height_mb >> is_mbaff;
    const StdVideoH264PictureParameterSet *pps = &gen->pps[pick(gen, 3)];
    uint32_t address = 0;

    while (address < total) {
        struct slice_plan plan = {.pic = pic, .pps = pps, .first_address = address};
        const uint32_t count = chance(gen, 50) ? total - address : 1 + pick(gen, total - address);
        slice_plan(gen, &plan, chance(gen, 10) ? RP_H264DEC_I : type);
        plan.data.mb_count = count << is_mbaff;
        slice_write(gen, &plan);
        address += count;
    }
    if (type != RP_H264DEC_I)
        remember_references(gen, pic);
}
