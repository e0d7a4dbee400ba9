/* SPDX-License-Identifier: MIT */
/* A made-up AV1 encoder, which codes whatever it is asked for, and parameters of sessions with it.
 */
#ifndef TESTS_UNIT_AV1_ENCODE_FAKE_H
#define TESTS_UNIT_AV1_ENCODE_FAKE_H

#include "video/av1/obu.h"
#include "video/av1/sequence.h"
#include "video/av1/standard.h"
#include "video/encode/engine.h"
#include "video/encode/standard.h"
#include "video/parameters.h"
#include "video/standard.h"

#include "reelpipe/encode_av1.h"

#include "../../src/video/profile.h" /* tests/video/ has one of the same name */
#include "test.h"

#include <string.h>

#define WIDTH_PX 353u
#define HEIGHT_PX 161u

/* What the codec was given for the last picture. */
static struct {
    struct rp_av1_encode_job job;
    StdVideoEncodeAV1PictureInfo picture;
    StdVideoAV1LoopFilter loop_filter;
} seen;

static struct rp_encoder *
fake_create(struct rp_workers *workers)
{
    static int a_thing;
    (void)workers;
    return (struct rp_encoder *)&a_thing;
}

static void
fake_destroy(struct rp_encoder *enc)
{
    (void)enc;
}

static struct rp_encoder_slot *
fake_slot_create(struct rp_encoder *enc)
{
    (void)enc;
    return malloc(1);
}

static void
fake_slot_destroy(struct rp_encoder *enc, struct rp_encoder_slot *slot)
{
    (void)enc;
    free(slot);
}

static enum rp_codec_status
fake_begin(struct rp_encoder *enc, struct rp_encode_job *job, bool may_wait)
{
    (void)enc;
    (void)may_wait;
    seen.job = *rp_av1_encode_job_of(job);
    seen.picture = *seen.job.picture;
    if (seen.picture.pLoopFilter)
        seen.loop_filter = *seen.picture.pLoopFilter;
    return RP_CODEC_OK;
}

/* Codes all that it is asked for, in one tile where nothing is said of tiles. */
static void
fake_encode(struct rp_encoder *enc, struct rp_encode_job *common)
{
    static const StdVideoAV1TileInfo one_tile = {
        .flags = {.uniform_tile_spacing_flag = 1}, .TileCols = 1, .TileRows = 1};
    static const StdVideoAV1LoopFilter no_filter;
    static const StdVideoAV1CDEF no_cdef;
    struct rp_av1_encode_job *job = rp_av1_encode_job_of(common);
    StdVideoAV1Quantization quantization = {0};
    struct rp_av1_coded_picture coded = {.info = *job->picture};
    struct rp_bits bits;
    (void)enc;

    if (job->picture->pQuantization)
        quantization = *job->picture->pQuantization;
    quantization.base_q_idx = (uint8_t)(job->q_index >= 0 ? job->q_index : 77);
    coded.info.pQuantization = &quantization;
    if (!coded.info.pTileInfo)
        coded.info.pTileInfo = &one_tile;
    if (!coded.info.pLoopFilter)
        coded.info.pLoopFilter = &no_filter;
    if (!coded.info.pCDEF)
        coded.info.pCDEF = &no_cdef;
    coded.reference_select = job->prediction >= RP_AV1_PREDICTION_UNIDIRECTIONAL;

    rp_bits_init(&bits, common->dst, common->dst_capacity_B);
    job->write_headers(job->write_headers_ctx, &coded, 4, &bits);
    rp_bits_put(&bits, 32, 0xdecade);
    for (uint32_t i = 0; i < coded.info.pTileInfo->TileCols * coded.info.pTileInfo->TileRows; i++)
        job->tile_size_B[i] = 1;
    common->result = (struct rp_encode_result){.status = RP_CODEC_OK, .size_B = bits.size_bits / 8};
}

static const struct rp_encode_codec fake_codec = {
    .name = "fake",
    .quality_level_count = 4,
    .create = fake_create,
    .destroy = fake_destroy,
    .slot_create = fake_slot_create,
    .slot_destroy = fake_slot_destroy,
    .begin = fake_begin,
    .encode = fake_encode,
};

static const StdVideoAV1ColorConfig color = {
    .BitDepth = 8,
    .subsampling_x = 1,
    .subsampling_y = 1,
    .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_UNSPECIFIED,
    .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_UNSPECIFIED,
    .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_UNSPECIFIED,
};

static const StdVideoAV1SequenceHeader plain_sequence = {
    .flags = {.enable_order_hint = 1, .enable_cdef = 1, .enable_ref_frame_mvs = 1},
    .frame_width_bits_minus_1 = 9,
    .frame_height_bits_minus_1 = 8,
    .max_frame_width_minus_1 = WIDTH_PX - 1,
    .max_frame_height_minus_1 = HEIGHT_PX - 1,
    .order_hint_bits_minus_1 = 6,
    .seq_force_integer_mv = STD_VIDEO_AV1_SELECT_INTEGER_MV,
    .seq_force_screen_content_tools = STD_VIDEO_AV1_SELECT_SCREEN_CONTENT_TOOLS,
    .pColorConfig = &color,
};

static const struct rp_video_profile profile = {
    .standard = &rp_av1_encode_operation,
    .encode_codec = &fake_codec,
    .chroma_subsampling = VK_VIDEO_CHROMA_SUBSAMPLING_420_BIT_KHR,
    .bit_depth = VK_VIDEO_COMPONENT_BIT_DEPTH_8_BIT_KHR,
};

static inline VkResult
create_parameters(const VkVideoEncodeAV1SessionParametersCreateInfoKHR *info,
                  struct rp_video_parameters **out)
{
    VkVideoEncodeAV1SessionParametersCreateInfoKHR chained = *info;
    chained.sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR;
    return rp_av1_encode_operation.parameters->create(
        NULL, &(struct rp_video_parameters_info){.profile = &profile, .chain = &chained}, out);
}

/* What the parameters object says the sequence header is. */
static inline struct rp_av1_sequence
read_sequence(const struct rp_video_parameters *params, bool *has_overrides_out)
{
    uint8_t bytes[256];
    size_t size_B, header_B, again_B;
    struct rp_av1_obu_header header;
    struct rp_av1_sequence seq;
    VkVideoEncodeSessionParametersFeedbackInfoKHR feedback = {0};

    REQUIRE(params->ops->write(params, NULL, bytes, 0, &feedback, &size_B));
    REQUIRE(size_B <= sizeof(bytes));
    REQUIRE(params->ops->write(params, NULL, bytes, sizeof(bytes), NULL, &again_B));
    REQUIRE_EQ(again_B, size_B);
    REQUIRE_EQ(rp_av1_obu_header_read(bytes, size_B, &header, &header_B), RP_AV1_OK);
    REQUIRE_EQ(header.obu_type, RP_AV1_OBU_SEQUENCE_HEADER);
    REQUIRE_EQ(header_B + header.payload_B, size_B);
    REQUIRE_EQ(rp_av1_sequence_read(bytes + header_B, header.payload_B, &seq), RP_AV1_OK);
    *has_overrides_out = feedback.hasOverrides;
    return seq;
}

#endif
