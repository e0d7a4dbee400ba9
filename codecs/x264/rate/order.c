/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures with rate control are numbered; of two side by side each uses the slot of its number's
 * parity.
 */
#include "rate/order.h"

void
rp_x264_rate_order_publish(struct rp_encoder *enc, struct rp_x264_context *ctx)
{
    struct rp_x264_content *recon = rp_x264_begun_of(ctx->job)->recon;
    if (!recon)
        return;

    pthread_mutex_lock(&enc->mutex);
    rp_x264_content_take_lowres(recon, ctx);
    recon->is_preparing = false;
    pthread_cond_broadcast(&enc->job_ended);
    pthread_mutex_unlock(&enc->mutex);
}

bool
rp_x264_rate_order_has_lowres(struct rp_encoder *enc, const struct rp_x264_content *content)
{
    if (!content->origin.is_rated)
        return false;
    pthread_mutex_lock(&enc->mutex);
    while (content->is_preparing)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool has_lowres = content->has_lowres;
    pthread_mutex_unlock(&enc->mutex);
    return has_lowres;
}

void
rp_x264_rate_order_wait(struct rp_encoder *enc, const struct rp_h264_encode_job *job)
{
    pthread_mutex_lock(&enc->mutex);
    while (enc->rated_coded < rp_x264_begun_of(job)->rate_number)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
}

/* The mutex is held. */
static bool
partial_is_for(const struct rp_x264_rate_partial_result *partial,
               const struct rp_x264_rate_attempt *attempt, const x264_t *h)
{
    return partial->number == attempt->number && partial->version == attempt->version &&
           partial->width == h->mb.i_mb_width && partial->height == h->mb.i_mb_height;
}

/* What the pictures before that one left, whether it has left since or not. */
static const struct rp_x264_rate_layer *
attempt_base(const struct rp_x264_rate_attempt *attempt)
{
    const struct rp_encoder_rate *rate = attempt->rate;

    return rate->left_number == attempt->number ? &rate->before : &rate->layer[0];
}

static const x264_frame_t *
job_find_reference(const struct rp_h264_encode_job *job, uint64_t serial)
{
    for (int list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list] && serial; i++) {
            const struct rp_x264_content *content = rp_x264_begun_of(job)->refs[list][i];
            if (content->origin.serial == serial)
                return content->frame;
        }
    }
    return NULL;
}

static void
attempt_init(struct rp_x264_rate_attempt *attempt, struct rp_encoder *enc,
             const struct rp_h264_encode_job *job, const struct rp_x264_rate_snapshot *snapshot)
{
    const struct rp_x264_begun *begun = rp_x264_begun_of(job);

    attempt->enc = enc;
    attempt->rate = job->common.rate;
    attempt->number = begun->rate_number;
    attempt->version = snapshot->version;
    attempt->serial = begun->recon ? begun->recon->origin.serial : 0;
    attempt->follows = false;
    attempt->show_row = -1;
    attempt->reference = NULL;
}

void
rp_x264_rate_order_enter(struct rp_encoder *enc, struct rp_x264_context *ctx,
                         const struct rp_x264_rate_snapshot *snapshot, bool may_follow)
{
    struct rp_x264_rate_attempt *attempt = ctx->attempt;
    struct rp_encoder_rate *rate = ctx->job->common.rate;

    attempt_init(attempt, enc, ctx->job, snapshot);
    const uint64_t number = attempt->number;
    struct rp_x264_rate_partial_result *partial = &rate->partial[(number + 1) & 1];

    pthread_mutex_lock(&enc->mutex);
    while (enc->rated_coded + 1 < number ||
           (enc->rated_coded < number && !(may_follow && partial_is_for(partial, attempt, ctx->h))))
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    if (may_follow && partial_is_for(partial, attempt, ctx->h)) {
        attempt->follows = true;
        attempt->shown_rows = partial->row_count;
        attempt->shared_layer = &rate->layer[0];
        attempt->reference = job_find_reference(ctx->job, partial->serial);
        rp_x264_rate_layer_copy(&attempt->layer, &partial->layer);
        rp_x264_rate_layer_rebase(&attempt->layer, attempt_base(attempt));
        rate->is_followed[(number + 1) & 1] = true;
    }
    pthread_mutex_unlock(&enc->mutex);
}

void
rp_x264_rate_order_show(struct rp_x264_rate_attempt *attempt, const x264_t *h, int row_count)
{
    struct rp_encoder_rate *rate = attempt->rate;
    struct rp_x264_rate_partial_result *partial = &rate->partial[attempt->number & 1];

    pthread_mutex_lock(&attempt->enc->mutex);
    if (!attempt->follows || rate->again_number != attempt->number) {
        partial->number = attempt->number + 1;
        partial->version = attempt->version;
        partial->serial = attempt->serial;
        partial->width = h->mb.i_mb_width;
        partial->height = h->mb.i_mb_height;
        partial->row_count = row_count;
        rp_x264_rate_layer_copy(&partial->layer, &attempt->layer);
    }
    pthread_cond_broadcast(&attempt->enc->job_ended);
    pthread_mutex_unlock(&attempt->enc->mutex);
}

bool
rp_x264_rate_order_finish(struct rp_x264_rate_attempt *attempt)
{
    struct rp_encoder *enc = attempt->enc;
    struct rp_encoder_rate *rate = attempt->rate;

    pthread_mutex_lock(&enc->mutex);
    if (attempt->follows) {
        rate->is_followed[(attempt->number + 1) & 1] = false;
        pthread_cond_broadcast(&enc->job_ended);
    }
    while (enc->rated_coded < attempt->number &&
           !(attempt->follows && rate->again_number == attempt->number))
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool is_valid = !attempt->follows || rate->again_number != attempt->number;
    pthread_mutex_unlock(&enc->mutex);
    return is_valid;
}

void
rp_x264_rate_order_retry(struct rp_x264_rate_attempt *attempt)
{
    struct rp_encoder *enc = attempt->enc;
    struct rp_encoder_rate *rate = attempt->rate;

    attempt->show_row = -1;
    attempt->follows = false;
    attempt->reference = NULL;
    pthread_mutex_lock(&enc->mutex);
    rate->again_number = attempt->number + 1;
    rate->partial[0].number = rate->partial[1].number = 0;
    pthread_cond_broadcast(&enc->job_ended);
    while (rate->is_followed[attempt->number & 1])
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
}

void
rp_x264_rate_order_leave(struct rp_x264_rate_attempt *attempt)
{
    struct rp_encoder_rate *rate = attempt->rate;

    pthread_mutex_lock(&attempt->enc->mutex);
    if (rate->partial[attempt->number & 1].number == attempt->number + 1)
        rp_x264_rate_layer_copy(&rate->before, attempt->shared_layer);
    rp_x264_rate_layer_copy(attempt->shared_layer, &attempt->layer);
    rate->left_number = attempt->number + 1;
    pthread_mutex_unlock(&attempt->enc->mutex);
}

void
rp_x264_rate_order_end(struct rp_encoder *enc, const struct rp_h264_encode_job *job)
{
    struct rp_x264_content *recon = rp_x264_begun_of(job)->recon;

    pthread_mutex_lock(&enc->mutex);
    enc->rated_coded++;
    if (recon)
        recon->is_preparing = false; /* be it because there was no memory to begin with */
    pthread_cond_broadcast(&enc->job_ended);
    pthread_mutex_unlock(&enc->mutex);
}
