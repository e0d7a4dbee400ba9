/* SPDX-License-Identifier: MIT */
/* What is wrong with an H.265 picture is said by its query; nothing is written outside of its
 * range, and the session encodes on.
 */
#include "h265_application.h"

#include "tests/codec_kvazaar/judge.h"

#include "test.h"

#include <string.h>

#define WIDTH_PX 128
#define HEIGHT_PX 192 /* three rows of coding tree blocks */

static struct vk vk;

/* An IDR picture in slot 0, and an application that goes on from it. */
static struct app *
begin(bool has_maps)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->route = &h265_route;
    app_init(app, WIDTH_PX, HEIGHT_PX, 8);
    app->pps.std.flags.cu_qp_delta_enabled_flag = has_maps;
    app_write_sets(app);
    app_draw(app, 0);
    app_picture_init(app, true, 0);
    REQUIRE_EQ(app_encode(app, 0), RP_CODEC_OK);
    app->slots[0].is_reference = true;
    return app;
}

/* A P picture of two slices with picture 0 in slot 0 as its reference, into the slot. */
static enum rp_codec_status
encode(struct app *app, int32_t poc, int32_t slot)
{
    uint32_t initial[2][APP_SLOTS];
    app_draw(app, (uint32_t)poc);
    app_picture_init(app, false, poc);
    app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
    app_set_references(app, 1, initial);
    app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
    app_refer(app, 0, 0, 0, 0);
    app_spread_slices(app, 2);
    if (app->pps.std.flags.cu_qp_delta_enabled_flag)
        app->job.common.qp_delta = app->map;
    return app_encode(app, slot);
}

/* An error, between pictures that are right. */
static void
require_error(struct app *app, h265_change_fn *change, int32_t *poc)
{
    h265_set_change(app, change, NULL);
    REQUIRE_EQ(encode(app, *poc, 1), RP_CODEC_FAILED);
    REQUIRE_EQ(h265_last_feedback(app)->status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    h265_set_change(app, NULL, NULL);
    REQUIRE_EQ(encode(app, (*poc)++, 1), RP_CODEC_OK);
}

static void
require_errors(h265_change_fn *const *changes, size_t count, bool has_maps)
{
    struct app *app = begin(has_maps);
    int32_t poc = 1;
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(stderr, "mistake %zu\n", i);
        require_error(app, changes[i], &poc);
    }
    judge_stream(app);
    app_finish(app);
    free(app);
}

#define REQUIRE_ERRORS(changes, has_maps) \
    require_errors(changes, sizeof(changes) / sizeof((changes)[0]), has_maps)

/* Each of these is one mistake. */
#define MISTAKE(name, ...) \
    static void name(void *ctx, struct h265_call *call) \
    { \
        struct app_description *d = call->description; \
        VkVideoEncodeInfoKHR *info = call->info; \
        (void)ctx; \
        (void)d; \
        (void)info; \
        __VA_ARGS__; \
    }

MISTAKE(without_picture, d->info.pStdPictureInfo = NULL)
MISTAKE(without_structure, info->pNext = NULL)
MISTAKE(without_slices, d->info.naluSliceSegmentEntryCount = 0)
MISTAKE(without_slice_header, d->slices[1].pStdSliceSegmentHeader = NULL)
MISTAKE(of_no_slice_type, d->headers[0].slice_type = (StdVideoH265SliceType)7)
MISTAKE(of_no_temporal_id, d->std.TemporalId = 7)
MISTAKE(with_another_vps, d->std.sps_video_parameter_set_id = 1)
MISTAKE(with_another_sps, d->std.pps_seq_parameter_set_id = 15)
MISTAKE(with_another_pps, d->std.pps_pic_parameter_set_id = 63)
MISTAKE(with_a_set_beyond, d->std.pps_pic_parameter_set_id = 255)

static void
pictures_are_checked(void)
{
    static h265_change_fn *const changes[] = {
        without_picture,  without_structure, without_slices,   without_slice_header,
        of_no_slice_type, of_no_temporal_id, with_another_vps, with_another_sps,
        with_another_pps, with_a_set_beyond,
    };
    REQUIRE_ERRORS(changes, false);
}

MISTAKE(slice_inside_a_row, d->headers[1].slice_segment_address++)
MISTAKE(slice_behind_the_picture, d->headers[1].slice_segment_address = 6)
MISTAKE(slice_far_away, d->headers[1].slice_segment_address = UINT32_MAX)
MISTAKE(first_slice_not_first, d->headers[0].slice_segment_address = 2)

static void
more_slices_than_rows(void *ctx, struct h265_call *call)
{
    (void)ctx;
    for (uint32_t i = 2; i < 4; i++)
        call->description->slices[i] = call->description->slices[0];
    call->description->info.naluSliceSegmentEntryCount = 4;
}

