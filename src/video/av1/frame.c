/* SPDX-License-Identifier: MIT */
/* uncompressed_header() (5.9.2), in its order.
 */
#include "video/av1/frame.h"

#include "video/av1/references.h"
#include "video/av1/state.h"

#define ALL_FRAMES 0xffu

static void
code_presentation_time(struct rp_av1_syntax *syntax, const struct rp_av1_timing *timing,
                       struct rp_av1_frame *frame)
{
    if (timing->decoder_model_info_present_flag && !timing->equal_picture_interval)
        rp_av1_code_f(syntax, timing->frame_presentation_time_length_minus_1 + 1,
                      &frame->frame_presentation_time);
    else
        frame->frame_presentation_time = 0;
}

static void
code_shown(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
           struct rp_av1_frame *frame)
{
    const struct rp_av1_sequence *seq = &state->sequence;
    rp_av1_code_f(syntax, 3, &frame->frame_to_show_map_idx);
    const struct rp_av1_reference *ref = &state->references[frame->frame_to_show_map_idx & 7];
    rp_av1_require(syntax, ref->is_valid && ref->showable_frame);
    code_presentation_time(syntax, &seq->timing, frame);
    if (seq->frame_id_numbers_present_flag) {
        rp_av1_code_f(syntax, rp_av1_frame_id_bits(seq), &frame->current_frame_id);
        rp_av1_require(syntax, frame->current_frame_id == ref->frame_id);
    }
}

static void
imply_still_picture(struct rp_av1_frame *frame)
{
    frame->show_existing_frame = false;
    frame->frame_type = RP_AV1_KEY_FRAME;
    frame->show_frame = true;
    frame->showable_frame = false;
    frame->error_resilient_mode = true;
    frame->frame_presentation_time = 0;
}

/* From frame_type to error_resilient_mode. */
static void
code_kind(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq,
          struct rp_av1_frame *frame)
{
    rp_av1_code_f(syntax, 2, &frame->frame_type);
    rp_av1_code_flag(syntax, &frame->show_frame);
    rp_av1_require(syntax, !seq->still_picture ||
                               (frame->frame_type == RP_AV1_KEY_FRAME && frame->show_frame));
    if (frame->show_frame) {
        code_presentation_time(syntax, &seq->timing, frame);
        frame->showable_frame = frame->frame_type != RP_AV1_KEY_FRAME;
    } else {
        frame->frame_presentation_time = 0;
        rp_av1_code_flag(syntax, &frame->showable_frame);
    }
    if (frame->frame_type == RP_AV1_SWITCH_FRAME ||
        (frame->frame_type == RP_AV1_KEY_FRAME && frame->show_frame))
        frame->error_resilient_mode = true;
    else
        rp_av1_code_flag(syntax, &frame->error_resilient_mode);
}

static void
code_screen_content(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq,
                    struct rp_av1_frame *frame)
{
    if (seq->seq_force_screen_content_tools == RP_AV1_SELECT_SCREEN_CONTENT_TOOLS)
        rp_av1_code_flag(syntax, &frame->allow_screen_content_tools);
    else
        frame->allow_screen_content_tools = seq->seq_force_screen_content_tools;
    if (!frame->allow_screen_content_tools)
        frame->force_integer_mv = false;
    else if (seq->seq_force_integer_mv == RP_AV1_SELECT_INTEGER_MV)
        rp_av1_code_flag(syntax, &frame->force_integer_mv);
    else
        frame->force_integer_mv = seq->seq_force_integer_mv;
}

/* 6.8.2: an id differs from the last one, and by less than half of all ids. */
static void
code_frame_id(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
              struct rp_av1_frame *frame)
{
    const struct rp_av1_sequence *seq = &state->sequence;
    if (!seq->frame_id_numbers_present_flag) {
        frame->current_frame_id = 0;
        return;
    }
    const uint32_t id_count = 1u << rp_av1_frame_id_bits(seq);
    rp_av1_code_f(syntax, rp_av1_frame_id_bits(seq), &frame->current_frame_id);
    const bool starts_anew = frame->frame_type == RP_AV1_KEY_FRAME && frame->show_frame;
    const uint32_t difference =
        (frame->current_frame_id + id_count - state->current_frame_id) % id_count;
    rp_av1_require(syntax, starts_anew || !state->has_frame_id ||
                               (difference > 0 && difference < id_count / 2));
}

static void
code_removal_times(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                   struct rp_av1_frame *frame)
{
    const struct rp_av1_sequence *seq = &state->sequence;
    if (seq->timing.decoder_model_info_present_flag)
        rp_av1_code_flag(syntax, &frame->buffer_removal_time_present_flag);
    else
        frame->buffer_removal_time_present_flag = false;
    if (!frame->buffer_removal_time_present_flag)
        return;
    for (uint32_t i = 0; i <= seq->operating_points_cnt_minus_1; i++) {
        const struct rp_av1_operating_point *op = &seq->operating_points[i];
        const uint32_t idc = op->operating_point_idc;
        const bool is_in_layers =
            idc >> state->temporal_id & 1 && idc >> (state->spatial_id + 8) & 1;
        if (op->decoder_model_present_for_this_op && (idc == 0 || is_in_layers))
            rp_av1_code_f(syntax, seq->timing.buffer_removal_time_length_minus_1 + 1,
                          &frame->buffer_removal_time[i]);
    }
}

