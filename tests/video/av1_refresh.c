/* SPDX-License-Identifier: MIT */
/* Intra refresh of AV1 through Vulkan: after one cycle a decoder that began with another picture
 * shows the same as one that has seen everything. tests/codec_aom/refresh.c looks at each picture.
 */
#include "av1_application.h"

#include "test.h"

#include "tests/codec_aom/judge.h"

#include <string.h>

#define WIDTH_PX 352
#define HEIGHT_PX 288
#define PICTURE_B (WIDTH_PX * HEIGHT_PX * 3 / 2)

static struct vk vk;

static const StdVideoAV1SequenceHeaderFlags tools = {.enable_order_hint = 1, .enable_cdef = 1};

static struct av1_application *
open_or_skip(const struct av1_application_options *options)
{
    struct av1_application *app = av1_open(&vk, options);
    if (!app) {
        (void)fprintf(stderr, "skipped: the device does not encode AV1\n");
        exit(TEST_SKIPPED);
    }
    return app;
}

/* Encodes a picture; what it adds to the stream goes to the late decoder. */
static struct av1_result
encode(struct av1_application *app, const struct av1_picture *pic, uint32_t time,
       struct judge *late, uint8_t *planes)
{
    size_t before_B, after_B;
    (void)av1_stream(app, &before_B);
    const struct av1_result result = av1_encode_picture(app, pic, av1_free_slot(app, 0), time);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    const uint8_t *stream = av1_stream(app, &after_B);
    if (late)
        judge_show(late, stream + before_B, after_B - before_B, planes, WIDTH_PX, HEIGHT_PX, 8);
    return result;
}

static void
encode_key(struct av1_application *app, uint32_t time, struct judge *late, uint8_t *planes)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    encode(app, &pic, time, late, planes);
}

/* A picture of a chain in which each refers to the one before; the first of a cycle knows no
 * probabilities. */
static struct av1_picture
chained(const struct av1_application *app, uint32_t number)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_INTER, number, true);
    av1_picture_name(app, &pic, 0, 0);
    if (number > 1)
        pic.std.primary_ref_frame = 0;
    pic.std.refresh_frame_flags = 1;
    return pic;
}

static void
run_cycle(const struct av1_application_options *options, uint32_t cycle)
{
    static uint8_t planes[PICTURE_B];
    struct av1_application *app = open_or_skip(options);
    struct av1_application *foreign = open_or_skip(options);
    struct judge *late = judge_create();
    StdVideoAV1TileInfo tiles = {
        .flags.uniform_tile_spacing_flag = 1, .TileCols = 2, .TileRows = (uint8_t)(cycle / 2)};
    encode_key(foreign, 40, late, planes);
    encode_key(app, 0, NULL, NULL);
    for (uint32_t i = 0; i <= cycle; i++) {
        struct av1_picture pic = chained(app, i + 1);
        pic.refresh_cycle = i < cycle ? cycle : 0;
        pic.refresh_index = i;
        if (options->refresh_mode ==
            VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_PER_PICTURE_PARTITION_BIT_KHR)
            pic.std.pTileInfo = &tiles;
        const struct av1_result result = encode(app, &pic, i + 1, late, planes);
        REQUIRE(i == cycle || result.intra_px >= 64 * 32); /* a block at the edge */
    }
    REQUIRE_BYTES(planes, av1_planes(app, 0), PICTURE_B);
    judge_destroy(late);
    av1_close(foreign);
    av1_close(app);
}

static void
a_cycle_brings_a_late_decoder_back(void)
{
    static const uint32_t cycles[] = {2, 4};
    for (uint32_t i = 0; i < 8; i++)
        run_cycle(
            &(struct av1_application_options){
                .width_px = WIDTH_PX,
                .height_px = HEIGHT_PX,
                .bit_depth = 8,
                .quality_level = (i + i / 4) % 4,
                .tools = tools,
                .refresh_mode = (VkVideoEncodeIntraRefreshModeFlagBitsKHR)(1u << i % 4)},
            cycles[i / 4]);
}

static void
an_index_outside_of_the_cycle_fails(void)
{
    struct av1_application *app = open_or_skip(&(struct av1_application_options){
        .width_px = WIDTH_PX,
        .height_px = HEIGHT_PX,
        .bit_depth = 8,
        .tools = tools,
        .refresh_mode = VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR});
    encode_key(app, 0, NULL, NULL);
    struct av1_picture pic = chained(app, 1);
    pic.refresh_cycle = pic.refresh_index = 4;
    REQUIRE_EQ(av1_encode_picture(app, &pic, 1, 1).status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    pic.refresh_cycle = 100000;
    REQUIRE_EQ(av1_encode_picture(app, &pic, 1, 1).status, VK_QUERY_RESULT_STATUS_ERROR_KHR);
    pic.refresh_cycle = 5;
    REQUIRE_EQ(av1_encode_picture(app, &pic, 1, 1).status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    av1_close(app);
}

static void
capabilities_have_the_modes(void)
{
    const VkVideoEncodeAV1ProfileInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
    const VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, &av1);
    VkVideoEncodeIntraRefreshCapabilitiesKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_CAPABILITIES_KHR};
    VkVideoEncodeAV1CapabilitiesKHR codec = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_CAPABILITIES_KHR, .pNext = &refresh};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &codec};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile, &caps), VK_SUCCESS);
    REQUIRE_EQ(refresh.intraRefreshModes, 15);
    REQUIRE_EQ(refresh.maxIntraRefreshCycleDuration, 256);
    REQUIRE_EQ(refresh.maxIntraRefreshActiveReferencePictures, caps.maxActiveReferencePictures);
}

int
main(void)
{
    vk_open(&vk);
    RUN(a_cycle_brings_a_late_decoder_back);
    RUN(an_index_outside_of_the_cycle_fails);
    RUN(capabilities_have_the_modes);
    vk_close(&vk);
    return 0;
}
