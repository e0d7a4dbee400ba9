/* SPDX-License-Identifier: MIT */
/* H.265 encoded through Vulkan: what libavcodec decodes is what stands in the application's DPB
 * images.
 */
#include "h265_application.h"

#include "tests/codec_kvazaar/judge.h"
#include "tests/codec_kvazaar/random_structure.h"

#include "test.h"

#include <string.h>

static struct vk vk;

static struct app *
open_app(uint32_t width_px, uint32_t height_px)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->route = &h265_route;
    app->pan_px = 2;
    app_init(app, width_px, height_px, 8);
    app->sps.std.flags.sample_adaptive_offset_enabled_flag = 1;
    app->sps.std.flags.sps_temporal_mvp_enabled_flag = 1;
    return app;
}

/* An application that is ready for pictures. */
static struct app *
begin(uint32_t width_px, uint32_t height_px)
{
    struct app *app = open_app(width_px, height_px);
    app_write_sets(app);
    return app;
}

static void
judge_and_close(struct app *app)
{
    judge_stream(app);
    app_finish(app);
    free(app);
}

/* A P picture, ready to be encoded, that refers to the one in the slot. */
static void
prepare_p(struct app *app, int32_t poc, uint32_t slot)
{
    uint32_t initial[2][APP_SLOTS];
    app_draw(app, (uint32_t)poc);
    app_picture_init(app, false, poc);
    app_set_references(app, 1u << slot, initial);
    app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
    app_refer(app, 0, 0, 0, slot);
    app->job.sao = app->sps.std.flags.sample_adaptive_offset_enabled_flag;
    app->job.temporal_mvp = app->sps.std.flags.sps_temporal_mvp_enabled_flag;
}

/* Picture number poc of a chain in slots 0 and 1 in turn. */
static void
prepare(struct app *app, int32_t poc)
{
    if (poc == 0) {
        app_draw(app, 0);
        app_picture_init(app, true, 0);
        return;
    }
    app->slots[poc & 1].is_reference = false;
    prepare_p(app, poc, ~poc & 1);
    app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
}

static enum rp_codec_status
encode(struct app *app, int32_t poc)
{
    const enum rp_codec_status status = app_encode(app, poc & 1);
    if (status == RP_CODEC_OK) {
        app->slots[poc & 1].poc = poc;
        app->slots[poc & 1].is_reference = true;
    }
    return status;
}

static void
encode_well(struct app *app, int32_t poc)
{
    prepare(app, poc);
    REQUIRE_EQ(encode(app, poc), RP_CODEC_OK);
}

static void
random_structures_are_exact(uint32_t bit_depth, uint64_t last_seed)
{
    for (uint64_t seed = 201; seed <= last_seed; seed++)
        (void)random_structure_run(seed, 12, bit_depth, &h265_route);
}

static void
sizes_are_exact(void)
{
    static const uint32_t sizes[][2] = {{16, 16}, {352, 288}, {130, 66}, {18, 322}};
    for (uint32_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct app *app = begin(sizes[i][0], sizes[i][1]);
        for (int32_t poc = 0; poc < 4; poc++)
            encode_well(app, poc);
        judge_and_close(app);
    }
}

