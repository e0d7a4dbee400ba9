/* SPDX-License-Identifier: MIT */
/* The functions of libaom that are replaced, in the order in which a picture meets them. Without a
 * picture of ours on the thread all of them are libaom's own.
 */
#include "codecs/aom/hooks.h"

#include "codecs/aom/cdef.h"
#include "codecs/aom/libaom.h"
#include "codecs/aom/pack.h"
#include "codecs/aom/partition.h"
#include "codecs/aom/refresh.h"
#include "codecs/aom/segments.h"

#include "util/compiler.h"

/* Declares libaom's own function and ours, of one signature. */
#define HOOK(result, name, ...) \
    result __real_##name(__VA_ARGS__); \
    result __wrap_##name(__VA_ARGS__)

HOOK(void, av1_compute_num_workers_for_mt, AV1_COMP *cpi);
HOOK(int, av1_get_compressed_data, AV1_COMP *cpi, AV1_COMP_DATA *data);
HOOK(int, av1_encode, AV1_COMP *cpi, uint8_t *dst, size_t dst_B, const EncodeFrameInput *input,
     const EncodeFrameParams *params, size_t *frame_B);
HOOK(int, av1_rc_pick_q_and_bounds, AV1_COMP *cpi, int width, int height, int gf_index, int *bottom,
     int *top);
HOOK(void, av1_set_quantizer, AV1_COMMON *cm, int min_qm, int max_qm, int q, int chroma_deltas,
     int hdr_deltas, bool is_all_intra, aom_tune_metric tuning);
HOOK(void, av1_pick_and_set_high_precision_mv, AV1_COMP *cpi, int q);
HOOK(void, av1_apply_active_map, AV1_COMP *cpi);
HOOK(void, av1_encode_frame, AV1_COMP *cpi);
HOOK(void, av1_encode_tiles_row_mt, AV1_COMP *cpi);
HOOK(void, av1_setup_skip_mode_allowed, AV1_COMMON *cm);
HOOK(int, av1_choose_var_based_partitioning, AV1_COMP *cpi, const TileInfo *tile, ThreadData *td,
     MACROBLOCK *x, int mi_row, int mi_col);
HOOK(void, av1_estimate_intra_mode, AV1_COMP *cpi, MACROBLOCK *x, BLOCK_SIZE size,
     int best_early_term, unsigned int ref_cost_intra, int reuse_prediction,
     struct buf_2d *orig_dst, PRED_BUFFER *tmp_buffers, PRED_BUFFER **this_mode_pred,
     RD_STATS *best_rdc, BEST_PICKMODE *best_pickmode, PICK_MODE_CONTEXT *ctx,
     unsigned int *best_sad_norm);
HOOK(void, av1_pick_filter_level, const YV12_BUFFER_CONFIG *src, AV1_COMP *cpi,
     LPF_PICK_METHOD method);
HOOK(void, av1_cdef_search, AV1_COMP *cpi);
HOOK(void, av1_finalize_encoded_frame, AV1_COMP *cpi);
HOOK(int, av1_pack_bitstream, AV1_COMP *cpi, uint8_t *dst, size_t dst_B, size_t *size_B,
     int *largest_tile);
HOOK(uint32_t, aom_wb_bytes_written, const struct aom_write_bit_buffer *wb);
HOOK(void, aom_wb_overwrite_literal, struct aom_write_bit_buffer *wb, int value, int bits);

static _Thread_local struct rp_aom_picture *current;

void
rp_aom_hooks_set(struct rp_aom_picture *picture)
{
    current = picture;
}

struct rp_aom_picture *
rp_aom_hooks_get(void)
{
    return current;
}

static void
set_reference(RefCntBuffer **out, RefCntBuffer *buffer)
{
    if (buffer)
        buffer->ref_count++;
    if (*out)
        (*out)->ref_count--;
    *out = buffer;
}

/* The decoder's references by their numbers, as far as names of the picture say what they are. The
 * others predict nothing, but libaom looks at what is behind all names, and takes one that has the
 * same buffer as another for the same: they get a copy of another. */
