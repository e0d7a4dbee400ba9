/* SPDX-License-Identifier: MIT */
/* Writing private slice headers in front of the application's slice data.
 */
#include "codecs/avcodec/h264/rewrite.h"

#include "codecs/avcodec/h264/params.h"

#include <assert.h>

/* The largest header: two lists of 32 modifications and weights, 48 marking commands. */
#define HEADER_CAPACITY_B 4096

void
rp_h264dec_marking_write(struct rp_bits *bits, const struct rp_h264dec_marking *marking)
{
    rp_bits_put(bits, 1, 1); /* adaptive_ref_pic_marking_mode_flag */
    for (uint32_t i = 0; i < marking->mmco_count; i++) {
        const struct rp_h264dec_mmco *mmco = &marking->mmcos[i];
        rp_bits_ue(bits, mmco->op);
        rp_bits_ue(bits, mmco->value[0]);
        if (mmco->op == 3)
            rp_bits_ue(bits, mmco->value[1]);
    }
    rp_bits_ue(bits, 0);
}

static void
picture_write(struct rp_bits *bits, const struct rp_h264dec_private *pic, uint32_t frame_num_bits)
{
    const bool is_field = pic->fields != RP_H264DEC_FRAME;
    const bool is_bottom = pic->fields == RP_H264DEC_BOTTOM;

    rp_bits_put(bits, frame_num_bits, pic->frame_num);
    if (!pic->frame_mbs_only) {
        rp_bits_put(bits, 1, is_field);
        if (is_field)
            rp_bits_put(bits, 1, is_bottom);
    }
    rp_bits_se(bits, pic->poc[is_bottom]);
    if (!is_field)
        rp_bits_se(bits, pic->poc[1] - pic->poc[0]);
}

/* One command for every entry: the list does not depend on libavcodec's initial one. */
static void
list_write(struct rp_bits *bits, const struct rp_h264dec_private *pic,
           const struct rp_h264dec_dpb *dpb, const struct rp_h264dec_entry *entries, uint32_t count)
{
    const bool is_field = pic->fields != RP_H264DEC_FRAME;
    const uint32_t mask = (1u << (dpb->frame_num_bits + is_field)) - 1;
    uint32_t predicted = is_field ? 2 * pic->frame_num + 1 : pic->frame_num;

    rp_bits_put(bits, 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct rp_h264dec_held *held = &dpb->held[entries[i].held];
        const uint32_t number = held->is_long_term ? held->long_term_frame_idx : held->frame_num;
        const uint32_t pic_num =
            is_field ? 2 * number + (entries[i].fields == pic->fields) : number;
        if (held->is_long_term) {
            rp_bits_ue(bits, 2);
            rp_bits_ue(bits, pic_num);
        } else {
            rp_bits_ue(bits, 0);
            rp_bits_ue(bits, (predicted - pic_num - 1) & mask); /* 0 steps back is all around */
            predicted = pic_num;
        }
    }
    rp_bits_ue(bits, 3);
}

static void
copy_bits(struct rp_bits *bits, const uint8_t *src, size_t begin_bits, size_t end_bits)
{
    for (size_t i = begin_bits; i < end_bits; i++)
        rp_bits_put(bits, 1, src[i / 8] >> (7 - i % 8) & 1);
}

