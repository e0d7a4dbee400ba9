/* SPDX-License-Identifier: MIT */
/* Reading, in the order of the syntax.
 */
#include "headers.h"

#include "reelpipe/bit_reader.h"

#define SYNC_CODE 0x498342u

struct reader {
    struct rp_bit_reader bits;
    struct vp9_state *state;
    struct vp9_header *out;
    bool is_bad;
};

static uint32_t
u(struct reader *r, uint32_t count)
{
    return rp_bit_reader_u(&r->bits, count);
}

static int32_t
su(struct reader *r, uint32_t count)
{
    const int32_t value = (int32_t)u(r, count);
    return u(r, 1) ? -value : value;
}

static void
read_color(struct reader *r)
{
    StdVideoVP9ColorConfig *color = &r->state->color;
    *color = (StdVideoVP9ColorConfig){.BitDepth = 8, .subsampling_x = 1, .subsampling_y = 1};
    if (r->out->std.profile == STD_VIDEO_VP9_PROFILE_2)
        color->BitDepth = u(r, 1) ? 12 : 10;
    color->color_space = (StdVideoVP9ColorSpace)u(r, 3);
    r->is_bad |= color->color_space == STD_VIDEO_VP9_COLOR_SPACE_RGB;
    color->flags.color_range = u(r, 1);
}

static void
read_render_size(struct reader *r)
{
    if (u(r, 1))
        (void)u(r, 32);
}

static void
read_size(struct reader *r)
{
    r->out->width_px = u(r, 16) + 1;
    r->out->height_px = u(r, 16) + 1;
}

static void
read_sync_code(struct reader *r)
{
    r->is_bad |= u(r, 24) != SYNC_CODE;
}

static void
read_inter(struct reader *r)
{
    static const StdVideoVP9InterpolationFilter filters[] = {
        STD_VIDEO_VP9_INTERPOLATION_FILTER_EIGHTTAP_SMOOTH,
        STD_VIDEO_VP9_INTERPOLATION_FILTER_EIGHTTAP,
        STD_VIDEO_VP9_INTERPOLATION_FILTER_EIGHTTAP_SHARP,
        STD_VIDEO_VP9_INTERPOLATION_FILTER_BILINEAR,
    };
    struct vp9_header *out = r->out;
    bool has_size = false;
    out->std.refresh_frame_flags = (uint8_t)u(r, 8);
    for (uint32_t i = 0; i < STD_VIDEO_VP9_REFS_PER_FRAME; i++) {
        out->ref_frame_idx[i] = (uint8_t)u(r, 3);
        out->std.ref_frame_sign_bias_mask |= (uint8_t)(u(r, 1) << (i + 1));
    }
    for (uint32_t i = 0; i < STD_VIDEO_VP9_REFS_PER_FRAME && !has_size; i++) {
        has_size = u(r, 1);
        out->width_px = r->state->refs[out->ref_frame_idx[i]].width_px;
        out->height_px = r->state->refs[out->ref_frame_idx[i]].height_px;
    }
    if (!has_size)
        read_size(r);
    read_render_size(r);
    out->std.flags.allow_high_precision_mv = u(r, 1);
    out->std.interpolation_filter =
        u(r, 1) ? STD_VIDEO_VP9_INTERPOLATION_FILTER_SWITCHABLE : filters[u(r, 2)];
}

static void
read_non_key(struct reader *r)
{
    StdVideoDecodeVP9PictureInfo *std = &r->out->std;
    std->flags.intra_only = std->flags.show_frame ? 0 : u(r, 1);
    std->reset_frame_context = std->flags.error_resilient_mode ? 0 : (uint8_t)u(r, 2);
    if (!std->flags.intra_only) {
        read_inter(r);
        return;
    }
    read_sync_code(r);
    if (std->profile > STD_VIDEO_VP9_PROFILE_0)
        read_color(r);
    else
        r->state->color =
            (StdVideoVP9ColorConfig){.BitDepth = 8, .subsampling_x = 1, .subsampling_y = 1};
    std->refresh_frame_flags = (uint8_t)u(r, 8);
    read_size(r);
    read_render_size(r);
}

