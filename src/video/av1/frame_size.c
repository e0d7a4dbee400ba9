/* SPDX-License-Identifier: MIT */
/* References of a frame by name, and its size (5.9.2, 5.9.5 to 5.9.9).
 */
#include "video/av1/references.h"

#define SUPERRES_NUM 8u
#define SUPERRES_DENOM_MIN 9u

static void
code_reference_id(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                  struct rp_av1_frame *frame, uint32_t i)
{
    const struct rp_av1_sequence *seq = &state->sequence;
    const uint32_t id_count = 1u << rp_av1_frame_id_bits(seq);
    rp_av1_code_f(syntax, seq->delta_frame_id_length_minus_2 + 2,
                  &frame->delta_frame_id_minus_1[i]);
    const uint32_t expected_id =
        (frame->current_frame_id - frame->delta_frame_id_minus_1[i] - 1) % id_count;
    rp_av1_require(syntax, state->references[frame->ref_frame_idx[i] & 7].frame_id == expected_id);
}

void
rp_av1_code_reference_names(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                            struct rp_av1_frame *frame)
{
    if (state->sequence.enable_order_hint)
        rp_av1_code_flag(syntax, &frame->frame_refs_short_signaling);
    else
        frame->frame_refs_short_signaling = false;
    if (frame->frame_refs_short_signaling) {
        rp_av1_code_f(syntax, 3, &frame->ref_frame_idx[0]); /* last_frame_idx */
        rp_av1_code_f(syntax, 3, &frame->ref_frame_idx[3]); /* gold_frame_idx */
        rp_av1_set_frame_refs(syntax, state, frame);
    }
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++) {
        if (!frame->frame_refs_short_signaling)
            rp_av1_code_f(syntax, 3, &frame->ref_frame_idx[i]);
        if (state->sequence.frame_id_numbers_present_flag)
            code_reference_id(syntax, state, frame, i);
        rp_av1_require(syntax,
                       rp_av1_reference_is_usable(state, frame, frame->ref_frame_idx[i] & 7));
    }
}

/* n bits of value - 1. */
static void
code_minus_1(struct rp_av1_syntax *syntax, uint32_t n, uint32_t *value)
{
    uint32_t code = *value - 1;
    rp_av1_code_f(syntax, n, &code);
    *value = (code & 0xffff) + 1;
}

static void
code_superres(struct rp_av1_syntax *syntax, bool enable_superres, struct rp_av1_frame_size *size)
{
    if (enable_superres)
        rp_av1_code_flag(syntax, &size->use_superres);
    else
        size->use_superres = false;
    if (!size->use_superres) {
        size->coded_denom = 0;
        size->frame_width = size->upscaled_width;
        return;
    }
    rp_av1_code_f(syntax, 3, &size->coded_denom);
    const uint32_t denom = size->coded_denom + SUPERRES_DENOM_MIN;
    size->frame_width = (size->upscaled_width * SUPERRES_NUM + denom / 2) / denom;
}

static void
code_size(struct rp_av1_syntax *syntax, const struct rp_av1_sequence *seq, bool is_override,
          struct rp_av1_frame_size *size)
{
    if (is_override) {
        code_minus_1(syntax, seq->frame_width_bits_minus_1 + 1, &size->upscaled_width);
        code_minus_1(syntax, seq->frame_height_bits_minus_1 + 1, &size->frame_height);
        rp_av1_require(syntax, size->upscaled_width <= seq->max_frame_width_minus_1 + 1 &&
                                   size->frame_height <= seq->max_frame_height_minus_1 + 1);
    } else {
        size->upscaled_width = seq->max_frame_width_minus_1 + 1;
        size->frame_height = seq->max_frame_height_minus_1 + 1;
    }
    code_superres(syntax, seq->enable_superres, size);
}

static void
code_render_size(struct rp_av1_syntax *syntax, struct rp_av1_frame_size *size)
{
    rp_av1_code_flag(syntax, &size->render_and_frame_size_different);
    if (size->render_and_frame_size_different) {
        code_minus_1(syntax, 16, &size->render_width);
        code_minus_1(syntax, 16, &size->render_height);
    } else {
        size->render_width = size->upscaled_width;
        size->render_height = size->frame_height;
    }
}

/* frame_size_with_refs() (5.9.7): whether the size is that of a reference. */
static bool
code_found_ref(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
               struct rp_av1_frame *frame)
{
    struct rp_av1_frame_size *size = &frame->size;
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++) {
        rp_av1_code_flag(syntax, &frame->found_ref[i]);
        if (!frame->found_ref[i])
            continue;
        const struct rp_av1_frame_size *ref = &state->references[frame->ref_frame_idx[i] & 7].size;
        size->upscaled_width = ref->upscaled_width;
        size->frame_height = ref->frame_height;
        size->render_width = ref->render_width;
        size->render_height = ref->render_height;
        size->render_and_frame_size_different = ref->render_and_frame_size_different;
        code_superres(syntax, state->sequence.enable_superres, size);
        return true;
    }
    return false;
}

/* 6.8.6: no reference is more than twice as large, or more than 16 times smaller; and all have the
 * format of the frame. */
static bool
can_refer(const struct rp_av1_frame_size *size, const struct rp_av1_color *color,
          const struct rp_av1_reference *ref)
{
    return 2 * size->frame_width >= ref->size.upscaled_width &&
           2 * size->frame_height >= ref->size.frame_height &&
           size->frame_width <= 16 * ref->size.upscaled_width &&
           size->frame_height <= 16 * ref->size.frame_height &&
           color->bit_depth == ref->color.bit_depth &&
           color->mono_chrome == ref->color.mono_chrome &&
           color->subsampling_x == ref->color.subsampling_x &&
           color->subsampling_y == ref->color.subsampling_y;
}

void
rp_av1_code_frame_size(struct rp_av1_syntax *syntax, const struct rp_av1_state *state,
                       struct rp_av1_frame *frame)
{
    const struct rp_av1_sequence *seq = &state->sequence;
    const bool is_intra = rp_av1_frame_is_intra(frame);
    const bool has_found_ref =
        !is_intra && frame->frame_size_override_flag && !frame->error_resilient_mode;
    if (!has_found_ref || !code_found_ref(syntax, state, frame)) {
        code_size(syntax, seq, frame->frame_size_override_flag, &frame->size);
        code_render_size(syntax, &frame->size);
    }
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME && !is_intra; i++)
        rp_av1_require(syntax, can_refer(&frame->size, &seq->color,
                                         &state->references[frame->ref_frame_idx[i] & 7]));
}
