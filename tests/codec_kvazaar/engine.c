/* SPDX-License-Identifier: MIT */
/* Random structures through the encode engine: what an application says in Vulkan's structures
 * becomes headers that libavcodec decodes to the application's DPB images.
 *
 * usage: codec_kvazaar_engine [FIRST_SEED COUNT [PICTURES]]
 */
#include "app.h"
#include "description.h"
#include "judge.h"
#include "random_structure.h"

#include "tests/test.h"
#include "video/encode/engine.h"
#include "video/encode/standard.h"
#include "video/h265/standard.h"
#include "video/parameters.h"
#include "video/profile.h"

struct route {
    struct rp_video_profile profile;
    struct rp_video_parameters *params;
    struct rp_video_encode *enc;
    struct rp_intra_refresh refresh; /* of the next picture */
    uint32_t dirty_region_count;     /* of its references */
    bool has_overrides;              /* of the last picture */
};

static uint32_t max_dpb_slots = RP_H265_ENCODE_SLOTS; /* of sessions that are opened */

static uint64_t first_seed = 1;
static uint32_t run_count = 12;
static uint32_t picture_count = 16;

static void
write_sets(struct app *app, const struct route *route)
{
    const VkVideoEncodeH265SessionParametersGetInfoKHR get = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_GET_INFO_KHR,
        .writeStdVPS = VK_TRUE,
        .writeStdSPS = VK_TRUE,
        .writeStdPPS = VK_TRUE,
    };
    const StdVideoH265SequenceParameterSet *sps = &app->sps.std;
    VkVideoEncodeH265SessionParametersFeedbackInfoKHR h265 = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_FEEDBACK_INFO_KHR};
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback = {.pNext = &h265};
    size_t again_B;
    REQUIRE(route->params->ops->write(route->params, &get, NULL, 0, &feedback, &app->sets_B));
    REQUIRE(app->sets_B <= sizeof(app->sets));
    REQUIRE(route->params->ops->write(route->params, &get, app->sets, sizeof(app->sets), NULL,
                                      &again_B));
    REQUIRE_EQ(again_B, app->sets_B);
    REQUIRE(!h265.hasStdVPSOverrides && !h265.hasStdPPSOverrides);
    REQUIRE_EQ((bool)h265.hasStdSPSOverrides, sps->max_transform_hierarchy_depth_inter > 0 ||
                                                  sps->max_transform_hierarchy_depth_intra > 0);
    REQUIRE_EQ(feedback.hasOverrides, h265.hasStdSPSOverrides);
}

static void
route_open(struct app *app)
{
    struct route *route = calloc(1, sizeof(*route));
    REQUIRE(route);
    const StdVideoH265VideoParameterSet vps = {
        .flags = {.vps_temporal_id_nesting_flag = 1, .vps_sub_layer_ordering_info_present_flag = 1},
        .pDecPicBufMgr = &app->sps.dec_pic_buf_mgr,
        .pProfileTierLevel = &app->sps.profile_tier_level,
    };
    const VkVideoEncodeH265SessionParametersAddInfoKHR add = {
        .stdVPSCount = 1,
        .pStdVPSs = &vps,
        .stdSPSCount = 1,
        .pStdSPSs = &app->sps.std,
        .stdPPSCount = 1,
        .pStdPPSs = &app->pps.std,
    };
    const VkVideoEncodeH265SessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .maxStdVPSCount = 1,
        .maxStdSPSCount = 1,
        .maxStdPPSCount = 1,
        .pParametersAddInfo = &add,
    };
    app->route_state = route;
    route->profile = (struct rp_video_profile){
        .standard = &rp_h265_encode_operation,
        .encode_codec = app->codec,
        .idc = (int32_t)app->sps.profile_tier_level.general_profile_idc,
        .bit_depth = app->bit_depth > 8 ? VK_VIDEO_COMPONENT_BIT_DEPTH_10_BIT_KHR
                                        : VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
    };
    REQUIRE_EQ(rp_h265_encode_operation.parameters->create(
                   NULL,
                   &(struct rp_video_parameters_info){.profile = &route->profile, .chain = &info},
                   &route->params),
               VK_SUCCESS);
    route->enc = rp_video_encode_create(&(struct rp_video_encode_info){
        .standard = &rp_h265_encode, .codec = app->codec, .max_dpb_slots = max_dpb_slots});
    REQUIRE(route->enc);
    rp_video_encode_set_rate(route->enc,
                             &(struct rp_encode_rate_control){
                                 .mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR});
    write_sets(app, route);
}

