/* SPDX-License-Identifier: MIT */
/* Buffers that are too small, nonsense in commands, odd orders: the status says so, nothing is
 * written where it should not be, and the session lives on.
 */
#include "pictures.h"
#include "stream.h"
#include "test.h"

#include <string.h>

#define COMPLETE VK_QUERY_RESULT_STATUS_COMPLETE_KHR
#define NO_SPACE VK_QUERY_RESULT_STATUS_INSUFFICIENT_BITSTREAM_BUFFER_RANGE_KHR
#define FAILED VK_QUERY_RESULT_STATUS_ERROR_KHR

static struct stream_result
try_picture(struct stream *s, const struct stream_picture *pic)
{
    const uint32_t number = stream_prepare(s, pic);
    stream_record(s, number);
    stream_submit(s, number);
    return stream_collect(s, number);
}

static void
a_range_that_is_too_small_is_reported_and_respected(struct vk *vk)
{
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 48, .height_px = 32});
    struct stream_picture pic = picture_idr(s);
    /* The first picture says how much the same one needs: the content moves little. */
    const uint32_t size_B = try_picture(s, &pic).size_B;
    REQUIRE(size_B > 100);

    uint32_t complete_count = 0;
    for (uint32_t range_B = 1; range_B < size_B + 200; range_B += 1 + range_B / 40) {
        pic = picture_idr(s);
        pic.setup_slot = range_B & 1;
        pic.range_B = range_B;
        const struct stream_result result = try_picture(s, &pic);
        REQUIRE(result.status == COMPLETE || result.status == NO_SPACE);
        complete_count += result.status == COMPLETE;
        if (range_B < size_B / 2)
            REQUIRE_EQ(result.status, NO_SPACE);
    }
    REQUIRE(complete_count > 0);
    (void)stream_finish(s);
}

static void
a_range_of_zero_is_the_rest_of_the_buffer(struct vk *vk)
{
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 96, .height_px = 64});
    for (uint32_t i = 0; i < 4; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 24);
        pic.has_no_range = true;
        (void)stream_encode(s, &pic);
    }
    (void)stream_finish(s);
}

static void
say_unknown_sps(struct stream_call *call)
{
    call->std->seq_parameter_set_id = 7;
}

static void
say_unknown_pps(struct stream_call *call)
{
    call->std->pic_parameter_set_id = 200;
}

static void
say_no_slices(struct stream_call *call)
{
    call->h264->naluSliceEntryCount = 0;
}

static void
say_too_many_slices(struct stream_call *call)
{
    static VkVideoEncodeH264NaluSliceInfoKHR slices[2000];
    for (uint32_t i = 0; i < 2000; i++)
        slices[i] = call->slices[0];
    call->h264->naluSliceEntryCount = 2000;
    call->h264->pNaluSliceEntries = slices;
}

static void
say_slices_out_of_order(struct stream_call *call)
{
    static VkVideoEncodeH264NaluSliceInfoKHR slices[2];
    slices[0] = slices[1] = call->slices[0];
    call->headers[0].first_mb_in_slice = 3;
    call->h264->naluSliceEntryCount = 2;
    call->h264->pNaluSliceEntries = slices;
}

static void
say_strange_slice_type(struct stream_call *call)
{
    call->headers[0].slice_type = (StdVideoH264SliceType)77;
    call->std->flags.IdrPicFlag = 0;
}

static void
say_nothing_of_h264(struct stream_call *call)
{
    call->info->pNext = NULL;
}

static void
say_no_source(struct stream_call *call)
{
    call->info->srcPictureResource.imageViewBinding = VK_NULL_HANDLE;
}

static void
say_layer_outside(struct stream_call *call)
{
    call->info->srcPictureResource.baseArrayLayer = 1000;
}

static void
say_offset_outside(struct stream_call *call)
{
    call->info->srcPictureResource.codedOffset = (VkOffset2D){-16, 1 << 30};
}

static void
say_no_extent(struct stream_call *call)
{
    call->info->srcPictureResource.codedExtent = (VkExtent2D){0, 0};
}

static void
say_smaller_extent(struct stream_call *call)
{
    call->info->srcPictureResource.codedExtent = (VkExtent2D){16, 16};
}

static void
say_destination_outside(struct stream_call *call)
{
    call->info->dstBufferOffset = UINT64_MAX - 5;
}

static void
say_empty_slot(struct stream_call *call)
{
    call->headers[0].slice_type = STD_VIDEO_H264_SLICE_TYPE_P;
    call->std->flags.IdrPicFlag = 0;
    call->lists->num_ref_idx_l0_active_minus1 = 0;
    call->lists->RefPicList0[0] = 5;
}

static void
say_p_without_references(struct stream_call *call)
{
    call->headers[0].slice_type = STD_VIDEO_H264_SLICE_TYPE_P;
    call->std->flags.IdrPicFlag = 0;
    call->std->pRefLists = NULL;
}

static void
say_too_small_frame_for_sps(struct stream_call *call)
{
    call->info->srcPictureResource.codedExtent.height -= 16;
}

