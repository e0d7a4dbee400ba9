/* SPDX-License-Identifier: MIT */
/* Syntax of the uncompressed header, in its order.
 */
#include "video/vp9/header.h"

#include "reelpipe/bits.h"

#include <stdlib.h>

#define SYNC_CODE 0x498342u
#define MIN_TILE_WIDTH_B64 4u
#define MAX_TILE_WIDTH_B64 64u

struct writer {
    struct rp_bits bits;
    const struct rp_vp9_frame *frame;
    const StdVideoDecodeVP9PictureInfo *std;
    bool is_illegal;
};

static void
put(struct writer *w, uint32_t count, uint32_t value)
{
    w->is_illegal |= count < 32 && value >> count != 0;
    rp_bits_put(&w->bits, count, value);
}

/* su(count): magnitude, then sign. */
static void
put_signed(struct writer *w, uint32_t count, int32_t value)
{
    put(w, count, (uint32_t)abs(value));
    put(w, 1, value < 0);
}

/* A flag, and if it is set a value. */
static void
put_optional_signed(struct writer *w, uint32_t count, int32_t value)
{
    put(w, 1, value != 0);
    if (value != 0)
        put_signed(w, count, value);
}

static void
put_color_config(struct writer *w)
{
    const StdVideoVP9ColorConfig *color = w->std->pColorConfig;
    if (w->std->profile >= STD_VIDEO_VP9_PROFILE_2)
        put(w, 1, w->frame->bit_depth == 12);
    put(w, 3, STD_VIDEO_VP9_COLOR_SPACE_UNKNOWN); /* decoding does not depend on it */
    put(w, 1, color && color->flags.color_range);
}

/* frame_size() and render_size(). */
static void
put_sizes(struct writer *w)
{
    put(w, 16, w->frame->width_px - 1);
    put(w, 16, w->frame->height_px - 1);
    put(w, 1, 0); /* render_and_frame_size_different */
}

static void
put_interpolation_filter(struct writer *w)
{
    static const uint8_t literals[] = {
        [STD_VIDEO_VP9_INTERPOLATION_FILTER_EIGHTTAP] = 1,
        [STD_VIDEO_VP9_INTERPOLATION_FILTER_EIGHTTAP_SMOOTH] = 0,
        [STD_VIDEO_VP9_INTERPOLATION_FILTER_EIGHTTAP_SHARP] = 2,
        [STD_VIDEO_VP9_INTERPOLATION_FILTER_BILINEAR] = 3,
    };
    const uint32_t filter = (uint32_t)w->std->interpolation_filter;
    const bool is_switchable = filter == STD_VIDEO_VP9_INTERPOLATION_FILTER_SWITCHABLE;
    put(w, 1, is_switchable);
    if (is_switchable)
        return;
    w->is_illegal |= filter >= sizeof(literals);
    put(w, 2, filter < sizeof(literals) ? literals[filter] : 0);
}

static void
put_inter_frame(struct writer *w)
{
    put(w, 8, w->std->refresh_frame_flags);
    for (uint32_t i = 0; i < RP_VP9_REFS_PER_FRAME; i++) {
        put(w, 3, w->frame->ref_frame_idx[i]);
        put(w, 1, w->std->ref_frame_sign_bias_mask >> (i + 1) & 1);
    }
    put(w, RP_VP9_REFS_PER_FRAME, 0); /* found_ref */
    put_sizes(w);
    put(w, 1, w->std->flags.allow_high_precision_mv);
    put_interpolation_filter(w);
}

/* What frames that are no key frames begin with. */
static void
put_non_key_frame(struct writer *w)
{
    const bool is_intra_only = rp_vp9_is_intra(w->std);
    if (!w->std->flags.show_frame)
        put(w, 1, is_intra_only);
    if (!w->std->flags.error_resilient_mode)
        put(w, 2, w->std->reset_frame_context);
    if (!is_intra_only) {
        put_inter_frame(w);
        return;
    }
    put(w, 24, SYNC_CODE);
    if (w->std->profile > STD_VIDEO_VP9_PROFILE_0)
        put_color_config(w);
    put(w, 8, w->std->refresh_frame_flags);
    put_sizes(w);
}

/* FFmpeg 9 says wrongly which of the deltas changed. */
static void
put_loop_filter(struct writer *w)
{
    const StdVideoVP9LoopFilter *filter = w->std->pLoopFilter;
    put(w, 6, filter->loop_filter_level);
    put(w, 3, filter->loop_filter_sharpness);
    put(w, 1, filter->flags.loop_filter_delta_enabled);
    if (!filter->flags.loop_filter_delta_enabled)
        return;
    put(w, 1, filter->flags.loop_filter_delta_update);
    if (!filter->flags.loop_filter_delta_update)
        return;
    for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_REF_FRAMES; i++) {
        put(w, 1, 1);
        put_signed(w, 6, filter->loop_filter_ref_deltas[i]);
    }
    for (uint32_t i = 0; i < STD_VIDEO_VP9_LOOP_FILTER_ADJUSTMENTS; i++) {
        put(w, 1, 1);
        put_signed(w, 6, filter->loop_filter_mode_deltas[i]);
    }
}

static void
put_quantization(struct writer *w)
{
    put(w, 8, w->std->base_q_idx);
    put_optional_signed(w, 4, w->std->delta_q_y_dc);
    put_optional_signed(w, 4, w->std->delta_q_uv_dc);
    put_optional_signed(w, 4, w->std->delta_q_uv_ac);
}