/* setup_past_independence() */
static void
forget_past(struct vp9_state *state)
{
    state->loop_filter = (StdVideoVP9LoopFilter){.loop_filter_ref_deltas = {1, 0, -1, -1}};
    state->segmentation = (StdVideoVP9Segmentation){.FeatureEnabled = {0}};
}

static void
read_loop_filter(struct reader *r)
{
    StdVideoVP9LoopFilter *filter = &r->state->loop_filter;
    filter->loop_filter_level = (uint8_t)u(r, 6);
    filter->loop_filter_sharpness = (uint8_t)u(r, 3);
    filter->flags.loop_filter_delta_enabled = u(r, 1);
    filter->flags.loop_filter_delta_update = filter->flags.loop_filter_delta_enabled ? u(r, 1) : 0;
    filter->update_ref_delta = filter->update_mode_delta = 0;
    if (!filter->flags.loop_filter_delta_update)
        return;
    for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_REF_FRAMES; i++) {
        if (!u(r, 1))
            continue;
        filter->update_ref_delta |= (uint8_t)(1u << i);
        filter->loop_filter_ref_deltas[i] = (int8_t)su(r, 6);
    }
    for (uint32_t i = 0; i < STD_VIDEO_VP9_LOOP_FILTER_ADJUSTMENTS; i++) {
        if (!u(r, 1))
            continue;
        filter->update_mode_delta |= (uint8_t)(1u << i);
        filter->loop_filter_mode_deltas[i] = (int8_t)su(r, 6);
    }
}

static void
read_quantization(struct reader *r)
{
    StdVideoDecodeVP9PictureInfo *std = &r->out->std;
    std->base_q_idx = (uint8_t)u(r, 8);
    std->delta_q_y_dc = u(r, 1) ? (int8_t)su(r, 4) : 0;
    std->delta_q_uv_dc = u(r, 1) ? (int8_t)su(r, 4) : 0;
    std->delta_q_uv_ac = u(r, 1) ? (int8_t)su(r, 4) : 0;
}

static void
read_probabilities(struct reader *r, uint8_t *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        out[i] = u(r, 1) ? (uint8_t)u(r, 8) : 255;
}

static void
read_segmentation(struct reader *r)
{
    static const uint8_t bits[] = {8, 6, 2, 0};
    StdVideoVP9Segmentation *seg = &r->state->segmentation;
    r->out->std.flags.segmentation_enabled = u(r, 1);
    seg->flags.segmentation_update_map = 0;
    seg->flags.segmentation_temporal_update = 0;
    seg->flags.segmentation_update_data = 0;
    if (!r->out->std.flags.segmentation_enabled)
        return;
    seg->flags.segmentation_update_map = u(r, 1);
    if (seg->flags.segmentation_update_map) {
        read_probabilities(r, seg->segmentation_tree_probs,
                           STD_VIDEO_VP9_MAX_SEGMENTATION_TREE_PROBS);
        seg->flags.segmentation_temporal_update = u(r, 1);
        for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_SEGMENTATION_PRED_PROB; i++)
            seg->segmentation_pred_prob[i] = 255;
        if (seg->flags.segmentation_temporal_update)
            read_probabilities(r, seg->segmentation_pred_prob,
                               STD_VIDEO_VP9_MAX_SEGMENTATION_PRED_PROB);
    }
    seg->flags.segmentation_update_data = u(r, 1);
    if (!seg->flags.segmentation_update_data)
        return;
    seg->flags.segmentation_abs_or_delta_update = u(r, 1);
    for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_SEGMENTS; i++) {
        seg->FeatureEnabled[i] = 0;
        for (uint32_t j = 0; j < STD_VIDEO_VP9_SEG_LVL_MAX; j++) {
            const bool is_enabled = u(r, 1);
            seg->FeatureEnabled[i] |= (uint8_t)(is_enabled << j);
            seg->FeatureData[i][j] = 0;
            if (is_enabled)
                seg->FeatureData[i][j] = (int16_t)(j < 2 ? su(r, bits[j]) : (int32_t)u(r, bits[j]));
        }
    }
}