static void
nonsense_fails_and_the_session_lives_on(struct vk *vk)
{
    static void (*const tampers[])(struct stream_call *) = {
        say_unknown_sps,
        say_unknown_pps,
        say_no_slices,
        say_too_many_slices,
        say_slices_out_of_order,
        say_strange_slice_type,
        say_nothing_of_h264,
        say_no_source,
        say_layer_outside,
        say_offset_outside,
        say_no_extent,
        say_smaller_extent,
        say_destination_outside,
        say_empty_slot,
        say_p_without_references,
        say_too_small_frame_for_sps,
    };
    struct stream *s =
        stream_open(vk, &(struct stream_options){.width_px = 64, .height_px = 48, .slot_count = 3});
    for (uint32_t i = 0; i < sizeof(tampers) / sizeof(tampers[0]); i++) {
        struct stream_picture pic = picture_idr(s);
        pic.setup_slot = 0;
        pic.tamper = tampers[i];
        const struct stream_result result = try_picture(s, &pic);
        if (result.status != FAILED)
            (void)fprintf(stderr, "case %u\n", i);
        REQUIRE_EQ(result.status, FAILED);
        REQUIRE_EQ(result.size_B, 0);
        for (uint32_t j = 0; j < 2; j++) {
            pic = j == 0 ? picture_idr(s) : picture_p(s, 2, slot_by_age(s, 0));
            pic.setup_slot = (int32_t)j;
            (void)stream_encode(s, &pic);
        }
    }
    (void)stream_finish(s);
}

/* The P picture is recorded before the IDR picture that it refers to. */
static void
state_is_resolved_when_commands_run(struct vk *vk)
{
    struct stream *s =
        stream_open(vk, &(struct stream_options){.width_px = 96, .height_px = 80, .shot_count = 2});
    struct stream_picture pic = picture_idr(s);
    const uint32_t first = stream_prepare(s, &pic);
    pic = picture_p(s, 2, slot_by_age(s, 0));
    const uint32_t second = stream_prepare(s, &pic);
    stream_record(s, second);
    stream_record(s, first);
    stream_submit(s, first);
    stream_submit(s, second);
    REQUIRE_EQ(stream_collect(s, first).status, COMPLETE);
    REQUIRE_EQ(stream_collect(s, second).status, COMPLETE);
    (void)stream_finish(s);
}

/* The same application with another layout or more in flight gets the same bytes. */
static uint64_t
hash_of(struct vk *vk, uint32_t shot_count, bool is_layered, uint32_t quality_level)
{
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 320,
                                                                .height_px = 256,
                                                                .slot_count = 3,
                                                                .max_refs = 2,
                                                                .quality_level = quality_level,
                                                                .is_layered = is_layered,
                                                                .shot_count = shot_count});
    for (uint32_t i = 0; i < 12; i++) {
        struct stream_picture pic = picture_of_chain(s, i, 24);
        if (i > 2) {
            pic.list_count[0] = 2;
            pic.list[0][1] = (uint8_t)slot_by_age(s, 1);
        }
        pic.slice_count = 1 + i % 3;
        (void)stream_encode(s, &pic);
    }
    stream_flush(s);
    const uint64_t hash = stream_hash(s);
    (void)stream_finish(s);
    return hash;
}

/* Two slots: each picture replaces one that the picture before still reads. */
static void
overlapped_pictures_leave_their_reconstruction(struct vk *vk)
{
    for (uint32_t level = 0; level < 6; level += 5) {
        struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 240,
                                                                    .height_px = 1026,
                                                                    .quality_level = level,
                                                                    .is_layered = level > 0,
                                                                    .is_overlapped = true,
                                                                    .shot_count = 4});
        for (uint32_t i = 0; i < 24; i++) {
            struct stream_picture pic = picture_of_chain(s, i, 24);
            pic.wants_recon = i % 4 == 3;
            stream_record(s, stream_prepare(s, &pic));
            for (uint32_t k = i - i % 4; i % 4 == 3 && k <= i; k++)
                stream_submit(s, k);
        }
        stream_flush(s);
        (void)stream_finish(s);
    }
}

static void
bytes_do_not_depend_on_overlap_or_layout(struct vk *vk)
{
    for (uint32_t level = 0; level < 6; level += 5) {
        const uint64_t hash = hash_of(vk, 1, false, level);
        REQUIRE(hash_of(vk, 1, true, level) == hash);
        REQUIRE(hash_of(vk, 2, false, level) == hash);
        REQUIRE(hash_of(vk, 4, true, level) == hash);
    }
}

/* FFmpeg has one context for each picture in flight and gives each another queue: nothing orders
 * IDR pictures that follow each other. */
static void
queues_may_encode_pictures_of_one_session_at_once(struct vk *vk)
{
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 48,
                                                                .height_px = 32,
                                                                .slot_count = VK_ENCODE_QUEUES,
                                                                .average_bps = 300000,
                                                                .is_vbr = true,
                                                                .is_overlapped = true,
                                                                .shot_count = VK_ENCODE_QUEUES});
    for (uint32_t i = 0; i < 500 * VK_ENCODE_QUEUES; i += VK_ENCODE_QUEUES) {
        for (uint32_t k = i; k < i + VK_ENCODE_QUEUES; k++) {
            struct stream_picture pic = picture_idr(s);
            pic.setup_slot = (int32_t)(k - i);
            pic.wants_recon = true;
            stream_record(s, stream_prepare(s, &pic));
        }
        for (uint32_t k = i; k < i + VK_ENCODE_QUEUES; k++) {
            vk->queue = vk->encode_queues[i ? k - i : 0]; /* the first one sets the session up */
            stream_submit(s, k);
        }
        REQUIRE_EQ(vkDeviceWaitIdle(vk->dev), VK_SUCCESS);
    }
    stream_flush(s);
    (void)stream_finish(s);
    vk->queue = vk->encode_queues[0];
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(a_range_that_is_too_small_is_reported_and_respected, &vk);
    RUN(a_range_of_zero_is_the_rest_of_the_buffer, &vk);
    RUN(nonsense_fails_and_the_session_lives_on, &vk);
    RUN(state_is_resolved_when_commands_run, &vk);
    RUN(overlapped_pictures_leave_their_reconstruction, &vk);
    RUN(bytes_do_not_depend_on_overlap_or_layout, &vk);
    RUN(queues_may_encode_pictures_of_one_session_at_once, &vk);
    vk_close(&vk);
    return 0;
}
