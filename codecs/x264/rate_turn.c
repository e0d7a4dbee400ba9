/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns are counted.
 */
#include "rate_turn.h"

void
rp_x264_rate_turn_publish(struct rp_h264_encoder *enc, struct rp_x264_context *ctx)
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
rp_x264_rate_turn_has_lowres(struct rp_h264_encoder *enc, const struct rp_x264_content *content)
{
    pthread_mutex_lock(&enc->mutex);
    while (content->is_preparing)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool has_lowres = content->has_lowres;
    pthread_mutex_unlock(&enc->mutex);
    return has_lowres;
}

void
rp_x264_rate_turn_wait(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job)
{
    pthread_mutex_lock(&enc->mutex);
    while (enc->rated_coded != rp_x264_begun_of(job)->rate_turn)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
}

void
rp_x264_rate_turn_end(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job)
{
    struct rp_x264_content *recon = rp_x264_begun_of(job)->recon;

    pthread_mutex_lock(&enc->mutex);
    enc->rated_coded++;
    if (recon)
        recon->is_preparing = false; /* be it because there was no memory to begin with */
    pthread_cond_broadcast(&enc->job_ended);
    pthread_mutex_unlock(&enc->mutex);
}
