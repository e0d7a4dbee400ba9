/* SPDX-License-Identifier: MIT */
/* Fuzz target: nonsense in all that describes a picture of H.265. Whatever its status is, nothing
 * is written where it should not be, and the IDR picture after it is what libavcodec decodes.
 */
#include "nonsense.h"

#include "tests/codec_kvazaar/judge.h"
#include "tests/test.h"
#include "tests/video/h265_application.h"

#include <string.h>

#define PICTURES 6u
#define MAX_SLICES 100u

/* The pictures that one with nonsense may refer to, in slots 0 and 1. */
#define REFERENCES 2u

static void
spoil_slice(StdVideoEncodeH265SliceSegmentHeader *header,
            VkVideoEncodeH265NaluSliceSegmentInfoKHR *slice)
{
    static StdVideoEncodeH265WeightTable weights;
    fill_bytes(&weights, sizeof(weights));
    for (uint32_t i = below(4); i > 0; i--)
        ((uint8_t *)&header->flags)[below(sizeof(header->flags))] ^= (uint8_t)(1u << below(8));
    MAYBE(header->slice_type, (StdVideoH265SliceType)(one_in(4) ? strange() : below(3)));
    MAYBE(header->slice_segment_address, (uint32_t)(one_in(3) ? strange() : below(8)));
    MAYBE(header->collocated_ref_idx, (uint8_t)(one_in(2) ? strange() : below(3)));
    MAYBE(header->MaxNumMergeCand, (uint8_t)(one_in(2) ? strange() : below(6)));
    MAYBE(header->slice_cb_qp_offset, (int8_t)strange());
    MAYBE(header->slice_cr_qp_offset, (int8_t)strange());
    MAYBE(header->slice_beta_offset_div2, (int8_t)strange());
    MAYBE(header->slice_tc_offset_div2, (int8_t)strange());
    MAYBE(header->slice_qp_delta, (int8_t)strange());
    MAYBE(header->pWeightTable, &weights);
    MAYBE(slice->constantQp, (int32_t)(one_in(2) ? strange() : below(52)));
    if (one_in(20))
        slice->pStdSliceSegmentHeader = NULL;
}

static void
spoil_slices(struct app_description *d)
{
    static VkVideoEncodeH265NaluSliceSegmentInfoKHR slices[MAX_SLICES];
    const uint32_t count = d->info.naluSliceSegmentEntryCount;
    for (uint32_t i = 0; i < count; i++)
        spoil_slice(&d->headers[i], &d->slices[i]);
    if (!one_in(5))
        return;
    for (uint32_t i = 0; i < MAX_SLICES; i++)
        slices[i] = d->slices[i % count];
    d->info.pNaluSliceSegmentEntries = slices;
    d->info.naluSliceSegmentEntryCount = below(2) ? below(5) : below(MAX_SLICES + 1);
}

static void
spoil_lists(StdVideoEncodeH265ReferenceListsInfo *lists)
{
    MAYBE(lists->num_ref_idx_l0_active_minus1, (uint8_t)(one_in(3) ? strange() : below(4)));
    MAYBE(lists->num_ref_idx_l1_active_minus1, (uint8_t)(one_in(3) ? strange() : below(4)));
    for (uint32_t i = 0; i < STD_VIDEO_H265_MAX_NUM_LIST_REF; i++) {
        MAYBE(lists->RefPicList0[i], (uint8_t)(one_in(4) ? strange() : below(3)));
        MAYBE(lists->RefPicList1[i], (uint8_t)(one_in(4) ? strange() : below(3)));
        MAYBE(lists->list_entry_l0[i], (uint8_t)strange());
        MAYBE(lists->list_entry_l1[i], (uint8_t)strange());
    }
    MAYBE(lists->flags.ref_pic_list_modification_flag_l0, below(2));
    MAYBE(lists->flags.ref_pic_list_modification_flag_l1, below(2));
}

static void
spoil_sets(struct app_description *d)
{
    static StdVideoH265ShortTermRefPicSet set;
    StdVideoEncodeH265PictureInfo *std = &d->std;
    if (one_in(4)) {
        fill_bytes(&set, sizeof(set));
        std->pShortTermRefPicSet = &set;
    }
    if (one_in(4))
        fill_bytes(&d->long_term, sizeof(d->long_term));
    if (one_in(20))
        std->pShortTermRefPicSet = NULL;
    if (one_in(20))
        std->pLongTermRefPics = NULL;
    if (one_in(20))
        std->pRefLists = NULL;
    for (uint32_t i = 0; i < REFERENCES; i++) {
        MAYBE(d->references[i].PicOrderCntVal, (int32_t)(one_in(2) ? strange() : below(4)));
        MAYBE(d->references[i].flags.used_for_long_term_reference, below(2));
        MAYBE(d->references[i].TemporalId, (uint8_t)strange());
        if (one_in(30))
            d->slots[i].pStdReferenceInfo = NULL;
    }
}

