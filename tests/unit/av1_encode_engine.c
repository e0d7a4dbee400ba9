/* SPDX-License-Identifier: MIT */
/* AV1 in the encode engine: the headers of pictures that a made-up codec has coded, read by a
 * decoder of headers.
 */
#include "util/arena.h"
#include "video/av1/state.h"

#include "av1_encode_fake.h"

#define SLOT_COUNT 9u
#define STREAM_B 4096u

static uint8_t stream[STREAM_B];

struct fixture {
    struct rp_video_parameters *params;
    struct rp_video_encode *enc;
    struct rp_av1_state decoder;
    struct rp_encode_feedback feedback;
    struct rp_av1_obu_header obu;
    struct rp_av1_frame frame; /* that the decoder has read */
};

static void
setup_with(struct fixture *f, const VkVideoEncodeAV1SessionParametersCreateInfoKHR *info)
{
    bool has_overrides;
    *f = (struct fixture){0};
    REQUIRE_EQ(create_parameters(info, &f->params), VK_SUCCESS);
    f->decoder.sequence = read_sequence(f->params, &has_overrides);
    f->enc = rp_video_encode_create(&(struct rp_video_encode_info){
        .standard = &rp_av1_encode, .codec = &fake_codec, .max_dpb_slots = SLOT_COUNT});
    REQUIRE(f->enc);
    rp_video_encode_set_rate(f->enc,
                             &(struct rp_encode_rate_control){
                                 .mode = VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR});
}

static void
setup(struct fixture *f)
{
    setup_with(f, &(VkVideoEncodeAV1SessionParametersCreateInfoKHR){.pStdSequenceHeader =
                                                                        &plain_sequence});
}

static void
teardown(struct fixture *f)
{
    rp_video_encode_destroy(f->enc);
    rp_video_parameters_unref(f->params);
}

static struct rp_encode_resource
resource(uint64_t image_id)
{
    static uint8_t texel;
    return (struct rp_encode_resource){
        .key = {.image_id = image_id},
        .pixels = {.bit_depth = 8,
                   .width_px = WIDTH_PX,
                   .height_px = HEIGHT_PX,
                   .plane = {{&texel, WIDTH_PX}, {&texel, WIDTH_PX}}},
    };
}

/* A picture that references of the application's slots may be named for, and that goes to one
 * (slot -1: none). */
static VkVideoEncodeAV1PictureInfoKHR
picture_of(const StdVideoEncodeAV1PictureInfo *std)
{
    return (VkVideoEncodeAV1PictureInfoKHR){
        .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PICTURE_INFO_KHR,
        .predictionMode = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
                                  std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY
                              ? VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_INTRA_ONLY_KHR
                              : VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_SINGLE_REFERENCE_KHR,
        .rateControlGroup = VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_PREDICTIVE_KHR,
        .constantQIndex = 120,
        .pStdPictureInfo = std,
        .referenceNameSlotIndices = {-1, -1, -1, -1, -1, -1, -1},
    };
}

/* Encodes, and has the decoder read the header. */
static enum rp_codec_status
encode(struct fixture *f, const VkVideoEncodeAV1PictureInfoKHR *picture, int32_t setup_slot)
{
    static const VkVideoEncodeAV1DpbSlotInfoKHR info = {0};
    struct rp_encode_reference refs[SLOT_COUNT];
    for (uint32_t i = 0; i < SLOT_COUNT; i++)
        refs[i] = (struct rp_encode_reference){
            .slot_index = (int32_t)i, .resource = resource(100 + i), .info = &info};
    struct rp_encode_picture *pic = NULL;
    const enum rp_codec_status status =
        rp_encode_picture_begin(f->enc,
                                &(struct rp_encode_request){
                                    .parameters = f->params,
                                    .picture = picture,
                                    .src = resource(1),
                                    .coded_extent_px = {WIDTH_PX, HEIGHT_PX},
                                    .has_setup = setup_slot >= 0,
                                    .setup = resource(100 + (uint64_t)setup_slot),
                                    .refs = refs,
                                    .ref_count = SLOT_COUNT,
                                    .dst = stream,
                                    .dst_capacity_B = sizeof(stream),
                                },
                                true, &pic);
    if (status != RP_CODEC_OK)
        return status;
    rp_encode_picture_run(pic);
    f->feedback = *rp_encode_picture_feedback(pic);
    rp_encode_picture_finish(pic);
    if (f->feedback.status != RP_CODEC_OK)
        return f->feedback.status;

    size_t header_B, frame_bits;
    REQUIRE_EQ(rp_av1_obu_header_read(stream, f->feedback.codec.size_B, &f->obu, &header_B),
               RP_AV1_OK);
    REQUIRE_EQ(f->obu.obu_type, RP_AV1_OBU_FRAME);
    REQUIRE_EQ(header_B + f->obu.payload_B, f->feedback.codec.size_B);
    f->decoder.temporal_id = f->obu.temporal_id;
    f->decoder.spatial_id = f->obu.spatial_id;
    REQUIRE_EQ(
        rp_av1_frame_read(stream + header_B, f->obu.payload_B, &f->decoder, &f->frame, &frame_bits),
        RP_AV1_OK);
    REQUIRE_EQ((frame_bits + 7) / 8 + 4, f->obu.payload_B); /* then comes the tile */
    rp_av1_state_update(&f->decoder, &f->frame);
    return RP_CODEC_OK;
}

