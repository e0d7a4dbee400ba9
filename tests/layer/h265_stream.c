/* SPDX-License-Identifier: MIT */
/* Encodes H.265 into a file: of both bit depths, with a quantization map, and with each mode of
 * intra refresh. What the device says of its encoder, and the feedback of each picture, is there,
 * too: all is the same on every device that our driver encodes for.
 */
#include "h265_application.h"

#include "test.h"

#define WIDTH_PX 202u /* four blocks of 64x64, and three */
#define HEIGHT_PX 130u
#define PICTURES 6
#define CYCLE 4u

static struct vk vk;

static void
put(FILE *out, const void *data, size_t size_B)
{
    REQUIRE(fwrite(data, 1, size_B, out) == size_B);
}

static VkVideoEncodeIntraRefreshModeFlagsKHR
write_capabilities(FILE *out)
{
    VkVideoEncodeIntraRefreshCapabilitiesKHR refresh = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_CAPABILITIES_KHR};
    VkVideoEncodeFeedback2CapabilitiesKHR feedback2 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_FEEDBACK_2_CAPABILITIES_KHR, .pNext = &refresh};
    VkVideoEncodeH265CapabilitiesKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_CAPABILITIES_KHR, .pNext = &feedback2};
    VkVideoEncodeCapabilitiesKHR encode = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_CAPABILITIES_KHR,
                                           .pNext = &h265};
    VkVideoCapabilitiesKHR caps = {.sType = VK_STRUCTURE_TYPE_VIDEO_CAPABILITIES_KHR,
                                   .pNext = &encode};
    struct h265_profile profile;

    h265_profile_init(&profile, 8);
    REQUIRE_EQ(vkGetPhysicalDeviceVideoCapabilitiesKHR(vk.pdev, &profile.info, &caps), VK_SUCCESS);
    REQUIRE(refresh.maxIntraRefreshCycleDuration >= CYCLE);
    feedback2.pNext = NULL; /* the only pointer of the two */
    put(out, &encode.flags, sizeof(encode.flags));
    put(out, &encode.supportedEncodeFeedbackFlags, sizeof(encode.supportedEncodeFeedbackFlags));
    put(out, &feedback2, sizeof(feedback2));
    put(out, &refresh, sizeof(refresh));
    return refresh.intraRefreshModes;
}

/* ctx: the picture's index in the cycle. */
static void
refresh(void *ctx, struct h265_call *call)
{
    static VkVideoEncodeIntraRefreshInfoKHR info;
    static VkVideoReferenceIntraRefreshInfoKHR reference;
    const uint32_t *index = ctx;

    info = (VkVideoEncodeIntraRefreshInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_INTRA_REFRESH_INFO_KHR,
        .pNext = call->info->pNext,
        .intraRefreshCycleDuration = CYCLE,
        .intraRefreshIndex = *index,
    };
    reference = (VkVideoReferenceIntraRefreshInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_REFERENCE_INTRA_REFRESH_INFO_KHR,
        .pNext = call->slots[0].pNext,
        .dirtyIntraRefreshRegions = CYCLE - *index,
    };
    call->info->pNext = &info;
    call->info->flags |= VK_VIDEO_ENCODE_INTRA_REFRESH_BIT_KHR;
    call->slots[0].pNext = &reference;
}

/* Each picture refers to the one before. */
static void
prepare(struct app *app, int32_t poc)
{
    uint32_t initial[2][APP_SLOTS];

    app_draw(app, (uint32_t)poc);
    app_picture_init(app, poc == 0, poc);
    app_spread_slices(app, 1 + (uint32_t)poc % 2);
    if (poc == 0)
        return;
    app->slots[poc & 1].is_reference = false;
    app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
    app_set_references(app, 1u << (~poc & 1), initial);
    app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
    app_refer(app, 0, 0, 0, ~poc & 1);
}

static void
encode(struct app *app, int32_t poc, bool has_refresh, FILE *out)
{
    uint32_t index = (uint32_t)poc - 1;

    prepare(app, poc);
    for (uint32_t i = 0; i < sizeof(app->map) / sizeof(app->map[0]); i++)
        app->map[i] = (int16_t)((i + (uint32_t)poc) % 9) - 4;
    if (app->pps.std.flags.cu_qp_delta_enabled_flag)
        app->job.common.qp_delta = app->map;
    h265_set_change(app, has_refresh && index < CYCLE ? refresh : NULL, &index);
    REQUIRE_EQ(app_encode(app, poc & 1), RP_CODEC_OK);
    app->slots[poc & 1].poc = poc;
    app->slots[poc & 1].is_reference = true;

    const struct h265_feedback *feedback = h265_last_feedback(app);
    REQUIRE_EQ(feedback->slice_count, 1 + (uint32_t)poc % 2);
    put(out, feedback, offsetof(struct h265_feedback, slices[feedback->slice_count]));
}

static void
write_stream(FILE *out, uint32_t bit_depth, bool has_map,
             VkVideoEncodeIntraRefreshModeFlagBitsKHR refresh_mode)
{
    struct app *app = calloc(1, sizeof(*app));

    REQUIRE(app);
    h265_route_set_options(
        &(struct h265_route_options){.refresh_mode = refresh_mode, .has_private_references = true});
    app->route = &h265_route;
    app->bit_depth = bit_depth;
    app->pan_px = 3;
    app->has_noise = true;
    app_init(app, WIDTH_PX, HEIGHT_PX, 8);
    app->pps.std.flags.cu_qp_delta_enabled_flag = has_map;
    app_write_sets(app);
    put(out, app->sets, app->sets_B);
    for (int32_t poc = 0; poc < PICTURES; poc++)
        encode(app, poc, refresh_mode != 0, out);
    for (uint32_t i = 0; i < app->record_count; i++)
        put(out, app->records[i].unit, app->records[i].unit_B);
    app_finish(app);
    free(app);
}

int
main(int argc, char **argv)
{
    REQUIRE_EQ(argc, 2);
    FILE *out = fopen(argv[1], "wb");
    REQUIRE(out);
    vk_open_for(&vk, VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, 0);
    if (!h265_route_init(&vk))
        return TEST_SKIPPED;
    const VkVideoEncodeIntraRefreshModeFlagsKHR modes = write_capabilities(out);
    write_stream(out, 8, false, 0);
    write_stream(out, 10, false, 0);
    write_stream(out, 8, true, 0);
    for (uint32_t mode = 1; mode <= modes; mode *= 2) {
        if (modes & mode)
            write_stream(out, 8, false, (VkVideoEncodeIntraRefreshModeFlagBitsKHR)mode);
    }
    vk_close(&vk);
    REQUIRE_EQ(fclose(out), 0);
    return 0;
}