static void
spoil_std(StdVideoEncodeH265PictureInfo *std)
{
    for (uint32_t i = below(4); i > 0; i--)
        ((uint8_t *)&std->flags)[below(2)] ^= (uint8_t)(1u << below(8));
    MAYBE(std->pic_type, (StdVideoH265PictureType)(one_in(4) ? strange() : below(5)));
    MAYBE(std->short_term_ref_pic_set_idx, (uint8_t)strange());
    MAYBE(std->PicOrderCntVal, (int32_t)(one_in(2) ? strange() : below(5)));
    MAYBE(std->TemporalId, (uint8_t)(one_in(3) ? strange() : below(7)));
    if (one_in(20))
        std->sps_video_parameter_set_id = (uint8_t)strange();
    if (one_in(20))
        std->pps_seq_parameter_set_id = (uint8_t)strange();
    if (one_in(20))
        std->pps_pic_parameter_set_id = (uint8_t)strange();
}

static void
spoil_resources(struct h265_call *call)
{
    VkVideoEncodeInfoKHR *info = call->info;
    VkVideoPictureResourceInfoKHR *src = &info->srcPictureResource;
    MAYBE(src->codedOffset.x, (int32_t)strange());
    MAYBE(src->codedOffset.y, (int32_t)below(64));
    MAYBE(src->codedExtent.width, (uint32_t)(one_in(3) ? strange() : below(200)));
    MAYBE(src->codedExtent.height, (uint32_t)(one_in(3) ? strange() : below(200)));
    if (one_in(10))
        src->baseArrayLayer = (uint32_t)strange();
    if (one_in(10))
        info->pSetupReferenceSlot = NULL;
    if (one_in(6) && info->referenceSlotCount > 0)
        info->referenceSlotCount--;
    for (uint32_t i = 0; i < info->referenceSlotCount; i++) {
        MAYBE(call->slots[i].slotIndex, (int32_t)(one_in(4) ? strange() : below(4)));
        if (one_in(20))
            call->slots[i].pNext = NULL;
        if (one_in(20))
            call->slots[i].pPictureResource = NULL;
    }
    MAYBE(info->dstBufferRange, 1 + below(3000));
    MAYBE(info->precedingExternallyEncodedBytes, (uint32_t)strange());
    if (one_in(20))
        info->pNext = NULL;
    if (one_in(20))
        call->description->info.pStdPictureInfo = NULL;
    if (one_in(10))
        info->flags |= below(8); /* without the structures that go with them */
}

static void
spoil(void *ctx, struct h265_call *call)
{
    (void)ctx;
    spoil_slices(call->description);
    spoil_lists(&call->description->lists);
    spoil_sets(call->description);
    spoil_std(&call->description->std);
    spoil_resources(call);
}

/* An IDR picture in slot 0, which begins the stream anew. */
static void
encode_idr(struct app *app)
{
    h265_set_change(app, NULL, NULL);
    app_draw(app, app->epoch);
    app_picture_init(app, true, 0);
    REQUIRE_EQ(app_encode(app, 0), RP_CODEC_OK);
    app->slots[0].poc = 0;
    app->slots[0].is_reference = true;
}

/* What comes of it is no part of the stream. */
static void
encode_noise(struct app *app)
{
    uint32_t initial[2][APP_SLOTS];
    app_picture_init(app, false, 1 + (int32_t)below(3));
    app_set_references(app, 1, initial);
    app->job.slice_type = below(2) ? STD_VIDEO_H265_SLICE_TYPE_B : STD_VIDEO_H265_SLICE_TYPE_P;
    app->header.nal_unit_type = below(2) ? RP_H265_NAL_TRAIL_R : 0;
    app->job.common.quality_level = below(H265_QUALITY_LEVELS);
    app_refer(app, 0, 0, 0, 0);
    app_refer(app, 1, 0, 0, 0);
    app_spread_slices(app, 1 + below(3));
    if (app->pps.std.flags.cu_qp_delta_enabled_flag && below(2)) {
        fill_bytes(app->map, 64);
        app->job.common.qp_delta = app->map;
    }
    h265_set_change(app, spoil, NULL);
    (void)app_try(app, 1);
}

static void
run_session(void)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->route = &h265_route;
    app_init(app, 16 + 2 * below(60), 16 + 2 * below(80), below(2) ? 8 : 64);
    app->sps.std.flags.sample_adaptive_offset_enabled_flag = below(2);
    app->sps.std.flags.sps_temporal_mvp_enabled_flag = below(2);
    app->pps.std.flags.cu_qp_delta_enabled_flag = below(2);
    app->pps.std.flags.entropy_coding_sync_enabled_flag = below(2);
    app_write_sets(app);
    for (uint32_t i = 0; i < PICTURES && in.size_B; i++) {
        encode_idr(app);
        for (uint32_t k = below(4); k > 0; k--)
            encode_noise(app);
    }
    encode_idr(app);
    judge_stream(app);
    app_finish(app);
    free(app);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    static struct vk vk;
    in = (struct input){data, size_B};
    if (!vk.dev) {
        vk_open_for(&vk, VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, 0);
        if (!h265_route_init(&vk))
            exit(TEST_SKIPPED);
    }
    run_session();
    return 0;
}
