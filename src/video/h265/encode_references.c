/* SPDX-License-Identifier: MIT */
/* Reference picture sets and lists (8.3.2 to 8.3.4): from the application's slots to the codec's,
 * and to what slice headers say of them.
 */
#include "util/log.h"
#include "video/h265/encode_picture.h"

#define SCRATCH_B 256u /* of a set that is coded to be derived */

/* A picture that the set names for the current one. */
struct candidate {
    int32_t poc; /* of long-term ones as much as poc_mask says */
    uint32_t poc_mask;
    bool is_long_term;
};

/* RefPicListTemp0 and 1, each once through. */
struct candidates {
    struct candidate at[3][RP_H265_MAX_LONG_TERM]; /* before, after, long-term */
    uint32_t count[3];
};

static const StdVideoEncodeH265ReferenceInfo *
std_of(const struct rp_encode_reference *ref)
{
    return ((const VkVideoEncodeH265DpbSlotInfoKHR *)ref->info)->pStdReferenceInfo;
}

static const struct rp_encode_reference *
find_reference(const struct rp_encode_request *request, int32_t slot_index)
{
    for (uint32_t i = 0; i < request->ref_count; i++) {
        if (request->refs[i].slot_index == slot_index)
            return &request->refs[i];
    }
    return NULL;
}

/* The set of the picture: one of the SPS's, or its own, written without prediction. */
static bool
resolve_short_term(const StdVideoEncodeH265PictureInfo *std, struct rp_h265_encode_picture *pic)
{
    const StdVideoH265SequenceParameterSet *sps = pic->active.sps;
    struct rp_h265_slice_header *header = &pic->header;
    const uint32_t count = sps->num_short_term_ref_pic_sets;
    if (std->flags.short_term_ref_pic_set_sps_flag) {
        header->short_term_ref_pic_set_sps_flag = true;
        header->short_term_ref_pic_set_idx = std->short_term_ref_pic_set_idx;
        if (std->short_term_ref_pic_set_idx >= count)
            return false;
        header->short_term_ref_pic_set = sps->pShortTermRefPicSet[std->short_term_ref_pic_set_idx];
        return true;
    }
    if (std->pShortTermRefPicSet)
        header->short_term_ref_pic_set = *std->pShortTermRefPicSet;
    uint8_t scratch[SCRATCH_B];
    struct rp_h265_syntax syntax;
    rp_h265_syntax_init_write(&syntax, scratch, sizeof(scratch));
    rp_h265_code_short_term_set(&syntax, &header->short_term_ref_pic_set, count, count,
                                sps->pShortTermRefPicSet);
    header->short_term_ref_pic_set.flags.inter_ref_pic_set_prediction_flag = 0;
    return rp_h265_syntax_is_ok(&syntax);
}

static bool
resolve_long_term(const StdVideoEncodeH265PictureInfo *std, struct rp_h265_encode_picture *pic)
{
    const StdVideoEncodeH265LongTermRefPics *pics = std->pLongTermRefPics;
    const StdVideoH265SequenceParameterSet *sps = pic->active.sps;
    struct rp_h265_slice_header *header = &pic->header;
    if (!sps->flags.long_term_ref_pics_present_flag || !pics)
        return true;
    if (pics->num_long_term_sps > sps->num_long_term_ref_pics_sps ||
        pics->num_long_term_pics > STD_VIDEO_H265_MAX_LONG_TERM_PICS ||
        (uint32_t)pics->num_long_term_sps + pics->num_long_term_pics > RP_H265_MAX_LONG_TERM)
        return false;
    header->num_long_term_sps = pics->num_long_term_sps;
    header->num_long_term_pics = pics->num_long_term_pics;
    for (uint32_t i = 0; i < header->num_long_term_sps + header->num_long_term_pics; i++) {
        struct rp_h265_long_term_entry *entry = &header->long_term[i];
        if (i < pics->num_long_term_sps) {
            entry->lt_idx_sps = pics->lt_idx_sps[i];
            if (entry->lt_idx_sps >= sps->num_long_term_ref_pics_sps)
                return false;
        } else {
            const uint32_t k = i - pics->num_long_term_sps;
            entry->poc_lsb_lt = pics->poc_lsb_lt[k];
            entry->used_by_curr_pic_lt_flag = pics->used_by_curr_pic_lt_flag >> k & 1;
        }
        entry->delta_poc_msb_present_flag = pics->delta_poc_msb_present_flag[i];
        entry->delta_poc_msb_cycle_lt = pics->delta_poc_msb_cycle_lt[i];
    }
    return true;
}

