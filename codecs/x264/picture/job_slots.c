/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which slots need work before a picture can be coded, and who waits for whom.
 */
#include "picture/job_slots.h"

#include "rate/order.h"

#include "util/compiler.h"

#include "reelpipe/workers.h"

/* Most pictures need no context before they are coded: it is taken with the first slot that is
 * to be made or adopted. */
struct preparation {
    struct rp_encoder *enc;
    const struct rp_x264_config *config;
    struct rp_x264_context *ctx; /* NULL until needed */
    bool may_wait;
    bool is_busy; /* failed because it may not */
};

static struct rp_x264_context *
preparation_need_context(struct preparation *prep)
{
    if (!prep->ctx)
        prep->ctx = rp_x264_encoder_acquire(prep->enc, prep->config);
    return prep->ctx;
}

/* Waits until nobody uses the content. */
static bool
preparation_wait_content(struct preparation *prep, const struct rp_x264_content *content)
{
    struct rp_encoder *enc = prep->enc;

    pthread_mutex_lock(&enc->mutex);
    while (prep->may_wait && content->user_count > 0)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool is_unused = content->user_count == 0;
    pthread_mutex_unlock(&enc->mutex);
    prep->is_busy |= !is_unused;
    return is_unused;
}

static bool
image_is_unused(const struct rp_encoder_slot *slot)
{
    return slot->in_place_count == 0 && slot->copies_done == slot->copies_begun;
}

/* Waits until nobody uses the slot's content or is going to touch the image. */
static bool
preparation_wait_slot(struct preparation *prep, const struct rp_encoder_slot *slot)
{
    struct rp_encoder *enc = prep->enc;

    if (!preparation_wait_content(prep, slot->content))
        return false;
    pthread_mutex_lock(&enc->mutex);
    while (prep->may_wait && !image_is_unused(slot))
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool is_unused = image_is_unused(slot);
    pthread_mutex_unlock(&enc->mutex);
    prep->is_busy |= !is_unused;
    return is_unused;
}

/* A content for a slot whose own is in use; NULL when there are as many as pictures can be coded
 * at once, or memory is short. */
static struct rp_x264_content *
encoder_take_spare(struct rp_encoder *enc)
{
    pthread_mutex_lock(&enc->mutex);
    struct rp_x264_content *content = enc->spares;
    bool may_make = false;
    if (content) {
        enc->spares = content->next; /* the slot's own takes its place among the extra ones */
    } else if (enc->extra_count <= rp_workers_thread_count(enc->workers)) {
        may_make = true;
        enc->extra_count++;
    }
    pthread_mutex_unlock(&enc->mutex);
    if (!may_make)
        return content;

    content = rp_x264_content_create(enc->workers);
    if (!content) {
        pthread_mutex_lock(&enc->mutex);
        enc->extra_count--;
        pthread_mutex_unlock(&enc->mutex);
    }
    return content;
}

static bool
slot_need_content(struct rp_encoder *enc, struct rp_encoder_slot *slot)
{
    if (!slot->content)
        slot->content = rp_x264_content_create(enc->workers);
    return slot->content;
}

/* The old one is a spare when its last user has ended, which may be just now. The job itself does
 * not read it: no reference has the slot of the reconstruction (check.c). */
static void
recon_replace_content(struct rp_encoder *enc, struct rp_encoder_slot *slot,
                      struct rp_x264_content *spare)
{
    pthread_mutex_lock(&enc->mutex);
    struct rp_x264_content *old = slot->content;
    slot->content = spare;
    if (old->user_count == 0) {
        old->next = enc->spares;
        enc->spares = old;
    }
    pthread_mutex_unlock(&enc->mutex);
}

/* Gives the slot a content that nobody uses. */
static bool
recon_choose_content(struct preparation *prep, const struct rp_h264_encode_job *job)
{
    struct rp_encoder *enc = prep->enc;
    struct rp_encoder_slot *slot = job->common.recon.slot;

    if (!slot_need_content(enc, slot))
        return false;
    pthread_mutex_lock(&enc->mutex);
    const bool is_unused = slot->content->user_count == 0;
    pthread_mutex_unlock(&enc->mutex);
    if (is_unused)
        return true;
    struct rp_x264_content *spare = encoder_take_spare(enc);
    if (!spare)
        return preparation_wait_content(prep, slot->content);
    recon_replace_content(enc, slot, spare);
    return true;
}

static bool
slot_is_at(const struct rp_encoder_slot *slot, const struct rp_dpb_picture *picture)
{
    return slot->planes[0] == picture->pixels.plane[0].data &&
           slot->planes[1] == picture->pixels.plane[1].data;
}

