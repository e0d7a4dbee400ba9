/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns are counted; of two pictures side by side each uses what its turn's parity says.
 */
#include "rate/order.h"

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
rp_x264_rate_turn_wait(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job)
{
    pthread_mutex_lock(&enc->mutex);
    while (enc->rated_coded < rp_x264_begun_of(job)->rate_turn)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
}

/* With the mutex. */
static bool
glimpse_is_for(const struct rp_x264_rate_glimpse *glimpse, const struct rp_x264_rate_flight *flight,
               const x264_t *h)
{
    return glimpse->turn == flight->turn && glimpse->version == flight->version &&
           glimpse->width == h->mb.i_mb_width && glimpse->height == h->mb.i_mb_height;
}

/* What the pictures before that one left, whether it has left since or not. */
static const struct rp_x264_rate_layer *
flight_base(const struct rp_x264_rate_flight *flight)
{
    const struct rp_h264_rate *rate = flight->rate;

    return rate->left_turn == flight->turn ? &rate->before : &rate->layer[0];
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
flight_init(struct rp_x264_rate_flight *flight, struct rp_h264_encoder *enc,
            const struct rp_h264_encode_job *job, const struct rp_x264_rate_ticket *ticket)
{
    const struct rp_x264_begun *begun = rp_x264_begun_of(job);

    flight->enc = enc;
    flight->rate = job->rate;
    flight->turn = begun->rate_turn;
    flight->version = ticket->version;
    flight->serial = begun->recon ? begun->recon->origin.serial : 0;
    flight->follows = false;
    flight->show_row = -1;
    flight->reference = NULL;
}

void
rp_x264_rate_turn_enter(struct rp_h264_encoder *enc, struct rp_x264_context *ctx,
                        const struct rp_x264_rate_ticket *ticket, bool may_follow)
{
    struct rp_x264_rate_flight *flight = ctx->flight;
    struct rp_h264_rate *rate = ctx->job->rate;

    flight_init(flight, enc, ctx->job, ticket);
    const uint64_t turn = flight->turn;
    struct rp_x264_rate_glimpse *glimpse = &rate->glimpse[(turn + 1) & 1];

    pthread_mutex_lock(&enc->mutex);
    while (enc->rated_coded + 1 < turn ||
           (enc->rated_coded < turn && !(may_follow && glimpse_is_for(glimpse, flight, ctx->h))))
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    if (may_follow && glimpse_is_for(glimpse, flight, ctx->h)) {
        flight->follows = true;
        flight->shown_rows = glimpse->row_count;
        flight->home = &rate->layer[0];
        flight->reference = job_find_reference(ctx->job, glimpse->serial);
        rp_x264_rate_layer_copy(&flight->layer, &glimpse->layer);
        rp_x264_rate_layer_rebase(&flight->layer, flight_base(flight));
        rate->is_followed[(turn + 1) & 1] = true;
    }
    pthread_mutex_unlock(&enc->mutex);
}

void
rp_x264_rate_turn_show(struct rp_x264_rate_flight *flight, const x264_t *h, int row_count)
{
    struct rp_h264_rate *rate = flight->rate;
    struct rp_x264_rate_glimpse *glimpse = &rate->glimpse[flight->turn & 1];

    pthread_mutex_lock(&flight->enc->mutex);
    if (!flight->follows || rate->again_turn != flight->turn) {
        glimpse->turn = flight->turn + 1;
        glimpse->version = flight->version;
        glimpse->serial = flight->serial;
        glimpse->width = h->mb.i_mb_width;
        glimpse->height = h->mb.i_mb_height;
        glimpse->row_count = row_count;
        rp_x264_rate_layer_copy(&glimpse->layer, &flight->layer);
    }
    pthread_cond_broadcast(&flight->enc->job_ended);
    pthread_mutex_unlock(&flight->enc->mutex);
}

bool
rp_x264_rate_turn_arrive(struct rp_x264_rate_flight *flight)
{
    struct rp_h264_encoder *enc = flight->enc;
    struct rp_h264_rate *rate = flight->rate;

    pthread_mutex_lock(&enc->mutex);
    if (flight->follows) {
        rate->is_followed[(flight->turn + 1) & 1] = false;
        pthread_cond_broadcast(&enc->job_ended);
    }
    while (enc->rated_coded < flight->turn &&
           !(flight->follows && rate->again_turn == flight->turn))
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool is_valid = !flight->follows || rate->again_turn != flight->turn;
    pthread_mutex_unlock(&enc->mutex);
    return is_valid;
}

void
rp_x264_rate_turn_repeat(struct rp_x264_rate_flight *flight)
{
    struct rp_h264_encoder *enc = flight->enc;
    struct rp_h264_rate *rate = flight->rate;

    flight->show_row = -1;
    flight->follows = false;
    flight->reference = NULL;
    pthread_mutex_lock(&enc->mutex);
    rate->again_turn = flight->turn + 1;
    rate->glimpse[0].turn = rate->glimpse[1].turn = 0;
    pthread_cond_broadcast(&enc->job_ended);
    while (rate->is_followed[flight->turn & 1])
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
}

void
rp_x264_rate_turn_leave(struct rp_x264_rate_flight *flight)
{
    struct rp_h264_rate *rate = flight->rate;

    pthread_mutex_lock(&flight->enc->mutex);
    if (rate->glimpse[flight->turn & 1].turn == flight->turn + 1)
        rp_x264_rate_layer_copy(&rate->before, flight->home);
    rp_x264_rate_layer_copy(flight->home, &flight->layer);
    rate->left_turn = flight->turn + 1;
    pthread_mutex_unlock(&flight->enc->mutex);
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
