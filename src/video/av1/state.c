/* SPDX-License-Identifier: MIT */
/* The reference frame update process (7.20), and showing an existing key frame (7.21).
 */
#include "video/av1/state.h"

uint32_t
rp_av1_reference_order_hint(const struct rp_av1_state *state, const struct rp_av1_frame *frame,
                            uint32_t i)
{
    return frame->has_ref_order_hints ? frame->ref_order_hint[i] : state->references[i].order_hint;
}

bool
rp_av1_reference_is_usable(const struct rp_av1_state *state, const struct rp_av1_frame *frame,
                           uint32_t i)
{
    const struct rp_av1_reference *ref = &state->references[i];
    return ref->is_valid && rp_av1_reference_order_hint(state, frame, i) == ref->order_hint;
}

const struct rp_av1_reference *
rp_av1_primary_reference(const struct rp_av1_state *state, const struct rp_av1_frame *frame)
{
    if (frame->primary_ref_frame >= RP_AV1_PRIMARY_REF_NONE)
        return NULL;
    return &state->references[frame->ref_frame_idx[frame->primary_ref_frame] & 7];
}

/* Frames whose ids are too far away are no references any more (5.9.4). */
static void
drop_old_ids(struct rp_av1_state *state, uint32_t current_frame_id)
{
    const struct rp_av1_sequence *seq = &state->sequence;
    const uint32_t range = 1u << (seq->delta_frame_id_length_minus_2 + 2);
    const uint32_t id_count = 1u << rp_av1_frame_id_bits(seq);
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        struct rp_av1_reference *ref = &state->references[i];
        const bool is_near =
            current_frame_id > range
                ? ref->frame_id <= current_frame_id && ref->frame_id >= current_frame_id - range
                : ref->frame_id <= current_frame_id ||
                      ref->frame_id >= id_count + current_frame_id - range;
        if (!is_near)
            *ref = (struct rp_av1_reference){0};
    }
}

struct rp_av1_reference
rp_av1_reference_of(const struct rp_av1_sequence *seq, const struct rp_av1_frame *frame)
{
    return (struct rp_av1_reference){
        .is_valid = true,
        .frame_type = frame->frame_type,
        .showable_frame = frame->showable_frame,
        .frame_id = frame->current_frame_id,
        .order_hint = frame->order_hint,
        .size = frame->size,
        .color = seq->color,
        .motion = frame->global_motion.params,
        .loop_filter_deltas = frame->loop_filter.deltas,
        .segmentation = frame->segmentation.data,
        .grain = frame->film_grain.model,
    };
}

/* A shown key frame takes the place of all references. */
static void
show_existing(struct rp_av1_state *state, const struct rp_av1_frame *frame)
{
    struct rp_av1_reference shown = state->references[frame->frame_to_show_map_idx & 7];
    shown.showable_frame = false;
    if (shown.frame_type == RP_AV1_KEY_FRAME) {
        for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
            state->references[i] = shown;
        state->current_frame_id = shown.frame_id;
    }
}

void
rp_av1_state_update(struct rp_av1_state *state, const struct rp_av1_frame *frame)
{
    if (frame->show_existing_frame) {
        show_existing(state, frame);
        return;
    }
    if (state->sequence.frame_id_numbers_present_flag) {
        drop_old_ids(state, frame->current_frame_id);
        state->has_frame_id = true;
        state->current_frame_id = frame->current_frame_id;
    }
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++) {
        if (!rp_av1_reference_is_usable(state, frame, i))
            state->references[i] = (struct rp_av1_reference){
                .order_hint = rp_av1_reference_order_hint(state, frame, i)};
        if (frame->refresh_frame_flags >> i & 1)
            state->references[i] = rp_av1_reference_of(&state->sequence, frame);
    }
}