static void
set_reference_map(AV1_COMMON *cm, const struct rp_aom_picture *picture)
{
    const StdVideoEncodeAV1PictureInfo *std = picture->job->picture;
    const RefCntBuffer *any = NULL;

    for (uint32_t i = 0; i < REF_FRAMES; i++)
        set_reference(&cm->ref_frame_map[i], NULL);
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++) {
        if (!picture->refs[i])
            continue;
        any = picture->refs[i];
        set_reference(&cm->ref_frame_map[std->ref_frame_idx[i]], picture->refs[i]);
    }
    if (!any)
        return;
    *picture->ctx->stand_in = *any;
    for (uint32_t i = 0; i < REF_FRAMES; i++) {
        if (!cm->ref_frame_map[i])
            set_reference(&cm->ref_frame_map[i], picture->ctx->stand_in);
    }
}

void
__wrap_av1_compute_num_workers_for_mt(AV1_COMP *cpi)
{
    __real_av1_compute_num_workers_for_mt(cpi);
    if (current)
        rp_aom_threads_share(cpi, &current->tiles);
}

int
__wrap_av1_get_compressed_data(AV1_COMP *cpi, AV1_COMP_DATA *data)
{
    AV1_COMMON *cm = &cpi->common;
    if (!current)
        return __real_av1_get_compressed_data(cpi, data);
    if (current->is_coded)
        return -1; /* there is no other */

    current->ctx->compressor = cpi;
    set_reference_map(cm, current);
    if (!cpi->ppi->seq_params_locked && current->ctx->config.order_hint_bits > 0)
        cm->seq_params->order_hint_info.order_hint_bits_minus_1 =
            (int)current->ctx->config.order_hint_bits - 1;
    const int status = __real_av1_get_compressed_data(cpi, data);
    if (status == AOM_CODEC_OK) {
        current->is_coded = true;
        cm->show_frame = 1; /* hidden pictures leave at once, too */
    }
    return status;
}

/* How far the picture is from the one before in the order of display, which order hints give modulo
 * their range; nearest to it. */
static int64_t
unwrap_order(const struct rp_aom_picture *picture)
{
    const uint32_t bits = picture->ctx->config.order_hint_bits;
    const int64_t range = (int64_t)1 << bits;
    const int64_t hint = picture->job->picture->order_hint & (range - 1);
    const int64_t before = picture->ctx->display_order;

    int64_t order = before - before % range + hint;
    if (order - before > (range - 1) / 2)
        order -= range;
    else if (before - order > range / 2)
        order += range;
    return order < 0 ? order + range : order;
}

/* The names that predict. LAST, GOLDEN and ALTREF are the only ones that libaom's search looks at:
 * one that the application left out stands in for a listed one when its number is that of the same
 * picture. Each picture counts once. */
static int
choose_names(const AV1_COMMON *cm, const struct rp_aom_picture *picture)
{
    static const uint8_t order[RP_AV1_NAMES] = {0, 3, 6, 1, 2, 4, 5};
    const struct rp_av1_encode_job *job = picture->job;
    const RefCntBuffer *seen[RP_AV1_NAMES];
    uint32_t seen_count = 0;
    int flags = 0;

    for (uint32_t k = 0; k < RP_AV1_NAMES; k++) {
        const uint32_t name = order[k];
        const uint32_t number = (uint32_t)job->picture->ref_frame_idx[name];
        const RefCntBuffer *buffer = cm->ref_frame_map[number];
        bool is_listed = false, is_seen = false;
        if (!(picture->known_refs >> number & 1))
            continue;
        if (job->primary_is_cdf_only && name == job->picture->primary_ref_frame)
            continue;
        for (uint32_t i = 0; i < RP_AV1_NAMES; i++)
            is_listed |= picture->refs[i] == buffer &&
                         !(job->primary_is_cdf_only && i == job->picture->primary_ref_frame);
        for (uint32_t i = 0; i < seen_count; i++)
            is_seen |= seen[i] == buffer;
        if (!is_listed || is_seen)
            continue;
        flags |= av1_ref_frame_flag_list[LAST_FRAME + name];
        seen[seen_count++] = buffer;
    }
    return flags;
}

