/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which slots need work before a picture can be coded, and who waits for whom.
 */
#include "job_slots.h"

#include "util/compiler.h"

/* Most pictures need no context before they are coded: it is taken with the first slot that is
 * to be made or adopted. */
struct preparation {
    struct rp_h264_encoder *enc;
    const struct rp_x264_config *config;
    struct rp_x264_context *ctx; /* NULL until needed */
};

static struct rp_x264_context *
preparation_need_context(struct preparation *prep)
{
    if (!prep->ctx)
        prep->ctx = rp_x264_encoder_acquire(prep->enc, prep->config);
    return prep->ctx;
}

static void
slot_wait_unused(struct rp_h264_encoder *enc, const struct rp_h264_slot *slot)
{
    pthread_mutex_lock(&enc->mutex);
    while (slot->user_count > 0)
        pthread_cond_wait(&enc->job_ended, &enc->mutex);
    pthread_mutex_unlock(&enc->mutex);
}

static bool
recon_prepare(struct preparation *prep, const struct rp_h264_dpb_picture *recon)
{
    struct rp_h264_slot *slot = recon->slot;
    if (!slot)
        return true;

    slot_wait_unused(prep->enc, slot);
    if (!rp_x264_slot_fits(slot, prep->config)) {
        struct rp_x264_context *ctx = preparation_need_context(prep);
        if (!ctx || !rp_x264_slot_make_frame(slot, ctx))
            return false;
    }
    rp_x264_slot_bind(slot, recon);
    return true;
}

static bool
reference_prepare(struct preparation *prep, const struct rp_h264_reference *ref)
{
    struct rp_h264_slot *slot = ref->picture.slot;
    const bool is_known =
        slot->origin.serial != 0 && !ref->is_foreign && rp_x264_slot_is_bound(slot, &ref->picture);
    const bool is_fit = is_known && rp_x264_slot_fits(slot, prep->config);
    if (is_fit && rp_x264_slot_is_complete(slot, prep->config))
        return true;

    struct rp_x264_context *ctx = preparation_need_context(prep);
    if (!ctx)
        return false;
    slot_wait_unused(prep->enc, slot);
    if (is_fit) {
        rp_x264_slot_filter(slot, ctx);
        return true;
    }
    const bool keeps_old = is_known && rp_x264_slot_has_extent(slot, prep->config);
    return rp_x264_slot_adopt(slot, ctx, &ref->picture, keeps_old, ++prep->enc->serial);
}

/* True when an earlier entry of the lists names the same slot. */
static bool
reference_is_repeated(const struct rp_h264_encode_job *job, uint32_t list, uint32_t index)
{
    const struct rp_h264_slot *slot = job->refs[list][index].picture.slot;

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
            if (!reference_is_repeated(job, list, i) &&
                !reference_prepare(prep, &job->refs[list][i]))
                return false;
        }
    }
    return true;
}

bool
rp_x264_job_slots_prepare(struct rp_h264_encoder *enc, const struct rp_x264_config *config,
                          const struct rp_h264_encode_job *job)
{
    struct preparation prep = {.enc = enc, .config = config};

    const bool is_ready = references_prepare(&prep, job) && recon_prepare(&prep, &job->recon);
    if (prep.ctx)
        rp_x264_encoder_release(enc, prep.ctx, false);
    return is_ready;
}

static void
recon_start(struct rp_h264_encoder *enc, const struct rp_x264_config *config,
            const struct rp_h264_encode_job *job)
{
    struct rp_h264_slot *slot = job->recon.slot;
    struct rp_x264_origin *origin = &slot->origin;

    *origin = (struct rp_x264_origin){
        .serial = ++enc->serial,
        .poc = job->poc,
        .slice_type = job->slice_type,
        .ref_count = job->ref_count[0],
    };
    for (uint32_t i = 0; i < job->ref_count[0]; i++)
        origin->ref_serial[i] = job->refs[0][i].picture.slot->origin.serial;
    if (job->ref_count[0] > 0) {
        const int64_t distance = (int64_t)job->poc - job->refs[0][0].poc;
        origin->ref0_distance = (int32_t)RP_MAX(INT16_MIN, RP_MIN(INT16_MAX, distance));
    }
    rp_x264_slot_start(slot, config);
}

/* change: 1 when the job begins, -1 when it ends. */
static void
count_user(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job, int change)
{
    pthread_mutex_lock(&enc->mutex);
    if (job->recon.slot)
        job->recon.slot->user_count += (uint32_t)change;
    for (int list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++)
            job->refs[list][i].picture.slot->user_count += (uint32_t)change;
    }
    if (change < 0)
        pthread_cond_broadcast(&enc->job_ended);
    pthread_mutex_unlock(&enc->mutex);
}

void
rp_x264_job_slots_start(struct rp_h264_encoder *enc, const struct rp_x264_config *config,
                        const struct rp_h264_encode_job *job)
{
    if (job->recon.slot)
        recon_start(enc, config, job);
    count_user(enc, job, 1);
}

void
rp_x264_job_slots_end(struct rp_h264_encoder *enc, const struct rp_h264_encode_job *job)
{
    if (job->recon.slot) {
        rp_x264_slot_complete(job->recon.slot);
        rp_x264_slot_copy_out(job->recon.slot, &job->recon.pixels);
    }
    count_user(enc, job, -1);
}