static void
add_candidate(struct candidates *candidates, uint32_t set, const struct candidate *candidate)
{
    if (candidates->count[set] < RP_H265_MAX_LONG_TERM)
        candidates->at[set][candidates->count[set]++] = *candidate;
}

static void
gather_short_term(const struct rp_h265_encode_picture *pic, struct candidates *out)
{
    const StdVideoH265ShortTermRefPicSet *set = &pic->header.short_term_ref_pic_set;
    uint32_t poc = (uint32_t)pic->job.poc;
    for (uint32_t i = 0; i < set->num_negative_pics; i++) {
        poc -= set->delta_poc_s0_minus1[i] + 1u;
        if (set->used_by_curr_pic_s0_flag >> i & 1)
            add_candidate(out, 0, &(struct candidate){(int32_t)poc, UINT32_MAX, false});
    }
    poc = (uint32_t)pic->job.poc;
    for (uint32_t i = 0; i < set->num_positive_pics; i++) {
        poc += set->delta_poc_s1_minus1[i] + 1u;
        if (set->used_by_curr_pic_s1_flag >> i & 1)
            add_candidate(out, 1, &(struct candidate){(int32_t)poc, UINT32_MAX, false});
    }
}

/* (7-52), and pocLt of 8.3.2. */
static void
gather_long_term(const struct rp_h265_encode_picture *pic, struct candidates *out)
{
    const struct rp_h265_slice_header *header = &pic->header;
    const StdVideoH265SequenceParameterSet *sps = pic->active.sps;
    const uint32_t max_lsb = 1u << (sps->log2_max_pic_order_cnt_lsb_minus4 + 4);
    uint32_t msb_cycle = 0;
    for (uint32_t i = 0; i < header->num_long_term_sps + header->num_long_term_pics; i++) {
        const struct rp_h265_long_term_entry *entry = &header->long_term[i];
        const bool is_of_sps = i < header->num_long_term_sps;
        const StdVideoH265LongTermRefPicsSps *of_sps = sps->pLongTermRefPicsSps;
        const bool is_used = is_of_sps
                                 ? of_sps->used_by_curr_pic_lt_sps_flag >> entry->lt_idx_sps & 1
                                 : entry->used_by_curr_pic_lt_flag;
        uint32_t poc =
            is_of_sps ? of_sps->lt_ref_pic_poc_lsb_sps[entry->lt_idx_sps] : entry->poc_lsb_lt;
        if (i == 0 || i == header->num_long_term_sps)
            msb_cycle = 0;
        msb_cycle += entry->delta_poc_msb_cycle_lt;
        if (entry->delta_poc_msb_present_flag)
            poc += ((uint32_t)pic->job.poc & ~(max_lsb - 1)) - msb_cycle * max_lsb;
        if (is_used)
            add_candidate(out, 2,
                          &(struct candidate){
                              (int32_t)poc,
                              entry->delta_poc_msb_present_flag ? UINT32_MAX : max_lsb - 1, true});
    }
}

/* The place of a picture in the initial list; -1: nowhere. */
static int32_t
find_candidate(const struct candidates *candidates, uint32_t list,
               const struct rp_h265_encode_reference *ref)
{
    const uint32_t order[3] = {list, !list, 2};
    int32_t entry = 0;
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < candidates->count[order[k]]; i++, entry++) {
            const struct candidate *candidate = &candidates->at[order[k]][i];
            if (candidate->is_long_term == ref->is_long_term &&
                (((uint32_t)ref->poc ^ (uint32_t)candidate->poc) & candidate->poc_mask) == 0)
                return entry;
        }
    }
    return -1;
}

/* How the header names the pictures of a list. */
static bool
name_list(const struct candidates *candidates, uint32_t list, struct rp_h265_encode_picture *pic)
{
    bool is_initial = true;
    for (uint32_t i = 0; i < pic->job.ref_count[list]; i++) {
        const int32_t entry = find_candidate(candidates, list, &pic->job.refs[list][i]);
        if (entry < 0) {
            rp_log(RP_LOG_ERROR, "RefPicList%u[%u] (POC %d) is not in the reference picture set",
                   list, i, pic->job.refs[list][i].poc);
            return false;
        }
        pic->header.list_entry[list][i] = (uint32_t)entry;
        is_initial &= (uint32_t)entry == i % pic->num_pic_total_curr;
    }
    pic->header.ref_pic_list_modification_flag[list] = !is_initial;
    if (!is_initial && !pic->active.pps->flags.lists_modification_present_flag) {
        rp_log(RP_LOG_ERROR,
               "RefPicList%u is not the initial list, and the PPS has no "
               "lists_modification_present_flag",
               list);
        return false;
    }
    return true;
}

