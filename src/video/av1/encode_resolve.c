/* SPDX-License-Identifier: MIT */
/* A picture as the application describes it becomes a job of the codec.
 */
#include "util/compiler.h"
#include "video/av1/encode_caps.h"
#include "video/av1/encode_parameters.h"
#include "video/av1/encode_picture.h"

static bool
is_intra(const StdVideoEncodeAV1PictureInfo *std)
{
    return std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY ||
           std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_INTRA_ONLY;
}

static enum rp_av1_prediction
prediction_of(const VkVideoEncodeAV1PictureInfoKHR *info)
{
    if (is_intra(info->pStdPictureInfo))
        return RP_AV1_PREDICTION_INTRA;
    switch (info->predictionMode) {
    case VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_UNIDIRECTIONAL_COMPOUND_KHR:
        return RP_AV1_PREDICTION_UNIDIRECTIONAL;
    case VK_VIDEO_ENCODE_AV1_PREDICTION_MODE_BIDIRECTIONAL_COMPOUND_KHR:
        return RP_AV1_PREDICTION_BIDIRECTIONAL;
    default:
        return RP_AV1_PREDICTION_SINGLE;
    }
}

static enum rp_rate_type
rate_type_of(VkVideoEncodeAV1RateControlGroupKHR group)
{
    switch ((int)group) {
    case VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_INTRA_KHR:
        return RP_RATE_I;
    case VK_VIDEO_ENCODE_AV1_RATE_CONTROL_GROUP_BIPREDICTIVE_KHR:
        return RP_RATE_B;
    default:
        return RP_RATE_P;
    }
}

/* base_q_idx, or -1 when rate control decides. */
static int32_t
q_index_of(const struct rp_video_encode *enc, const struct rp_av1_encode_job *job,
           uint32_t constant_q_index)
{
    switch (enc->rate_control.mode) {
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_CBR_BIT_KHR:
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_VBR_BIT_KHR:
        return -1;
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DISABLED_BIT_KHR:
        return (int32_t)RP_MIN(constant_q_index, RP_AV1_MAX_Q_INDEX);
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_DEFAULT_KHR:
    case VK_VIDEO_ENCODE_RATE_CONTROL_MODE_FLAG_BITS_MAX_ENUM_KHR:
        break;
    }
    return (int32_t)rp_av1_encode_preferred_q_index(job->rate_type);
}

static bool
resolve_kind(const struct rp_video_encode *enc, const struct rp_encode_request *request,
             struct rp_av1_encode_picture *pic)
{
    const VkVideoEncodeAV1PictureInfoKHR *info = request->picture;
    const StdVideoEncodeAV1PictureInfo *std = info->pStdPictureInfo;
    struct rp_av1_encode_job *job = &pic->job;
    if ((uint32_t)std->frame_type > STD_VIDEO_AV1_FRAME_TYPE_SWITCH)
        return false;
    job->prediction = prediction_of(info);
    job->rate_type = rate_type_of(info->rateControlGroup);
    job->primary_is_cdf_only = info->primaryReferenceCdfOnly;
    job->q_index = q_index_of(enc, job, info->constantQIndex);
    pic->common.is_key = std->frame_type == STD_VIDEO_AV1_FRAME_TYPE_KEY && std->flags.show_frame;
    return true;
}

/* Frames are as large as their sequence says, and the source has all of it. One of odd extent has
 * one more column or row that need not be there (reelpipe/picture.h). */
static bool
resolve_size(const struct rp_encode_request *request, const struct rp_av1_sequence *seq,
             struct rp_encode_job *job)
{
    job->src = request->src.pixels;
    job->width_px = seq->max_frame_width_minus_1 + 1;
    job->height_px = seq->max_frame_height_minus_1 + 1;
    const VkExtent2D coded_px = request->coded_extent_px;
    return coded_px.width >= job->width_px && coded_px.width <= RP_AV1_ENCODE_MAX_WIDTH_PX &&
           coded_px.height >= job->height_px && coded_px.height <= RP_AV1_ENCODE_MAX_HEIGHT_PX &&
           job->width_px <= ((job->src.width_px + 1) & ~1u) &&
           job->height_px <= ((job->src.height_px + 1) & ~1u);
}

