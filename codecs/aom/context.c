/* SPDX-License-Identifier: MIT */
#include "codecs/aom/context.h"

#include "codecs/aom/libaom.h"
#include "codecs/aom/pack.h"
#include "codecs/aom/threads.h"

#include "reelpipe/workers.h"
#include "util/alloc.h"

/* Pictures of a second for rate control, where nothing else is known. */
#define DEFAULT_FRAME_RATE 30

struct rp_aom_config
rp_aom_config_of(const struct rp_av1_encode_job *job)
{
    const StdVideoAV1SequenceHeader *seq = job->sequence;
    return (struct rp_aom_config){
        .width_px = job->common.width_px,
        .height_px = job->common.height_px,
        .bit_depth = seq->pColorConfig->BitDepth,
        .order_hint_bits = seq->flags.enable_order_hint ? seq->order_hint_bits_minus_1 + 1u : 0,
        .has_filter_intra = seq->flags.enable_filter_intra,
        .has_intra_edge_filter = seq->flags.enable_intra_edge_filter,
        .has_masked_compound = seq->flags.enable_masked_compound,
        .has_ref_frame_mvs = seq->flags.enable_ref_frame_mvs,
        .has_cdef = seq->flags.enable_cdef,
        .has_separate_uv_delta_q = seq->pColorConfig->flags.separate_uv_delta_q,
    };
}

bool
rp_aom_context_is_for(const struct rp_aom_context *ctx, const struct rp_aom_config *config)
{
    const struct rp_aom_config *own = &ctx->config;
    return !ctx->is_broken && own->width_px == config->width_px &&
           own->height_px == config->height_px && own->bit_depth == config->bit_depth &&
           own->order_hint_bits == config->order_hint_bits &&
           own->has_filter_intra == config->has_filter_intra &&
           own->has_intra_edge_filter == config->has_intra_edge_filter &&
           own->has_masked_compound == config->has_masked_compound &&
           own->has_ref_frame_mvs == config->has_ref_frame_mvs &&
           own->has_cdef == config->has_cdef &&
           own->has_separate_uv_delta_q == config->has_separate_uv_delta_q;
}

bool
rp_aom_context_set_quality(struct rp_aom_context *ctx, uint32_t quality_level)
{
    static const int speeds[RP_AOM_QUALITY_LEVELS] = {10, 9, 8, 7};
    if (quality_level >= RP_AOM_QUALITY_LEVELS)
        quality_level = RP_AOM_QUALITY_LEVELS - 1;
    if (ctx->quality_level == quality_level)
        return true;
    if (aom_codec_control(&ctx->codec, AOME_SET_CPUUSED, speeds[quality_level]) != AOM_CODEC_OK)
        return false;
    ctx->quality_level = quality_level;
    return true;
}

/* The tools of the sequence; those that the real-time encoder never uses are off. */
static bool
set_tools(aom_codec_ctx_t *codec, const struct rp_aom_config *config)
{
    bool is_ok = true;
#define SET(control, value) is_ok &= aom_codec_control(codec, control, value) == AOM_CODEC_OK
    SET(AV1E_SET_SUPERBLOCK_SIZE, AOM_SUPERBLOCK_SIZE_64X64);
    SET(AV1E_SET_ROW_MT, 1);
    SET(AV1E_SET_AQ_MODE, 0);
    SET(AV1E_SET_DELTAQ_MODE, 0);
    SET(AV1E_SET_CDF_UPDATE_MODE, 1);
    SET(AV1E_SET_COEFF_COST_UPD_FREQ, 3);
    SET(AV1E_SET_MODE_COST_UPD_FREQ, 3);
    SET(AV1E_SET_MV_COST_UPD_FREQ, 3);
    SET(AV1E_SET_ENABLE_GLOBAL_MOTION, 0);
    SET(AV1E_SET_ENABLE_WARPED_MOTION, 0);
    SET(AV1E_SET_ENABLE_OBMC, 0);
    SET(AV1E_SET_ENABLE_PALETTE, 0);
    SET(AV1E_SET_ENABLE_INTRABC, 0);
    SET(AV1E_SET_ENABLE_DUAL_FILTER, 0);
    SET(AV1E_SET_ENABLE_DIST_WTD_COMP, 0);
    SET(AV1E_SET_ENABLE_INTERINTRA_COMP, 0);
    SET(AV1E_SET_ENABLE_SUPERRES, 0);
    SET(AV1E_SET_ENABLE_RESTORATION, 0);
    SET(AV1E_SET_ENABLE_CDEF, config->has_cdef);
    SET(AV1E_SET_ENABLE_ORDER_HINT, config->order_hint_bits != 0);
    SET(AV1E_SET_ENABLE_FILTER_INTRA, config->has_filter_intra);
    SET(AV1E_SET_ENABLE_INTRA_EDGE_FILTER, config->has_intra_edge_filter);
    SET(AV1E_SET_ENABLE_MASKED_COMP, config->has_masked_compound);
    SET(AV1E_SET_ENABLE_REF_FRAME_MVS, config->has_ref_frame_mvs);
    SET(AOME_SET_CQ_LEVEL, 32);
#undef SET
    return is_ok;
}