/* 255 is what a probability is when it is not coded. */
static void
put_probabilities(struct writer *w, const uint8_t *probabilities, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        put(w, 1, probabilities[i] != 255);
        if (probabilities[i] != 255)
            put(w, 8, probabilities[i]);
    }
}

static void
put_features(struct writer *w, const StdVideoVP9Segmentation *segmentation)
{
    static const struct {
        uint8_t bits;
        bool is_signed;
    } features[STD_VIDEO_VP9_SEG_LVL_MAX] = {{8, true}, {6, true}, {2, false}, {0, false}};

    put(w, 1, segmentation->flags.segmentation_abs_or_delta_update);
    for (uint32_t i = 0; i < STD_VIDEO_VP9_MAX_SEGMENTS; i++) {
        for (uint32_t j = 0; j < STD_VIDEO_VP9_SEG_LVL_MAX; j++) {
            const bool is_enabled = segmentation->FeatureEnabled[i] >> j & 1;
            const int32_t value = features[j].bits ? segmentation->FeatureData[i][j] : 0;
            put(w, 1, is_enabled);
            if (is_enabled && features[j].is_signed)
                put_signed(w, features[j].bits, value);
            else if (is_enabled)
                put(w, features[j].bits, (uint32_t)value);
        }
    }
}

static void
put_segmentation(struct writer *w)
{
    const StdVideoVP9Segmentation *segmentation = w->std->pSegmentation;
    put(w, 1, w->std->flags.segmentation_enabled);
    if (!w->std->flags.segmentation_enabled)
        return;
    put(w, 1, segmentation->flags.segmentation_update_map);
    if (segmentation->flags.segmentation_update_map) {
        put_probabilities(w, segmentation->segmentation_tree_probs,
                          STD_VIDEO_VP9_MAX_SEGMENTATION_TREE_PROBS);
        put(w, 1, segmentation->flags.segmentation_temporal_update);
        if (segmentation->flags.segmentation_temporal_update)
            put_probabilities(w, segmentation->segmentation_pred_prob,
                              STD_VIDEO_VP9_MAX_SEGMENTATION_PRED_PROB);
    }
    put(w, 1, segmentation->flags.segmentation_update_data);
    if (segmentation->flags.segmentation_update_data)
        put_features(w, segmentation);
}

static void
put_tile_info(struct writer *w)
{
    const uint32_t width_b64 = (w->frame->width_px + 63) / 64;
    uint32_t min_log2 = 0;
    uint32_t max_log2 = 1;
    while (MAX_TILE_WIDTH_B64 << min_log2 < width_b64)
        min_log2++;
    while (width_b64 >> max_log2 >= MIN_TILE_WIDTH_B64)
        max_log2++;
    max_log2--;

    const uint32_t cols_log2 = w->std->tile_cols_log2;
    w->is_illegal |= cols_log2 < min_log2 || cols_log2 > max_log2 || w->std->tile_rows_log2 > 2;
    for (uint32_t i = min_log2; i < max_log2 && i <= cols_log2; i++)
        put(w, 1, i < cols_log2);
    put(w, 1, w->std->tile_rows_log2 > 0);
    if (w->std->tile_rows_log2 > 0)
        put(w, 1, w->std->tile_rows_log2 > 1);
}

static void
put_header(struct writer *w)
{
    const StdVideoDecodeVP9PictureInfo *std = w->std;
    put(w, 2, 2); /* frame_marker */
    put(w, 1, std->profile & 1);
    put(w, 1, (uint32_t)std->profile >> 1);
    put(w, 1, 0); /* show_existing_frame */
    put(w, 1, !rp_vp9_is_key(std));
    put(w, 1, std->flags.show_frame);
    put(w, 1, std->flags.error_resilient_mode);
    if (rp_vp9_is_key(std)) {
        put(w, 24, SYNC_CODE);
        put_color_config(w);
        put_sizes(w);
    } else {
        put_non_key_frame(w);
    }
    if (!std->flags.error_resilient_mode) {
        put(w, 1, std->flags.refresh_frame_context);
        put(w, 1, std->flags.frame_parallel_decoding_mode);
    }
    put(w, 2, std->frame_context_idx);
    put_loop_filter(w);
    put_quantization(w);
    put_segmentation(w);
    put_tile_info(w);
    put(w, 16, w->frame->compressed_header_B);
}

size_t
rp_vp9_header_write(const struct rp_vp9_frame *frame, uint8_t out[RP_VP9_MAX_HEADER_B])
{
    const StdVideoDecodeVP9PictureInfo *std = frame->std;
    if (!std->pLoopFilter || (std->flags.segmentation_enabled && !std->pSegmentation))
        return 0;
    /* Odd profiles have other chroma formats. */
    if (std->profile != STD_VIDEO_VP9_PROFILE_0 && std->profile != STD_VIDEO_VP9_PROFILE_2)
        return 0;
    struct writer w = {.frame = frame, .std = std};
    rp_bits_init(&w.bits, out, RP_VP9_MAX_HEADER_B);
    put_header(&w);
    while (w.bits.size_bits % 8 != 0)
        put(&w, 1, 0);
    return w.is_illegal || w.bits.has_overflow ? 0 : w.bits.size_bits / 8;
}
