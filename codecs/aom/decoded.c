/* SPDX-License-Identifier: MIT */
#include "codecs/aom/decoded.h"

#include "codecs/aom/libaom.h"
#include "codecs/aom/recon.h"

#include "util/compiler.h"

void
rp_aom_decoded_finish(struct rp_aom_decoded *decoded)
{
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(decoded->pictures); i++)
        rp_aom_slot_clear(&decoded->pictures[i]);
}

static void
decoded_correct(struct rp_aom_decoded *decoded, const struct rp_aom_context *ctx,
                const struct rp_av1_encode_reference *ref)
{
    const struct rp_encoder_slot *slot = ref->picture.slot;
    if (!slot || ref->is_foreign || slot->context != ctx)
        return;
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(decoded->pictures); i++) {
        if (ref->numbers >> i & 1 && decoded->pictures[i].buffer != slot->buffer)
            rp_aom_slot_copy(&decoded->pictures[i], slot);
    }
}

static bool
decoded_has(struct rp_aom_decoded *decoded, struct rp_aom_context *ctx,
            const struct rp_av1_encode_job *job, uint32_t name)
{
    const struct rp_av1_encode_reference *ref = &job->refs[name];
    struct rp_encoder_slot *slot = ref->picture.slot;
    const struct rp_encoder_slot *own = &decoded->pictures[job->picture->ref_frame_idx[name]];
    if (!slot)
        return true;
    if (!ref->is_foreign)
        return slot->context == ctx;
    if (own->context != ctx || !rp_aom_recon_is_same(own->buffer, job->common.width_px,
                                                     job->common.height_px, &ref->picture.pixels))
        return false;
    rp_aom_slot_copy(slot, own);
    return true;
}

bool
rp_aom_decoded_resolve(struct rp_aom_decoded *decoded, struct rp_aom_context *ctx,
                       const struct rp_av1_encode_job *job)
{
    if (job->picture->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
        job->picture->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY)
        return true;
    for (uint32_t name = 0; name < RP_AV1_NAMES; name++)
        decoded_correct(decoded, ctx, &job->refs[name]);
    for (uint32_t name = 0; name < RP_AV1_NAMES; name++) {
        if (!decoded_has(decoded, ctx, job, name))
            return false;
    }
    return true;
}

/* Whether libaom keeps nothing but its last picture's own reference to the buffer, if any, when
 * count of ours are given back. */
static bool
would_be_free(const AV1_COMMON *cm, const RefCntBuffer *buffer, int count)
{
    return buffer->ref_count == count + (cm->cur_frame == buffer);
}

void
rp_aom_decoded_make_room(struct rp_aom_decoded *decoded, const struct rp_aom_context *ctx)
{
    if (!ctx->compressor)
        return;
    const AV1_COMMON *cm = &ctx->compressor->common;
    const BufferPool *pool = cm->buffer_pool;
    for (uint32_t i = 0; i < pool->num_frame_bufs; i++) {
        if (would_be_free(cm, &pool->frame_bufs[i], 0))
            return;
    }
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(decoded->pictures); i++) {
        const RefCntBuffer *buffer = decoded->pictures[i].buffer;
        int count = 0;
        for (uint32_t k = 0; k < RP_ARRAY_SIZE(decoded->pictures); k++)
            count += decoded->pictures[k].buffer == buffer;
        if (decoded->pictures[i].context != ctx || !would_be_free(cm, buffer, count))
            continue;
        for (uint32_t k = 0; k < RP_ARRAY_SIZE(decoded->pictures); k++) {
            if (decoded->pictures[k].buffer == buffer)
                rp_aom_slot_clear(&decoded->pictures[k]);
        }
        return;
    }
}

void
rp_aom_decoded_refresh(struct rp_aom_decoded *decoded, const struct rp_av1_encode_job *job,
                       const struct rp_encoder_slot *coded)
{
    for (uint32_t i = 0; i < RP_ARRAY_SIZE(decoded->pictures); i++) {
        if (job->picture->refresh_frame_flags >> i & 1)
            rp_aom_slot_copy(&decoded->pictures[i], coded);
    }
}