static void
fill_settings(aom_codec_enc_cfg_t *settings, const struct rp_aom_config *config)
{
    settings->g_w = config->width_px;
    settings->g_h = config->height_px;
    settings->g_lag_in_frames = 0;
    settings->g_bit_depth = config->bit_depth == 10 ? AOM_BITS_10 : AOM_BITS_8;
    settings->g_input_bit_depth = config->bit_depth;
    settings->g_timebase.num = 1;
    settings->g_timebase.den = DEFAULT_FRAME_RATE;
    settings->g_error_resilient = 0;
    settings->rc_end_usage = AOM_Q;
    settings->rc_min_quantizer = 0;
    settings->rc_max_quantizer = 63;
    settings->rc_dropframe_thresh = 0;
    settings->rc_resize_mode = 0;
    settings->rc_superres_mode = AOM_SUPERRES_NONE;
    settings->kf_mode = AOM_KF_DISABLED;
    settings->kf_min_dist = 0;
    settings->kf_max_dist = 9999999;
}

static bool
context_open(struct rp_aom_context *ctx)
{
    aom_codec_iface_t *interface = aom_codec_av1_cx();
    if (aom_codec_enc_config_default(interface, &ctx->settings, AOM_USAGE_REALTIME) != AOM_CODEC_OK)
        return false;
    fill_settings(&ctx->settings, &ctx->config);
    ctx->settings.g_threads = rp_aom_task_count(ctx->workers);
    const aom_codec_flags_t flags = ctx->config.bit_depth == 10 ? AOM_CODEC_USE_HIGHBITDEPTH : 0;
    if (aom_codec_enc_init(&ctx->codec, interface, &ctx->settings, flags) != AOM_CODEC_OK)
        return false;
    ctx->stand_in = rp_zalloc(NULL, sizeof(*ctx->stand_in), _Alignof(RefCntBuffer),
                              VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    ctx->quality_level = RP_AOM_QUALITY_LEVELS;
    if (ctx->workers && rp_workers_thread_count(ctx->workers) > 1) {
        ctx->pack_copy = rp_aom_pack_copy_create(ctx->config.width_px);
        if (!ctx->pack_copy)
            return false;
    }
    return ctx->stand_in && set_tools(&ctx->codec, &ctx->config) &&
           rp_aom_context_set_quality(ctx, 0);
}

struct rp_aom_context *
rp_aom_context_create(const struct rp_aom_config *config, struct rp_workers *workers)
{
    struct rp_aom_context *ctx = rp_zalloc(NULL, sizeof(*ctx), _Alignof(struct rp_aom_context),
                                           VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (!ctx)
        return NULL;
    ctx->reference_count = 1;
    ctx->config = *config;
    ctx->workers = workers;
    if (!context_open(ctx)) {
        rp_aom_context_unref(ctx);
        return NULL;
    }
    return ctx;
}

void
rp_aom_context_unref(struct rp_aom_context *ctx)
{
    if (!ctx || --ctx->reference_count > 0)
        return;
    if (ctx->codec.iface)
        aom_codec_destroy(&ctx->codec);
    rp_aom_staging_finish(&ctx->staging);
    while (ctx->spare_sources) {
        struct rp_aom_source *source = ctx->spare_sources;
        ctx->spare_sources = source->next;
        rp_small_picture_finish(&source->small);
        rp_free(NULL, source);
    }
    rp_aom_pack_copy_destroy(ctx->pack_copy);
    rp_free(NULL, ctx->stand_in);
    rp_free(NULL, ctx);
}

struct rp_aom_source *
rp_aom_source_take(struct rp_aom_context *ctx)
{
    struct rp_aom_source *source = ctx->spare_sources;
    if (source)
        ctx->spare_sources = source->next;
    else
        source = rp_zalloc(NULL, sizeof(*source), _Alignof(struct rp_aom_source),
                           VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    if (source)
        source->reference_count = 1;
    return source;
}

void
rp_aom_source_unref(struct rp_aom_context *ctx, struct rp_aom_source *source)
{
    if (!source || --source->reference_count > 0)
        return;
    source->next = ctx->spare_sources;
    ctx->spare_sources = source;
}

void
rp_aom_slot_copy(struct rp_encoder_slot *to, const struct rp_encoder_slot *from)
{
    if (to->buffer == from->buffer)
        return;
    if (from->context) {
        from->buffer->ref_count++;
        from->context->reference_count++;
    }
    if (from->source)
        from->source->reference_count++;
    rp_aom_slot_clear(to);
    to->context = from->context;
    to->buffer = from->buffer;
    to->knows_altref = from->knows_altref;
    to->number = from->number;
    to->source = from->source;
    to->rate_base = from->rate_base;
}

void
rp_aom_slot_clear(struct rp_encoder_slot *slot)
{
    slot->rate_base = 0;
    if (!slot->context)
        return;
    rp_aom_source_unref(slot->context, slot->source);
    slot->source = NULL;
    slot->buffer->ref_count--;
    rp_aom_context_unref(slot->context);
    slot->context = NULL;
    slot->buffer = NULL;
}