/* libaom lays tiles out when sizes change alone. */
static void
set_tiles(AV1_COMP *cpi, const struct rp_aom_tiles *tiles)
{
    TileConfig *config = &cpi->oxcf.tile_cfg;
    const TileConfig before = *config;

    config->tile_width_count = tiles->has_logs ? 0 : (int)tiles->cols;
    config->tile_height_count = tiles->has_logs ? 0 : (int)tiles->rows;
    config->tile_columns = tiles->has_logs ? (int)tiles->cols_log2 : 0;
    config->tile_rows = tiles->has_logs ? (int)tiles->rows_log2 : 0;
    for (uint32_t i = 0; i < tiles->cols; i++)
        config->tile_widths[i] = tiles->widths_sb_minus_1[i] + 1;
    for (uint32_t i = 0; i < tiles->rows; i++)
        config->tile_heights[i] = tiles->heights_sb_minus_1[i] + 1;
    if (cpi->common.width > 0 && memcmp(&before, config, sizeof(before)))
        av1_update_frame_size(cpi);
}

static void
set_features(AV1_COMP *cpi, const struct rp_aom_picture *picture)
{
    const StdVideoEncodeAV1PictureInfo *std = picture->job->picture;
    FeatureFlags *features = &cpi->common.features;

    features->refresh_frame_context =
        std->flags.disable_cdf_update || std->flags.disable_frame_end_update_cdf
            ? REFRESH_FRAME_CONTEXT_DISABLED
            : REFRESH_FRAME_CONTEXT_BACKWARD;
    features->allow_ref_frame_mvs = std->flags.use_ref_frame_mvs && picture->has_motion_field &&
                                    picture->ctx->config.has_ref_frame_mvs;
    features->allow_screen_content_tools = 0;
    features->allow_intrabc = 0;
    cpi->oxcf.algo_cfg.cdf_update_mode = std->flags.disable_cdf_update ? 0 : RP_AOM_UPDATES_CDFS;
    cpi->oxcf.motion_mode_cfg.allow_warped_motion = 0;
    cpi->oxcf.txfm_cfg.reduced_tx_type_set = std->flags.reduced_tx_set;
    cpi->ppi->rtc_ref.non_reference_frame = 0; /* filters run: the reconstruction is wanted */
    cpi->sf.rt_sf.selective_cdf_update = 0;
    cpi->sf.rt_sf.disable_cdf_update_non_reference_frame = 0;
}

/* What libaom has learned of pictures decides how it codes later ones; a key frame begins anew. */
static void
forget_content(RATE_CONTROL *rc)
{
    rc->avg_source_sad = rc->prev_avg_source_sad = 0;
    rc->avg_frame_low_motion = 0;
}

