/* SPDX-License-Identifier: MIT */
#include "codecs/kvazaar/references.h"

#include "codecs/kvazaar/slot.h"

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

/* Adds a reference to frame->ref, under the picture order count that it has for the picture that
 * has begun. */
static void
add_picture(struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job,
            struct rp_kvazaar_content *content, const struct rp_h265_encode_reference *ref)
{
    image_list_t *pictures = ctx->state.frame->ref;
    const uint32_t i = pictures->used_size++;
    kvz_picture *view = &ctx->views[i];
    rp_kvazaar_content_view(content, view);
    for (uint32_t k = 0; k < RP_KVAZAAR_MAX_PICTURES; k++)
        view->ref_pocs[k] = relative_poc(content->ref_pocs[k], job->poc);
    pictures->images[i] = view;
    pictures->cu_arrays[i] = &content->motion;
    pictures->pocs[i] = relative_poc(ref->poc, job->poc);
    memcpy(pictures->ref_LXs[i], content->ref_lists, sizeof(content->ref_lists));
    ctx->motion.is_long_term[i] = ref->is_long_term;
    memcpy(ctx->motion.ref_is_long_term[i], content->ref_is_long_term,
           sizeof(content->ref_is_long_term));
    if (!rp_kvazaar_coded_rows_are_ended(&content->coded))
        ctx->motion.awaited[ctx->motion.awaited_count++] = &content->coded;
}

void
rp_kvazaar_references_set(struct rp_kvazaar_context *ctx, const struct rp_h265_encode_job *job)
{
    encoder_state_config_frame_t *frame = ctx->state.frame;
    const struct rp_kvazaar_begun *begun = rp_kvazaar_begun_of(job);
    struct rp_kvazaar_motion *motion = &ctx->motion;

    frame->ref->used_size = 0;
    *motion = (struct rp_kvazaar_motion){
        .has_no_backward = true,
        .workers = ctx->wave.workers,
        .refresh = {.forced = job->common.force_intra,
                    .clean = job->common.intra_clean,
                    .columns = (job->common.width_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX,
                    .rows = (job->common.height_px + RP_H265_CTB_PX - 1) / RP_H265_CTB_PX},
    };
    for (uint32_t list = 0; list < 2; list++) {
        frame->ref_LX_size[list] = (uint8_t)job->ref_count[list];
        for (uint32_t i = 0; i < job->ref_count[list]; i++) {
            const struct rp_h265_encode_reference *ref = &job->refs[list][i];
            frame->ref_LX[list][i] = begun->lists[list][i];
            if (begun->lists[list][i] == frame->ref->used_size)
                add_picture(ctx, job, begun->pictures[begun->lists[list][i]], ref);
            motion->has_no_backward &= ref->poc <= job->poc;
        }
    }
    motion->has_temporal = job->temporal_mvp && job->ref_count[0] > 0;
    motion->collocated_from_l0 = job->collocated_from_l0;
    if (motion->has_temporal)
        motion->collocated = frame->ref_LX[!job->collocated_from_l0][job->collocated_ref_idx];
}
