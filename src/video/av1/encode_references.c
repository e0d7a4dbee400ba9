/* SPDX-License-Identifier: MIT */
/* References by name, and what a decoder keeps: from the application's slots to the codec's.
 */
#include "video/av1/encode_picture.h"

static const struct rp_encode_reference *
find_reference(const struct rp_encode_request *request, int32_t slot_index)
{
    for (uint32_t i = 0; i < request->ref_count; i++) {
        if (request->refs[i].slot_index == slot_index)
            return &request->refs[i];
    }
    return NULL;
}

static struct rp_av1_known_picture *
find_known(struct rp_av1_encode_state *state, const struct rp_encoder_slot *slot)
{
    for (uint32_t i = 0; i < RP_AV1_KNOWN_PICTURES; i++) {
        if (state->known[i].slot == slot)
            return &state->known[i];
    }
    return NULL;
}

static enum rp_codec_status
resolve_name(const struct rp_encode_request *request, struct rp_av1_encode_picture *pic,
             uint32_t name)
{
    struct rp_av1_encode_state *state = pic->common.enc->state;
    struct rp_av1_encode_reference *out = &pic->job.refs[name];
    const struct rp_encode_reference *ref =
        find_reference(request, rp_av1_picture_info(request)->referenceNameSlotIndices[name]);
    if (!ref)
        return RP_CODEC_FAILED;
    rp_encode_note_dirty_regions(request, ref, &pic->common);
    const enum rp_codec_status status =
        rp_encode_use_slot(&pic->common, &ref->resource, &out->picture, &out->is_foreign);
    if (status != RP_CODEC_OK)
        return status;
    /* Written by the application once, it is so until a picture is coded into it: it is what the
     * decoder has under this number, or the codec refuses it. */
    out->is_foreign = !pic->common.uses[pic->common.use_count - 1].has_motion;
    if (out->is_foreign)
        return RP_CODEC_OK;
    return find_known(state, out->picture.slot) ? RP_CODEC_OK : RP_CODEC_FAILED;
}

static void
set_reference(struct rp_av1_encode_picture *pic, uint32_t i,
              const struct rp_av1_known_picture *known)
{
    pic->headers.stream.references[i] = known->reference;
    pic->numbers[i] = known->number;
}

/* A hidden key frame that is named where another picture should be was shown by a header of the
 * application's: then it was all references (7.21), but for those that were refreshed after
 * that. */
static void
repair_shown(struct rp_av1_encode_picture *pic, uint32_t i, struct rp_av1_known_picture *known)
{
    if (!known->is_hidden_key || pic->numbers[i] == known->number)
        return;
    for (uint32_t k = 0; k < RP_AV1_REFERENCES; k++) {
        if (!(known->refreshed >> k & 1))
            set_reference(pic, k, known);
    }
    known->is_hidden_key = false;
}

static struct rp_av1_known_picture *
known_name(struct rp_av1_encode_picture *pic, uint32_t name)
{
    const struct rp_av1_encode_reference *ref = &pic->job.refs[name];
    return ref->picture.slot && !ref->is_foreign
               ? find_known(pic->common.enc->state, ref->picture.slot)
               : NULL;
}

/* The decoder's references are what the names say, and the others what follows from that. */
static void
repair_stream(struct rp_av1_encode_picture *pic)
{
    const int8_t *idx = pic->std.ref_frame_idx;
    for (uint32_t name = 0; name < RP_AV1_NAMES; name++) {
        struct rp_av1_known_picture *known = known_name(pic, name);
        if (known)
            repair_shown(pic, (uint32_t)idx[name], known);
    }
    for (uint32_t name = 0; name < RP_AV1_NAMES; name++) {
        const struct rp_av1_known_picture *known = known_name(pic, name);
        if (known)
            set_reference(pic, (uint32_t)idx[name], known);
    }
    for (uint32_t name = 0; name < RP_AV1_NAMES; name++) {
        const struct rp_av1_known_picture *known = known_name(pic, name);
        for (uint32_t i = 0; known && i < RP_AV1_REFERENCES; i++)
            pic->job.refs[name].numbers |= (uint8_t)((pic->numbers[i] == known->number) << i);
    }
}

/* A name without a slot is as good as another one of the same reference: FFmpeg takes its primary
 * reference from one. */