int
__wrap_av1_encode(AV1_COMP *cpi, uint8_t *dst, size_t dst_B, const EncodeFrameInput *input,
                  const EncodeFrameParams *params, size_t *frame_B)
{
    static const FRAME_TYPE types[] = {KEY_FRAME, INTER_FRAME, INTRA_ONLY_FRAME, S_FRAME};
    if (!current)
        return __real_av1_encode(cpi, dst, dst_B, input, params, frame_B);

    AV1_COMMON *cm = &cpi->common;
    const StdVideoEncodeAV1PictureInfo *std = current->job->picture;
    EncodeFrameParams own = *params;
    own.frame_type = types[std->frame_type];
    own.show_frame = std->flags.show_frame;
    own.show_existing_frame = 0;
    own.refresh_frame_flags = std->refresh_frame_flags;
    /* Of intra frames it is for the header alone, which is not libaom's. */
    own.error_resilient_mode =
        !current->is_intra && (std->flags.error_resilient_mode || own.frame_type == S_FRAME);
    own.primary_ref_frame =
        current->is_intra || own.error_resilient_mode ? PRIMARY_REF_NONE : std->primary_ref_frame;
    own.ref_frame_flags = current->is_intra ? 0 : choose_names(cm, current);
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++)
        own.remapped_ref_idx[i] = current->is_intra ? (int)i : std->ref_frame_idx[i];

    /* libaom adds the offset to a counter of its own, which a key frame resets. */
    const bool is_reset = own.frame_type == KEY_FRAME &&
                          cpi->ppi->gf_group.refbuf_state[cpi->gf_frame_index] == REFBUF_RESET;
    current->ctx->display_order = unwrap_order(current);
    own.order_offset = (int)(current->ctx->display_order -
                             (is_reset ? 0 : (int64_t)cm->current_frame.frame_number));

    if (own.frame_type == KEY_FRAME)
        forget_content(&cpi->rc);
    set_tiles(cpi, &current->tiles);
    set_features(cpi, current);
    current->pack = (struct rp_aom_pack){.dst = dst, .dst_B = dst_B};
    return __real_av1_encode(cpi, dst, dst_B, input, &own, frame_B);
}

/* Without loss where the index is 0 and has no deltas. With deltas libaom chooses types of
 * transforms that are not coded for this index: it becomes 1. */
static int
choose_q_index(const struct rp_aom_picture *picture)
{
    const StdVideoAV1Quantization *deltas = picture->job->picture->pQuantization;
    const bool has_deltas = deltas && (deltas->DeltaQYDc || deltas->DeltaQUDc ||
                                       deltas->DeltaQUAc || deltas->DeltaQVDc || deltas->DeltaQVAc);
    return picture->q_index == 0 && has_deltas ? 1 : picture->q_index;
}

int
__wrap_av1_rc_pick_q_and_bounds(AV1_COMP *cpi, int width, int height, int gf_index, int *bottom,
                                int *top)
{
    if (!current)
        return __real_av1_rc_pick_q_and_bounds(cpi, width, height, gf_index, bottom, top);
    *bottom = *top = choose_q_index(current);
    return *top;
}

void
__wrap_av1_set_quantizer(AV1_COMMON *cm, int min_qm, int max_qm, int q, int chroma_deltas,
                         int hdr_deltas, bool is_all_intra, aom_tune_metric tuning)
{
    __real_av1_set_quantizer(cm, min_qm, max_qm, q, chroma_deltas, hdr_deltas, is_all_intra,
                             tuning);
    const StdVideoAV1Quantization *wanted = current ? current->job->picture->pQuantization : NULL;
    if (!wanted)
        return;
    const bool is_separate = current->ctx->config.has_separate_uv_delta_q;
    CommonQuantParams *params = &cm->quant_params;
    params->y_dc_delta_q = wanted->DeltaQYDc;
    params->u_dc_delta_q = wanted->DeltaQUDc;
    params->u_ac_delta_q = wanted->DeltaQUAc;
    params->v_dc_delta_q = is_separate ? wanted->DeltaQVDc : wanted->DeltaQUDc;
    params->v_ac_delta_q = is_separate ? wanted->DeltaQVAc : wanted->DeltaQUAc;
}

void
__wrap_av1_pick_and_set_high_precision_mv(AV1_COMP *cpi, int q)
{
    if (current)
        av1_set_high_precision_mv(cpi, current->job->picture->flags.allow_high_precision_mv, 0);
    else
        __real_av1_pick_and_set_high_precision_mv(cpi, q);
}

void
__wrap_av1_apply_active_map(AV1_COMP *cpi)
{
    __real_av1_apply_active_map(cpi);
    if (!current)
        return;
    if (current->job->common.qp_delta)
        rp_aom_segments_set(cpi, current->job->common.qp_delta);
    else if (cpi->common.seg.enabled)
        av1_disable_segmentation(&cpi->common.seg);
}

/* Speed features are derived for each picture before this point: those that change the syntax of
 * frames, or that cannot do what the application asks for, are off. */