static void
route_close(struct app *app)
{
    struct route *route = app->route_state;
    rp_video_encode_destroy(route->enc);
    rp_video_parameters_unref(route->params);
    free(route);
}

static struct rp_encode_resource
resource_of(const struct app *app, uint32_t slot)
{
    return (struct rp_encode_resource){
        .key = {.image_id = 100 + slot},
        .pixels = app_image(app, app->slots[slot].planes),
    };
}

/* The application's map as an image of R16_SINT. */
static void
map_init(const struct app *app, struct rp_quantization_map *out)
{
    const uint32_t columns = (app->width_px + 63) / 64;
    if (app->job.common.qp_delta)
        *out = (struct rp_quantization_map){
            .texels = (const uint8_t *)app->job.common.qp_delta,
            .stride_B = columns * sizeof(int16_t),
            .format = VK_FORMAT_R16_SINT,
            .width_tx = columns,
            .height_tx = (app->height_px + 63) / 64,
        };
}

/* What is described begins; may_wait: for pictures that are on their way. */
static enum rp_codec_status
begin(struct app *app, int32_t slot, const struct app_description *description, bool may_wait,
      struct rp_encode_picture **out)
{
    struct route *route = app->route_state;
    struct rp_encode_reference refs[APP_SLOTS];
    uint32_t ref_count = 0;
    for (uint32_t i = 0; i < APP_SLOTS; i++) {
        if (app->slots[i].is_reference)
            refs[ref_count++] = (struct rp_encode_reference){
                .slot_index = (int32_t)i,
                .resource = resource_of(app, i),
                .info = &description->slots[i],
                .dirty_region_count = route->dirty_region_count,
            };
    }
    struct rp_encode_request request = {
        .parameters = route->params,
        .picture = &description->info,
        .src = {.key = {.image_id = 1}, .pixels = app->job.common.src},
        .coded_extent_px = {app->width_px, app->height_px},
        .has_setup = true,
        .setup = resource_of(app, (uint32_t)slot),
        .refs = refs,
        .ref_count = ref_count,
        .refresh = route->refresh,
        .dst = app->job.common.dst,
        .dst_capacity_B = app->job.common.dst_capacity_B,
    };
    map_init(app, &request.map);
    rp_video_encode_set_quality(route->enc, app->job.common.quality_level);
    return rp_encode_picture_begin(route->enc, &request, may_wait, out);
}

/* Encodes what is described; the job's result is that of the picture. */
static enum rp_codec_status
submit(struct app *app, int32_t slot, const struct app_description *description)
{
    struct route *route = app->route_state;
    struct rp_encode_picture *pic;
    const enum rp_codec_status status = begin(app, slot, description, true, &pic);
    if (status != RP_CODEC_OK)
        return status;
    rp_encode_picture_run(pic);
    const struct rp_encode_feedback *feedback = rp_encode_picture_feedback(pic);
    size_t parts_B = 0;
    for (uint32_t i = 0; i < feedback->partition_count; i++)
        parts_B += feedback->partition_size_B[i];
    REQUIRE_EQ(feedback->partition_count, app->job.slice_count);
    REQUIRE_EQ(parts_B, feedback->codec.size_B);
    app->job.common.result = feedback->codec;
    route->has_overrides = feedback->has_overrides;
    rp_encode_picture_finish(pic);
    return RP_CODEC_OK;
}