static StdVideoEncodeAV1PictureInfo
key_picture(void)
{
    return (StdVideoEncodeAV1PictureInfo){
        .flags = {.show_frame = 1, .error_resilient_mode = 1},
        .frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY,
        .refresh_frame_flags = 0xff,
        .primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE,
        .TxMode = STD_VIDEO_AV1_TX_MODE_SELECT,
    };
}

/* A picture with LAST_FRAME alone, in reference idx of the stream. */
static StdVideoEncodeAV1PictureInfo
inter_picture(uint8_t order_hint, int8_t idx)
{
    StdVideoEncodeAV1PictureInfo std = {
        .flags = {.show_frame = 1},
        .frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTER,
        .order_hint = order_hint,
        .refresh_frame_flags = 1,
        .TxMode = STD_VIDEO_AV1_TX_MODE_SELECT,
    };
    memset(std.ref_frame_idx, idx, sizeof(std.ref_frame_idx));
    return std;
}

static void
encode_key(struct fixture *f, int32_t slot)
{
    const StdVideoEncodeAV1PictureInfo std = key_picture();
    const VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    REQUIRE_EQ(encode(f, &picture, slot), RP_CODEC_OK);
}

static void
the_frame_header_says_what_was_asked(void)
{
    struct fixture f;
    setup(&f);
    encode_key(&f, 0);
    REQUIRE_EQ(f.frame.frame_type, RP_AV1_KEY_FRAME);
    REQUIRE_EQ(f.frame.refresh_frame_flags, 0xff);
    REQUIRE_EQ(f.frame.quantization.base_q_idx, 120);
    REQUIRE_EQ(f.frame.size.upscaled_width, WIDTH_PX);
    REQUIRE(!f.feedback.has_overrides);

    const StdVideoAV1Quantization quantization = {.DeltaQYDc = -3, .DeltaQUDc = 4, .DeltaQUAc = 5};
    const StdVideoAV1LoopFilter filter = {.loop_filter_level = {1, 2, 3, 4},
                                          .loop_filter_sharpness = 5};
    const StdVideoAV1CDEF cdef = {
        .cdef_damping_minus_3 = 2,
        .cdef_bits = 1,
        .cdef_y_pri_strength = {7, 8},
        .cdef_uv_sec_strength = {1, 3},
    };
    const uint16_t widths[] = {1, 3}, heights[] = {0, 1};
    const StdVideoAV1TileInfo tiles = {
        .TileCols = 2, .TileRows = 2, .pWidthInSbsMinus1 = widths, .pHeightInSbsMinus1 = heights};
    StdVideoEncodeAV1PictureInfo std = inter_picture(9, 3);
    std.flags.show_frame = 0;
    std.flags.showable_frame = 1;
    std.flags.disable_cdf_update = 1;
    std.flags.reduced_tx_set = 1;
    std.flags.allow_high_precision_mv = 1;
    std.flags.render_and_frame_size_different = 1;
    std.render_width_minus_1 = 999;
    std.render_height_minus_1 = 555;
    std.interpolation_filter = STD_VIDEO_AV1_INTERPOLATION_FILTER_EIGHTTAP_SHARP;
    std.refresh_frame_flags = 0x42;
    std.primary_ref_frame = 4; /* has the stream's reference of LAST_FRAME */
    std.pQuantization = &quantization;
    std.pLoopFilter = &filter;
    std.pCDEF = &cdef;
    std.pTileInfo = &tiles;
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 0;
    picture.constantQIndex = 200;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);

    const struct rp_av1_frame *frame = &f.frame;
    REQUIRE_EQ(frame->frame_type, RP_AV1_INTER_FRAME);
    REQUIRE(!frame->show_frame && frame->showable_frame && !frame->error_resilient_mode);
    REQUIRE(frame->disable_cdf_update && frame->reduced_tx_set && frame->tx_mode_select);
    REQUIRE(frame->allow_high_precision_mv && !frame->reference_select);
    REQUIRE_EQ(frame->order_hint, 9);
    REQUIRE_EQ(frame->primary_ref_frame, 4);
    REQUIRE_EQ(frame->refresh_frame_flags, 0x42);
    REQUIRE_EQ(frame->ref_frame_idx[6], 3);
    REQUIRE_EQ(frame->size.render_width, 1000);
    REQUIRE_EQ(frame->size.render_height, 556);
    REQUIRE_EQ(frame->interpolation_filter, 2);
    REQUIRE_EQ(frame->quantization.base_q_idx, 200);
    REQUIRE_EQ(frame->quantization.y_dc.value, -3);
    REQUIRE_EQ(frame->quantization.v_ac.value, 5);
    REQUIRE_EQ(frame->loop_filter.level[3], 4);
    REQUIRE_EQ(frame->loop_filter.sharpness, 5);
    REQUIRE_EQ(frame->cdef.damping_minus_3, 2);
    REQUIRE_EQ(frame->cdef.y_pri_strength[1], 8);
    REQUIRE_EQ(frame->cdef.uv_sec_strength[1], 3);
    REQUIRE_EQ(frame->tiles.tile_cols, 2);
    REQUIRE_EQ(frame->tiles.width_in_sbs_minus_1[1], 3);
    REQUIRE(!f.feedback.has_overrides);
    REQUIRE_EQ(f.feedback.partition_count, 4);
    REQUIRE_EQ(f.feedback.partition_size_B[3], 1); /* without a size field */
    REQUIRE_EQ(f.feedback.partition_size_B[2], 2);
    teardown(&f);
}

