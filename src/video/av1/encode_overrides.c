/* SPDX-License-Identifier: MIT */
/* What of an application's picture is coded otherwise: what our encoder never does, and, when it
 * has coded the picture, what it did otherwise.
 */
#include "video/av1/encode_picture.h"

#include <string.h>

static bool
is_intra(const StdVideoEncodeAV1PictureInfo *std)
{
    return std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
           std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
}

static bool
has_global_motion(const StdVideoAV1GlobalMotion *motion)
{
    bool has_motion = false;
    for (uint32_t i = 1; i < RP_AV1_REFERENCES && motion; i++)
        has_motion |= motion->GmType[i] != RP_AV1_IDENTITY;
    return has_motion;
}

static bool
has_restoration(const StdVideoEncodeAV1PictureInfo *std)
{
    const StdVideoAV1LoopRestoration *restoration = std->pLoopRestoration;
    bool has_type = false;
    for (uint32_t i = 0; i < RP_AV1_MAX_PLANES && restoration; i++)
        has_type |=
            restoration->FrameRestorationType[i] != STD_VIDEO_AV1_FRAME_RESTORATION_TYPE_NONE;
    return std->flags.UsesLr && has_type;
}

/* What is in the syntax and is not done. Tools of screen content count where frames choose them. */
static bool
asks_for_more(const StdVideoEncodeAV1PictureInfo *std, const struct rp_av1_sequence *seq)
{
    const bool may_choose_tools =
        seq->seq_force_screen_content_tools == RP_AV1_SELECT_SCREEN_CONTENT_TOOLS;
    const bool is_switch = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH;
    return (std->flags.use_superres && seq->enable_superres) ||
           (std->flags.frame_size_override_flag && !is_switch) ||
           (std->flags.allow_screen_content_tools && may_choose_tools) ||
           std->flags.segmentation_enabled || std->flags.delta_q_present ||
           std->flags.frame_refs_short_signaling ||
           (std->flags.skip_mode_present && !is_intra(std)) ||
           (has_restoration(std) && seq->enable_restoration) ||
           (!is_intra(std) && has_global_motion(std->pGlobalMotion)) ||
           (std->pQuantization && std->pQuantization->flags.using_qmatrix);
}

static void
take_out(StdVideoEncodeAV1PictureInfo *std)
{
    std->flags.use_superres = 0;
    std->flags.allow_screen_content_tools = 0;
    std->flags.force_integer_mv = 0;
    std->flags.frame_size_override_flag = 0;
    std->flags.allow_intrabc = 0;
    std->flags.frame_refs_short_signaling = 0;
    std->flags.skip_mode_present = 0;
    std->flags.delta_q_present = 0;
    std->flags.delta_lf_present = 0;
    std->flags.delta_lf_multi = 0;
    std->flags.segmentation_enabled = 0;
    std->flags.segmentation_update_map = 0;
    std->flags.segmentation_temporal_update = 0;
    std->flags.segmentation_update_data = 0;
    std->flags.UsesLr = 0;
    std->flags.usesChromaLr = 0;
    std->pSegmentation = NULL;
    std->pLoopRestoration = NULL;
    std->pGlobalMotion = NULL;
}

/* What the syntax implies (5.9.2): the codec does not have to know it. */
static void
imply(const struct rp_av1_sequence *seq, StdVideoEncodeAV1PictureInfo *std)
{
    const bool is_shown_key =
        std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY && std->flags.show_frame;
    const bool is_switch = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_SWITCH;
    const uint32_t order_hint_mask = (1u << seq->order_hint_bits) - 1;

    if (is_shown_key || is_switch) {
        std->flags.error_resilient_mode = 1;
        std->refresh_frame_flags = 0xff;
    }
    if (std->flags.show_frame)
        std->flags.showable_frame = std->frame_type != STD_VIDEO_AV1_FRAME_TYPE_KEY;
    if (is_intra(std) || std->flags.error_resilient_mode)
        std->primary_ref_frame = RP_AV1_PRIMARY_REF_NONE;
    if (std->flags.disable_cdf_update)
        std->flags.disable_frame_end_update_cdf = 1;
    if (std->flags.error_resilient_mode || is_intra(std) || !seq->enable_ref_frame_mvs)
        std->flags.use_ref_frame_mvs = 0;
    if (std->flags.error_resilient_mode || is_intra(std) || !seq->enable_warped_motion)
        std->flags.allow_warped_motion = 0;
    std->order_hint &= order_hint_mask;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        std->ref_order_hint[i] &= order_hint_mask;
}

bool
rp_av1_override_picture(const StdVideoEncodeAV1PictureInfo *asked,
                        const struct rp_av1_sequence *seq, struct rp_av1_encode_picture *pic)
{
    StdVideoEncodeAV1PictureInfo *std = &pic->std;
    *std = *asked;
    take_out(std);
    imply(seq, std);
    if (asked->pQuantization) {
        pic->quantization = *asked->pQuantization;
        pic->quantization.flags.using_qmatrix = 0;
        std->pQuantization = &pic->quantization;
    }
    return asks_for_more(asked, seq);
}