static void
more_slices_than_ever(void *ctx, struct h265_call *call)
{
    static VkVideoEncodeH265NaluSliceSegmentInfoKHR slices[1000];
    (void)ctx;
    for (uint32_t i = 0; i < 1000; i++)
        slices[i] = call->description->slices[0];
    call->description->info.naluSliceSegmentEntryCount = 1000;
    call->description->info.pNaluSliceSegmentEntries = slices;
}

static void
slices_are_checked(void)
{
    static h265_change_fn *const changes[] = {
        slice_inside_a_row,    slice_behind_the_picture, slice_far_away,
        first_slice_not_first, more_slices_than_rows,    more_slices_than_ever,
    };
    REQUIRE_ERRORS(changes, false);
}

MISTAKE(without_lists, d->std.pRefLists = NULL)
MISTAKE(with_an_empty_list, d->lists.RefPicList0[0] = STD_VIDEO_H265_NO_REFERENCE_PICTURE)
MISTAKE(of_a_dead_slot, d->lists.RefPicList0[0] = 7)
MISTAKE(of_no_slot, d->lists.RefPicList0[0] = 200)
MISTAKE(not_listed, info->referenceSlotCount = 0)
MISTAKE(of_a_long_term_picture, d->references[0].flags.used_for_long_term_reference = 1)
MISTAKE(without_std_reference, d->slots[0].pStdReferenceInfo = NULL)
MISTAKE(without_a_set, d->std.pShortTermRefPicSet = NULL)
MISTAKE(with_a_set_of_the_sps, d->std.flags.short_term_ref_pic_set_sps_flag = 1)
MISTAKE(with_long_term_of_the_sps, d->long_term.num_long_term_sps = 1)
MISTAKE(with_too_many_long_term, d->long_term.num_long_term_pics = 200)
MISTAKE(b_without_list_1, d->headers[0].slice_type = STD_VIDEO_H265_SLICE_TYPE_B)
MISTAKE(slot_without_info, call->slots[0].pNext = NULL)
MISTAKE(over_its_reference, info->pSetupReferenceSlot = &call->slots[0])

/* Only the set counts: what we have coded into the image is known. */
static void
of_another_poc(void *ctx, struct h265_call *call)
{
    static StdVideoH265ShortTermRefPicSet set;
    (void)ctx;
    set = *call->description->std.pShortTermRefPicSet;
    set.delta_poc_s0_minus1[0] = 4;
    call->description->std.pShortTermRefPicSet = &set;
}

static void
too_many_pictures_in_the_set(void *ctx, struct h265_call *call)
{
    static StdVideoH265ShortTermRefPicSet set;
    (void)ctx;
    set = *call->description->std.pShortTermRefPicSet;
    set.num_negative_pics = 255;
    call->description->std.pShortTermRefPicSet = &set;
}

static void
references_are_checked(void)
{
    static h265_change_fn *const changes[] = {
        without_lists,
        with_an_empty_list,
        of_a_dead_slot,
        of_no_slot,
        not_listed,
        of_another_poc,
        of_a_long_term_picture,
        without_std_reference,
        without_a_set,
        with_a_set_of_the_sps,
        with_long_term_of_the_sps,
        with_too_many_long_term,
        b_without_list_1,
        slot_without_info,
        over_its_reference,
        too_many_pictures_in_the_set,
    };
    REQUIRE_ERRORS(changes, false);
}

MISTAKE(of_no_width, info->srcPictureResource.codedExtent.width = 0)
MISTAKE(of_no_height, info->srcPictureResource.codedExtent.height = 0)
MISTAKE(much_smaller, info->srcPictureResource.codedExtent = ((VkExtent2D){64, 64}))
MISTAKE(without_a_view, info->srcPictureResource.imageViewBinding = VK_NULL_HANDLE)
MISTAKE(without_a_buffer, info->dstBuffer = VK_NULL_HANDLE)

static void
resources_are_checked(void)
{
    static h265_change_fn *const changes[] = {of_no_width, of_no_height, much_smaller,
                                              without_a_view, without_a_buffer};
    REQUIRE_ERRORS(changes, false);
}

MISTAKE(without_a_map, call->map->quantizationMap = VK_NULL_HANDLE)

static void
maps_are_checked(void)
{
    static h265_change_fn *const changes[] = {without_a_map};
    REQUIRE_ERRORS(changes, true);
}

int
main(void)
{
    vk_open_for(&vk, VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, 0);
    if (!h265_route_init(&vk))
        return TEST_SKIPPED;
    RUN(pictures_are_checked);
    RUN(slices_are_checked);
    RUN(references_are_checked);
    RUN(resources_are_checked);
    RUN(maps_are_checked);
    vk_close(&vk);
    return 0;
}
