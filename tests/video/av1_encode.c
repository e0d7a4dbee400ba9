/* SPDX-License-Identifier: MIT */
/* AV1 encoded through Vulkan: what libdav1d shows is what stands in the application's DPB images.
 *
 * usage: av1_encode [brief]   (brief: short chains, none of an even large size, and one random
 *        structure of each kind)
 */
#include "av1_application.h"
#include "av1_random.h"

#include "test.h"

#include <string.h>

static struct vk vk;
static bool is_brief;

static const StdVideoAV1SequenceHeaderFlags plain_tools = {.enable_order_hint = 1,
                                                           .enable_cdef = 1};

static struct av1_application *
open_or_skip(const struct av1_application_options *options)
{
    struct av1_application *app = av1_open(&vk, options);
    if (!app) {
        (void)fprintf(stderr, "skipped: the device does not encode AV1\n");
        exit(77);
    }
    return app;
}

static struct av1_result
encode_well(struct av1_application *app, const struct av1_picture *pic, int32_t slot, uint32_t time)
{
    const struct av1_result result = av1_encode_picture(app, pic, slot, time);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    REQUIRE(result.size_B > 0);
    return result;
}

static void
encode_key(struct av1_application *app)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    encode_well(app, &pic, 0, 0);
}

/* The picture number of a chain: each refers to the one before by LAST_FRAME. */
static struct av1_picture
chained(const struct av1_application *app, uint32_t number)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_INTER, number, true);
    for (uint32_t i = 0; i < 7; i++)
        pic.std.ref_frame_idx[i] = (int8_t)((number - 1) & 1);
    av1_picture_name(app, &pic, 0, (number - 1) & 1);
    pic.std.primary_ref_frame = 0;
    pic.std.refresh_frame_flags = (uint8_t)(1u << (number & 1));
    return pic;
}

static void
run_chain(const struct av1_application_options *options, uint32_t picture_count)
{
    struct av1_application *app = open_or_skip(options);
    encode_key(app);
    for (uint32_t i = 1; i < picture_count; i++) {
        const struct av1_picture pic = chained(app, i);
        encode_well(app, &pic, av1_free_slot(app, 0), i);
    }
    av1_close(app);
}

