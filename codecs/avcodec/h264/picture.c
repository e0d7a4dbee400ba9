/* SPDX-License-Identifier: MIT */
/* One job: slices in, renumbered, decoded, copied out.
 */
#include "codecs/avcodec/h264/control.h"
#include "codecs/avcodec/h264/decoder.h"
#include "codecs/avcodec/h264/references.h"
#include "codecs/avcodec/h264/rewrite.h"
#include "codecs/avcodec/h264/stream_marking.h"

#include <string.h>

/* libavcodec reads delta_pic_order_cnt up to about 2^23. Long before, counts start anew with the
 * next picture that does not look at them: only B slices do. */
#define POC_SOFT_LIMIT (1 << 20)
#define POC_HARD_LIMIT (1 << 21)

struct picture {
    struct rp_decoder *dec;
    const struct rp_h264_decode_job *job;
    struct rp_h264dec_context *ctx;

    /* Of the usable slices. */
    uint32_t usable_count;
    bool has_b_slices;
    bool has_inter_slices;
    struct rp_h264dec_slice_header first_header;

    uint32_t fields;
    bool is_second_field;
    bool is_damaged;
    struct rp_h264dec_current current;
    struct rp_h264dec_references refs;
    struct rp_h264dec_entry filler;
    struct rp_h264dec_marking marking;
    struct rp_h264dec_private out;
};

static struct rp_h264dec_unit *
units(const struct rp_decoder *dec)
{
    return (struct rp_h264dec_unit *)dec->units.data;
}

static size_t
unit_count(const struct rp_decoder *dec)
{
    return dec->units.size_B / sizeof(struct rp_h264dec_unit);
}

static bool
unit_add(struct rp_decoder *dec, size_t offset_B)
{
    if (!rp_avcodec_buffer_reserve(&dec->units, sizeof(struct rp_h264dec_unit)))
        return false;
    units(dec)[unit_count(dec)] =
        (struct rp_h264dec_unit){.offset_B = offset_B, .size_B = dec->nals.size_B - offset_B};
    dec->units.size_B += sizeof(struct rp_h264dec_unit);
    return true;
}

/* Zeros, and the one that ends a start code. */
static size_t
start_code_size(const uint8_t *src, size_t size_B)
{
    size_t i = 0;
    while (i < size_B && src[i] == 0)
        i++;
    return i >= 2 && i < size_B && src[i] == 1 ? i + 1 : 0;
}

/* All slice NAL units of one span. Some applications point at an access unit delimiter or the
 * like in front of the slice. *has_slice_out tells whether there was one. */
static bool
span_collect(struct rp_decoder *dec, const uint8_t *src, size_t size_B, bool *has_slice_out)
{
    size_t i = start_code_size(src, size_B);
    while (i < size_B) {
        const size_t offset_B = dec->nals.size_B;
        if (!rp_avcodec_buffer_reserve(&dec->nals, size_B - i))
            return false;
        i += rp_avcodec_nal_read(&dec->nals, src + i, size_B - i);
        const uint32_t type = dec->nals.size_B > offset_B ? dec->nals.data[offset_B] & 31 : 0;
        if (type == 1 || type == 5) {
            *has_slice_out = true;
            if (!unit_add(dec, offset_B))
                return false;
        } else {
            dec->nals.size_B = offset_B;
        }
        const size_t code_B = start_code_size(src + i, size_B - i);
        if (!code_B)
            break;
        i += code_B;
    }
    return true;
}

/* The job's slices without emulation prevention. False when memory is short. */
static bool
slices_collect(struct picture *pic)
{
    struct rp_decoder *dec = pic->dec;
    const struct rp_h264_decode_job *job = pic->job;

    dec->nals.size_B = 0;
    dec->units.size_B = 0;
    for (uint32_t i = 0; i < job->slice_count; i++) {
        const size_t begin_B = job->slice_offsets_B[i];
        size_t end_B = job->common.data_B;
        if (i + 1 < job->slice_count && job->slice_offsets_B[i + 1] < end_B)
            end_B = job->slice_offsets_B[i + 1];

        bool has_slice = false;
        if (begin_B < end_B &&
            !span_collect(dec, job->common.data + begin_B, end_B - begin_B, &has_slice))
            return false;
        if (!has_slice)
            pic->is_damaged = true;
    }
    return true;
}