static void
route_encode(struct app *app, int32_t slot)
{
    struct app_description description;
    app_describe(app, &description);
    REQUIRE_EQ(submit(app, slot, &description), RP_CODEC_OK);
}

static const struct app_route engine_route = {
    .open = route_open,
    .close = route_close,
    .encode = route_encode,
};

static void
what_applications_say_is_what_decoders_see(uint32_t bit_depth, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        (void)fprintf(stderr, "seed %" PRIu64 "\n", first_seed + i);
        random_structure_run(first_seed + i, picture_count, bit_depth, &engine_route);
    }
}

static void
with_another_poc_of_a_reference(struct app_description *description)
{
    description->references[0].PicOrderCntVal += 5;
}

/* Picture 1, of 128x192, which refers to picture 0 in slot 0, with a change that is no good. */
static void
expect(struct app *app, void (*change)(struct app_description *description), int32_t slot,
       enum rp_codec_status expected)
{
    uint32_t initial[2][APP_SLOTS];
    struct app_description description;
    uint8_t dst[1 << 16];
    app_draw(app, 1);
    app_picture_init(app, false, 1);
    app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
    app_set_references(app, 1, initial);
    app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
    app_refer(app, 0, 0, 0, initial[0][0]);
    app_spread_slices(app, 2);
    app->job.common.dst = dst;
    app->job.common.dst_capacity_B = sizeof(dst);
    app_describe(app, &description);
    if (change)
        change(&description);
    REQUIRE_EQ(submit(app, slot, &description), expected);
}

static void
of_another_poc(struct app_description *description)
{
    static StdVideoH265ShortTermRefPicSet set;
    set = *description->std.pShortTermRefPicSet;
    set.delta_poc_s0_minus1[0] = 4;
    description->std.pShortTermRefPicSet = &set;
}

static void
of_an_empty_slot(struct app_description *description)
{
    description->lists.RefPicList0[0] = 7;
}

static void
without_lists(struct app_description *description)
{
    description->std.pRefLists = NULL;
}

static void
with_a_slice_inside_a_row(struct app_description *description)
{
    description->headers[1].slice_segment_address++;
}

static void
with_too_many_slices(struct app_description *description)
{
    for (uint32_t i = 2; i < 4; i++)
        description->slices[i].pStdSliceSegmentHeader = &description->headers[0];
    description->info.naluSliceSegmentEntryCount = 4;
}

static void
without_slices(struct app_description *description)
{
    description->info.naluSliceSegmentEntryCount = 0;
}

static void
with_sets_that_are_not_there(struct app_description *description)
{
    description->std.pps_pic_parameter_set_id = 1;
}

static void
what_cannot_be_coded_is_refused(void)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->route = &engine_route;
    app_init(app, 128, 192, 8);
    app_write_sets(app);
    app_draw(app, 0);
    app_picture_init(app, true, 0);
    REQUIRE_EQ(app_encode(app, 0), RP_CODEC_OK);
    app->slots[0].is_reference = true;

    expect(app, of_another_poc, 1, RP_CODEC_FAILED);
    expect(app, of_an_empty_slot, 1, RP_CODEC_FAILED);
    expect(app, without_lists, 1, RP_CODEC_FAILED);
    expect(app, with_a_slice_inside_a_row, 1, RP_CODEC_UNSUPPORTED);
    expect(app, with_too_many_slices, 1, RP_CODEC_UNSUPPORTED);
    expect(app, without_slices, 1, RP_CODEC_FAILED);
    expect(app, with_sets_that_are_not_there, 1, RP_CODEC_FAILED);
    expect(app, NULL, 0, RP_CODEC_FAILED); /* over its own reference */
    expect(app, NULL, 1, RP_CODEC_OK);
    expect(app, with_another_poc_of_a_reference, 1, RP_CODEC_OK); /* the engine knows better */
    app_finish(app);
    free(app);
}