static void
chains_are_exact_in_all_sizes_and_depths(void)
{
    static const uint32_t sizes[][2] = {{352, 288}, {353, 289}, {16, 16}, {130, 66}, {257, 31}};
    for (uint32_t depth = 8; depth <= 10; depth += 2) {
        for (uint32_t i = is_brief; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            run_chain(&(struct av1_application_options){.width_px = sizes[i][0],
                                                        .height_px = sizes[i][1],
                                                        .bit_depth = depth,
                                                        .content = i,
                                                        .quality_level = i & 3,
                                                        .tools = plain_tools},
                      is_brief ? 3 : 6);
    }
}

static void
random_structures_are_exact(void)
{
    for (uint64_t seed = 1; seed <= (is_brief ? 1 : 6); seed++)
        (void)av1_random_run(&vk, &(struct av1_random_options){.seed = seed});
}

static void
random_structures_under_rate_control_are_exact(void)
{
    for (uint64_t seed = 11; seed <= (is_brief ? 11 : 14); seed++)
        (void)av1_random_run(&vk,
                             &(struct av1_random_options){.seed = seed, .average_bps = 300000});
}

static void
overrides_are_reported(void)
{
    struct av1_application *app = open_or_skip(&(struct av1_application_options){
        .width_px = 128, .height_px = 64, .bit_depth = 8, .tools = plain_tools});
    REQUIRE(!av1_has_sequence_overrides(app));
    encode_key(app);
    struct av1_picture pic = chained(app, 1);
    REQUIRE(!encode_well(app, &pic, av1_free_slot(app, 0), 1).has_overrides);
    pic = chained(app, 2);
    const StdVideoAV1Segmentation segmentation = {.FeatureEnabled = {1}, .FeatureData = {{3}}};
    pic.std.pSegmentation = &segmentation;
    pic.std.flags.segmentation_enabled = pic.std.flags.segmentation_update_data = 1;
    REQUIRE(encode_well(app, &pic, av1_free_slot(app, 0), 2).has_overrides);
    av1_close(app);
}

static void
bad_pictures_leave_the_session_usable(void)
{
    struct av1_application *app = open_or_skip(&(struct av1_application_options){
        .width_px = 128, .height_px = 64, .bit_depth = 8, .tools = plain_tools});
    encode_key(app);
    struct av1_picture pic = chained(app, 1);
    pic.info.referenceNameSlotIndices[0] = -1; /* no reference at all */
    REQUIRE_EQ(av1_encode_picture(app, &pic, 1, 1).status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    pic.info.referenceNameSlotIndices[0] = 5; /* a dead slot */
    REQUIRE_EQ(av1_encode_picture(app, &pic, 1, 1).status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    pic = chained(app, 1);
    pic.std.ref_frame_idx[2] = 100;
    REQUIRE_EQ(av1_encode_picture(app, &pic, 1, 1).status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    pic = chained(app, 1);
    const StdVideoAV1TileInfo tiles = {.TileCols = 255, .TileRows = 255};
    pic.std.pTileInfo = &tiles;
    REQUIRE_EQ(av1_encode_picture(app, &pic, 1, 1).status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    for (uint32_t i = 1; i < 4; i++) {
        pic = chained(app, i);
        encode_well(app, &pic, av1_free_slot(app, 0), i);
    }
    av1_close(app);
}

/* An application whose pictures predict motion from their references', with its key frame. */
static struct av1_application *
with_motion_fields(uint32_t bit_depth)
{
    struct av1_application *app = open_or_skip(&(struct av1_application_options){
        .width_px = 131,
        .height_px = 67,
        .bit_depth = bit_depth,
        .tools = {.enable_order_hint = 1, .enable_cdef = 1, .enable_ref_frame_mvs = 1}});
    encode_key(app);
    return app;
}

/* A decoder's motion and probabilities are those of the pictures that were coded. */
static void
references_may_be_written_back(uint32_t bit_depth)
{
    struct av1_application *app = with_motion_fields(bit_depth);
    for (uint32_t i = 1; i < 5; i++) {
        struct av1_picture pic = chained(app, i);
        const int32_t slot = pic.info.referenceNameSlotIndices[0];
        pic.std.flags.use_ref_frame_mvs = 1;
        av1_copy_slot(app, slot, slot);
        encode_well(app, &pic, av1_free_slot(app, 0), i);
    }
    av1_close(app);
}

/* Each picture's samples go to another image before it is referred to, and the next one is coded
 * into the image where it was. */
static void
references_may_move_to_other_images(uint32_t bit_depth)
{
    struct av1_application *app = with_motion_fields(bit_depth);
    for (uint32_t i = 1; i < 7; i++) {
        struct av1_picture pic = chained(app, i);
        const int32_t slot = pic.info.referenceNameSlotIndices[0];
        pic.std.flags.use_ref_frame_mvs = 1;
        pic.info.referenceNameSlotIndices[0] = 7 + (int32_t)(i & 1);
        av1_copy_slot(app, slot, pic.info.referenceNameSlotIndices[0]);
        encode_well(app, &pic, slot, i);
    }
    av1_close(app);
}

/* Where it was, there has long been another: it is a decoder's reference all the same. */
static void
references_may_come_back_from_other_images(void)
{
    struct av1_application *app = open_or_skip(&(struct av1_application_options){
        .width_px = 128, .height_px = 64, .bit_depth = 8, .tools = plain_tools});
    encode_key(app);
    struct av1_picture pic = chained(app, 1);
    encode_well(app, &pic, 1,
                1); /* the decoder's second reference; the key frame stays the third */
    av1_copy_slot(app, 0, 8);
    for (uint32_t i = 2; i < 5; i++) {
        pic = chained(app, i);
        encode_well(app, &pic, i & 1, i);
    }
    pic = chained(app, 5);
    for (uint32_t name = 0; name < 7; name++)
        pic.std.ref_frame_idx[name] = 2;
    pic.info.referenceNameSlotIndices[0] = 8;
    encode_well(app, &pic, 1, 5);
    av1_close(app);
}

/* Eight pictures are a decoder's references alone: then libaom has no room for all of them and the
 * application's, and only those in the application's images must stay. */
static void
pictures_that_no_slot_holds_make_room(void)
{
    struct av1_application *app = open_or_skip(&(struct av1_application_options){
        .width_px = 64, .height_px = 64, .bit_depth = 8, .tools = plain_tools});
    encode_key(app);
    struct av1_picture pic;
    for (uint32_t i = 1; i < 17; i++) {
        av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY, i, true);
        pic.std.refresh_frame_flags = i < 9 ? (uint8_t)(1u << (i - 1)) : 0;
        encode_well(app, &pic, (int32_t)(i % 9), i);
    }
    for (uint32_t i = 0; i < 4; i++) {
        av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
        encode_well(app, &pic, 0, i);
        pic = chained(app, 1);
        encode_well(app, &pic, 1, i);
    }
    av1_close(app);
}

/* The key frame's samples go to the image of picture 1, then its own come back: it is what the
 * decoder's reference of the number is, or nothing. */
static void
samples_that_no_decoder_has_are_refused(void)
{
    struct av1_application *app = open_or_skip(&(struct av1_application_options){
        .width_px = 128, .height_px = 64, .bit_depth = 8, .tools = plain_tools});
    encode_key(app);
    struct av1_picture pic = chained(app, 1);
    encode_well(app, &pic, 1, 1);
    av1_copy_slot(app, 1, 5);
    av1_copy_slot(app, 0, 1);

    struct av1_picture moved = chained(app, 2);
    REQUIRE_EQ(moved.info.referenceNameSlotIndices[0], 1);
    moved.std.refresh_frame_flags = 0;
    REQUIRE_EQ(av1_try(app, &moved, 2), VK_QUERY_RESULT_STATUS_ERROR_KHR);
    moved.std.ref_frame_idx[0] = 0; /* the key frame */
    encode_well(app, &moved, 2, 2);
    av1_copy_slot(app, 5, 1);
    REQUIRE_EQ(av1_try(app, &moved, 2), VK_QUERY_RESULT_STATUS_ERROR_KHR);
    for (uint32_t i = 2; i < 4; i++) {
        pic = chained(app, i);
        encode_well(app, &pic, av1_free_slot(app, 0), i);
    }
    av1_close(app);
}

int
main(int argc, char **argv)
{
    is_brief = argc > 1 && strcmp(argv[1], "brief") == 0;
    vk_open_for(&vk, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, 0);
    RUN(chains_are_exact_in_all_sizes_and_depths);
    RUN(random_structures_are_exact);
    RUN(random_structures_under_rate_control_are_exact);
    RUN(overrides_are_reported);
    RUN(bad_pictures_leave_the_session_usable);
    RUN(references_may_be_written_back, 8);
    RUN(references_may_be_written_back, 10);
    RUN(references_may_move_to_other_images, 8);
    RUN(references_may_move_to_other_images, 10);
    RUN(references_may_come_back_from_other_images);
    RUN(pictures_that_no_slot_holds_make_room);
    RUN(samples_that_no_decoder_has_are_refused);
    vk_close(&vk);
    return 0;
}