static void
restrict_speed_features(AV1_COMP *cpi, const struct rp_encode_job *job,
                        const StdVideoEncodeAV1PictureInfo *std)
{
    SPEED_FEATURES *sf = &cpi->sf;

    sf->rt_sf.gf_refresh_based_on_qp = 0;
    sf->rt_sf.enable_ref_short_signaling = 0;
    if (job->qp_delta)
        sf->rt_sf.nonrd_check_partition_merge_mode = 0; /* it merges blocks of two segments */
    if (job->force_intra) { /* intra modes are more than a last resort */
        sf->rt_sf.nonrd_check_partition_merge_mode = 0;
        sf->rt_sf.prune_hv_pred_modes_using_src_sad = false;
        for (uint32_t i = 0; i < BLOCK_SIZES; i++)
            sf->rt_sf.intra_y_mode_bsize_mask_nrd[i] =
                1 << DC_PRED | 1 << V_PRED | 1 << H_PRED | 1 << SMOOTH_PRED;
    }
    /* Else the numbers of names without a picture would be rewritten. */
    for (uint32_t i = 0; i < RP_AV1_NAMES; i++)
        cpi->ppi->rtc_ref.reference[i] = 1;
    /* Filtering U and V together needs equal levels. */
    if (std->pLoopFilter &&
        std->pLoopFilter->loop_filter_level[2] != std->pLoopFilter->loop_filter_level[3])
        sf->lpf_sf.lpf_pick = LPF_PICK_FROM_FULL_IMAGE;
    if (!std->flags.is_filter_switchable) {
        sf->rt_sf.use_nonrd_filter_search = 0;
        sf->interp_sf.cb_pred_filter_search = 0;
    }
    /* Transforms of at most 16x16, which the fast levels take, are none of TX_MODE_LARGEST. */
    for (uint32_t i = 0; i < MODE_EVAL_TYPES; i++) {
        if (cpi->winner_mode_params.tx_size_search_methods[i] == USE_LARGESTALL)
            cpi->winner_mode_params.tx_size_search_methods[i] = USE_FAST_RD;
    }
}

/* libaom takes the source of the picture before for LAST_FRAME's, and blocks that are the same
 * there for ones that need no more than LAST_FRAME has. Where that was another picture, or another
 * attempt at this one, it is to compare with LAST_FRAME itself. */
static void
set_last_source(AV1_COMP *cpi)
{
    if (current->is_intra || current->is_after_last)
        return;
    RefCntBuffer *last = get_ref_frame_buf(&cpi->common, LAST_FRAME);
    if (last)
        cpi->last_source = &last->buf;
    cpi->rc.frame_source_sad = RP_MAX(cpi->rc.frame_source_sad, 1);
    aom_free(cpi->src_sad_blk_64x64);
    cpi->src_sad_blk_64x64 = NULL;
}

void
__wrap_av1_encode_frame(AV1_COMP *cpi)
{
    FeatureFlags *features = &cpi->common.features;
    if (current) {
        const StdVideoEncodeAV1PictureInfo *std = current->job->picture;
        restrict_speed_features(cpi, &current->job->common, std);
        set_last_source(cpi);
        features->interp_filter =
            std->flags.is_filter_switchable ? SWITCHABLE : (InterpFilter)std->interpolation_filter;
        features->switchable_motion_mode = 0;
        rp_aom_threads_begin(cpi);
    }
    __real_av1_encode_frame(cpi);
    /* With compound prediction libaom narrows SELECT to LARGEST when no block split a transform. */
    if (current && features->tx_mode == TX_MODE_LARGEST)
        features->tx_mode = TX_MODE_SELECT;
}

/* The contexts that rows begin with are made, and later freed, where the mode says that pictures
 * update them: it says so for all of them, since it may differ from picture to picture, and the
 * contexts stay.
 */
