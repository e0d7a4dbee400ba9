/* SPDX-License-Identifier: MIT */
/* Contexts that code pictures side by side, each one at a time: as many as pictures are coded at
 * once, and few that nobody uses. Of what a codec calls a context the first member is a struct
 * rp_pooled.
 */
#ifndef RP_CODECS_POOL_POOL_H
#define RP_CODECS_POOL_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct rp_pooled {
    struct rp_pooled *next;
    bool is_busy;
    uint64_t last_use;
};

/* What the pool asks of the codec. config is the codec's, and borrowed for the call. */
struct rp_pool_codec {
    /* Whether a context can code pictures of the configuration. */
    bool (*is_for)(const struct rp_pooled *ctx, const void *config);

    /* Whether it is of the same extent: one that is not makes room for another first. */
    bool (*has_extent)(const struct rp_pooled *ctx, const void *config);

    struct rp_pooled *(*create)(void *create_ctx, const void *config); /* NULL: memory is short */
    void (*destroy)(struct rp_pooled *ctx);                            /* accepts NULL */
};

struct rp_pool {
    const struct rp_pool_codec *codec;
    void *create_ctx;       /* of create() */
    pthread_mutex_t *mutex; /* the owner's; guards what follows */
    struct rp_pooled *first;
    uint64_t use_count;
};

/* Before a new context is made: an idle one is destroyed that is of another extent, or else the one
 * used longest ago, where so many are there, with those that are busy or without. */
struct rp_pool_limit {
    uint32_t count;
    bool has_busy;
};

/* A context for config that is the caller's until it is released. NULL when memory is short. */
struct rp_pooled *rp_pool_acquire(struct rp_pool *pool, const void *config,
                                  struct rp_pool_limit limit);

/* is_broken: it is not used again. */
void rp_pool_release(struct rp_pool *pool, struct rp_pooled *ctx, bool is_broken);

/* Nobody uses one of its contexts. */
void rp_pool_finish(struct rp_pool *pool);

#endif