static void
code_refresh(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq,
             struct rp_av1_frame *frame)
{
    if (frame->frame_type == RP_AV1_SWITCH_FRAME ||
        (frame->frame_type == RP_AV1_KEY_FRAME && frame->show_frame))
        frame->refresh_frame_flags = ALL_FRAMES;
    else
        rp_av1_code_f(syntax, 8, &frame->refresh_frame_flags);
    rp_av1_require(syntax, frame->frame_type != RP_AV1_INTRA_ONLY_FRAME ||
                               frame->refresh_frame_flags != ALL_FRAMES);
    frame->has_ref_order_hints =
        (!rp_av1_frame_is_intra(frame) || frame->refresh_frame_flags != ALL_FRAMES) &&
        frame->error_resilient_mode && seq->enable_order_hint;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES && frame->has_ref_order_hints; i++)
        rp_av1_code_f(syntax, seq->order_hint_bits, &frame->ref_order_hint[i]);
}

/* From disable_cdf_update to the references' order hints. */
static void
code_general(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
             struct rp_av1_frame *frame)
{
    const struct rp_av1_sequence *seq = &state->sequence;
    rp_av1_code_flag(syntax, &frame->disable_cdf_update);
    code_screen_content(syntax, seq, frame);
    code_frame_id(syntax, state, frame);
    if (frame->frame_type == RP_AV1_SWITCH_FRAME)
        frame->frame_size_override_flag = true;
    else if (seq->reduced_still_picture_header)
        frame->frame_size_override_flag = false;
    else
        rp_av1_code_flag(syntax, &frame->frame_size_override_flag);
    rp_av1_code_f(syntax, seq->order_hint_bits, &frame->order_hint);
    if (rp_av1_frame_is_intra(frame) || frame->error_resilient_mode)
        frame->primary_ref_frame = RP_AV1_PRIMARY_REF_NONE;
    else
        rp_av1_code_f(syntax, 3, &frame->primary_ref_frame);
    code_removal_times(syntax, state, frame);
    code_refresh(syntax, seq, frame);
}

static void
code_intra(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
           struct rp_av1_frame *frame)
{
    frame->frame_refs_short_signaling = false;
    rp_av1_code_frame_size(syntax, state, frame);
    if (frame->allow_screen_content_tools && frame->size.upscaled_width == frame->size.frame_width)
        rp_av1_code_flag(syntax, &frame->allow_intrabc);
    else
        frame->allow_intrabc = false;
    frame->allow_high_precision_mv = frame->use_ref_frame_mvs = false;
    frame->is_motion_mode_switchable = false;
    frame->interpolation_filter = 0;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        frame->order_hints[i] = 0;
}

static void
code_inter(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
           struct rp_av1_frame *frame)
{
    frame->allow_intrabc = false;
    rp_av1_code_reference_names(syntax, state, frame);
    rp_av1_code_frame_size(syntax, state, frame);
    if (frame->force_integer_mv)
        frame->allow_high_precision_mv = false;
    else
        rp_av1_code_flag(syntax, &frame->allow_high_precision_mv);
    bool is_filter_switchable = frame->interpolation_filter == RP_AV1_SWITCHABLE;
    rp_av1_code_flag(syntax, &is_filter_switchable);
    if (is_filter_switchable)
        frame->interpolation_filter = RP_AV1_SWITCHABLE;
    else
        rp_av1_code_f(syntax, 2, &frame->interpolation_filter);
    rp_av1_code_flag(syntax, &frame->is_motion_mode_switchable);
    if (frame->error_resilient_mode || !state->sequence.enable_ref_frame_mvs)
        frame->use_ref_frame_mvs = false;
    else
        rp_av1_code_flag(syntax, &frame->use_ref_frame_mvs);
    frame->order_hints[0] = 0;
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        frame->order_hints[i + 1] =
            rp_av1_reference_order_hint(state, frame, frame->ref_frame_idx[i] & 7);
}

/* Tiles and quantizers. */
static void
code_quantizers(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq,
                const struct rp_av1_reference *primary, struct rp_av1_frame *frame)
{
    const struct rp_av1_tile_limits limits =
        rp_av1_tile_limits_get(seq, frame->size.frame_width, frame->size.frame_height);
    rp_av1_code_tile_info(syntax, &limits, &frame->tiles);
    rp_av1_code_quantization(syntax, seq, &frame->quantization);
    rp_av1_code_segmentation(syntax, primary ? &primary->segmentation : NULL, &frame->segmentation);
    rp_av1_code_block_deltas(syntax, frame->quantization.base_q_idx, frame->allow_intrabc,
                             &frame->block_deltas);
    frame->coded_lossless = rp_av1_is_coded_lossless(&frame->quantization, &frame->segmentation);
    frame->all_lossless =
        frame->coded_lossless && frame->size.frame_width == frame->size.upscaled_width;
}