void
__wrap_av1_encode_tiles_row_mt(AV1_COMP *cpi)
{
    uint8_t *mode = &cpi->oxcf.algo_cfg.cdf_update_mode;
    const uint8_t before = *mode;

    if (current)
        rp_aom_pack_see_rows(current);
    *mode = RP_AOM_UPDATES_CDFS;
    __real_av1_encode_tiles_row_mt(cpi);
    *mode = before;
}

void
__wrap_av1_setup_skip_mode_allowed(AV1_COMMON *cm)
{
    __real_av1_setup_skip_mode_allowed(cm);
    if (current)
        cm->current_frame.skip_mode_info.skip_mode_allowed = 0;
}

/* In pictures without LAST the block has the motion vector of another one left; and what is left of
 * blocks in other superblocks depends on which thread coded them. */
int
__wrap_av1_choose_var_based_partitioning(AV1_COMP *cpi, const TileInfo *tile, ThreadData *td,
                                         MACROBLOCK *x, int mi_row, int mi_col)
{
    for (uint32_t i = 0; i < REF_FRAMES; i++)
        x->pred_mv_sad[i] = x->pred_mv0_sad[i] = x->pred_mv1_sad[i] = INT_MAX;
    if (!frame_is_intra_only(&cpi->common) && !(cpi->ref_frame_flags & AOM_LAST_FLAG)) {
        MB_MODE_INFO *mi = x->e_mbd.mi[0];
        mi->mv[0].as_int = 0;
        mi->ref_frame[0] = cpi->ref_frame_flags & AOM_GOLD_FLAG ? GOLDEN_FRAME : ALTREF_FRAME;
        mi->ref_frame[1] = NONE_FRAME;
        mi->interp_filters = av1_broadcast_interp_filter(EIGHTTAP_REGULAR);
        mi->bsize = cpi->common.seq_params->sb_size;
    }
    const int status = __real_av1_choose_var_based_partitioning(cpi, tile, td, x, mi_row, mi_col);
    if (current && current->job->common.qp_delta)
        rp_aom_partition_split_segments(cpi, mi_row, mi_col);
    if (!current || frame_is_intra_only(&cpi->common) || !current->job->common.force_intra)
        return status;
    /* Zero motion is no more to be taken for granted than any other. */
    x->force_zeromv_skip_for_sb = 0;
    if (rp_aom_refresh_forces(&current->job->common, cpi, mi_row, mi_col))
        rp_aom_partition_split_all(cpi, mi_row, mi_col);
    return status;
}

/* Called when the best inter prediction is found: without it libaom takes the best intra mode. */
void
__wrap_av1_estimate_intra_mode(AV1_COMP *cpi, MACROBLOCK *x, BLOCK_SIZE size, int best_early_term,
                               unsigned int ref_cost_intra, int reuse_prediction,
                               struct buf_2d *orig_dst, PRED_BUFFER *tmp_buffers,
                               PRED_BUFFER **this_mode_pred, RD_STATS *best_rdc,
                               BEST_PICKMODE *best_pickmode, PICK_MODE_CONTEXT *ctx,
                               unsigned int *best_sad_norm)
{
    if (current && rp_aom_refresh_forbids(&current->job->common, cpi, x))
        av1_invalid_rd_stats(best_rdc);
    __real_av1_estimate_intra_mode(cpi, x, size, best_early_term, ref_cost_intra, reuse_prediction,
                                   orig_dst, tmp_buffers, this_mode_pred, best_rdc, best_pickmode,
                                   ctx, best_sad_norm);
}

void
__wrap_av1_pick_filter_level(const YV12_BUFFER_CONFIG *src, AV1_COMP *cpi, LPF_PICK_METHOD method)
{
    struct loopfilter *lf = &cpi->common.lf;
    const StdVideoAV1LoopFilter *wanted = current ? current->job->picture->pLoopFilter : NULL;
    if (current) {
        lf->mode_ref_delta_enabled = wanted && wanted->flags.loop_filter_delta_enabled;
        lf->mode_ref_delta_update = 0;
    }
    if (!wanted) {
        __real_av1_pick_filter_level(src, cpi, method);
        return;
    }
    lf->filter_level[0] = wanted->loop_filter_level[0];
    lf->filter_level[1] = wanted->loop_filter_level[1];
    lf->filter_level_u = wanted->loop_filter_level[2];
    lf->filter_level_v = wanted->loop_filter_level[3];
    lf->sharpness_level = wanted->loop_filter_sharpness;
    for (uint32_t i = 0; i < REF_FRAMES; i++)
        lf->ref_deltas[i] = wanted->loop_filter_ref_deltas[i];
    for (uint32_t i = 0; i < MAX_MODE_LF_DELTAS; i++)
        lf->mode_deltas[i] = wanted->loop_filter_mode_deltas[i];
}