static void
what_is_coded_otherwise_is_an_override(void)
{
    struct fixture f;
    setup(&f);
    encode_key(&f, 0);
    StdVideoEncodeAV1PictureInfo std = inter_picture(1, 0);
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 0;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    REQUIRE(!f.feedback.has_overrides);

    const StdVideoAV1Quantization quantization = {.flags = {.using_qmatrix = 1}};
    std.pQuantization = &quantization;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    REQUIRE(f.feedback.has_overrides && !f.frame.quantization.using_qmatrix);
    std.pQuantization = NULL;
    const StdVideoAV1Segmentation segmentation = {.FeatureEnabled = {1}, .FeatureData = {{5}}};
    std.flags.segmentation_enabled = std.flags.segmentation_update_data = 1;
    std.pSegmentation = &segmentation;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    REQUIRE(f.feedback.has_overrides && !f.frame.segmentation.segmentation_enabled);
    std.flags.segmentation_enabled = 0;
    std.flags.allow_screen_content_tools = 1;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    REQUIRE(f.feedback.has_overrides && !f.frame.allow_screen_content_tools);
    std.flags.allow_screen_content_tools = 0;
    std.TxMode = STD_VIDEO_AV1_TX_MODE_ONLY_4X4; /* there is no code for it */
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    REQUIRE(f.feedback.has_overrides);
    teardown(&f);
}

/* Six superblocks in four parts of two. */
static void
uniform_tiles_come_as_near_as_they_can(void)
{
    struct fixture f;
    setup(&f);
    const StdVideoAV1TileInfo tiles = {
        .flags = {.uniform_tile_spacing_flag = 1}, .TileCols = 4, .TileRows = 4};
    StdVideoEncodeAV1PictureInfo std = key_picture();
    std.pTileInfo = &tiles;
    const VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    REQUIRE_EQ(encode(&f, &picture, 0), RP_CODEC_OK);
    REQUIRE_EQ(f.frame.tiles.tile_cols, 3);
    REQUIRE_EQ(f.frame.tiles.tile_rows, 3);
    REQUIRE_EQ(f.feedback.partition_count, 9);
    REQUIRE(f.feedback.has_overrides);
    teardown(&f);
}