static void
read_tile_info(struct reader *r)
{
    const uint32_t width_b64 = (r->out->width_px + 63) / 64;
    uint32_t max_log2 = 1;
    uint32_t cols_log2 = 0;
    while (64u << cols_log2 < width_b64)
        cols_log2++;
    while (width_b64 >> max_log2 >= 4)
        max_log2++;
    max_log2--;
    while (cols_log2 < max_log2 && u(r, 1))
        cols_log2++;
    r->out->std.tile_cols_log2 = (uint8_t)cols_log2;
    r->out->std.tile_rows_log2 = (uint8_t)u(r, 1);
    if (r->out->std.tile_rows_log2)
        r->out->std.tile_rows_log2 += (uint8_t)u(r, 1);
}

static void
read_frame(struct reader *r)
{
    StdVideoDecodeVP9PictureInfo *std = &r->out->std;
    const bool is_key = !u(r, 1);
    std->frame_type = is_key ? STD_VIDEO_VP9_FRAME_TYPE_KEY : STD_VIDEO_VP9_FRAME_TYPE_NON_KEY;
    std->flags.show_frame = u(r, 1);
    std->flags.error_resilient_mode = u(r, 1);
    if (is_key) {
        read_sync_code(r);
        read_color(r);
        read_size(r);
        read_render_size(r);
        std->refresh_frame_flags = 0xff;
    } else {
        read_non_key(r);
    }
    std->flags.frame_parallel_decoding_mode = 1;
    if (!std->flags.error_resilient_mode) {
        std->flags.refresh_frame_context = u(r, 1);
        std->flags.frame_parallel_decoding_mode = u(r, 1);
    }
    std->frame_context_idx = (uint8_t)u(r, 2);
    if (is_key || std->flags.intra_only || std->flags.error_resilient_mode)
        forget_past(r->state);
    read_loop_filter(r);
    read_quantization(r);
    read_segmentation(r);
    read_tile_info(r);
    r->out->compressed_B = u(r, 16);
}

static void
state_update(struct vp9_state *state, const struct vp9_header *header)
{
    state->last_width_px = header->width_px;
    state->last_height_px = header->height_px;
    state->was_shown = header->std.flags.show_frame;
    state->was_intra_only = header->std.flags.intra_only;
    for (uint32_t i = 0; i < STD_VIDEO_VP9_NUM_REF_FRAMES; i++) {
        if (header->std.refresh_frame_flags >> i & 1) {
            state->refs[i].width_px = header->width_px;
            state->refs[i].height_px = header->height_px;
        }
    }
}

bool
vp9_header_read(struct vp9_state *state, const uint8_t *data, size_t data_B, struct vp9_header *out)
{
    struct reader r = {.bits = {.data = data, .size_bits = 8 * data_B}, .state = state, .out = out};
    *out = (struct vp9_header){.shows_existing = false};
    if (u(&r, 2) != 2)
        return false;
    out->std.profile = (StdVideoVP9Profile)u(&r, 1);
    out->std.profile = (StdVideoVP9Profile)((uint32_t)out->std.profile | u(&r, 1) << 1);
    if (out->std.profile != STD_VIDEO_VP9_PROFILE_0 && out->std.profile != STD_VIDEO_VP9_PROFILE_2)
        return false;
    out->shows_existing = u(&r, 1);
    if (out->shows_existing) {
        out->existing = u(&r, 3);
        return !r.bits.has_overrun;
    }
    read_frame(&r);
    out->uncompressed_B = (uint32_t)((r.bits.position_bits + 7) / 8);
    out->std.flags.UsePrevFrameMvs =
        !out->std.flags.error_resilient_mode && out->width_px == state->last_width_px &&
        out->height_px == state->last_height_px && state->was_shown && !state->was_intra_only;
    out->color = state->color;
    out->loop_filter = state->loop_filter;
    out->segmentation = state->segmentation;
    out->std.pColorConfig = &out->color;
    out->std.pLoopFilter = &out->loop_filter;
    out->std.pSegmentation = &out->segmentation;
    state_update(state, out);
    return !r.is_bad && !r.bits.has_overrun && out->width_px > 0 && out->height_px > 0;
}