static void
set_strengths(AV1_COMP *cpi, const StdVideoAV1CDEF *wanted)
{
    CdefInfo *cdef = &cpi->common.cdef_info;

    cdef->cdef_damping = wanted->cdef_damping_minus_3 + 3;
    cdef->cdef_bits = wanted->cdef_bits;
    cdef->nb_cdef_strengths = 1 << wanted->cdef_bits;
    for (int i = 0; i < cdef->nb_cdef_strengths; i++) {
        cdef->cdef_strengths[i] =
            wanted->cdef_y_pri_strength[i] * CDEF_SEC_STRENGTHS + wanted->cdef_y_sec_strength[i];
        cdef->cdef_uv_strengths[i] =
            wanted->cdef_uv_pri_strength[i] * CDEF_SEC_STRENGTHS + wanted->cdef_uv_sec_strength[i];
    }
    rp_aom_cdef_choose_pairs(cpi);
}

void
__wrap_av1_cdef_search(AV1_COMP *cpi)
{
    const StdVideoAV1CDEF *wanted = current ? current->job->picture->pCDEF : NULL;
    if (wanted)
        set_strengths(cpi, wanted);
    else
        __real_av1_cdef_search(cpi);
    if (current)
        rp_aom_pack_see_strengths(current);
}

void
__wrap_av1_finalize_encoded_frame(AV1_COMP *cpi)
{
    __real_av1_finalize_encoded_frame(cpi);
    /* libaom says one filter when only one was used: blocks would be coded otherwise. */
    if (current && current->job->picture->flags.is_filter_switchable)
        cpi->common.features.interp_filter = SWITCHABLE;
}

/* Calls of pack.c come here, too. */
int
__wrap_av1_pack_bitstream(AV1_COMP *cpi, uint8_t *dst, size_t dst_B, size_t *size_B,
                          int *largest_tile)
{
    if (!current)
        return __real_av1_pack_bitstream(cpi, dst, dst_B, size_B, largest_tile);

    int status;
    if (rp_aom_pack_is_done(current, cpi)) {
        status = rp_aom_pack_take(current, cpi, size_B, largest_tile);
    } else {
        current->header_count = 0;
        current->tile_size_field_B = 4;
        /* Costs of segments beside those of a reference, by which libaom would choose, depend on
         * the number of threads. */
        cpi->td.rd_counts.seg_tmp_pred_cost[0] = 0;
        cpi->td.rd_counts.seg_tmp_pred_cost[1] = 1;
        status = __real_av1_pack_bitstream(cpi, dst, dst_B, size_B, largest_tile);
    }
    current->context_update_tile_id = (uint32_t)*largest_tile;
    return status;
}

uint32_t
__wrap_aom_wb_bytes_written(const struct aom_write_bit_buffer *wb)
{
    const uint32_t size_B = __real_aom_wb_bytes_written(wb);
    if (current && current->header_count < RP_ARRAY_SIZE(current->header_sizes_B))
        current->header_sizes_B[current->header_count++] = size_B;
    return size_B;
}

/* The last one of a picture with several tiles is tile_size_bytes_minus_1. */
void
__wrap_aom_wb_overwrite_literal(struct aom_write_bit_buffer *wb, int value, int bits)
{
    if (current)
        current->tile_size_field_B = (uint32_t)value + 1;
    __real_aom_wb_overwrite_literal(wb, value, bits);
}
