/* SPDX-License-Identifier: MIT */
/* From slots to candidates.
 */
#include "codecs/avcodec/h264/references.h"

/* PicOrderCnt() of a frame, a pair or a field (8.2.1). */
static int32_t
poc_of(const int32_t poc[2], uint32_t fields)
{
    if (fields == RP_H264DEC_FRAME)
        return poc[0] < poc[1] ? poc[0] : poc[1];
    return poc[fields == RP_H264DEC_BOTTOM];
}

/* A difference of counts that may be garbage. */
static int32_t
wrapping_difference(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

static bool
is_by_its_number(const struct rp_h264dec_held *held, const struct rp_h264_decode_reference *ref)
{
    return ref->is_long_term || (ref->frame_num & 0xffff) == held->job_frame_num;
}

/* FFmpeg lists a frame that fills a gap in frame_num (8.2.5.2) with the image of the one before,
 * and with counts of no meaning. */
static bool
is_stand_in(const struct rp_h264dec_held *held, const struct rp_h264_decode_job *job,
            const struct rp_h264_decode_reference *ref)
{
    bool has_other = false;
    for (uint32_t i = 0; i < job->ref_count; i++)
        has_other |= &job->refs[i] != ref && job->refs[i].slot == ref->slot;
    return has_other && !is_by_its_number(held, ref);
}

static void
held_adopt(struct rp_h264dec_references *refs, const struct rp_h264dec_dpb *dpb, int32_t index,
           const struct rp_h264_decode_reference *ref)
{
    const struct rp_h264dec_held *held = &dpb->held[index];
    const bool is_sure = is_by_its_number(held, ref);
    if (!refs->has_poc_bias || (is_sure && !refs->is_poc_bias_sure)) {
        const uint32_t field = held->fields & RP_H264DEC_TOP ? 0 : 1;
        refs->poc_bias = wrapping_difference(held->poc[field], ref->poc[field]);
        refs->has_poc_bias = true;
        refs->is_poc_bias_sure = is_sure;
    }
    if (ref->is_long_term && !held->is_long_term) {
        refs->becomes_long_term[index] = true;
        refs->has_conversions = true;
    }
}

static void
reference_add(struct rp_h264dec_references *refs, const struct rp_h264dec_dpb *dpb,
              const struct rp_h264_decode_job *job, const struct rp_h264_decode_reference *ref)
{
    const int32_t max_frame_num = 1 << (job->sps->log2_max_frame_num_minus4 + 4);
    const int32_t frame_num = (int32_t)(ref->frame_num & 0xffff);
    uint32_t fields = ref->has_top | (uint32_t)ref->has_bottom << 1;
    if (!fields)
        fields = RP_H264DEC_FRAME;
    uint32_t decoded = fields;
    bool is_non_existing = ref->is_non_existing;

    int32_t index = -1;
    if (ref->slot >= 0)
        index = rp_h264dec_dpb_find(dpb, ref->slot);
    if (index >= 0 && !(dpb->held[index].fields & fields))
        index = -1;
    if (index >= 0) {
        decoded = dpb->held[index].fields;
        fields &= decoded;
        is_non_existing |= is_stand_in(&dpb->held[index], job, ref);
        if (!is_non_existing)
            held_adopt(refs, dpb, index, ref);
    }
    refs->candidates[refs->count] = (struct rp_h264dec_candidate){
        .held = index >= 0 ? index : -1 - (int32_t)refs->count,
        .fields = fields,
        .is_long_term = ref->is_long_term,
        .is_non_existing = is_non_existing,
        .number = !ref->is_long_term && (uint32_t)frame_num > job->frame_num
                      ? frame_num - max_frame_num
                      : frame_num,
        .poc = poc_of(ref->poc, decoded),
    };
    refs->count++;
}

void
rp_h264dec_references_init(struct rp_h264dec_references *refs, const struct rp_h264dec_dpb *dpb,
                           const struct rp_h264_decode_job *job)
{
    *refs = (struct rp_h264dec_references){.count = 0};
    for (uint32_t i = 0; i < job->ref_count && refs->count < RP_H264DEC_MAX_CANDIDATES; i++)
        reference_add(refs, dpb, job, &job->refs[i]);
}

/* fields of a frame that a picture with cur_fields may refer to; 0 when none. */
static uint32_t
fields_for(uint32_t cur_fields, uint32_t available)
{
    if ((available & cur_fields) == cur_fields)
        return cur_fields;
    return cur_fields == RP_H264DEC_FRAME ? 0 : available;
}

bool
rp_h264dec_references_filler(const struct rp_h264dec_references *refs,
                             const struct rp_h264dec_dpb *dpb, uint32_t fields,
                             struct rp_h264dec_entry *out)
{
    int32_t best_number = INT32_MIN;
    bool is_found = false;

    for (uint32_t i = 0; i < refs->count; i++) {
        const struct rp_h264dec_candidate *candidate = &refs->candidates[i];
        const uint32_t usable = fields_for(fields, candidate->fields);
        if (candidate->held < 0 || !usable || candidate->number < best_number)
            continue;
        best_number = candidate->number;
        *out = (struct rp_h264dec_entry){.held = candidate->held, .fields = usable};
        is_found = true;
    }
    for (int32_t i = 0; i < RP_H264DEC_MAX_HELD && !is_found; i++) {
        const uint32_t usable = dpb->held[i].is_used ? fields_for(fields, dpb->held[i].fields) : 0;
        if (!usable)
            continue;
        *out = (struct rp_h264dec_entry){.held = i, .fields = usable};
        is_found = true;
    }
    return is_found;
}