static void
header_write(struct rp_bits *bits, const struct rp_h264dec_private *pic,
             const struct rp_h264dec_dpb *dpb, const struct rp_h264dec_slice_header *header,
             const struct rp_h264dec_lists *lists, const uint8_t *nal,
             const struct rp_h264dec_clone *clone)
{
    rp_bits_ue(bits, header->first_mb);
    rp_bits_ue(bits, header->type);
    rp_bits_ue(bits, clone->pps_id);
    picture_write(bits, pic, dpb->frame_num_bits);
    if (clone->has_redundant_pic_cnt)
        rp_bits_ue(bits, 0);
    if (header->type == RP_H264DEC_B)
        rp_bits_put(bits, 1, header->direct_spatial);

    if (header->type != RP_H264DEC_I)
        rp_bits_put(bits, 1, 1); /* num_ref_idx_active_override_flag */
    for (uint32_t i = 0; i < 2 && header->ref_count[i]; i++)
        rp_bits_ue(bits, header->ref_count[i] - 1);
    for (uint32_t i = 0; i < 2 && header->ref_count[i]; i++)
        list_write(bits, pic, dpb, lists->at[i], header->ref_count[i]);
    copy_bits(bits, nal, header->weights_begin_bits, header->weights_end_bits);
    if (pic->is_reference)
        rp_h264dec_marking_write(bits, pic->marking);

    if (header->pps->flags.entropy_coding_mode_flag && header->type != RP_H264DEC_I)
        rp_bits_ue(bits, header->cabac_init_idc);
    rp_bits_se(bits, header->slice_qp_delta);
    rp_bits_ue(bits, header->disable_deblocking_filter_idc);
    if (header->disable_deblocking_filter_idc != 1) {
        rp_bits_se(bits, header->alpha_c0_offset_div2);
        rp_bits_se(bits, header->beta_offset_div2);
    }
}

/* The clone that makes the private header as long as the original, modulo 8 bits. */
static const struct rp_h264dec_clone *
clone_for(size_t private_bits, size_t original_bits)
{
    const size_t wanted = (original_bits - private_bits) % 8;
    for (uint32_t i = 0; i < RP_H264DEC_CLONE_COUNT; i++) {
        const struct rp_h264dec_clone *clone = &rp_h264dec_clones[i];
        struct rp_bits bits;
        rp_bits_init(&bits, NULL, 0);
        rp_bits_ue(&bits, clone->pps_id);
        if ((bits.size_bits - 1 + clone->has_redundant_pic_cnt) % 8 == wanted)
            return clone;
    }
    assert(!"the clones cover all residues");
    return &rp_h264dec_clones[0];
}

bool
rp_h264dec_slice_rewrite(struct rp_avcodec_buffer *packet, const struct rp_h264dec_private *pic,
                         const struct rp_h264dec_dpb *dpb,
                         const struct rp_h264dec_slice_header *header,
                         const struct rp_h264dec_lists *lists, const uint8_t *nal, size_t nal_B)
{
    const struct rp_h264dec_clone *clone = &rp_h264dec_clones[0];
    uint8_t bytes[HEADER_CAPACITY_B];
    struct rp_bits bits;
    const size_t data_begin_B = (header->data_begin_bits + 7) / 8;

    rp_bits_init(&bits, bytes, sizeof(bytes));
    header_write(&bits, pic, dpb, header, lists, nal, clone);
    if (header->pps->flags.entropy_coding_mode_flag) {
        while (bits.size_bits % 8)
            rp_bits_put(&bits, 1, 1); /* cabac_alignment_one_bit */
    } else {
        /* Positions in nal count its header byte: no difference modulo 8. */
        clone = clone_for(bits.size_bits, header->data_begin_bits);
        rp_bits_init(&bits, bytes, sizeof(bytes));
        header_write(&bits, pic, dpb, header, lists, nal, clone);
        copy_bits(&bits, nal, header->data_begin_bits, data_begin_B * 8);
    }
    assert(!bits.has_overflow && bits.size_bits % 8 == 0);

    const size_t data_B = nal_B - data_begin_B;
    if (!rp_avcodec_buffer_reserve(packet, RP_AVCODEC_NAL_ROOM_B(bits.size_bits / 8 + data_B)))
        return false;
    rp_avcodec_nal_begin(packet, pic->is_reference ? 0x61 : 0x01);
    rp_avcodec_nal_append(packet, bytes, bits.size_bits / 8);
    rp_avcodec_nal_append(packet, nal + data_begin_B, data_B);
    return true;
}
