/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/context.h"

#include "codecs/kvazaar/kernels.h"

#include "cfg.h"
#include "encoder.h"
#include "encoder_state-ctors_dtors.h"
#include "strategyselector.h"

#include "util/alloc.h"

#include "reelpipe/cpu.h"

#include <pthread.h>

#define CONTEXT_SCOPE VK_SYSTEM_ALLOCATION_SCOPE_OBJECT

/* Its `ultrafast` codes worse than x264 at a fraction of the time, and its `slower` something else
 * than it says. */
static const char *const presets[RP_KVAZAAR_QUALITY_LEVELS] = {
    "superfast", "veryfast", "faster", "fast", "medium",
};

/* kvazaar's kernels are pointers of the process. */
static pthread_mutex_t kernels_mutex = PTHREAD_MUTEX_INITIALIZER; /* of kernels_are_chosen */
static bool kernels_are_chosen;

static void
choose_kernels(void *ctx)
{
    const uint32_t cpu_flags = rp_cpu_flags();
    *(bool *)ctx = kvz_strategyselector_init(cpu_flags != 0, KVZ_BIT_DEPTH, 0);
    rp_kvazaar_kernels_init(cpu_flags);
}

static bool
kernels_init(void)
{
    pthread_mutex_lock(&kernels_mutex);
    if (!kernels_are_chosen) {
        struct rp_kvazaar_heap heap = {0};
        bool is_ok = false;
        kernels_are_chosen = rp_kvazaar_heap_run(&heap, choose_kernels, &is_ok) && is_ok;
        rp_kvazaar_heap_finish(&heap);
    }
    const bool are_chosen = kernels_are_chosen;
    pthread_mutex_unlock(&kernels_mutex);
    return are_chosen;
}

void
rp_kvazaar_config_init(struct rp_kvazaar_config *config, const struct rp_h265_encode_job *job)
{
    *config = (struct rp_kvazaar_config){
        .width_px = job->sps->pic_width_in_luma_samples,
        .height_px = job->sps->pic_height_in_luma_samples,
        .quality_level = RP_MIN(job->common.quality_level, RP_KVAZAAR_QUALITY_LEVELS - 1),
        .has_wavefronts = job->pps->flags.entropy_coding_sync_enabled_flag,
        .slice_count = job->slice_count,
    };
    for (uint32_t i = 0; i < job->slice_count; i++)
        config->first_rows[i] = job->slice_first_rows[i];
}

bool
rp_kvazaar_context_is_for(const struct rp_kvazaar_context *ctx,
                          const struct rp_kvazaar_config *config)
{
    const struct rp_kvazaar_config *own = &ctx->config;
    bool is_for = own->width_px == config->width_px && own->height_px == config->height_px &&
                  own->quality_level == config->quality_level &&
                  own->has_wavefronts == config->has_wavefronts &&
                  own->slice_count == config->slice_count;
    for (uint32_t i = 0; is_for && i < own->slice_count; i++)
        is_for = own->first_rows[i] == config->first_rows[i];
    return is_for;
}

/* A slice is what kvazaar calls a tile as wide as the picture: nothing of it is said in the PPS. */
static void
set_slices(kvz_config *cfg, const struct rp_kvazaar_config *config)
{
    if (config->slice_count < 2)
        return;
    cfg->tiles_height_count = (int32_t)config->slice_count;
    cfg->tiles_height_split = rp_kvazaar_calloc(config->slice_count, sizeof(int32_t));
    for (uint32_t i = 1; i < config->slice_count; i++)
        cfg->tiles_height_split[i - 1] = (int32_t)config->first_rows[i] * LCU_WIDTH;
    cfg->slices = KVZ_SLICES_TILES;
}

static void
set_config(kvz_config *cfg, const struct rp_kvazaar_config *config)
{
    kvz_config_init(cfg);
    kvz_config_parse(cfg, "preset", presets[config->quality_level]);
    cfg->width = (int32_t)config->width_px;
    cfg->height = (int32_t)config->height_px;
    cfg->gop_len = 0;
    cfg->intra_period = 0;
    cfg->owf = 0;
    cfg->threads = 0;
    cfg->wpp = config->has_wavefronts;
    cfg->hash = KVZ_HASH_NONE;
    cfg->bipred = 1;
    cfg->add_encoder_info = 0;
    cfg->enable_logging_output = 0;
    if (!cfg->sao_type) /* what it wants is taken when it is opened */
        cfg->sao_type = KVZ_SAO_FULL;
    set_slices(cfg, config);
}

/* Leaves control NULL, or state.encoder_control, when something was refused. */
static void
context_open(void *opaque)
{
    struct rp_kvazaar_context *ctx = opaque;
    ctx->cfg = kvz_config_alloc();
    set_config(ctx->cfg, &ctx->config);
    ctx->control = kvz_encoder_control_init(ctx->cfg);
    if (!ctx->control)
        return;
    ctx->state.encoder_control = ctx->control;
    if (!kvz_encoder_state_init(&ctx->state, NULL)) {
        ctx->state.encoder_control = NULL;
        return;
    }
    ctx->state.previous_encoder_state = &ctx->state;
    kvz_encoder_state_match_children_of_previous_frame(&ctx->state);
    ctx->state.frame->new_ratecontrol = (struct kvz_rc_data *)&ctx->motion;
}

struct rp_kvazaar_context *
rp_kvazaar_context_create(const struct rp_kvazaar_config *config, struct rp_workers *workers)
{
    if (!kernels_init())
        return NULL;
    struct rp_kvazaar_context *ctx =
        rp_zalloc(NULL, sizeof(*ctx), _Alignof(struct rp_kvazaar_context), CONTEXT_SCOPE);
    if (!ctx)
        return NULL;
    ctx->config = *config;
    const size_t columns = (config->width_px + LCU_WIDTH - 1) / LCU_WIDTH;
    const size_t rows = (config->height_px + LCU_WIDTH - 1) / LCU_WIDTH;
    ctx->qp_deltas = rp_alloc(NULL, columns * rows, 1, CONTEXT_SCOPE);
    ctx->source_planes =
        rp_kvazaar_planes_create(&ctx->source, config->width_px, config->height_px);
    if (!ctx->qp_deltas || !ctx->source_planes ||
        !rp_kvazaar_heap_run(&ctx->heap, context_open, ctx) || !ctx->state.encoder_control ||
        !rp_kvazaar_wave_init(&ctx->wave, workers, &ctx->state)) {
        rp_kvazaar_context_destroy(ctx);
        return NULL;
    }
    return ctx;
}

void
rp_kvazaar_context_destroy(struct rp_kvazaar_context *ctx)
{
    if (!ctx)
        return;
    rp_kvazaar_wave_finish(&ctx->wave);
    rp_kvazaar_heap_finish(&ctx->heap);
    rp_free(NULL, ctx->source_planes);
    rp_kvazaar_content_finish(&ctx->scratch);
    rp_small_picture_finish(&ctx->small);
    rp_free(NULL, ctx->qp_deltas);
    rp_free(NULL, ctx);
}