static void
deltas_of_the_loop_filter_are_inherited(void)
{
    struct fixture f;
    setup(&f);
    encode_key(&f, 0);
    StdVideoAV1LoopFilter filter = {
        .flags = {.loop_filter_delta_enabled = 1, .loop_filter_delta_update = 1},
        .loop_filter_level = {9, 9, 0, 0},
        .update_ref_delta = 0x02,
        .loop_filter_ref_deltas = {7, 7, 7, 7, 7, 7, 7, 7},
        .update_mode_delta = 0x01,
        .loop_filter_mode_deltas = {-6, -6},
    };
    StdVideoEncodeAV1PictureInfo std = inter_picture(1, 0);
    std.pLoopFilter = &filter;
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 0;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    REQUIRE_EQ(seen.loop_filter.loop_filter_ref_deltas[0], 1); /* the default */
    REQUIRE_EQ(seen.loop_filter.loop_filter_ref_deltas[1], 7);
    REQUIRE_EQ(seen.loop_filter.loop_filter_mode_deltas[0], -6);
    REQUIRE_EQ(seen.loop_filter.loop_filter_mode_deltas[1], 0);

    filter.flags.loop_filter_delta_update = 0;
    picture.referenceNameSlotIndices[0] = 1;
    std.order_hint = 2;
    REQUIRE_EQ(encode(&f, &picture, 2), RP_CODEC_OK);
    REQUIRE_EQ(seen.loop_filter.loop_filter_ref_deltas[1], 7);
    REQUIRE_EQ(seen.loop_filter.loop_filter_mode_deltas[0], -6);
    REQUIRE_EQ(f.frame.loop_filter.deltas.ref[1], 7);
    teardown(&f);
}

static void
ids_times_and_layers_are_as_asked(void)
{
    static const StdVideoAV1TimingInfo timing = {.num_units_in_display_tick = 1, .time_scale = 30};
    static const StdVideoEncodeAV1DecoderModelInfo model = {
        .buffer_delay_length_minus_1 = 23,
        .buffer_removal_time_length_minus_1 = 15,
        .frame_presentation_time_length_minus_1 = 9,
        .num_units_in_decoding_tick = 1,
    };
    static const StdVideoEncodeAV1OperatingPointInfo points[] = {
        {.flags = {.decoder_model_present_for_this_op = 1}, .operating_point_idc = 0x103},
        {.flags = {.decoder_model_present_for_this_op = 1}, .operating_point_idc = 0x101},
    };
    static const uint32_t times[] = {1234, 4321};
    static const StdVideoEncodeAV1ExtensionHeader layer = {.temporal_id = 1};
    StdVideoAV1SequenceHeader header = plain_sequence;
    header.flags.timing_info_present_flag = header.flags.frame_id_numbers_present_flag = 1;
    header.delta_frame_id_length_minus_2 = 8;
    header.pTimingInfo = &timing;
    struct fixture f;
    setup_with(&f, &(VkVideoEncodeAV1SessionParametersCreateInfoKHR){
                       .pStdSequenceHeader = &header,
                       .pStdDecoderModelInfo = &model,
                       .stdOperatingPointCount = 2,
                       .pStdOperatingPoints = points,
                   });

    StdVideoEncodeAV1PictureInfo std = key_picture();
    std.current_frame_id = 40;
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    REQUIRE_EQ(encode(&f, &picture, 0), RP_CODEC_OK);
    REQUIRE_EQ(f.frame.current_frame_id, 40);

    std = inter_picture(1, 0);
    std.current_frame_id = 45;
    for (uint32_t i = 0; i < 7; i++)
        std.delta_frame_id_minus_1[i] = 4;
    std.flags.buffer_removal_time_present_flag = 1;
    std.pBufferRemovalTimes = times;
    std.frame_presentation_time = 77;
    std.pExtensionHeader = &layer;
    picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 0;
    picture.generateObuExtensionHeader = VK_TRUE;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    REQUIRE_EQ(f.frame.current_frame_id, 45);
    REQUIRE_EQ(f.frame.delta_frame_id_minus_1[6], 4);
    REQUIRE_EQ(f.frame.frame_presentation_time, 77);
    REQUIRE_EQ(f.frame.buffer_removal_time[0], 1234); /* the second point has not this layer */
    REQUIRE(f.obu.obu_extension_flag);
    REQUIRE_EQ(f.obu.temporal_id, 1);
    REQUIRE_EQ(seen.job.common.temporal_layer, 1);
    teardown(&f);
}