static bool
unit_parse(const struct picture *pic, const struct rp_h264dec_unit *unit,
           struct rp_h264dec_slice_header *out)
{
    return rp_h264dec_slice_header_parse(out, pic->job, pic->dec->nals.data + unit->offset_B,
                                         unit->size_B) &&
           out->is_field == pic->job->is_field &&
           out->is_bottom_field == (pic->job->is_field && pic->job->is_bottom_field);
}

/* Reads all headers once. False when no slice is usable. */
static bool
slices_survey(struct picture *pic)
{
    bool has_slice = false;
    for (size_t i = 0; i < unit_count(pic->dec); i++) {
        struct rp_h264dec_unit *unit = &units(pic->dec)[i];
        struct rp_h264dec_slice_header header;
        unit->is_usable = unit_parse(pic, unit, &header);
        if (!unit->is_usable) {
            pic->is_damaged = true;
            continue;
        }
        if (header.redundant_pic_cnt) {
            unit->is_usable = false;
            continue;
        }
        if (!has_slice)
            pic->first_header = header;
        has_slice = true;
        pic->usable_count++;
        pic->has_b_slices |= header.type == RP_H264DEC_B;
        pic->has_inter_slices |= header.type != RP_H264DEC_I;
    }
    return has_slice;
}

static bool
is_second_field(const struct picture *pic, const struct rp_h264dec_format *format)
{
    const struct rp_h264dec_first_field *first = &pic->dec->first_field;
    const struct rp_h264_decode_job *job = pic->job;

    return first->ctx && memcmp(&first->ctx->format, format, sizeof(*format)) == 0 &&
           (first->fields ^ pic->fields) == RP_H264DEC_FRAME &&
           first->frame_num == job->frame_num && (first->is_idr || !job->is_idr) &&
           first->dst == job->common.dst.plane[0].data &&
           (first->setup_slot == job->common.setup_slot || !job->is_reference);
}

/* False: *status_out says why. */
static bool
picture_find_context(struct picture *pic, enum rp_codec_status *status_out)
{
    const struct rp_h264_decode_job *job = pic->job;
    struct rp_h264dec_format format;

    rp_h264dec_format_init(&format, job->sps);
    pic->fields = !job->is_field         ? RP_H264DEC_FRAME
                  : job->is_bottom_field ? RP_H264DEC_BOTTOM
                                         : RP_H264DEC_TOP;
    pic->is_second_field = is_second_field(pic, &format);
    pic->ctx = pic->is_second_field ? pic->dec->first_field.ctx
                                    : rp_h264_decoder_context(pic->dec, &format, job, status_out);
    return pic->ctx != NULL;
}

static void
picture_identify(struct picture *pic)
{
    const struct rp_h264_decode_job *job = pic->job;

    pic->out = (struct rp_h264dec_private){
        .fields = pic->fields,
        .frame_mbs_only = pic->job->sps->flags.frame_mbs_only_flag,
        /* Some applications leave is_reference unset. libavcodec wants both fields alike. */
        .is_reference = pic->is_second_field
                            ? pic->dec->first_field.is_reference
                            : job->common.setup_slot >= 0 &&
                                  (job->is_reference || pic->first_header.nal_ref_idc != 0),
        .marking = &pic->marking,
    };
    pic->current = (struct rp_h264dec_current){
        .fields = pic->fields,
        .frame_num = job->frame_num,
        .max_frame_num = 1u << (job->sps->log2_max_frame_num_minus4 + 4),
        .poc = job->is_field               ? job->poc[job->is_bottom_field]
               : job->poc[0] < job->poc[1] ? job->poc[0]
                                           : job->poc[1],
        .has_poc_type_0 = job->sps->pic_order_cnt_type == STD_VIDEO_H264_POC_TYPE_0,
    };
}

static bool
is_within(int64_t poc, int64_t limit)
{
    return poc >= -limit && poc <= limit;
}

