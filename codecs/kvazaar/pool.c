/* SPDX-License-Identifier: MIT */
/* Contexts of an encoder, in codecs/pool.
 */
#include "codecs/kvazaar/encoder.h"

static const struct rp_kvazaar_context *
context_of(const struct rp_pooled *base)
{
    return (const struct rp_kvazaar_context *)base;
}

static bool
context_is_for(const struct rp_pooled *base, const void *config)
{
    return rp_kvazaar_context_is_for(context_of(base), config);
}

static bool
context_has_extent(const struct rp_pooled *base, const void *config)
{
    const struct rp_kvazaar_config *has = &context_of(base)->config, *wanted = config;
    return has->width_px == wanted->width_px && has->height_px == wanted->height_px;
}

static struct rp_pooled *
context_create(void *workers, const void *config)
{
    struct rp_kvazaar_context *ctx = rp_kvazaar_context_create(config, workers);
    return ctx ? &ctx->base : NULL;
}

static void
context_destroy(struct rp_pooled *base)
{
    rp_kvazaar_context_destroy((struct rp_kvazaar_context *)base);
}

static const struct rp_pool_codec contexts = {
    .is_for = context_is_for,
    .has_extent = context_has_extent,
    .create = context_create,
    .destroy = context_destroy,
};

void
rp_kvazaar_encoder_init_pool(struct rp_encoder *enc)
{
    enc->pool =
        (struct rp_pool){.codec = &contexts, .create_ctx = enc->workers, .mutex = &enc->mutex};
}

struct rp_kvazaar_context *
rp_kvazaar_encoder_acquire(struct rp_encoder *enc, const struct rp_kvazaar_config *config)
{
    const struct rp_pool_limit limit = {.count = RP_KVAZAAR_CONTEXTS};
    return (struct rp_kvazaar_context *)rp_pool_acquire(&enc->pool, config, limit);
}

void
rp_kvazaar_encoder_release(struct rp_encoder *enc, struct rp_kvazaar_context *ctx, bool is_broken)
{
    rp_pool_release(&enc->pool, &ctx->base, is_broken);
}
