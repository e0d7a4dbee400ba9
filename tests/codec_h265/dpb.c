/* SPDX-License-Identifier: MIT */
/* Order counts, reference picture sets, and frames for new pictures.
 */
#include "dpb.h"

#include "image.h"
#include "tests/test.h"

#define NAL_RADL_N 6u
#define NAL_RASL_N 8u
#define NAL_RASL_R 9u

static bool
is_rasl(const struct stream *stream)
{
    return stream->header.nal_unit_type == NAL_RASL_N || stream->header.nal_unit_type == NAL_RASL_R;
}

static const struct rp_h265_sps *
sps_of(const struct stream *stream)
{
    const StdVideoH265PictureParameterSet *pps =
        &stream->pps[stream->header.slice_pic_parameter_set_id].std;
    return &stream->sps[pps->pps_seq_parameter_set_id];
}

/* 8.3.1 */
static int32_t
order_count(struct stream *stream, bool starts_sequence)
{
    const struct rp_h265_slice_header *header = &stream->header;
    const int32_t max = 1 << (sps_of(stream)->std.log2_max_pic_order_cnt_lsb_minus4 + 4);
    const int32_t lsb = (int32_t)header->slice_pic_order_cnt_lsb;
    const int32_t last_lsb = stream->last_poc & (max - 1);
    int32_t msb = starts_sequence ? 0 : stream->last_poc - last_lsb;
    if (!starts_sequence && lsb < last_lsb && last_lsb - lsb >= max / 2)
        msb += max;
    else if (!starts_sequence && lsb > last_lsb && lsb - last_lsb > max / 2)
        msb -= max;

    const bool is_leading =
        header->nal_unit_type >= NAL_RADL_N && header->nal_unit_type <= NAL_RASL_R;
    const bool is_sub_layer_non_reference =
        header->nal_unit_type <= 14 && header->nal_unit_type % 2 == 0;
    const uint32_t temporal_id_plus1 = stream->file[stream->first.offset_B - 1] & 7;
    if (temporal_id_plus1 == 1 && !is_leading && !is_sub_layer_non_reference)
        stream->last_poc = msb + lsb;
    return msb + lsb;
}

/* The frame whose count is poc in the bits of mask. */
static struct frame *
find(struct stream *stream, int32_t poc, int32_t mask)
{
    for (uint32_t i = 0; i < RP_H265_DECODE_SLOTS; i++) {
        struct frame *frame = &stream->frames[i];
        if (frame->is_used && (frame->poc & mask) == (poc & mask))
            return frame;
    }
    return NULL;
}

static void
set_add(struct rp_h265_private_set *set, const struct frame *frame)
{
    REQUIRE(frame && set->count < STD_VIDEO_DECODE_H265_REF_PIC_SET_LIST_SIZE);
    set->at[set->count++] = (struct rp_h265_private_reference){frame->slot, true, frame->poc};
}

/* The short-term set: the frames that stay; those that are used go to the request. */
static void
short_term(struct stream *stream, int32_t poc, struct rp_h265_private_request *request, bool *stays)
{
    const struct rp_h265_sps *sps = sps_of(stream);
    const struct rp_h265_slice_header *header = &stream->header;
    const StdVideoH265ShortTermRefPicSet *set =
        header->short_term_ref_pic_set_sps_flag
            ? &sps->short_term_ref_pic_sets[header->short_term_ref_pic_set_idx]
            : &header->short_term_ref_pic_set;
    const uint32_t count = set->num_negative_pics + set->num_positive_pics;
    int32_t delta = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_negative = i < set->num_negative_pics;
        const uint32_t k = is_negative ? i : i - set->num_negative_pics;
        if (i == set->num_negative_pics)
            delta = 0;
        delta += is_negative ? -(set->delta_poc_s0_minus1[k] + 1) : set->delta_poc_s1_minus1[k] + 1;
        const uint32_t used =
            is_negative ? set->used_by_curr_pic_s0_flag : set->used_by_curr_pic_s1_flag;
        struct frame *frame = find(stream, poc + delta, -1);
        if (frame)
            stays[frame - stream->frames] = true;
        if (used >> k & 1)
            set_add(is_negative ? &request->before : &request->after, frame);
    }
}