static bool
tiles_are_as_asked(const StdVideoAV1TileInfo *asked, const struct rp_av1_tile_info *tiles)
{
    if (!asked)
        return true;
    const bool is_cut = tiles->tile_cols_log2 > 0 || tiles->tile_rows_log2 > 0;
    bool is_equal = asked->flags.uniform_tile_spacing_flag == tiles->uniform_tile_spacing_flag &&
                    asked->TileCols == tiles->tile_cols && asked->TileRows == tiles->tile_rows &&
                    (!is_cut || asked->context_update_tile_id == tiles->context_update_tile_id);
    for (uint32_t i = 0; i < tiles->tile_cols && is_equal && !tiles->uniform_tile_spacing_flag; i++)
        is_equal = asked->pWidthInSbsMinus1[i] == tiles->width_in_sbs_minus_1[i];
    for (uint32_t i = 0; i < tiles->tile_rows && is_equal && !tiles->uniform_tile_spacing_flag; i++)
        is_equal = asked->pHeightInSbsMinus1[i] == tiles->height_in_sbs_minus_1[i];
    return is_equal;
}

/* The base is rate control's or constantQIndex. */
static bool
quantization_is_as_asked(const StdVideoAV1Quantization *asked,
                         const struct rp_av1_quantization *coded)
{
    static const StdVideoAV1Quantization none;
    const StdVideoAV1Quantization *q = asked ? asked : &none;
    return q->DeltaQYDc == coded->y_dc.value && q->DeltaQUDc == coded->u_dc.value &&
           q->DeltaQUAc == coded->u_ac.value &&
           (!coded->diff_uv_delta ||
            (q->DeltaQVDc == coded->v_dc.value && q->DeltaQVAc == coded->v_ac.value));
}

static bool
loop_filter_is_as_asked(const StdVideoAV1LoopFilter *asked, const struct rp_av1_loop_filter *coded)
{
    if (!asked)
        return true;
    const bool has_luma = asked->loop_filter_level[0] || asked->loop_filter_level[1];
    return asked->loop_filter_level[0] == coded->level[0] &&
           asked->loop_filter_level[1] == coded->level[1] &&
           (!has_luma || (asked->loop_filter_level[2] == coded->level[2] &&
                          asked->loop_filter_level[3] == coded->level[3])) &&
           asked->loop_filter_sharpness == coded->sharpness;
}

static bool
cdef_is_as_asked(const StdVideoAV1CDEF *asked, const StdVideoAV1CDEF *coded)
{
    if (!asked)
        return true;
    const size_t count = (size_t)1 << (asked->cdef_bits & 3);
    return asked->cdef_damping_minus_3 == coded->cdef_damping_minus_3 &&
           asked->cdef_bits == coded->cdef_bits &&
           memcmp(asked->cdef_y_pri_strength, coded->cdef_y_pri_strength, count) == 0 &&
           memcmp(asked->cdef_y_sec_strength, coded->cdef_y_sec_strength, count) == 0 &&
           memcmp(asked->cdef_uv_pri_strength, coded->cdef_uv_pri_strength, count) == 0 &&
           memcmp(asked->cdef_uv_sec_strength, coded->cdef_uv_sec_strength, count) == 0;
}

/* Elements that inter frames have. */
static bool
motion_is_as_asked(const StdVideoEncodeAV1PictureInfo *asked, const struct rp_av1_frame *frame)
{
    const uint32_t filter = asked->flags.is_filter_switchable
                                ? RP_AV1_SWITCHABLE
                                : (uint32_t)asked->interpolation_filter;
    return asked->flags.allow_high_precision_mv == frame->allow_high_precision_mv &&
           filter == frame->interpolation_filter &&
           asked->flags.is_motion_mode_switchable == frame->is_motion_mode_switchable &&
           (frame->error_resilient_mode || (asked->primary_ref_frame == frame->primary_ref_frame));
}

/* Where the sequence has the tool and the frame can have it. */
static bool
tools_are_as_asked(const StdVideoEncodeAV1PictureInfo *asked, const struct rp_av1_sequence *seq,
                   const struct rp_av1_frame *frame)
{
    return frame->error_resilient_mode ||
           ((!seq->enable_ref_frame_mvs ||
             asked->flags.use_ref_frame_mvs == frame->use_ref_frame_mvs) &&
            (!seq->enable_warped_motion ||
             asked->flags.allow_warped_motion == frame->allow_warped_motion));
}

bool
rp_av1_is_coded_as_asked(const StdVideoEncodeAV1PictureInfo *asked,
                         const struct rp_av1_sequence *seq, const struct rp_av1_frame *frame,
                         const struct rp_av1_coded_picture *coded)
{
    const bool is_lossy = !frame->coded_lossless;
    const StdVideoAV1TxMode tx_mode =
        frame->tx_mode_select ? STD_VIDEO_AV1_TX_MODE_SELECT : STD_VIDEO_AV1_TX_MODE_LARGEST;
    return tiles_are_as_asked(asked->pTileInfo, &frame->tiles) &&
           quantization_is_as_asked(asked->pQuantization, &frame->quantization) &&
           (!is_lossy || loop_filter_is_as_asked(asked->pLoopFilter, &frame->loop_filter)) &&
           (!is_lossy || !seq->enable_cdef || cdef_is_as_asked(asked->pCDEF, coded->info.pCDEF)) &&
           (!is_lossy || asked->TxMode == tx_mode) &&
           (is_intra(asked) ||
            (motion_is_as_asked(asked, frame) && tools_are_as_asked(asked, seq, frame))) &&
           asked->flags.reduced_tx_set == frame->reduced_tx_set &&
           asked->flags.disable_cdf_update == frame->disable_cdf_update &&
           (frame->disable_cdf_update ||
            asked->flags.disable_frame_end_update_cdf == frame->disable_frame_end_update_cdf);
}