#define FEW_SLOTS 2u /* the codec remembers two pictures more */
#define IMAGES 6

/* A picture on its way. */
struct held {
    struct app_description description;
    struct rp_encode_picture *pic;
    uint8_t coded[1 << 16];
    size_t size_B;
};

static struct app *
open_with_few_slots(void)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->route = &engine_route;
    app_init(app, 128, 192, 8);
    max_dpb_slots = FEW_SLOTS;
    app_write_sets(app);
    max_dpb_slots = RP_H265_ENCODE_SLOTS;
    app_draw(app, 0);
    return app;
}

/* Each is of an image of its own. The first one stays in the DPB, beside the last one; others are
 * intra pictures until the last one refers to it. */
static void
prepare(struct app *app, int32_t number)
{
    const bool refers = number == IMAGES - 1;
    uint32_t initial[2][APP_SLOTS];
    if (number > 0)
        app->slots[number - 1].is_reference = true;
    if (number > 2)
        app->slots[number - 2].is_reference = false;
    app_picture_init(app, number == 0, number);
    app->slots[number].poc = number;
    if (number == 0)
        return;
    app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
    app_set_references(app, refers, initial);
    if (!refers)
        return;
    app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
    app_refer(app, 0, 0, 0, initial[0][0]);
}

static enum rp_codec_status
hold(struct app *app, int32_t number, struct held *held)
{
    prepare(app, number);
    app->job.common.dst = held->coded;
    app->job.common.dst_capacity_B = sizeof(held->coded);
    app_describe(app, &held->description);
    return begin(app, number, &held->description, false, &held->pic);
}

static void
let_go(struct held *held)
{
    rp_encode_picture_run(held->pic);
    const struct rp_encode_feedback *feedback = rp_encode_picture_feedback(held->pic);
    REQUIRE_EQ(feedback->status, RP_CODEC_OK);
    held->size_B = feedback->codec.size_B;
    rp_encode_picture_finish(held->pic);
}

/* The first picture takes long: what the codec remembers of it has passed to another image when it
 * is referred to, but its own is not written yet. */
static void
images_are_read_when_they_are_written(void)
{
    struct app *expected = open_with_few_slots();
    struct app *found = open_with_few_slots();
    struct held *held = calloc(IMAGES, sizeof(*held));
    REQUIRE(held);
    for (int32_t i = 0; i < IMAGES; i++) {
        prepare(expected, i);
        REQUIRE_EQ(app_encode(expected, i), RP_CODEC_OK);
    }
    judge_stream(expected);

    REQUIRE_EQ(hold(found, 0, &held[0]), RP_CODEC_OK);
    for (int32_t i = 1; i < IMAGES - 1; i++) {
        REQUIRE_EQ(hold(found, i, &held[i]), RP_CODEC_OK);
        let_go(&held[i]);
    }
    REQUIRE_EQ(hold(found, IMAGES - 1, &held[IMAGES - 1]), RP_CODEC_BUSY);
    let_go(&held[0]);
    REQUIRE_EQ(hold(found, IMAGES - 1, &held[IMAGES - 1]), RP_CODEC_OK);
    let_go(&held[IMAGES - 1]);

    for (uint32_t i = 0; i < IMAGES; i++) {
        const struct app_record *record = &expected->records[i];
        REQUIRE(record->result.size_B == held[i].size_B);
        REQUIRE(memcmp(record->unit + record->unit_B - held[i].size_B, held[i].coded,
                       held[i].size_B) == 0);
        REQUIRE(memcmp(found->slots[i].planes, expected->slots[i].planes, 128 * 192 * 3 / 2) == 0);
    }
    app_finish(found);
    app_finish(expected);
    free(found);
    free(expected);
    free(held);
}

