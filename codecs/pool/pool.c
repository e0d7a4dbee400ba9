/* SPDX-License-Identifier: MIT */
#include "codecs/pool/pool.h"

#include <stddef.h>

static struct rp_pooled *
pool_find(const struct rp_pool *pool, const void *config)
{
    struct rp_pooled *ctx = pool->first;
    while (ctx && (ctx->is_busy || !pool->codec->is_for(ctx, config)))
        ctx = ctx->next;
    return ctx;
}

static void
pool_unlink(struct rp_pool *pool, const struct rp_pooled *ctx)
{
    struct rp_pooled **link = &pool->first;
    while (*link != ctx)
        link = &(*link)->next;
    *link = ctx->next;
}

/* The idle context that is least likely to be wanted again; it is not in the pool any more. */
static struct rp_pooled *
pool_take_surplus(struct rp_pool *pool, const void *config, struct rp_pool_limit limit)
{
    struct rp_pooled *oldest = NULL;
    uint32_t count = 0;

    for (struct rp_pooled *ctx = pool->first; ctx; ctx = ctx->next) {
        count += limit.has_busy || !ctx->is_busy;
        if (ctx->is_busy)
            continue;
        if (!pool->codec->has_extent(ctx, config)) {
            pool_unlink(pool, ctx);
            return ctx;
        }
        if (!oldest || ctx->last_use < oldest->last_use)
            oldest = ctx;
    }
    if (!oldest || count < limit.count)
        return NULL;
    pool_unlink(pool, oldest);
    return oldest;
}

struct rp_pooled *
rp_pool_acquire(struct rp_pool *pool, const void *config, struct rp_pool_limit limit)
{
    pthread_mutex_lock(pool->mutex);
    struct rp_pooled *ctx = pool_find(pool, config);
    struct rp_pooled *surplus = NULL;
    if (ctx)
        ctx->is_busy = true;
    else
        surplus = pool_take_surplus(pool, config, limit);
    pthread_mutex_unlock(pool->mutex);
    if (ctx)
        return ctx;

    pool->codec->destroy(surplus);
    ctx = pool->codec->create(pool->create_ctx, config);
    if (!ctx)
        return NULL;
    ctx->is_busy = true;
    pthread_mutex_lock(pool->mutex);
    ctx->next = pool->first;
    pool->first = ctx;
    pthread_mutex_unlock(pool->mutex);
    return ctx;
}

void
rp_pool_release(struct rp_pool *pool, struct rp_pooled *ctx, bool is_broken)
{
    pthread_mutex_lock(pool->mutex);
    ctx->is_busy = false;
    ctx->last_use = ++pool->use_count;
    if (is_broken)
        pool_unlink(pool, ctx);
    pthread_mutex_unlock(pool->mutex);
    if (is_broken)
        pool->codec->destroy(ctx);
}

void
rp_pool_finish(struct rp_pool *pool)
{
    while (pool->first) {
        struct rp_pooled *ctx = pool->first;
        pool->first = ctx->next;
        pool->codec->destroy(ctx);
    }
}
