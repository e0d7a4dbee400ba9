/* SPDX-License-Identifier: MIT */
/* Quantization maps of AV1 through Vulkan.
 */
#include "av1_application.h"
#include "av1_random.h"

#include "test.h"

#include <string.h>

#define WIDTH_PX 352
#define HEIGHT_PX 288
#define COLS (WIDTH_PX / 16)
#define ROWS (HEIGHT_PX / 16)
#define PICTURES 4u

static struct vk vk;

static const VkFormat formats[] = {VK_FORMAT_R8_SINT, VK_FORMAT_R16_SINT, VK_FORMAT_R32_SINT};

struct halves {
    int32_t left; /* in 1/100 dB */
    int32_t right;
};

static void
fill_map(VkFormat format, int32_t left, int32_t right, void *map)
{
    for (uint32_t i = 0; i < COLS * ROWS; i++) {
        const int32_t value = i % COLS < COLS / 2 ? left : right;
        if (format == VK_FORMAT_R8_SINT)
            ((int8_t *)map)[i] = (int8_t)value;
        else if (format == VK_FORMAT_R16_SINT)
            ((int16_t *)map)[i] = (int16_t)value;
        else
            ((int32_t *)map)[i] = value;
    }
}

/* The quality of the last picture of a chain. */
static struct halves
encode_with_map(VkFormat format, int32_t left, int32_t right)
{
    int32_t map[COLS * ROWS];
    struct av1_application *app =
        av1_open(&vk, &(struct av1_application_options){
                          .width_px = WIDTH_PX,
                          .height_px = HEIGHT_PX,
                          .bit_depth = 8,
                          .tools = {.enable_order_hint = 1, .enable_cdef = 1},
                          .map_format = format,
                      });
    if (!app) {
        (void)fprintf(stderr, "skipped: the device does not encode AV1\n");
        exit(TEST_SKIPPED);
    }
    fill_map(format, left, right, map);
    for (uint32_t i = 0; i < PICTURES; i++) {
        struct av1_picture pic;
        av1_picture_init(&pic, i ? STD_VIDEO_AV1_FRAME_TYPE_INTER : STD_VIDEO_AV1_FRAME_TYPE_KEY, i,
                         true);
        if (i) {
            av1_picture_name(app, &pic, 0, 0);
            pic.std.primary_ref_frame = 0;
            pic.std.refresh_frame_flags = 1;
        }
        pic.info.constantQIndex = 110;
        pic.map = map;
        const struct av1_result result = av1_encode_picture(app, &pic, av1_free_slot(app, 0), i);
        REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        REQUIRE(!result.has_overrides);
    }
    const struct halves halves = {
        .left = av1_psnr(app, 0, PICTURES - 1, 0, WIDTH_PX / 2),
        .right = av1_psnr(app, 0, PICTURES - 1, WIDTH_PX / 2, WIDTH_PX / 2),
    };
    av1_close(app);
    return halves;
}

static void
maps_move_quality_where_they_say(void)
{
    for (uint32_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        const struct halves plain = encode_with_map(formats[i], 0, 0);
        const struct halves right = encode_with_map(formats[i], 0, 100);
        const struct halves left = encode_with_map(formats[i], 100, -60);
        REQUIRE(right.right < plain.right - 400);
        REQUIRE(abs(right.left - plain.left) < 50);
        REQUIRE(left.left < plain.left - 400);
        REQUIRE(left.right > plain.right + 100);
    }
}

static void
random_maps_are_exact(void)
{
    for (uint64_t seed = 21; seed <= 23; seed++) {
        (void)av1_random_run(&vk,
                             &(struct av1_random_options){.seed = seed,
                                                          .map_format = formats[seed % 3],
                                                          .average_bps = seed == 22 ? 300000 : 0});
    }
}

static void
capabilities_have_the_range_of_indices(void)
{
    const VkVideoEncodeAV1ProfileInfoKHR av1 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PROFILE_INFO_KHR,
        .stdProfile = STD_VIDEO_AV1_PROFILE_MAIN,
    };
    const VkVideoProfileInfoKHR profile =
        video_profile(VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, &av1);
    VkVideoEncodeAV1QuantizationMapCapabilitiesKHR deltas = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_QUANTIZATION_MAP_CAPABILITIES_KHR};
    VkVideoEncodeQuantizationMapCapabilitiesKHR maps = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_QUANTIZATION_MAP_CAPABILITIES_KHR,
        .pNext = &deltas};
    VkVideoEncodeAV1CapabilitiesKHR codec = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_CAPABILITIES_KHR, .pNext = &maps};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &codec};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile, &caps), VK_SUCCESS);
    REQUIRE(encode.flags & VK_VIDEO_ENCODE_CAPABILITY_QUANTIZATION_DELTA_MAP_BIT_KHR);
    REQUIRE(!(encode.flags & VK_VIDEO_ENCODE_CAPABILITY_EMPHASIS_MAP_BIT_KHR));
    REQUIRE(maps.maxQuantizationMapExtent.width >= caps.maxCodedExtent.width / 16);
    REQUIRE_EQ(deltas.minQIndexDelta, -255);
    REQUIRE_EQ(deltas.maxQIndexDelta, 255);
}

int
main(void)
{
    vk_open(&vk);
    RUN(maps_move_quality_where_they_say);
    RUN(random_maps_are_exact);
    RUN(capabilities_have_the_range_of_indices);
    vk_close(&vk);
    return 0;
}
