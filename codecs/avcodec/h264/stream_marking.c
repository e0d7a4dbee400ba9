/* SPDX-License-Identifier: MIT */
/* Simulating the application's marking process on its own references.
 */
#include "codecs/avcodec/h264/stream_marking.h"

/* By candidate: which of its fields. */
struct outcome {
    uint32_t dropped[RP_H264DEC_MAX_CANDIDATES];
    uint32_t converted[RP_H264DEC_MAX_CANDIDATES]; /* to long-term */
    bool is_long_term;                             /* the picture itself */
};

/* The short-term candidate that operation 1 or 3 names, or -1. */
static int32_t
find_short_term(const struct rp_h264dec_references *refs, const struct rp_h264dec_current *cur,
                uint32_t difference_minus1, uint32_t *fields_out)
{
    const int64_t cur_pic_num =
        cur->fields == RP_H264DEC_FRAME ? cur->frame_num : 2 * (int64_t)cur->frame_num + 1;
    return rp_h264dec_candidate_find(cur, refs->candidates, refs->count, false,
                                     (int32_t)(cur_pic_num - difference_minus1 - 1), fields_out);
}

/* Long-term frames with indices from first to last, but for one candidate. */
static void
drop_long_term(struct outcome *outcome, const struct rp_h264dec_references *refs, uint32_t first,
               uint32_t last, int32_t but)
{
    for (uint32_t i = 0; i < refs->count; i++) {
        const struct rp_h264dec_candidate *candidate = &refs->candidates[i];
        if (candidate->is_long_term && (int32_t)i != but && (uint32_t)candidate->number >= first &&
            (uint32_t)candidate->number <= last)
            outcome->dropped[i] |= RP_H264DEC_FRAME;
    }
}

/* 8.2.5.4 */
static void
apply(struct outcome *outcome, const struct rp_h264dec_references *refs,
      const struct rp_h264dec_current *cur, const struct rp_h264dec_mmco *mmco)
{
    uint32_t fields;
    int32_t found;
    switch (mmco->op) {
    case 1:
        found = find_short_term(refs, cur, mmco->value[0], &fields);
        if (found >= 0)
            outcome->dropped[found] |= fields;
        break;
    case 2:
        found = rp_h264dec_candidate_find(cur, refs->candidates, refs->count, true,
                                          (int32_t)mmco->value[0], &fields);
        if (found >= 0)
            outcome->dropped[found] |= fields;
        break;
    case 3:
        found = find_short_term(refs, cur, mmco->value[0], &fields);
        if (found >= 0)
            outcome->converted[found] |= fields;
        drop_long_term(outcome, refs, mmco->value[1], mmco->value[1], found);
        break;
    case 4:
        drop_long_term(outcome, refs, mmco->value[0], UINT32_MAX, -1);
        break;
    case 5:
        for (uint32_t i = 0; i < refs->count; i++)
            outcome->dropped[i] |= RP_H264DEC_FRAME;
        break;
    default:
        drop_long_term(outcome, refs, mmco->value[0], mmco->value[0], -1);
        outcome->is_long_term = true;
        break;
    }
}

static int32_t
oldest_short_term(const struct rp_h264dec_references *refs)
{
    int32_t oldest = -1;
    for (uint32_t i = 0; i < refs->count; i++) {
        const struct rp_h264dec_candidate *candidate = &refs->candidates[i];
        if (!candidate->is_long_term &&
            (oldest < 0 || candidate->number < refs->candidates[oldest].number))
            oldest = (int32_t)i;
    }
    return oldest;
}

static void
outcome_init(struct outcome *outcome, const struct rp_h264dec_references *refs,
             const struct rp_h264dec_current *cur, const struct rp_h264dec_slice_header *header,
             uint32_t max_num_ref_frames)
{
    *outcome = (struct outcome){.is_long_term = header->is_long_term_idr};
    for (uint32_t i = 0; i < header->mmco_count; i++)
        apply(outcome, refs, cur, &header->mmcos[i]);

    /* 8.2.5.3: the sliding window, once all frames are in use. */
    const int32_t oldest = oldest_short_term(refs);
    if (!header->is_idr_nal && !header->has_adaptive_marking && oldest >= 0 &&
        refs->count >= max_num_ref_frames)
        outcome->dropped[oldest] |= RP_H264DEC_FRAME;
}

