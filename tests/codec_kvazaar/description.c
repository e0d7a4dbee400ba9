/* SPDX-License-Identifier: MIT */
#include "description.h"

#include "tests/test.h"

static void
slots_init(const struct app *app, struct app_description *out)
{
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        out->references[i].PicOrderCntVal = app->slots[i].poc;
        out->references[i].flags.used_for_long_term_reference = app->slots[i].is_long_term;
        out->slots[i] = (VkVideoEncodeH265DpbSlotInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_DPB_SLOT_INFO_KHR,
            .pStdReferenceInfo = &out->references[i],
        };
    }
}

static void
long_term_init(const struct app *app, StdVideoEncodeH265LongTermRefPics *out)
{
    out->num_long_term_pics = (uint8_t)app->header.num_long_term_pics;
    for (uint32_t i = 0; i < app->header.num_long_term_pics; i++) {
        const struct rp_h265_long_term_entry *entry = &app->header.long_term[i];
        REQUIRE(entry->poc_lsb_lt < 256);
        out->poc_lsb_lt[i] = (uint8_t)entry->poc_lsb_lt;
        out->used_by_curr_pic_lt_flag |= (uint16_t)(entry->used_by_curr_pic_lt_flag << i);
        out->delta_poc_msb_present_flag[i] = entry->delta_poc_msb_present_flag;
        out->delta_poc_msb_cycle_lt[i] = (uint8_t)entry->delta_poc_msb_cycle_lt;
    }
}

static void
lists_init(const struct app *app, StdVideoEncodeH265ReferenceListsInfo *out)
{
    memset(out->RefPicList0, STD_VIDEO_H265_NO_REFERENCE_PICTURE, sizeof(out->RefPicList0));
    memset(out->RefPicList1, STD_VIDEO_H265_NO_REFERENCE_PICTURE, sizeof(out->RefPicList1));
    memcpy(out->RefPicList0, app->ref_slots[0], app->job.ref_count[0]);
    memcpy(out->RefPicList1, app->ref_slots[1], app->job.ref_count[1]);
    out->num_ref_idx_l0_active_minus1 = (uint8_t)(app->job.ref_count[0] - 1);
    out->num_ref_idx_l1_active_minus1 = (uint8_t)(app->job.ref_count[1] - 1);
}

static StdVideoEncodeH265SliceSegmentHeader
slice_of(const struct app *app)
{
    const struct rp_h265_encode_job *job = &app->job;
    StdVideoEncodeH265SliceSegmentHeader std = {
        .slice_type = job->slice_type,
        .collocated_ref_idx = (uint8_t)job->collocated_ref_idx,
        .MaxNumMergeCand = (uint8_t)job->max_merge_cand,
        .slice_beta_offset_div2 = (int8_t)job->beta_offset_div2,
        .slice_tc_offset_div2 = (int8_t)job->tc_offset_div2,
    };
    std.flags.slice_sao_luma_flag = std.flags.slice_sao_chroma_flag = job->sao;
    std.flags.deblocking_filter_override_flag = 1;
    std.flags.slice_deblocking_filter_disabled_flag = !job->deblocking;
    std.flags.collocated_from_l0_flag = job->collocated_from_l0;
    std.flags.cu_chroma_qp_offset_enabled_flag = 1; /* which no set of ours knows */
    return std;
}

void
app_describe(const struct app *app, struct app_description *out)
{
    *out = (struct app_description){0};
    slots_init(app, out);
    const uint32_t columns = (app->sps.std.pic_width_in_luma_samples + 63) / 64;
    const bool is_idr = rp_h265_slice_is_idr(&app->header);
    const bool is_irap = rp_h265_slice_is_irap(&app->header);
    const bool is_of_sps = app->header.short_term_ref_pic_set_sps_flag;
    for (uint32_t i = 0; i < app->job.slice_count; i++) {
        out->headers[i] = slice_of(app);
        out->headers[i].slice_segment_address = app->first_rows[i] * columns;
        out->slices[i] = (VkVideoEncodeH265NaluSliceSegmentInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_NALU_SLICE_SEGMENT_INFO_KHR,
            .constantQp = app->job.qp,
            .pStdSliceSegmentHeader = &out->headers[i],
        };
    }
    lists_init(app, &out->lists);
    long_term_init(app, &out->long_term);
    StdVideoEncodeH265PictureInfo *std = &out->std;
    *std = (StdVideoEncodeH265PictureInfo){
        .pic_type = is_idr ? STD_VIDEO_H265_PICTURE_TYPE_IDR
                           : (StdVideoH265PictureType)(1 - (int)app->job.slice_type),
        .PicOrderCntVal = app->job.poc,
        .TemporalId = (uint8_t)app->job.temporal_id,
        .pRefLists = app->job.slice_type == STD_VIDEO_H265_SLICE_TYPE_I ? NULL : &out->lists,
        .short_term_ref_pic_set_idx = (uint8_t)app->header.short_term_ref_pic_set_idx,
        .pShortTermRefPicSet = is_idr || is_of_sps ? NULL : &app->header.short_term_ref_pic_set,
        .pLongTermRefPics = &out->long_term,
    };
    if (app->job.slice_type == STD_VIDEO_H265_SLICE_TYPE_I && !is_idr)
        std->pic_type = STD_VIDEO_H265_PICTURE_TYPE_I;
    std->flags.IrapPicFlag = is_irap;
    std->flags.is_reference = is_irap || (app->header.nal_unit_type & 1);
    std->flags.short_term_ref_pic_set_sps_flag = is_of_sps;
    std->flags.slice_temporal_mvp_enabled_flag = app->job.temporal_mvp;
    out->info = (VkVideoEncodeH265PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_PICTURE_INFO_KHR,
        .naluSliceSegmentEntryCount = app->job.slice_count,
        .pNaluSliceSegmentEntries = out->slices,
        .pStdPictureInfo = &out->std,
    };
}