static void
code_filters(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq,
             const struct rp_av1_reference *primary, struct rp_av1_frame *frame)
{
    const bool is_off = frame->coded_lossless || frame->allow_intrabc;
    rp_av1_code_loop_filter(syntax, is_off, seq->color.mono_chrome,
                            primary ? &primary->loop_filter_deltas
                                    : &rp_av1_default_loop_filter_deltas,
                            &frame->loop_filter);
    rp_av1_code_cdef(syntax, is_off || !seq->enable_cdef, seq->color.mono_chrome, &frame->cdef);
    rp_av1_code_loop_restoration(
        syntax, frame->all_lossless || frame->allow_intrabc || !seq->enable_restoration, seq,
        &frame->loop_restoration);
}

/* From read_tx_mode() to reduced_tx_set. */
static void
code_modes(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
           struct rp_av1_frame *frame)
{
    const bool is_intra = rp_av1_frame_is_intra(frame);
    if (frame->coded_lossless)
        frame->tx_mode_select = false;
    else
        rp_av1_code_flag(syntax, &frame->tx_mode_select);
    if (is_intra)
        frame->reference_select = false;
    else
        rp_av1_code_flag(syntax, &frame->reference_select);
    rp_av1_code_skip_mode(syntax, state, frame);
    if (is_intra || frame->error_resilient_mode || !state->sequence.enable_warped_motion)
        frame->allow_warped_motion = false;
    else
        rp_av1_code_flag(syntax, &frame->allow_warped_motion);
    rp_av1_code_flag(syntax, &frame->reduced_tx_set);
}

static void
code_motion(struct rp_av1_syntax *syntax, const struct rp_av1_reference *primary,
            struct rp_av1_frame *frame)
{
    struct rp_av1_motion_params previous;
    rp_av1_motion_params_init(&previous);
    if (primary)
        previous = primary->motion;
    rp_av1_code_global_motion(syntax, rp_av1_frame_is_intra(frame), frame->allow_high_precision_mv,
                              &previous, &frame->global_motion);
}

static void
code_grain(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
           struct rp_av1_frame *frame)
{
    struct rp_av1_grain_frame grain = {
        .has_grain = state->sequence.film_grain_params_present &&
                     (frame->show_frame || frame->showable_frame),
        .is_inter = frame->frame_type == RP_AV1_INTER_FRAME,
    };
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        grain.models[i] = &state->references[i].grain;
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME && grain.is_inter; i++)
        grain.ref_frame_mask |= 1u << (frame->ref_frame_idx[i] & 7);
    rp_av1_code_film_grain(syntax, &state->sequence.color, &grain, &frame->film_grain);
}

void
rp_av1_code_frame(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                  struct rp_av1_frame *frame)
{
    const struct rp_av1_sequence *seq = &state->sequence;
    if (seq->reduced_still_picture_header) {
        imply_still_picture(frame);
    } else {
        rp_av1_code_flag(syntax, &frame->show_existing_frame);
        if (frame->show_existing_frame) {
            code_shown(syntax, state, frame);
            return;
        }
        code_kind(syntax, seq, frame);
    }
    code_general(syntax, state, frame);
    if (rp_av1_frame_is_intra(frame))
        code_intra(syntax, state, frame);
    else
        code_inter(syntax, state, frame);
    if (seq->reduced_still_picture_header || frame->disable_cdf_update)
        frame->disable_frame_end_update_cdf = true;
    else
        rp_av1_code_flag(syntax, &frame->disable_frame_end_update_cdf);
    if (!rp_av1_syntax_is_ok(syntax))
        return; /* sizes and references may be anything */

    const struct rp_av1_reference *primary = rp_av1_primary_reference(state, frame);
    code_quantizers(syntax, seq, primary, frame);
    code_filters(syntax, seq, primary, frame);
    code_modes(syntax, state, frame);
    code_motion(syntax, primary, frame);
    code_grain(syntax, state, frame);
}

enum rp_av1_status
rp_av1_frame_read(const void *data, size_t size_B, const struct rp_av1_state *state,
                  struct rp_av1_frame *out, size_t *size_bits_out)
{
    struct rp_av1_syntax syntax;
    struct rp_av1_frame frame = {0};
    rp_av1_syntax_init_read(&syntax, data, size_B);
    rp_av1_code_frame(&syntax, state, &frame);
    if (rp_av1_syntax_status(&syntax) == RP_AV1_OK) {
        *out = frame;
        *size_bits_out = rp_av1_syntax_position(&syntax);
    }
    return rp_av1_syntax_status(&syntax);
}

enum rp_av1_status
rp_av1_frame_write(const struct rp_av1_frame *frame, const struct rp_av1_state *state, void *data,
                   size_t capacity_B, size_t *size_bits_out)
{
    struct rp_av1_syntax syntax;
    struct rp_av1_frame copy = *frame;
    rp_av1_syntax_init_write(&syntax, data, capacity_B);
    rp_av1_code_frame(&syntax, state, &copy);
    *size_bits_out = rp_av1_syntax_position(&syntax);
    return rp_av1_syntax_status(&syntax);
}