/* PicOrderCntVal of the reference that was used last. What the codec knows counts, since an
 * application may still name the picture that stood in the slot before (the CTS does). */
static int32_t
order_of(const struct rp_h265_encode_picture *pic, bool is_foreign, int32_t said)
{
    struct rp_encode_slot *slot = pic->common.uses[pic->common.use_count - 1].slot;
    if (is_foreign)
        slot->order = said;
    return slot->order;
}

static enum rp_codec_status
resolve_list(const struct rp_encode_request *request, struct rp_h265_encode_picture *pic,
             uint32_t list)
{
    const StdVideoEncodeH265ReferenceListsInfo *lists =
        rp_h265_picture_info(request)->pStdPictureInfo->pRefLists;
    const uint8_t *slots = list ? lists->RefPicList1 : lists->RefPicList0;
    const uint32_t active_count =
        (list ? lists->num_ref_idx_l1_active_minus1 : lists->num_ref_idx_l0_active_minus1) + 1u;
    struct rp_h265_encode_job *job = &pic->job;

    for (uint32_t i = 0; i < active_count && i < RP_H265_ENCODE_MAX_REFS; i++) {
        if (slots[i] == STD_VIDEO_H265_NO_REFERENCE_PICTURE)
            break;
        const struct rp_encode_reference *ref = find_reference(request, slots[i]);
        if (!ref || !std_of(ref))
            return RP_CODEC_FAILED;
        rp_encode_note_dirty_regions(request, ref, &pic->common);
        struct rp_h265_encode_reference *out = &job->refs[list][i];
        out->is_long_term = std_of(ref)->flags.used_for_long_term_reference;
        const enum rp_codec_status status =
            rp_encode_use_slot(&pic->common, &ref->resource, &out->picture, &out->is_foreign);
        if (status != RP_CODEC_OK)
            return status;
        out->poc = order_of(pic, out->is_foreign, std_of(ref)->PicOrderCntVal);
        job->ref_count[list] = i + 1;
    }
    pic->common.feedback.has_overrides |= job->ref_count[list] != active_count;
    return job->ref_count[list] > 0 ? RP_CODEC_OK : RP_CODEC_FAILED;
}

static enum rp_codec_status
resolve_lists(const struct rp_encode_request *request, struct rp_h265_encode_picture *pic)
{
    const bool is_b = pic->job.slice_type == STD_VIDEO_H265_SLICE_TYPE_B;
    struct candidates candidates = {.count = {0}};
    if (!rp_h265_picture_info(request)->pStdPictureInfo->pRefLists)
        return RP_CODEC_FAILED;
    gather_short_term(pic, &candidates);
    gather_long_term(pic, &candidates);
    pic->num_pic_total_curr = candidates.count[0] + candidates.count[1] + candidates.count[2];
    for (uint32_t list = 0; list < (is_b ? 2u : 1u); list++) {
        const enum rp_codec_status status = resolve_list(request, pic, list);
        if (status != RP_CODEC_OK)
            return status;
        if (!name_list(&candidates, list, pic))
            return RP_CODEC_FAILED;
    }
    return RP_CODEC_OK;
}

/* A reference cannot be overwritten by the picture that is predicted from it. */
static enum rp_codec_status
resolve_setup(const struct rp_encode_request *request, struct rp_h265_encode_picture *pic)
{
    if (!request->has_setup)
        return RP_CODEC_OK;
    struct rp_dpb_picture recon;
    const enum rp_codec_status status =
        rp_encode_use_slot(&pic->common, &request->setup, &recon, NULL);
    if (status != RP_CODEC_OK)
        return status;
    for (uint32_t list = 0; list < 2; list++) {
        for (uint32_t i = 0; i < pic->job.ref_count[list]; i++) {
            if (pic->job.refs[list][i].picture.slot == recon.slot)
                return RP_CODEC_FAILED;
        }
    }
    pic->job.common.recon = recon;
    return RP_CODEC_OK;
}

enum rp_codec_status
rp_h265_resolve_references(const struct rp_encode_request *request,
                           struct rp_h265_encode_picture *pic)
{
    const StdVideoEncodeH265PictureInfo *std = rp_h265_picture_info(request)->pStdPictureInfo;
    if (!rp_h265_slice_is_idr(&pic->header) &&
        (!resolve_short_term(std, pic) || !resolve_long_term(std, pic)))
        return RP_CODEC_FAILED;
    enum rp_codec_status status = RP_CODEC_OK;
    if (pic->job.slice_type != STD_VIDEO_H265_SLICE_TYPE_I)
        status = resolve_lists(request, pic);
    return status == RP_CODEC_OK ? resolve_setup(request, pic) : status;
}