/* Region by region, at the same time as temporal candidates are asked for, which are left out. */
static void
cycles_refresh_what_they_say(void)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->route = &engine_route;
    app_init(app, 128, 256, 8);
    app->sps.std.flags.sps_temporal_mvp_enabled_flag = 1;
    app_write_sets(app);
    struct route *route = app->route_state;
    for (int32_t poc = 0; poc < 5; poc++) {
        uint32_t initial[2][APP_SLOTS];
        app_draw(app, 0);
        app_picture_init(app, poc == 0, poc);
        if (poc > 0) {
            app->header.nal_unit_type = RP_H265_NAL_TRAIL_R;
            app->slots[poc % 2].is_reference = false;
            app_set_references(app, 1u << (poc + 1) % 2, initial);
            app->job.slice_type = STD_VIDEO_H265_SLICE_TYPE_P;
            app_refer(app, 0, 0, 0, initial[0][0]);
            app->job.temporal_mvp = true;
            route->refresh = (struct rp_intra_refresh){
                VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR, 4, (uint32_t)poc - 1};
            route->dirty_region_count = 5 - (uint32_t)poc;
        }
        REQUIRE_EQ(app_encode(app, poc % 2), RP_CODEC_OK);
        REQUIRE_EQ(route->has_overrides, poc > 0);
        /* A region, and of pictures that do not move little else: what is beside the border. */
        const uint64_t intra_px = app->job.common.result.intra_px;
        REQUIRE(poc == 0 || (intra_px >= 128 * 64u && intra_px < 2 * 128 * 64u));
        app->slots[poc % 2].poc = poc;
        app->slots[poc % 2].is_reference = true;
    }
    judge_stream(app);
    app_finish(app);
    free(app);
}

#define RATE_BPS 120000u
#define RATE_FPS 30u

/* A layer of the rate's with bounds of QPs, as an application sets it. */
struct rate_chain {
    VkVideoEncodeH265RateControlLayerInfoKHR h265_layer;
    VkVideoEncodeRateControlLayerInfoKHR layers[2];
    VkVideoEncodeH265RateControlInfoKHR h265;
    VkVideoEncodeRateControlInfoKHR info;
};

static void
rate_chain_init(struct rate_chain *chain, VkVideoEncodeRateControlModeFlagBitsKHR mode)
{
    *chain = (struct rate_chain){
        .h265_layer =
            {
                .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_RATE_CONTROL_LAYER_INFO_KHR,
                .useMinQp = VK_TRUE,
                .minQp = {.qpI = 20, .qpP = 10, .qpB = 40},
                .useMaxQp = VK_TRUE,
                .maxQp = {.qpI = 24, .qpP = 50, .qpB = 41},
            },
        .h265 = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_H265_RATE_CONTROL_INFO_KHR,
                 .flags = VK_VIDEO_ENCODE_H265_RATE_CONTROL_REGULAR_GOP_BIT_KHR},
        .info = {.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_INFO_KHR,
                 .pNext = &chain->h265,
                 .rateControlMode = mode,
                 .layerCount = 2,
                 .pLayers = chain->layers,
                 .virtualBufferSizeInMs = 1000,
                 .initialVirtualBufferSizeInMs = 500},
    };
    for (uint32_t i = 0; i < 2; i++)
        chain->layers[i] = (VkVideoEncodeRateControlLayerInfoKHR){
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_RATE_CONTROL_LAYER_INFO_KHR,
            .pNext = &chain->h265_layer,
            .averageBitrate = i == 0 ? RATE_BPS * 2 / 3 : RATE_BPS / 3,
            .maxBitrate = i == 0 ? RATE_BPS * 2 / 3 : RATE_BPS / 3,
            .frameRateNumerator = RATE_FPS,
            .frameRateDenominator = 2,
        };
}