/* Private counts: the application's plus what its references were biased with. */
static void
picture_count_order(struct picture *pic)
{
    const struct rp_h264_decode_job *job = pic->job;
    int64_t bias = pic->ctx->dpb.poc_bias;
    if (!pic->is_second_field) {
        if (pic->refs.has_poc_bias)
            bias = pic->refs.poc_bias;
        const int64_t poc = pic->current.poc + bias;
        if (!is_within(poc, pic->has_b_slices ? POC_HARD_LIMIT : POC_SOFT_LIMIT)) {
            pic->is_damaged |= pic->has_b_slices;
            bias = -(int64_t)pic->current.poc;
        }
    }

    for (uint32_t i = 0; i < 2; i++) {
        const int64_t poc = job->poc[i] + bias;
        /* Other values are of a field that is not there, or garbage. */
        pic->out.poc[i] = is_within(poc, POC_HARD_LIMIT) ? (int32_t)poc : 0;
    }
    pic->ctx->dpb.poc_bias = (int32_t)bias;
}

static enum rp_codec_status
control_send(struct picture *pic, const struct rp_h264dec_marking *marking)
{
    return rp_h264dec_control_send(pic->ctx, pic->job->sps, pic->job->pps, marking,
                                   &pic->dec->packet);
}

/* A frame_num must not be given to a reference while another one has it. */
static enum rp_codec_status
skip_taken_numbers(struct picture *pic)
{
    enum rp_codec_status status = RP_CODEC_OK;
    while (status == RP_CODEC_OK && rp_h264dec_dpb_is_number_taken(&pic->ctx->dpb))
        status = control_send(pic, NULL);
    return status;
}

/* Sends a control picture that is a reference, with the conversions asked for. */
static enum rp_codec_status
control_reference_send(struct picture *pic, const bool converts[RP_H264DEC_MAX_HELD])
{
    const enum rp_codec_status status = skip_taken_numbers(pic);
    if (status != RP_CODEC_OK)
        return status;

    struct rp_h264dec_marking marking;
    rp_h264dec_marking_init(&marking, &pic->ctx->dpb, RP_H264DEC_FRAME);
    for (int32_t i = 0; converts && i < RP_H264DEC_MAX_HELD; i++) {
        if (converts[i])
            rp_h264dec_marking_convert(&marking, &pic->ctx->dpb, RP_H264DEC_FRAME, i);
    }
    return control_send(pic, &marking);
}

/* libavcodec has room for a control picture once the orphans are gone. */
static bool
has_control_room(const struct picture *pic)
{
    struct rp_h264dec_marking marking;
    rp_h264dec_marking_init(&marking, &pic->ctx->dpb, RP_H264DEC_FRAME);
    return rp_h264dec_marking_kept_count(&marking, &pic->ctx->dpb) < RP_H264DEC_MAX_HELD;
}

/* Something to refer to where there is nothing at all. */
static enum rp_codec_status
make_filler(struct picture *pic)
{
    if (rp_h264dec_references_filler(&pic->refs, &pic->ctx->dpb, pic->fields, &pic->filler))
        return RP_CODEC_OK;
    if (pic->is_second_field || !has_control_room(pic))
        return RP_CODEC_FAILED;

    const enum rp_codec_status status = control_reference_send(pic, NULL);
    if (status == RP_CODEC_OK &&
        !rp_h264dec_references_filler(&pic->refs, &pic->ctx->dpb, pic->fields, &pic->filler))
        return RP_CODEC_FAILED;
    pic->is_damaged = true;
    return status;
}

/* Control pictures in front of this one. */
static enum rp_codec_status
picture_precede(struct picture *pic)
{
    enum rp_codec_status status = RP_CODEC_OK;
    /* Only direct prediction and implicit weights, of B slices, tell long-term references: of this
     * picture, or of the field that may follow. */
    if ((pic->has_b_slices || pic->job->is_field) && pic->refs.has_conversions &&
        !pic->is_second_field && has_control_room(pic))
        status = control_reference_send(pic, pic->refs.becomes_long_term);
    if (status == RP_CODEC_OK && pic->has_inter_slices)
        status = make_filler(pic);
    if (status == RP_CODEC_OK && !pic->is_second_field)
        status = skip_taken_numbers(pic);
    return status;
}

