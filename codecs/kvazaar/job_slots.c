/* SPDX-License-Identifier: MIT */
/* Which slots need work before a picture can be coded, and who waits for whom.
 */
#include "codecs/kvazaar/job_slots.h"

#include "codecs/kvazaar/rate.h"

#include "util/compiler.h"

#include "reelpipe/workers.h"

struct preparation {
    struct rp_encoder *enc;
    const struct rp_h265_encode_job *job;
    uint32_t width_px; /* of the SPS's picture */
    uint32_t height_px;
    bool may_wait;
    bool is_busy; /* failed because it may not */
};

static bool
content_is_unused(const void *content)
{
    return ((const struct rp_kvazaar_content *)content)->user_count == 0;
}

/* Rows of luma as numbers: views of one image may begin at different samples of it. */
static bool
images_overlap(const struct rp_picture *a, const struct rp_picture *b)
{
    const uintptr_t at_a = (uintptr_t)a->plane[0].data, at_b = (uintptr_t)b->plane[0].data;
    return at_a < at_b ? at_b - at_a < a->plane[0].stride_B * a->height_px
                       : at_a - at_b < b->plane[0].stride_B * b->height_px;
}

/* One of the copies is yet to be made to the image. */
static bool
image_is_awaited(const struct rp_kvazaar_begun *copies, const struct rp_picture *image)
{
    while (copies && !images_overlap(&copies->image, image))
        copies = copies->next;
    return copies;
}

struct image_use {
    const struct rp_encoder *enc;
    const struct rp_picture *image;
};

static bool
image_is_unused(const void *use)
{
    const struct image_use *u = use;
    return !image_is_awaited(u->enc->copies, u->image);
}

/* Waits until jobs that have ended make it so; looked at with the encoder's mutex. */
static bool
wait_until(struct preparation *prep, bool (*is_met)(const void *ctx), const void *ctx)
{
    struct rp_encoder *enc = prep->enc;

    pthread_mutex_lock(&enc->mutex);
    while (prep->may_wait && !is_met(ctx))
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    const bool is_so = is_met(ctx);
    pthread_mutex_unlock(&enc->mutex);
    prep->is_busy |= !is_so;
    return is_so;
}

static uint32_t
extra_limit(const struct rp_encoder *enc)
{
    return enc->workers ? rp_workers_thread_count(enc->workers) + 1 : 1;
}

/* A content for a slot whose own is in use; NULL when there are as many as pictures can be coded at
 * once, or memory is short. */
static struct rp_kvazaar_content *
take_spare(struct rp_encoder *enc)
{
    pthread_mutex_lock(&enc->mutex);
    struct rp_kvazaar_content *content = enc->spares;
    const bool may_make = !content && enc->extra_count < extra_limit(enc);
    if (content)
        enc->spares = content->next; /* the slot's own takes its place among the extra ones */
    enc->extra_count += may_make;
    pthread_mutex_unlock(&enc->mutex);
    if (!may_make)
        return content;

    content = rp_kvazaar_content_create();
    if (!content) {
        pthread_mutex_lock(&enc->mutex);
        enc->extra_count--;
        pthread_mutex_unlock(&enc->mutex);
    }
    return content;
}

/* The old one is a spare when its last user has ended, which may be just now. The job itself does
 * not read it: no reference has the slot of the reconstruction (check.c). */
static void
replace_content(struct rp_encoder *enc, struct rp_encoder_slot *slot,
                struct rp_kvazaar_content *spare)
{
    pthread_mutex_lock(&enc->mutex);
    struct rp_kvazaar_content *old = slot->content;
    slot->content = spare;
    spare->is_extra = false;
    old->is_extra = true;
    if (old->user_count == 0) {
        old->next = enc->spares;
        enc->spares = old;
    }
    pthread_mutex_unlock(&enc->mutex);
}

static bool
slot_need_content(struct rp_encoder_slot *slot)
{
    if (!slot->content)
        slot->content = rp_kvazaar_content_create();
    return slot->content;
}

/* Gives the slot a content that nobody uses. */
static bool
recon_choose_content(struct preparation *prep, struct rp_encoder_slot *slot)
{
    if (!slot_need_content(slot))
        return false;
    pthread_mutex_lock(&prep->enc->mutex);
    const bool is_unused = content_is_unused(slot->content);
    pthread_mutex_unlock(&prep->enc->mutex);
    if (is_unused)
        return true;
    struct rp_kvazaar_content *spare = take_spare(prep->enc);
    if (!spare)
        return wait_until(prep, content_is_unused, slot->content);
    replace_content(prep->enc, slot, spare);
    return true;
}

static bool
recon_prepare(struct preparation *prep)
{
    struct rp_encoder_slot *slot = prep->job->common.recon.slot;
    if (!slot)
        return true;
    if (!recon_choose_content(prep, slot) ||
        !rp_kvazaar_content_reserve(slot->content, prep->width_px, prep->height_px))
        return false;
    rp_kvazaar_begun_of(prep->job)->recon = slot->content;
    return true;
}

static bool
reference_is_known(const struct preparation *prep, const struct rp_h265_encode_reference *ref)
{
    const struct rp_kvazaar_content *content = ref->picture.slot->content;
    return content->has_picture && !ref->is_foreign && !atomic_load(&content->is_lost) &&
           content->width_px == prep->width_px && content->height_px == prep->height_px;
}