static void
share_slots(struct rp_av1_encode_picture *pic)
{
    const int8_t *idx = pic->std.ref_frame_idx;
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        for (uint32_t k = 0; k < RP_AV1_NAMES && !pic->job.refs[i].picture.slot; k++) {
            if (idx[k] == idx[i] && pic->job.refs[k].picture.slot)
                pic->job.refs[i] = pic->job.refs[k];
        }
    }
}

static enum rp_codec_status
resolve_names(const struct rp_encode_request *request, struct rp_av1_encode_picture *pic)
{
    const int32_t *slots = rp_av1_picture_info(request)->referenceNameSlotIndices;
    bool has_any = false;
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        if (pic->std.ref_frame_idx[i] < 0 || pic->std.ref_frame_idx[i] >= (int)RP_AV1_REFERENCES)
            return RP_CODEC_FAILED;
        if (slots[i] < 0)
            continue;
        const enum rp_codec_status status = resolve_name(request, pic, i);
        if (status != RP_CODEC_OK)
            return status;
        has_any = true;
    }
    if (!has_any)
        return RP_CODEC_FAILED;
    share_slots(pic);
    repair_stream(pic);
    const uint32_t primary = pic->std.primary_ref_frame;
    return primary >= RP_AV1_PRIMARY_REF_NONE || pic->job.refs[primary].picture.slot
               ? RP_CODEC_OK
               : RP_CODEC_FAILED;
}

/* A reference cannot be overwritten by the picture that is predicted from it. */
static enum rp_codec_status
resolve_setup(const struct rp_encode_request *request, struct rp_av1_encode_picture *pic)
{
    if (!request->has_setup)
        return RP_CODEC_OK;
    const enum rp_codec_status status =
        rp_encode_use_slot(&pic->common, &request->setup, &pic->job.common.recon, NULL);
    for (uint32_t i = 0; i < RP_AV1_NAMES && status == RP_CODEC_OK; i++) {
        if (pic->job.refs[i].picture.slot == pic->job.common.recon.slot)
            return RP_CODEC_FAILED;
    }
    return status;
}

enum rp_codec_status
rp_av1_resolve_references(const struct rp_encode_request *request,
                          struct rp_av1_encode_picture *pic)
{
    enum rp_codec_status status = RP_CODEC_OK;
    if (pic->job.prediction != RP_AV1_PREDICTION_INTRA)
        status = resolve_names(request, pic);
    return status == RP_CODEC_OK ? resolve_setup(request, pic) : status;
}

/* The one of this slot, or one that is free, or the oldest. */
static struct rp_av1_known_picture *
take_known(struct rp_av1_encode_state *state, const struct rp_encoder_slot *slot)
{
    struct rp_av1_known_picture *known = find_known(state, slot);
    if (known)
        return known;
    known = &state->known[0];
    for (uint32_t i = 1; i < RP_AV1_KNOWN_PICTURES; i++) {
        if (state->known[i].number < known->number)
            known = &state->known[i];
    }
    return known;
}

/* The picture comes after the hidden key frame. */
static void
note_refreshed(struct rp_av1_known_picture *key, const struct rp_av1_sequence *seq,
               const struct rp_av1_frame *frame)
{
    key->is_past |= frame->show_frame &&
                    rp_av1_relative_distance(seq, frame->order_hint, key->reference.order_hint) > 0;
    if (key->is_past)
        key->refreshed |= (uint8_t)frame->refresh_frame_flags;
}

void
rp_av1_know_picture(struct rp_av1_encode_state *state, const struct rp_av1_encode_picture *pic)
{
    const struct rp_av1_frame *frame = &pic->headers.frame;
    for (uint32_t i = 0; i < RP_AV1_KNOWN_PICTURES; i++) {
        if (state->known[i].is_hidden_key)
            note_refreshed(&state->known[i], &pic->headers.stream.sequence, frame);
    }
    if (!pic->job.common.recon.slot)
        return;
    *take_known(state, pic->job.common.recon.slot) = (struct rp_av1_known_picture){
        .slot = pic->job.common.recon.slot,
        .number = pic->number,
        .is_hidden_key = frame->frame_type == RP_AV1_KEY_FRAME && !frame->show_frame,
        .reference = rp_av1_reference_of(&pic->headers.stream.sequence, frame),
    };
}