static void
picture_mark(struct picture *pic)
{
    const struct rp_h264dec_dpb *dpb = &pic->ctx->dpb;
    if (pic->is_second_field) {
        pic->marking.mmco_count = 0; /* libavcodec joins it to the first field */
        pic->out.frame_num = pic->dec->first_field.private_frame_num;
        return;
    }

    pic->out.frame_num = dpb->next_frame_num;
    rp_h264dec_marking_init(&pic->marking, dpb, pic->fields);
    if (!pic->out.is_reference)
        return;
    const int32_t replaced = rp_h264dec_dpb_find(dpb, pic->job->common.setup_slot);
    if (replaced >= 0)
        rp_h264dec_marking_drop(&pic->marking, dpb, pic->fields, replaced);
    rp_h264dec_marking_follow_stream(&pic->marking, dpb, &pic->refs, &pic->current,
                                     &pic->first_header, pic->job->sps->max_num_ref_frames);
}

/* The slice's lists, with nothing left open: what a list does not have is its first picture, as
 * libavcodec has it. That one shows where slices of a picture have lists of their own: for temporal
 * direct prediction libavcodec looks up what all of them referred to in those of the last one. */
static void
lists_fill(struct picture *pic, const struct rp_h264dec_slice_header *header,
           struct rp_h264dec_lists *lists)
{
    rp_h264dec_ref_lists_build(lists->at, &pic->current, header, pic->refs.candidates,
                               pic->refs.count);
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < header->ref_count[list]; i++) {
            struct rp_h264dec_entry *entry = &lists->at[list][i];
            pic->is_damaged |= entry->is_missing;
            if (entry->held < 0)
                *entry = i > 0 ? lists->at[list][0] : pic->filler;
        }
    }
}

/* The packet: parameter sets and slices. False when memory is short. */
static bool
picture_write(struct picture *pic)
{
    struct rp_avcodec_buffer *packet = &pic->dec->packet;
    packet->size_B = 0;
    if (!rp_h264dec_context_put_params(pic->ctx, pic->job->sps, pic->job->pps, packet))
        return false;

    for (size_t i = 0; i < unit_count(pic->dec); i++) {
        const struct rp_h264dec_unit *unit = &units(pic->dec)[i];
        struct rp_h264dec_slice_header header;
        struct rp_h264dec_lists lists;
        if (!unit->is_usable || !unit_parse(pic, unit, &header))
            continue;
        lists_fill(pic, &header, &lists);
        if (!rp_h264dec_slice_rewrite(packet, &pic->out, &pic->ctx->dpb, &header, &lists,
                                      pic->dec->nals.data + unit->offset_B, unit->size_B))
            return false;
    }
    return true;
}

/* How the application lists the picture later: as number 0 after operation 5 (7.4.3). */
static uint32_t
frame_num_after(const struct picture *pic)
{
    for (uint32_t i = 0; i < pic->first_header.mmco_count; i++) {
        if (pic->first_header.mmcos[i].op == 5)
            return 0;
    }
    return pic->job->frame_num;
}

/* Those listed are the last to be dropped. */
static void
references_touch(struct picture *pic)
{
    for (uint32_t i = 0; i < pic->refs.count; i++) {
        if (pic->refs.candidates[i].held >= 0)
            pic->ctx->dpb.held[pic->refs.candidates[i].held].last_use = pic->dec->use_count;
    }
}

/* The slot means nothing any more, in any context. What another one still keeps for nobody may be
 * in memory of the application. */
static void
slot_vacate(struct picture *pic, int32_t slot)
{
    for (uint32_t i = 0; i < RP_H264DEC_MAX_CONTEXTS; i++) {
        struct rp_h264dec_context *ctx = pic->dec->contexts[i];
        if (ctx && rp_h264dec_dpb_vacate(&ctx->dpb, slot) && ctx != pic->ctx &&
            rp_h264dec_dpb_is_vacant(&ctx->dpb))
            rp_h264dec_context_reset(ctx);
    }
}