static void
slot_move(struct rp_encoder_slot *slot, const struct rp_dpb_picture *picture)
{
    slot->planes[0] = picture->pixels.plane[0].data;
    slot->planes[1] = picture->pixels.plane[1].data;
}

static bool
recon_prepare(struct preparation *prep, const struct rp_h264_encode_job *job)
{
    const struct rp_dpb_picture *recon = &job->common.recon;
    struct rp_encoder_slot *slot = recon->slot;
    if (!slot)
        return true;

    if (!slot_is_at(slot, recon) && slot->content && !preparation_wait_slot(prep, slot))
        return false;
    slot_move(slot, recon);
    if (!recon_choose_content(prep, job))
        return false;
    struct rp_x264_content *content = slot->content;
    if (!rp_x264_content_fits(content, prep->config)) {
        struct rp_x264_context *ctx = preparation_need_context(prep);
        if (!ctx || !rp_x264_content_make_frame(content, ctx))
            return false;
    }
    pthread_mutex_lock(&prep->enc->mutex);
    const bool may_be_in_place = image_is_unused(slot);
    pthread_mutex_unlock(&prep->enc->mutex);
    rp_x264_content_bind(content, recon, may_be_in_place);
    rp_x264_begun_of(job)->recon = content;
    return true;
}

static bool
reference_is_known(const struct rp_h264_reference *ref)
{
    const struct rp_encoder_slot *slot = ref->picture.slot;
    const struct rp_x264_content *content = slot->content;

    if (content->origin.serial == 0 || ref->is_foreign ||
        atomic_load_explicit(&content->is_lost, memory_order_relaxed))
        return false;
    return content->is_private ? slot_is_at(slot, &ref->picture)
                               : rp_x264_content_is_bound(content, &ref->picture);
}

/* What was coded without half-pel planes is adopted, motion and all forgotten: frames may have room
 * for them or not, which is chance (a spare one was taken while others were in flight), and bytes
 * shall not depend on it. */
static bool
reference_prepare(struct preparation *prep, const struct rp_h264_reference *ref)
{
    struct rp_encoder_slot *slot = ref->picture.slot;
    if (!slot_need_content(prep->enc, slot))
        return false;
    struct rp_x264_content *content = slot->content;
    const bool is_known = reference_is_known(ref);
    if (is_known && rp_x264_content_fits(content, prep->config) &&
        rp_x264_content_is_complete(content, prep->config))
        return true;

    if (!preparation_wait_slot(prep, slot))
        return false;
    struct rp_x264_context *ctx = preparation_need_context(prep);
    if (!ctx)
        return false;
    slot_move(slot, &ref->picture);
    const bool keeps_old = is_known && rp_x264_content_has_extent(content, prep->config);
    return rp_x264_content_adopt(content, ctx, &ref->picture, keeps_old, ++prep->enc->serial);
}

/* True when an earlier entry of the lists names the same slot. */
static bool
reference_is_repeated(const struct rp_h264_encode_job *job, uint32_t list, uint32_t index)
{
    const struct rp_encoder_slot *slot = job->refs[list][index].picture.slot;

    for (uint32_t l = 0; l <= list; l++) {
        const uint32_t end = l == list ? index : job->ref_count[l];
        for (uint32_t i = 0; i < end; i++) {
            if (job->refs[l][i].picture.slot == slot)
                return true;
        }
    }
    return false;
}

static bool
references_prepare(struct preparation *prep, const struct rp_h264_encode_job *job)
{
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            const struct rp_h264_reference *ref = &job->refs[list][i];
            if (!reference_is_repeated(job, list, i) && !reference_prepare(prep, ref))
                return false;
            rp_x264_begun_of(job)->refs[list][i] = ref->picture.slot->content;
        }
    }
    return true;
}

enum rp_codec_status
rp_x264_job_slots_prepare(struct rp_encoder *enc, const struct rp_x264_config *config,
                          const struct rp_h264_encode_job *job, bool may_wait)
{
    struct preparation prep = {.enc = enc, .config = config, .may_wait = may_wait};

    const bool is_ready = references_prepare(&prep, job) && recon_prepare(&prep, job);
    if (prep.ctx)
        rp_x264_encoder_release(enc, prep.ctx, false);
    if (is_ready)
        return RP_CODEC_OK;
    return prep.is_busy ? RP_CODEC_BUSY : RP_CODEC_NO_MEMORY;
}