/* Picture 0 is intra; odd ones are of the second layer, and B pictures of the past now and then. */
static void
encode_rated(struct app *app, int32_t poc)
{
    uint32_t initial[2][APP_SLOTS];
    const int32_t slot = poc % 2 ? 2 : poc / 2 % 2;
    app_draw(app, (uint32_t)poc);
    app_picture_init(app, poc == 0, poc);
    if (poc > 0) {
        const bool is_b = poc % 10 == 5;
        app->header.nal_unit_type = poc % 2 ? 0 : RP_H265_NAL_TRAIL_R;
        app->slots[slot].is_reference = false;
        app_set_references(app, 3u, initial);
        app->job.slice_type = is_b ? STD_VIDEO_H265_SLICE_TYPE_B : STD_VIDEO_H265_SLICE_TYPE_P;
        app_refer(app, 0, 0, 0, initial[0][0]);
        if (is_b)
            app_refer(app, 1, 0, 0, initial[1][0]);
        app->job.temporal_id = (uint32_t)poc % 2;
    }
    REQUIRE_EQ(app_encode(app, slot), RP_CODEC_OK);
    app->slots[slot].poc = poc;
    app->slots[slot].is_reference = poc % 2 == 0;
}

/* Bits and bounds of what an application asked for; B pictures have their own, though no later
 * picture is there for them. */
static void
rates_are_held(uint32_t bit_depth, VkVideoEncodeRateControlModeFlagBitsKHR mode, uint32_t percent)
{
    struct app *app = calloc(1, sizeof(*app));
    struct rate_chain chain;
    struct rp_encode_rate_control rate;
    uint64_t bits[2] = {0};
    REQUIRE(app);
    app->route = &engine_route;
    app->bit_depth = bit_depth;
    app->pan_px = 2;
    app->has_noise = true;
    app_init(app, 192, 128, 8);
    app->sps.std.sps_max_sub_layers_minus1 = 1;
    app->sps.dec_pic_buf_mgr.max_dec_pic_buffering_minus1[1] = APP_SLOTS - 1;
    app_write_sets(app);
    rate_chain_init(&chain, mode);
    REQUIRE(rp_encode_rate_control_parse(&rp_h265_encode, &chain.info, &rate));
    rp_video_encode_set_rate(((struct route *)app->route_state)->enc, &rate);
    for (int32_t poc = 0; poc < 150; poc++) {
        encode_rated(app, poc);
        const struct rp_encode_result *result = &app->job.common.result;
        bits[poc % 2] += 8 * result->size_B;
        if (poc == 0)
            REQUIRE(result->min_qp >= 20 && result->max_qp <= 24);
        else if (poc % 10 == 5)
            REQUIRE(result->min_qp >= 40 && result->max_qp <= 41);
        else
            REQUIRE(result->min_qp >= 10 && result->max_qp <= 50);
    }
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t expected = chain.layers[i].averageBitrate * 150 / RATE_FPS;
        (void)fprintf(stderr, "layer %u: %" PRIu64 " of %" PRIu64 " bits\n", i, bits[i], expected);
        REQUIRE(bits[i] * 100 <= expected * (100 + percent));
        REQUIRE(bits[i] * 100 >= expected * (100 - percent));
    }
    judge_stream(app);
    app_finish(app);
    free(app);
}

int
main(int argc, char **argv)
{
    if (argc > 2) {
        first_seed = strtoull(argv[1], NULL, 10);
        run_count = (uint32_t)strtoul(argv[2], NULL, 10);
    }
    if (argc > 3)
        picture_count = (uint32_t)strtoul(argv[3], NULL, 10);
    RUN(what_applications_say_is_what_decoders_see, 8, run_count);
    RUN(what_applications_say_is_what_decoders_see, 10, (run_count + 2) / 3);
    RUN(what_cannot_be_coded_is_refused);
    RUN(images_are_read_when_they_are_written);
    RUN(cycles_refresh_what_they_say);
    RUN(rates_are_held, 8, VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR, 3);
    RUN(rates_are_held, 8, VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR, 5);
    RUN(rates_are_held, 10, VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR, 3);
    return 0;
}