/* The setup slot now means this picture, and nothing else in any context. */
static void
slot_take(struct picture *pic)
{
    struct rp_h264dec_dpb *dpb = &pic->ctx->dpb;
    const int32_t slot =
        pic->is_second_field ? pic->dec->first_field.setup_slot : pic->job->common.setup_slot;
    if (slot < 0)
        return;
    if (pic->is_second_field) {
        const int32_t index = rp_h264dec_dpb_find(dpb, slot);
        if (pic->out.is_reference && index >= 0) {
            dpb->held[index].job_frame_num = frame_num_after(pic);
            dpb->held[index].fields |= pic->fields;
            dpb->held[index].poc[pic->fields == RP_H264DEC_BOTTOM] =
                pic->out.poc[pic->fields == RP_H264DEC_BOTTOM];
        }
        return;
    }
    slot_vacate(pic, slot);
    if (!pic->out.is_reference)
        return;
    rp_h264dec_dpb_store(dpb, &pic->marking, slot, pic->fields, pic->out.poc);
    struct rp_h264dec_held *held = &dpb->held[rp_h264dec_dpb_find(dpb, slot)];
    held->job_frame_num = frame_num_after(pic);
    held->last_use = pic->dec->use_count;
}

static void
picture_settle(struct picture *pic)
{
    struct rp_h264dec_first_field *first = &pic->dec->first_field;

    references_touch(pic);
    slot_take(pic);
    if (pic->is_second_field) {
        first->ctx = NULL;
        return;
    }
    *first = (struct rp_h264dec_first_field){
        .ctx = pic->job->is_field ? pic->ctx : NULL,
        .fields = pic->fields,
        .frame_num = pic->job->frame_num,
        .is_idr = pic->job->is_idr,
        .setup_slot = pic->job->common.setup_slot,
        .dst = pic->job->common.dst.plane[0].data,
        .is_reference = pic->out.is_reference,
        .private_frame_num = pic->out.frame_num,
    };
    rp_h264dec_dpb_advance(&pic->ctx->dpb);
}

/* On OK the picture is libavcodec's, and slots are as they are after it. */
static enum rp_codec_status
picture_begin(struct picture *pic)
{
    picture_identify(pic);
    rp_h264dec_references_init(&pic->refs, &pic->ctx->dpb, pic->job);
    enum rp_codec_status status = picture_precede(pic);
    if (status != RP_CODEC_OK)
        return status;

    picture_count_order(pic);
    picture_mark(pic);
    if (!picture_write(pic)) {
        pic->ctx->sps_B = 0; /* written, but never sent */
        return RP_CODEC_NO_MEMORY;
    }
    rp_h264dec_context_offer_target(pic->ctx, pic->job);
    if (pic->usable_count == 1 && !pic->job->is_field)
        rp_h264dec_context_follow(pic->ctx, pic->job);
    status = rp_h264dec_context_begin(pic->ctx, &pic->dec->packet, pic->is_second_field);
    if (status == RP_CODEC_OK)
        picture_settle(pic);
    return status;
}

/* Then: its pixels are where they belong. */
static enum rp_codec_status
picture_complete(struct picture *pic)
{
    const enum rp_codec_status status = rp_h264dec_context_complete(pic->ctx);
    rp_h264dec_context_copy_out(pic->ctx, pic->job, pic->fields, status == RP_CODEC_DAMAGED);
    return pic->is_damaged ? RP_CODEC_DAMAGED : status;
}

enum rp_codec_status
rp_h264_decoder_decode(struct rp_decoder *dec, const struct rp_h264_decode_job *job)
{
    struct picture pic = {.dec = dec, .job = job};

    if (!rp_h264dec_sps_is_supported(job->sps) || !rp_h264dec_pps_is_supported(job->pps) ||
        !rp_decode_outputs_are_8_bit_420(&job->common))
        return RP_CODEC_UNSUPPORTED;
    if (!slices_collect(&pic))
        return RP_CODEC_NO_MEMORY;
    if (!slices_survey(&pic))
        return RP_CODEC_FAILED;

    enum rp_codec_status status;
    if (!picture_find_context(&pic, &status))
        return status;
    status = picture_begin(&pic);
    if (status != RP_CODEC_OK) {
        dec->first_field.ctx = NULL;
        return status;
    }
    return picture_complete(&pic);
}