/* The extension header of an OBU, if there is to be one. */
static bool
resolve_layers(const struct rp_encode_request *request, struct rp_av1_encode_picture *pic)
{
    const StdVideoEncodeAV1ExtensionHeader *extension = pic->std.pExtensionHeader;
    struct rp_av1_headers *headers = &pic->headers;
    headers->has_extension =
        rp_av1_picture_info(request)->generateObuExtensionHeader && extension != NULL;
    headers->stream.temporal_id = headers->stream.spatial_id = 0;
    if (extension)
        pic->job.common.temporal_layer = extension->temporal_id;
    if (!headers->has_extension)
        return true;
    headers->stream.temporal_id = extension->temporal_id;
    headers->stream.spatial_id = extension->spatial_id;
    return extension->temporal_id < 8 && extension->spatial_id < 4;
}

/* The deltas in effect, for the codec. */
static void
resolve_loop_filter(struct rp_av1_encode_picture *pic)
{
    const struct rp_av1_loop_filter *filter = &pic->headers.frame.loop_filter;
    if (!pic->std.pLoopFilter)
        return;
    pic->loop_filter = *pic->std.pLoopFilter;
    for (uint32_t i = 0; i < 8; i++)
        pic->loop_filter.loop_filter_ref_deltas[i] = (int8_t)filter->deltas.ref[i];
    for (uint32_t i = 0; i < 2; i++)
        pic->loop_filter.loop_filter_mode_deltas[i] = (int8_t)filter->deltas.mode[i];
    pic->std.pLoopFilter = &pic->loop_filter;
}

/* Puts the numbers of tiles that there will be into the picture's tile info. */
static void
resolve_tiles(struct rp_av1_encode_picture *pic)
{
    if (!pic->std.pTileInfo)
        return;
    pic->tiles = *pic->std.pTileInfo;
    pic->tiles.TileCols = (uint8_t)pic->headers.frame.tiles.tile_cols;
    pic->tiles.TileRows = (uint8_t)pic->headers.frame.tiles.tile_rows;
    pic->std.pTileInfo = &pic->tiles;
}

static bool
resolve_headers(const struct rp_encode_request *request, struct rp_av1_encode_picture *pic)
{
    struct rp_av1_headers *headers = &pic->headers;
    if (!resolve_layers(request, pic) || !rp_av1_headers_init(&pic->std, &pic->job, headers))
        return false;
    headers->asked = rp_av1_picture_info(request)->pStdPictureInfo;
    headers->result = &pic->headers_result;
    resolve_loop_filter(pic);
    resolve_tiles(pic);
    pic->job.picture = &pic->std;
    pic->job.tile_size_B = pic->tile_sizes_B;
    pic->job.write_headers = rp_av1_write_headers;
    pic->job.write_headers_ctx = headers;
    return true;
}

/* Tiles are partitions. Uniform spacing gives all tiles the size that it leads to but the last. */
static enum rp_codec_status
resolve_refresh(const struct rp_encode_request *request, struct rp_av1_encode_picture *pic)
{
    const struct rp_av1_tile_info *tiles = &pic->headers.frame.tiles;
    const struct rp_encode_job *job = &pic->job.common;
    const uint32_t cols = (job->width_px + RP_AV1_SUPERBLOCK_PX - 1) / RP_AV1_SUPERBLOCK_PX;
    const uint32_t rows = (job->height_px + RP_AV1_SUPERBLOCK_PX - 1) / RP_AV1_SUPERBLOCK_PX;
    const uint32_t even_cols = (cols + (1u << tiles->tile_cols_log2) - 1) >> tiles->tile_cols_log2;
    const uint32_t even_rows = (rows + (1u << tiles->tile_rows_log2) - 1) >> tiles->tile_rows_log2;
    uint32_t first_cols[RP_AV1_MAX_TILE_COLS + 1] = {0}, first_rows[RP_AV1_MAX_TILE_ROWS + 1] = {0};
    if (request->refresh.mode == VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_NONE_KHR ||
        pic->job.prediction == RP_AV1_PREDICTION_INTRA)
        return RP_CODEC_OK;

    for (uint32_t i = 0; i < tiles->tile_cols; i++)
        first_cols[i + 1] =
            first_cols[i] +
            (tiles->uniform_tile_spacing_flag ? even_cols : tiles->width_in_sbs_minus_1[i] + 1);
    for (uint32_t i = 0; i < tiles->tile_rows; i++)
        first_rows[i + 1] =
            first_rows[i] +
            (tiles->uniform_tile_spacing_flag ? even_rows : tiles->height_in_sbs_minus_1[i] + 1);
    return rp_encode_fill_refresh_tiles(
        request,
        &(struct rp_intra_refresh_tiles){first_cols, tiles->tile_cols, first_rows,
                                         tiles->tile_rows},
        &pic->common);
}