static void
removal_times_are_recorded_by_operating_points(void)
{
    static const uint32_t times[] = {11, 22};
    static const StdVideoEncodeAV1OperatingPointInfo points[] = {{.operating_point_idc = 0x103},
                                                                 {.operating_point_idc = 0x101}};
    struct rp_video_parameters *params;
    REQUIRE_EQ(create_parameters(
                   &(VkVideoEncodeAV1SessionParametersCreateInfoKHR){
                       .pStdSequenceHeader = &plain_sequence,
                       .stdOperatingPointCount = 2,
                       .pStdOperatingPoints = points,
                   },
                   &params),
               VK_SUCCESS);
    StdVideoEncodeAV1PictureInfo std = key_picture();
    std.flags.buffer_removal_time_present_flag = 1;
    std.pBufferRemovalTimes = times;
    StdVideoEncodeAV1PictureInfo std_copy = std;
    std_copy.pBufferRemovalTimes = NULL;
    const VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    VkVideoEncodeAV1PictureInfoKHR copy = picture_of(&std_copy);

    struct rp_arena arena;
    rp_arena_init(&arena, NULL);
    REQUIRE(rp_av1_encode.keep_picture(&arena, params, &picture, &copy));
    REQUIRE(std_copy.pBufferRemovalTimes && std_copy.pBufferRemovalTimes != times);
    REQUIRE_EQ(std_copy.pBufferRemovalTimes[1], 22);
    rp_arena_finish(&arena);
    rp_video_parameters_unref(params);
}

/* The application writes the header that shows the hidden one: nobody else sees that. */
static const struct rp_av1_frame show_hidden = {.show_existing_frame = true,
                                                .frame_to_show_map_idx = 7};

/* A hidden key frame of order hint 5, in slot 2 and the decoder's reference 7. */
static void
encode_hidden_key(struct fixture *f)
{
    StdVideoEncodeAV1PictureInfo std = key_picture();
    std.flags.show_frame = std.flags.error_resilient_mode = 0;
    std.flags.showable_frame = 1;
    std.refresh_frame_flags = 0x80;
    std.order_hint = 5;
    const VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    REQUIRE_EQ(encode(f, &picture, 2), RP_CODEC_OK);
}

static void
a_hidden_key_frame_that_was_shown_is_all_references(void)
{
    struct fixture f;
    setup(&f);
    encode_key(&f, 0);
    StdVideoEncodeAV1PictureInfo std = inter_picture(1, 0);
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 0;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);

    encode_hidden_key(&f);
    rp_av1_state_update(&f.decoder, &show_hidden);

    /* Compound of names with order hints on one side: a header that depends on all of them. */
    std = inter_picture(6, 3);
    std.ref_frame_idx[6] = 0;
    std.flags.reduced_tx_set = 1;
    picture = picture_of(&std);
    picture.predictionMode = VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_UNIDIRECTIONAL_COMPOUND_KHR;
    picture.referenceNameSlotIndices[0] = 2;
    REQUIRE_EQ(encode(&f, &picture, 3), RP_CODEC_OK);
    REQUIRE(f.frame.reference_select && f.frame.reduced_tx_set);
    REQUIRE_EQ(f.frame.order_hints[7], 5);
    teardown(&f);
}

/* The application says the order hints of all references: those that have others are none. */
static void
say_order_hints(StdVideoEncodeAV1PictureInfo *std)
{
    std->flags.error_resilient_mode = 1;
    std->primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE;
    memset(std->ref_order_hint, 5, sizeof(std->ref_order_hint));
    std->ref_order_hint[0] = 6;
}

/* A picture behind the key frame refers to it where it was before, which tells nothing, and
 * refreshes reference 0. */
static void
pictures_behind_a_shown_key_frame_stay_references(void)
{
    struct fixture f;
    setup(&f);
    encode_key(&f, 0);
    encode_hidden_key(&f);
    rp_av1_state_update(&f.decoder, &show_hidden);
    StdVideoEncodeAV1PictureInfo std = inter_picture(6, 7);
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 2;
    REQUIRE_EQ(encode(&f, &picture, 3), RP_CODEC_OK);
    std = inter_picture(7, 3);
    say_order_hints(&std);
    picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 2;
    REQUIRE_EQ(encode(&f, &picture, -1), RP_CODEC_OK);
    REQUIRE_EQ(seen.job.refs[0].numbers, 0xfe);
    REQUIRE(f.frame.has_ref_order_hints && !f.feedback.has_overrides);
    teardown(&f);
}