static bool
stays(const struct rp_h264dec_dpb *dpb, const struct rp_h264dec_marking *marking, int32_t held)
{
    return held >= 0 && dpb->held[held].is_used && !marking->drops[held];
}

static bool
is_listed(const struct rp_h264dec_references *refs, int32_t held)
{
    for (uint32_t i = 0; i < refs->count; i++) {
        if (refs->candidates[i].held == held)
            return true;
    }
    return false;
}

/* Of those that stay and that are not listed, the least recently used; or -1. */
static int32_t
oldest_unlisted(const struct rp_h264dec_marking *marking, const struct rp_h264dec_dpb *dpb,
                const struct rp_h264dec_references *refs)
{
    int32_t oldest = -1;
    for (int32_t i = 0; i < RP_H264DEC_MAX_HELD; i++) {
        if (stays(dpb, marking, i) && !is_listed(refs, i) &&
            (oldest < 0 || dpb->held[i].last_use < dpb->held[oldest].last_use))
            oldest = i;
    }
    return oldest;
}

/* The frame to drop from a full DPB. What is not listed may still be referred to by a picture that
 * this one has overtaken, and less so the longer nobody has done it. */
static int32_t
choose_evicted(const struct outcome *outcome, const struct rp_h264dec_marking *marking,
               const struct rp_h264dec_dpb *dpb, const struct rp_h264dec_references *refs)
{
    const int32_t unlisted = oldest_unlisted(marking, dpb, refs);
    if (unlisted >= 0)
        return unlisted;
    for (uint32_t i = 0; i < refs->count; i++) {
        const struct rp_h264dec_candidate *candidate = &refs->candidates[i];
        if (!candidate->is_non_existing &&
            (outcome->dropped[i] & candidate->fields) == candidate->fields &&
            stays(dpb, marking, candidate->held))
            return candidate->held;
    }

    const int32_t oldest = oldest_short_term(refs);
    if (oldest >= 0 && stays(dpb, marking, refs->candidates[oldest].held))
        return refs->candidates[oldest].held;
    int32_t any = 0;
    while (any < RP_H264DEC_MAX_HELD - 1 && !stays(dpb, marking, any))
        any++;
    return any;
}

/* By this picture's operations, or by those of an earlier one, when a control picture still had
 * room. */
static bool
is_to_convert(const struct outcome *outcome, const struct rp_h264dec_references *refs, uint32_t i)
{
    const struct rp_h264dec_candidate *candidate = &refs->candidates[i];
    if (candidate->held < 0 || candidate->is_non_existing)
        return false;
    return refs->becomes_long_term[candidate->held] ||
           (outcome->converted[i] &&
            (outcome->converted[i] & candidate->fields) == candidate->fields);
}

void
rp_h264dec_marking_follow_stream(struct rp_h264dec_marking *marking,
                                 const struct rp_h264dec_dpb *dpb,
                                 const struct rp_h264dec_references *refs,
                                 const struct rp_h264dec_current *cur,
                                 const struct rp_h264dec_slice_header *header,
                                 uint32_t max_num_ref_frames)
{
    struct outcome outcome;
    outcome_init(&outcome, refs, cur, header, max_num_ref_frames);

    if (rp_h264dec_marking_kept_count(marking, dpb) == RP_H264DEC_MAX_HELD)
        rp_h264dec_marking_drop(marking, dpb, cur->fields,
                                choose_evicted(&outcome, marking, dpb, refs));
    if (rp_h264dec_marking_kept_count(marking, dpb) + 1 < RP_H264DEC_MAX_HELD)
        return;
    for (uint32_t i = 0; i < refs->count; i++) {
        const struct rp_h264dec_candidate *candidate = &refs->candidates[i];
        if (is_to_convert(&outcome, refs, i) && stays(dpb, marking, candidate->held) &&
            !dpb->held[candidate->held].is_long_term && !marking->converts[candidate->held])
            rp_h264dec_marking_convert(marking, dpb, cur->fields, candidate->held);
    }
    /* libavcodec forgets a long-term first field when its second one is marked long-term too: a
     * pair stays short-term until a B picture asks. */
    if (outcome.is_long_term && cur->fields == RP_H264DEC_FRAME)
        rp_h264dec_marking_convert_own(marking, dpb);
}
