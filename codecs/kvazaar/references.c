/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/references.h"

#include "util/compiler.h"

#include <string.h>

/* Differences that scale vectors are far smaller (8.5.3.2.7 clips them to 8 bits). */
static int32_t
relative_poc(int32_t poc, int32_t current)
{
    const int64_t limit = RP_KVAZAAR_CURRENT_POC / 2;
    const int64_t difference = (int64_t)poc - current;
    return RP_KVAZAAR_CURRENT_POC + (int32_t)RP_MAX(-limit, RP_MIN(difference, limit));
}

/* The picture's index in frame->ref, where it is put unless it is there already. */
static uint8_t
add_picture(struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job,
            const struct rp_h265_encode_reference *ref)
{
    image_list_t *pictures = ctx->state.frame->ref;
    struct rp_encoder_slot *slot = ref->picture.slot;
    for (uint32_t i = 0; i < pictures->used_size; i++) {
        if (pictures->images[i] == &slot->picture)
            return (uint8_t)i;
    }
    if (!slot->has_picture || ref->is_foreign)
        rp_kvazaar_slot_adopt(slot, &ref->picture.pixels);
    const uint32_t i = pictures->used_size++;
    pictures->images[i] = &slot->picture;
    pictures->cu_arrays[i] = &slot->motion;
    pictures->pocs[i] = relative_poc(ref->poc, job->poc);
    memcpy(pictures->ref_LXs[i], slot->ref_lists, sizeof(slot->ref_lists));
    for (uint32_t k = 0; k < RP_KVAZAAR_MAX_PICTURES; k++)
        slot->picture.ref_pocs[k] = relative_poc(slot->ref_pocs[k], job->poc);
    ctx->motion.is_long_term[i] = ref->is_long_term;
    memcpy(ctx->motion.ref_is_long_term[i], slot->ref_is_long_term, sizeof(slot->ref_is_long_term));
    return (uint8_t)i;
}

void
rp_kvazaar_references_set(struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job)
{
    encoder_state_config_frame_t *frame = ctx->state.frame;
    struct rp_kvazaar_motion *motion = &ctx->motion;

    frame->ref->used_size = 0;
    *motion = (struct rp_kvazaar_motion){
        .has_no_backward = true,
        .refresh = {.forced = job->common.force_intra,
                    .clean = job->common.intra_clean,
                    .columns = (job->common.width_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX,
                    .rows = (job->common.height_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX},
    };
    for (uint32_t list = 0; list < 2; list++) {
        frame->ref_LX_size[list] = (uint8_t)job->ref_count[list];
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            const struct rp_h265_encode_reference *ref = &job->refs[list][i];
            frame->ref_LX[list][i] = add_picture(ctx, job, ref);
            motion->has_no_backward &= ref->poc <= job->poc;
        }
    }
    motion->has_temporal = job->temporal_mvp && job->ref_count[0] > 0;
    motion->collocated_from_l0 = job->collocated_from_l0;
    if (motion->has_temporal)
        motion->collocated = frame->ref_LX[!job->collocated_from_l0][job->collocated_ref_idx];
}

void
rp_kvazaar_references_keep(const struct rp_kvazaar_context *ctx,
                           const struct rp_h265_encode_job *job, struct rp_encoder_slot *slot)
{
    const encoder_state_config_frame_t *frame = ctx->state.frame;
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            const struct rp_h265_encode_reference *ref = &job->refs[list][i];
            const uint8_t picture = frame->ref_LX[list][i];
            slot->ref_pocs[picture] = ref->poc;
            slot->ref_lists[list][i] = picture;
            slot->ref_is_long_term[list][i] = ref->is_long_term;
        }
    }
}