static void
long_term(struct stream *stream, int32_t poc, struct rp_h265_private_request *request, bool *stays)
{
    const struct rp_h265_sps *sps = sps_of(stream);
    const struct rp_h265_slice_header *header = &stream->header;
    const int32_t max = 1 << (sps->std.log2_max_pic_order_cnt_lsb_minus4 + 4);
    int32_t cycle = 0;
    for (uint32_t i = 0; i < header->num_long_term_sps + header->num_long_term_pics; i++) {
        const struct rp_h265_long_term_entry *entry = &header->long_term[i];
        const bool is_of_sps = i < header->num_long_term_sps;
        int32_t wanted =
            (int32_t)(is_of_sps ? sps->long_term_ref_pics.lt_ref_pic_poc_lsb_sps[entry->lt_idx_sps]
                                : entry->poc_lsb_lt);
        const bool is_used =
            is_of_sps
                ? sps->long_term_ref_pics.used_by_curr_pic_lt_sps_flag >> entry->lt_idx_sps & 1
                : entry->used_by_curr_pic_lt_flag;
        if (i == 0 || i == header->num_long_term_sps)
            cycle = 0;
        cycle += (int32_t)entry->delta_poc_msb_cycle_lt;
        if (entry->delta_poc_msb_present_flag)
            wanted += poc - cycle * max - (poc & (max - 1));
        struct frame *frame =
            find(stream, wanted, entry->delta_poc_msb_present_flag ? -1 : max - 1);
        if (frame)
            stays[frame - stream->frames] = frame->is_long_term = true;
        if (is_used)
            set_add(&request->long_term, frame);
    }
}

static struct frame *
frame_take(struct stream *stream, int32_t poc)
{
    struct session *session = stream->session;
    const uint32_t slot_count = session->slot_count ? session->slot_count : RP_H265_DECODE_SLOTS;
    struct frame *frame = NULL;
    for (uint32_t i = 0; i < RP_H265_DECODE_SLOTS && !frame; i++) {
        if (!stream->frames[i].is_used)
            frame = &stream->frames[i];
    }
    REQUIRE(frame);
    frame_release(session, frame);
    REQUIRE(session->slots_used != (1u << slot_count) - 1);
    *frame = (struct frame){.is_used = true, .poc = poc};
    do
        frame->slot = (int32_t)random_below(session, slot_count);
    while (session->slots_used >> frame->slot & 1);
    session->slots_used |= 1u << frame->slot;
    frame_image_init(session, frame, &sps_of(stream)->std);
    return frame;
}

struct frame *
dpb_begin(struct stream *stream, struct rp_h265_private_request *request)
{
    struct rp_h265_slice_header *header = &stream->header;
    const bool is_irap = rp_h265_slice_is_irap(header);
    const bool starts_sequence =
        is_irap && (header->nal_unit_type != RP_H265_NAL_CRA || stream->is_first);
    const int32_t poc = order_count(stream, starts_sequence);
    bool stays[RP_H265_DECODE_SLOTS] = {false};
    if (is_irap)
        stream->skips_rasl = starts_sequence;
    stream->is_first = false;
    if (is_rasl(stream) && stream->skips_rasl)
        return NULL;

    request->sps = &sps_of(stream)->std;
    request->pps = &stream->pps[header->slice_pic_parameter_set_id].std;
    request->poc = poc;
    if (!rp_h265_slice_is_idr(header) && !starts_sequence) {
        short_term(stream, poc, request, stays);
        long_term(stream, poc, request, stays);
    }
    request->is_idr = rp_h265_slice_is_idr(header);
    for (uint32_t i = 0; i < RP_H265_DECODE_SLOTS; i++) {
        const struct frame *frame = &stream->frames[i];
        if (stays[i])
            request->listed[request->listed_count++] =
                (struct rp_h265_private_reference){frame->slot, true, frame->poc};
        else
            frame_release(stream->session, &stream->frames[i]);
    }
    return frame_take(stream, poc);
}
