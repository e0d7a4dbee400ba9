/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contexts of an encoder, in codecs/pool, which does not align its stack as x264 wants it.
 */
#include "encoder.h"

#include "reelpipe/workers.h"

static const struct rp_x264_context *
context_of(const struct rp_pooled *base)
{
    return (const struct rp_x264_context *)base;
}

static bool
context_is_for(const struct rp_pooled *base, const void *config)
{
    return rp_x264_config_is_equal(&context_of(base)->config, config);
}

static bool
context_has_extent(const struct rp_pooled *base, const void *config)
{
    const struct rp_x264_config *has = &context_of(base)->config, *wanted = config;
    return has->width_px == wanted->width_px && has->height_px == wanted->height_px;
}

static RP_X264_ENTRY struct rp_pooled *
context_create(void *enc, const void *config)
{
    const struct rp_x264_hooks *hooks = ((const struct rp_encoder *)enc)->hooks;
    struct rp_x264_context *ctx = rp_x264_context_create(config, hooks);
    return ctx ? &ctx->base : NULL;
}

static RP_X264_ENTRY void
context_destroy(struct rp_pooled *base)
{
    rp_x264_context_destroy((struct rp_x264_context *)base);
}

static const struct rp_pool_codec contexts = {
    .is_for = context_is_for,
    .has_extent = context_has_extent,
    .create = context_create,
    .destroy = context_destroy,
};

void
rp_x264_encoder_init_pool(struct rp_encoder *enc)
{
    enc->pool = (struct rp_pool){.codec = &contexts, .create_ctx = enc, .mutex = &enc->mutex};
}

struct rp_x264_context *
rp_x264_encoder_acquire(struct rp_encoder *enc, const struct rp_x264_config *config)
{
    const struct rp_pool_limit limit = {
        .count = rp_workers_thread_count(enc->workers) + 1,
        .has_busy = true,
    };
    return (struct rp_x264_context *)rp_pool_acquire(&enc->pool, config, limit);
}

void
rp_x264_encoder_release(struct rp_encoder *enc, struct rp_x264_context *ctx, bool is_broken)
{
    rp_pool_release(&enc->pool, &ctx->base, is_broken);
}