/* A picture without loss cannot have parts that are worse: then it is nearly without. */
static void
resolve_map(struct rp_av1_encode_job *job)
{
    const struct rp_encode_job *common = &job->common;
    const uint32_t width_tx = (common->width_px + RP_AV1_MAP_TEXEL_PX - 1) / RP_AV1_MAP_TEXEL_PX;
    const uint32_t height_tx = (common->height_px + RP_AV1_MAP_TEXEL_PX - 1) / RP_AV1_MAP_TEXEL_PX;
    for (uint32_t i = 0; common->qp_delta && i < width_tx * height_tx && job->q_index == 0; i++)
        job->q_index = common->qp_delta[i] > 0;
}

enum rp_codec_status
rp_av1_encode_resolve(struct rp_video_encode *enc, const struct rp_encode_request *request,
                      struct rp_encode_picture *common)
{
    struct rp_av1_encode_picture *pic = rp_av1_encode_picture_of(common);
    struct rp_av1_encode_state *state = enc->state;
    const struct rp_av1_encode_parameters *params =
        rp_av1_encode_parameters_of(request->parameters);
    const StdVideoEncodeAV1PictureInfo *std =
        request->picture ? rp_av1_picture_info(request)->pStdPictureInfo : NULL;
    if (!std || !params || !resolve_kind(enc, request, pic) ||
        !resolve_size(request, &params->sequence, &pic->job.common))
        return RP_CODEC_FAILED;

    pic->number = enc->picture_number;
    pic->headers.stream = state->stream;
    pic->headers.stream.sequence = params->sequence;
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        pic->numbers[i] = state->numbers[i];
    pic->job.sequence = &params->std;
    pic->common.feedback.has_overrides =
        rp_av1_override_picture(std, &params->sequence, pic) | params->has_overrides;

    enum rp_codec_status status = rp_encode_read_map(request, common);
    if (status == RP_CODEC_OK)
        resolve_map(&pic->job);
    if (status == RP_CODEC_OK)
        status = rp_encode_convert_source(request, common);
    if (status == RP_CODEC_OK)
        status = rp_av1_resolve_references(request, pic);
    if (status == RP_CODEC_OK && !resolve_headers(request, pic))
        status = RP_CODEC_FAILED;
    if (status == RP_CODEC_OK)
        status = resolve_refresh(request, pic);
    if (status != RP_CODEC_OK)
        return status;

    pic->job.common.quality_level = enc->quality_level;
    pic->job.common.preceding_B = request->preceding_B;
    pic->job.common.dst = request->dst;
    pic->job.common.dst_capacity_B = request->dst_capacity_B;
    return RP_CODEC_OK;
}

void
rp_av1_encode_advance(struct rp_video_encode *enc, const struct rp_encode_picture *common)
{
    const struct rp_av1_encode_picture *pic = (const struct rp_av1_encode_picture *)common;
    struct rp_av1_encode_state *state = enc->state;

    state->stream = pic->headers.stream;
    rp_av1_state_update(&state->stream, &pic->headers.frame);
    for (uint32_t i = 0; i < RP_AV1_REFERENCES; i++)
        state->numbers[i] =
            pic->headers.frame.refresh_frame_flags >> i & 1 ? pic->number : pic->numbers[i];
    rp_av1_know_picture(state, pic);
}