static bool
reference_prepare(struct preparation *prep, const struct rp_h265_encode_reference *ref)
{
    struct rp_encoder_slot *slot = ref->picture.slot;
    const struct image_use use = {prep->enc, &ref->picture.pixels};
    if (!slot_need_content(slot))
        return false;
    if (reference_is_known(prep, ref))
        return true;
    if (!wait_until(prep, content_is_unused, slot->content) ||
        !wait_until(prep, image_is_unused, &use) ||
        !rp_kvazaar_content_reserve(slot->content, prep->width_px, prep->height_px))
        return false;
    rp_kvazaar_content_adopt(slot->content, &ref->picture.pixels);
    return true;
}

static bool
references_prepare(struct preparation *prep)
{
    const struct rp_h265_encode_job *job = prep->job;
    struct rp_kvazaar_begun *begun = rp_kvazaar_begun_of(job);
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            const struct rp_encoder_slot *slot = job->refs[list][i].picture.slot;
            uint32_t k = 0;
            while (k < begun->picture_count && begun->pictures[k] != slot->content)
                k++;
            begun->lists[list][i] = (uint8_t)k;
            if (k < begun->picture_count)
                continue;
            if (!reference_prepare(prep, &job->refs[list][i]))
                return false;
            begun->pictures[begun->picture_count++] = slot->content;
        }
    }
    return true;
}

enum rp_codec_status
rp_kvazaar_job_slots_prepare(struct rp_encoder *enc, const struct rp_h265_encode_job *job,
                             bool may_wait)
{
    struct preparation prep = {
        .enc = enc,
        .job = job,
        .width_px = job->sps->pic_width_in_luma_samples,
        .height_px = job->sps->pic_height_in_luma_samples,
        .may_wait = may_wait,
    };
    if (references_prepare(&prep) && recon_prepare(&prep))
        return RP_CODEC_OK;
    return prep.is_busy ? RP_CODEC_BUSY : RP_CODEC_NO_MEMORY;
}

/* What later pictures must know of the references of this one. */
static void
keep_references(struct rp_kvazaar_content *content, const struct rp_h265_encode_job *job)
{
    const struct rp_kvazaar_begun *begun = rp_kvazaar_begun_of(job);
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            const struct rp_h265_encode_reference *ref = &job->refs[list][i];
            const uint8_t picture = begun->lists[list][i];
            content->ref_pocs[picture] = ref->poc;
            content->ref_lists[list][i] = picture;
            content->ref_is_long_term[list][i] = ref->is_long_term;
        }
    }
}

void
rp_kvazaar_job_slots_start(struct rp_encoder *enc, const struct rp_h265_encode_job *job)
{
    struct rp_kvazaar_begun *begun = rp_kvazaar_begun_of(job);
    struct rp_kvazaar_content *recon = begun->recon;

    if (recon) {
        keep_references(recon, job);
        recon->has_picture = true;
        atomic_store(&recon->is_lost, false);
        recon->rate_base = job->common.rate ? 0 : rp_kvazaar_rate_step(job->qp, KVZ_BIT_DEPTH);
    }
    pthread_mutex_lock(&enc->mutex);
    enc->rated_count += job->common.rate != NULL;
    if (recon) {
        recon->user_count++;
        begun->image = job->common.recon.pixels;
        begun->next = enc->copies;
        enc->copies = begun;
    }
    for (uint32_t i = 0; i < begun->picture_count; i++)
        begun->pictures[i]->user_count++;
    pthread_mutex_unlock(&enc->mutex);
}

/* A picture that the application's memory was too small for is one all the same. */
static bool
is_coded(const struct rp_h265_encode_job *job)
{
    return job->common.result.status == RP_CODEC_OK ||
           job->common.result.status == RP_CODEC_NO_SPACE;
}

void
rp_kvazaar_job_slots_coded(const struct rp_h265_encode_job *job)
{
    struct rp_kvazaar_content *recon = rp_kvazaar_begun_of(job)->recon;
    if (!recon)
        return;
    atomic_store(&recon->is_lost, !is_coded(job));
    rp_kvazaar_coded_rows_end(&recon->coded);
}

void
rp_kvazaar_job_slots_begin_copy(struct rp_encoder *enc, const struct rp_h265_encode_job *job)
{
    const struct rp_kvazaar_begun *begun = rp_kvazaar_begun_of(job);

    pthread_mutex_lock(&enc->mutex);
    while (image_is_awaited(begun->next, &begun->image))
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
}

/* With the mutex. */
static void
use_end(struct rp_encoder *enc, struct rp_kvazaar_content *content)
{
    if (--content->user_count == 0 && content->is_extra) {
        content->next = enc->spares;
        enc->spares = content;
    }
}

/* With the mutex. */
static void
copy_end(struct rp_encoder *enc, const struct rp_kvazaar_begun *begun)
{
    struct rp_kvazaar_begun **link = &enc->copies;
    while (*link != begun)
        link = &(*link)->next;
    *link = begun->next;
}

void
rp_kvazaar_job_slots_end(struct rp_encoder *enc, const struct rp_h265_encode_job *job)
{
    const struct rp_kvazaar_begun *begun = rp_kvazaar_begun_of(job);

    pthread_mutex_lock(&enc->mutex);
    if (begun->recon) {
        copy_end(enc, begun);
        use_end(enc, begun->recon);
    }
    for (uint32_t i = 0; i < begun->picture_count; i++)
        use_end(enc, begun->pictures[i]);
    enc->rated_count -= job->common.rate != NULL;
    pthread_cond_broadcast(&enc->job_ended);
    pthread_mutex_unlock(&enc->mutex);
}