/* A picture in front of the key frame refreshes reference 1 before that is shown; the one behind it
 * is not shown, so it does not tell that the key frame was: the names of the next do. */
static void
names_tell_more_than_a_shown_key_frame(void)
{
    struct fixture f;
    setup(&f);
    encode_key(&f, 0);
    encode_hidden_key(&f);
    StdVideoEncodeAV1PictureInfo std = inter_picture(2, 0);
    std.refresh_frame_flags = 2;
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 0;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    rp_av1_state_update(&f.decoder, &show_hidden);
    std = inter_picture(6, 7);
    std.flags.show_frame = 0;
    picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 2;
    REQUIRE_EQ(encode(&f, &picture, 3), RP_CODEC_OK);

    std = inter_picture(7, 1);
    std.ref_frame_idx[0] = 0;
    say_order_hints(&std);
    picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 3;
    picture.referenceNameSlotIndices[1] = 2;
    REQUIRE_EQ(encode(&f, &picture, 4), RP_CODEC_OK);
    REQUIRE_EQ(seen.job.refs[0].numbers, 1);
    REQUIRE_EQ(seen.job.refs[1].numbers, 0xfe);
    teardown(&f);
}

/* Whether an image that no picture was coded into has the samples of the decoder's reference is the
 * codec's to see. */
static void
samples_of_unknown_origin_are_foreign(void)
{
    struct fixture f;
    setup(&f);
    encode_key(&f, 0);
    StdVideoEncodeAV1PictureInfo std = inter_picture(1, 0);
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    picture.referenceNameSlotIndices[0] = 5;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK);
    REQUIRE(seen.job.refs[0].is_foreign);
    picture.referenceNameSlotIndices[0] = 1;
    REQUIRE_EQ(encode(&f, &picture, 2), RP_CODEC_OK);
    REQUIRE(!seen.job.refs[0].is_foreign);
    teardown(&f);
}

static void
pictures_that_cannot_be_fail(void)
{
    struct fixture f;
    setup(&f);
    encode_key(&f, 0);
    StdVideoEncodeAV1PictureInfo std = inter_picture(1, 0);
    VkVideoEncodeAV1PictureInfoKHR picture = picture_of(&std);
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_FAILED); /* no name has a slot */
    picture.referenceNameSlotIndices[0] = 77;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_FAILED); /* not listed */
    picture.referenceNameSlotIndices[0] = 0;
    REQUIRE_EQ(encode(&f, &picture, 0), RP_CODEC_FAILED); /* onto its own reference */
    std.ref_frame_idx[3] = 8;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_FAILED);
    std.ref_frame_idx[3] = -1;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_FAILED);
    std.ref_frame_idx[3] = 1;
    std.primary_ref_frame = 3;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_FAILED); /* a name that no slot stands for */
    std.primary_ref_frame = 0;
    std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INVALID;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_FAILED);
    std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTER;
    const StdVideoAV1TileInfo tiles = {
        .flags = {.uniform_tile_spacing_flag = 1}, .TileCols = 65, .TileRows = 1};
    std.pTileInfo = &tiles;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_FAILED);
    std.pTileInfo = NULL;
    std.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
    std.refresh_frame_flags = 0xff;
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_FAILED);

    std = inter_picture(1, 0);
    REQUIRE_EQ(encode(&f, &picture, 1), RP_CODEC_OK); /* the session goes on */
    REQUIRE_EQ(encode(&f, &(VkVideoEncodeAV1PictureInfoKHR){0}, 1), RP_CODEC_FAILED);
    teardown(&f);
}

int
main(void)
{
    RUN(the_frame_header_says_what_was_asked);
    RUN(what_is_coded_otherwise_is_an_override);
    RUN(uniform_tiles_come_as_near_as_they_can);
    RUN(deltas_of_the_loop_filter_are_inherited);
    RUN(ids_times_and_layers_are_as_asked);
    RUN(removal_times_are_recorded_by_operating_points);
    RUN(a_hidden_key_frame_that_was_shown_is_all_references);
    RUN(pictures_behind_a_shown_key_frame_stay_references);
    RUN(names_tell_more_than_a_shown_key_frame);
    RUN(samples_of_unknown_origin_are_foreign);
    RUN(pictures_that_cannot_be_fail);
    return 0;
}
