/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contexts of an encoder: as many as pictures are coded at once, and few that nobody uses.
 */
#include "encoder.h"

#include "reelpipe/workers.h"

static struct rp_x264_context *
pool_find(struct rp_encoder *enc, const struct rp_x264_config *config)
{
    struct rp_x264_context *ctx = enc->contexts;
    while (ctx && (ctx->is_busy || !rp_x264_config_is_equal(&ctx->config, config)))
        ctx = ctx->next;
    return ctx;
}

static void
pool_unlink(struct rp_encoder *enc, const struct rp_x264_context *ctx)
{
    struct rp_x264_context **link = &enc->contexts;
    while (*link != ctx)
        link = &(*link)->next;
    *link = ctx->next;
}

static bool
context_has_extent(const struct rp_x264_context *ctx, const struct rp_x264_config *config)
{
    return ctx->config.width_px == config->width_px && ctx->config.height_px == config->height_px;
}

/* The idle context that is least likely to be wanted again: of another extent, or too many. */
static struct rp_x264_context *
pool_take_surplus(struct rp_encoder *enc, const struct rp_x264_config *config)
{
    const uint32_t limit = rp_workers_thread_count(enc->workers) + 1;
    struct rp_x264_context *oldest = NULL;
    uint32_t count = 0;

    for (struct rp_x264_context *ctx = enc->contexts; ctx; ctx = ctx->next) {
        count++;
        if (ctx->is_busy)
            continue;
        if (!context_has_extent(ctx, config)) {
            pool_unlink(enc, ctx);
            return ctx;
        }
        if (!oldest || ctx->last_use < oldest->last_use)
            oldest = ctx;
    }
    if (!oldest || count < limit)
        return NULL;
    pool_unlink(enc, oldest);
    return oldest;
}

struct rp_x264_context *
rp_x264_encoder_acquire(struct rp_encoder *enc, const struct rp_x264_config *config)
{
    pthread_mutex_lock(&enc->mutex);
    struct rp_x264_context *ctx = pool_find(enc, config);
    struct rp_x264_context *surplus = NULL;
    if (ctx)
        ctx->is_busy = true;
    else
        surplus = pool_take_surplus(enc, config);
    pthread_mutex_unlock(&enc->mutex);
    if (ctx)
        return ctx;

    rp_x264_context_destroy(surplus);
    ctx = rp_x264_context_create(config, enc->hooks);
    if (!ctx)
        return NULL;
    ctx->is_busy = true;
    pthread_mutex_lock(&enc->mutex);
    ctx->next = enc->contexts;
    enc->contexts = ctx;
    pthread_mutex_unlock(&enc->mutex);
    return ctx;
}

void
rp_x264_encoder_release(struct rp_encoder *enc, struct rp_x264_context *ctx, bool is_broken)
{
    pthread_mutex_lock(&enc->mutex);
    ctx->is_busy = false;
    ctx->last_use = ++enc->use_count;
    if (is_broken)
        pool_unlink(enc, ctx);
    pthread_mutex_unlock(&enc->mutex);
    if (is_broken)
        rp_x264_context_destroy(ctx);
}