static void
recon_start(struct rp_encoder *enc, const struct rp_x264_config *config,
            const struct rp_h264_encode_job *job)
{
    const struct rp_x264_begun *begun = rp_x264_begun_of(job);
    struct rp_x264_origin *origin = &begun->recon->origin;

    *origin = (struct rp_x264_origin){
        .serial = ++enc->serial,
        .poc = job->poc,
        .slice_type = job->slice_type,
        .is_rated = job->common.rate != NULL,
        .ref_count = job->ref_count[0],
    };
    for (uint32_t i = 0; i < job->ref_count[0]; i++)
        origin->ref_serial[i] = begun->refs[0][i]->origin.serial;
    if (job->ref_count[0] > 0) {
        const int64_t distance = (int64_t)job->poc - job->refs[0][0].poc;
        origin->ref0_distance = (int32_t)RP_MAX(INT16_MIN, RP_MIN(INT16_MAX, distance));
    }
    rp_x264_content_start(begun->recon, config);
}

static void
use_begin(struct rp_encoder_slot *slot, struct rp_x264_content *content)
{
    content->user_count++;
    slot->in_place_count += content->is_in_place;
}

static void
use_end(struct rp_encoder *enc, struct rp_encoder_slot *slot, struct rp_x264_content *content)
{
    slot->in_place_count -= content->is_in_place;
    if (--content->user_count == 0 && content != slot->content) {
        content->next = enc->spares;
        enc->spares = content;
    }
}

void
rp_x264_job_slots_start(struct rp_encoder *enc, const struct rp_x264_config *config,
                        const struct rp_h264_encode_job *job)
{
    struct rp_x264_begun *begun = rp_x264_begun_of(job);

    if (begun->recon)
        recon_start(enc, config, job);
    pthread_mutex_lock(&enc->mutex);
    begun->rate_number = enc->rated_begun;
    enc->rated_count += job->common.rate != NULL;
    enc->rated_begun += job->common.rate != NULL;
    begun->is_after_constant = enc->constant_is_last;
    enc->constant_is_last = job->common.rate == NULL;
    if (begun->recon) {
        begun->recon->is_preparing = job->common.rate != NULL;
        use_begin(job->common.recon.slot, begun->recon);
        if (!begun->recon->is_in_place)
            begun->copy_number = job->common.recon.slot->copies_begun++;
    }
    for (int list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++)
            use_begin(job->refs[list][i].picture.slot, begun->refs[list][i]);
    }
    pthread_mutex_unlock(&enc->mutex);
}

static void
copy_order_wait(struct rp_encoder *enc, const struct rp_encoder_slot *slot, uint32_t copy_number)
{
    pthread_mutex_lock(&enc->mutex);
    while (slot->in_place_count > 0 || slot->copies_done != copy_number)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
}

static void
recon_copy_out(struct rp_encoder *enc, const struct rp_h264_encode_job *job)
{
    const struct rp_x264_begun *begun = rp_x264_begun_of(job);
    struct rp_encoder_slot *slot = job->common.recon.slot;
    if (begun->recon->is_in_place)
        return;

    copy_order_wait(enc, slot, begun->copy_number);
    rp_x264_content_copy_out(begun->recon, &job->common.recon);
    pthread_mutex_lock(&enc->mutex);
    slot->copies_done++;
    pthread_cond_broadcast(&enc->job_ended);
    pthread_mutex_unlock(&enc->mutex);
}

/* A picture that the application's memory was too small for is one all the same. */
static bool
is_coded(const struct rp_h264_encode_job *job)
{
    return job->common.result.status == RP_CODEC_OK ||
           job->common.result.status == RP_CODEC_NO_SPACE;
}

void
rp_x264_job_slots_end(struct rp_encoder *enc, const struct rp_h264_encode_job *job)
{
    const struct rp_x264_begun *begun = rp_x264_begun_of(job);

    if (begun->recon)
        rp_x264_content_complete(begun->recon, !is_coded(job));
    if (job->common.rate)
        rp_x264_rate_order_end(enc, job);
    if (begun->recon)
        recon_copy_out(enc, job);
    pthread_mutex_lock(&enc->mutex);
    if (begun->recon)
        use_end(enc, job->common.recon.slot, begun->recon);
    for (int list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++)
            use_end(enc, job->refs[list][i].picture.slot, begun->refs[list][i]);
    }
    enc->rated_count -= job->common.rate != NULL;
    pthread_cond_broadcast(&enc->job_ended);
    pthread_mutex_unlock(&enc->mutex);
}