/* Pictures of sessions of several sizes in turn. */
static void
sessions_do_not_disturb_each_other(void)
{
    enum { COUNT = 3 };
    struct app *apps[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        apps[i] = begin(64 + 50 * i, 128 - 30 * i);
    for (int32_t poc = 0; poc < 5; poc++) {
        for (uint32_t i = 0; i < COUNT; i++)
            encode_well(apps[i], poc);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        judge_and_close(apps[i]);
}

/* Their motion is not known any more, so that temporal candidates are switched off: with them a
 * decoder would have other pictures. Those of pictures that were left alone are used again. */
static void
references_may_be_copied_into_their_images(void)
{
    struct app *app = begin(128, 96);
    uint8_t *copy = malloc(128 * 96 * 3 / 2);
    REQUIRE(copy);
    for (int32_t poc = 0; poc < 8; poc++) {
        encode_well(app, poc);
        REQUIRE_EQ(h265_last_feedback(app)->has_overrides, poc > 0 && poc < 6);
        if (poc >= 5)
            continue;
        memcpy(copy, app->slots[poc & 1].planes, 128 * 96 * 3 / 2);
        h265_write_slot(app, poc & 1, copy);
    }
    free(copy);
    judge_and_close(app);
}

/* Two sessions code IDR pictures into one image in turn; the one that was not last goes on with
 * what the other left there, and a decoder of that stream shows the same. */
static void
sessions_that_share_an_image_see_each_others_pictures(void)
{
    struct app *app = begin(128, 96), *other = begin(128, 96);
    for (uint32_t i = 0; i < 2; i++) {
        encode_well(app, 0);
        prepare(other, 0);
        app_draw(other, 9);
        h265_swap_images(app, other, 0);
        REQUIRE_EQ(encode(other, 0), RP_CODEC_OK);
        h265_swap_images(app, other, 0);
        const struct app_record seen = other->records[i];
        other->records[i] = app->records[2 * i];
        app->records[2 * i] = seen;
        encode_well(app, 1);
        REQUIRE(h265_last_feedback(app)->has_overrides); /* whose motion it does not know */
    }
    judge_and_close(app);
    judge_and_close(other);
}

static void
set_range(void *ctx, struct h265_call *call)
{
    const VkDeviceSize *range_B = ctx;
    call->info->dstBufferOffset = range_B[0];
    call->info->dstBufferRange = range_B[1];
}

static void
pictures_stay_in_their_ranges(void)
{
    struct app *app = begin(128, 96);
    encode_well(app, 0);
    prepare(app, 1);
    VkDeviceSize range_B[2] = {77, APP_PICTURE_B / 2};
    h265_set_change(app, set_range, range_B);
    REQUIRE_EQ(encode(app, 1), RP_CODEC_OK);
    REQUIRE_EQ(h265_last_feedback(app)->offset_B, 0);
    prepare(app, 2);
    range_B[0] = 0;
    for (range_B[1] = 1; range_B[1] < 30; range_B[1] += 7)
        REQUIRE_EQ(encode(app, 2), RP_CODEC_NO_SPACE);
    h265_set_change(app, NULL, NULL);
    encode_well(app, 2);

    /* Exactly as many bytes as there are will do, and one less will not. */
    prepare(app, 3);
    REQUIRE_EQ(app_try(app, 1), RP_CODEC_OK);
    range_B[1] = h265_last_feedback(app)->size_B - 1;
    h265_set_change(app, set_range, range_B);
    REQUIRE_EQ(encode(app, 3), RP_CODEC_NO_SPACE);
    range_B[1]++;
    REQUIRE_EQ(encode(app, 3), RP_CODEC_OK);
    judge_and_close(app);
}

static void
pictures_without_a_slot_are_coded(void)
{
    struct app *app = begin(128, 96);
    encode_well(app, 0);
    for (int32_t poc = 1; poc < 4; poc++) {
        prepare_p(app, poc, 0);
        REQUIRE_EQ(app_encode(app, -1), RP_CODEC_OK);
    }
    judge_and_close(app);
}

struct halves {
    uint64_t left; /* squared errors of luma */
    uint64_t right;
};

/* Of an IDR picture of 256x128 with these deltas in the halves of its map. */
static struct halves
errors_with_map(int16_t left, int16_t right)
{
    struct halves errors = {0};
    struct app *app = open_app(256, 128);
    app->has_noise = true;
    app->pps.std.flags.cu_qp_delta_enabled_flag = 1;
    app_write_sets(app);
    prepare(app, 0);
    for (uint32_t i = 0; i < 8; i++)
        app->map[i] = i % 4 < 2 ? left : right;
    app->job.common.qp_delta = app->map;
    REQUIRE_EQ(encode(app, 0), RP_CODEC_OK);
    const struct h265_feedback *feedback = h265_last_feedback(app);
    REQUIRE_EQ(feedback->min_qp, app->job.qp + (left < right ? left : right));
    REQUIRE_EQ(feedback->max_qp, app->job.qp + (left < right ? right : left));
    for (uint32_t i = 0; i < 256 * 128; i++) {
        const int32_t error = app->source[i] - app->slots[0].planes[i];
        *(i % 256 < 128 ? &errors.left : &errors.right) += (uint64_t)(error * error);
    }
    judge_and_close(app);
    return errors;
}

static void
maps_move_quality_where_they_say(void)
{
    const struct halves plain = errors_with_map(0, 0);
    const struct halves coarse = errors_with_map(0, 12);
    const struct halves fine = errors_with_map(-12, 0);
    REQUIRE(coarse.right > 2 * plain.right);
    REQUIRE(coarse.left < plain.left * 11 / 10 && plain.left < coarse.left * 11 / 10);
    REQUIRE(2 * fine.left < plain.left);
    REQUIRE(fine.right < plain.right * 11 / 10 && plain.right < fine.right * 11 / 10);
}

/* Under rate control: what matters less gives its bits to what matters more. */
static void
emphasis_moves_quality_under_rate_control(void)
{
    static float emphasis[8];
    uint64_t left = 0, right = 0;
    h265_route_set_options(
        &(struct h265_route_options){.average_bps = 200000, .has_emphasis = true});
    struct app *app = open_app(256, 128);
    app->has_noise = true;
    app->pps.std.flags.cu_qp_delta_enabled_flag = 1;
    app_write_sets(app);
    for (uint32_t i = 0; i < 8; i++)
        emphasis[i] = i % 4 < 2;
    for (int32_t poc = 0; poc < 6; poc++) {
        prepare(app, poc);
        app->job.common.emphasis = emphasis;
        REQUIRE_EQ(encode(app, poc), RP_CODEC_OK);
        const struct h265_feedback *feedback = h265_last_feedback(app);
        REQUIRE(feedback->max_qp > feedback->min_qp + 8);
        for (uint32_t i = 0; i < 256 * 128; i++) {
            const int32_t error = app->source[i] - app->slots[poc & 1].planes[i];
            *(i % 256 < 128 ? &left : &right) += (uint64_t)(error * error);
        }
    }
    REQUIRE(right > 2 * left);
    judge_and_close(app);
    h265_route_set_options(&(struct h265_route_options){0});
}

static void
emphasis_stays_within_the_bounds_of_the_rate(void)
{
    enum { LEAST_QP = 24, GREATEST_QP = 28 };
    static const float emphasis[8] = {1, 1, 0, 0, 1, 1, 0, 0};
    h265_route_set_options(&(struct h265_route_options){.average_bps = 200000,
                                                        .least_qp = LEAST_QP,
                                                        .greatest_qp = GREATEST_QP,
                                                        .has_emphasis = true});
    struct app *app = open_app(256, 128);
    app->has_noise = true;
    app->pps.std.flags.cu_qp_delta_enabled_flag = 1;
    app_write_sets(app);
    for (int32_t poc = 0; poc < 3; poc++) {
        prepare(app, poc);
        app->job.common.emphasis = emphasis;
        REQUIRE_EQ(encode(app, poc), RP_CODEC_OK);
        REQUIRE_EQ(h265_last_feedback(app)->min_qp, LEAST_QP);
        REQUIRE_EQ(h265_last_feedback(app)->max_qp, GREATEST_QP);
    }
    judge_and_close(app);
    h265_route_set_options(&(struct h265_route_options){0});
}

static bool
has_overrides(struct app *app, h265_change_fn *change, int32_t poc)
{
    prepare(app, poc);
    app_spread_slices(app, 2);
    h265_set_change(app, change, NULL);
    REQUIRE_EQ(encode(app, poc), RP_CODEC_OK);
    return h265_last_feedback(app)->has_overrides;
}

static void
sao_of_luma_alone(void *ctx, struct h265_call *call)
{
    (void)ctx;
    for (uint32_t i = 0; i < 2; i++)
        call->description->headers[i].flags.slice_sao_chroma_flag = 0;
}

static void
qp_of_a_slice(void *ctx, struct h265_call *call)
{
    (void)ctx;
    call->description->slices[1].constantQp++;
}

static void
longer_list(void *ctx, struct h265_call *call)
{
    (void)ctx;
    call->description->lists.num_ref_idx_l0_active_minus1++;
}

static void
another_slice_type(void *ctx, struct h265_call *call)
{
    (void)ctx;
    call->description->headers[1].slice_type = STD_VIDEO_H265_SLICE_TYPE_I;
}

/* What no PPS of ours allows is what clients set without asking. */
static void
flags_of_others(void *ctx, struct h265_call *call)
{
    (void)ctx;
    for (uint32_t i = 0; i < 2; i++) {
        StdVideoEncodeH265SliceSegmentHeader *header = &call->description->headers[i];
        header->flags.cabac_init_flag = 1;
        header->flags.dependent_slice_segment_flag = i;
        header->flags.slice_loop_filter_across_slices_enabled_flag = 1;
        header->slice_cb_qp_offset = 5;
    }
}

static void
overrides_are_reported(void)
{
    struct app *app = begin(128, 192);
    int32_t poc = 0;
    REQUIRE(!has_overrides(app, NULL, poc++));
    REQUIRE(!has_overrides(app, NULL, poc++));
    REQUIRE(has_overrides(app, sao_of_luma_alone, poc++));
    REQUIRE(has_overrides(app, qp_of_a_slice, poc++));
    REQUIRE(has_overrides(app, longer_list, poc++));
    REQUIRE(has_overrides(app, another_slice_type, poc++));
    REQUIRE(!has_overrides(app, flags_of_others, poc++));
    judge_and_close(app);
}

int
main(void)
{
    vk_open_for(&vk, VK_VIDEO_CODEC_OPERATION_ENCODE_H265_BIT_KHR, 0);
    if (!h265_route_init(&vk))
        return TEST_SKIPPED;
    RUN(random_structures_are_exact, 8, 212);
    RUN(random_structures_are_exact, 10, 204);
    RUN(sizes_are_exact);
    RUN(sessions_do_not_disturb_each_other);
    RUN(references_may_be_copied_into_their_images);
    RUN(sessions_that_share_an_image_see_each_others_pictures);
    RUN(pictures_stay_in_their_ranges);
    RUN(pictures_without_a_slot_are_coded);
    RUN(maps_move_quality_where_they_say);
    RUN(emphasis_moves_quality_under_rate_control);
    RUN(emphasis_stays_within_the_bounds_of_the_rate);
    RUN(overrides_are_reported);
    vk_close(&vk);
    return 0;
}
