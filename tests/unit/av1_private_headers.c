/* SPDX-License-Identifier: MIT */
/* Applications' structures that no AV1 header can say are refused.
 */
#include "video/av1/private_stream.h"

#include "test.h"

struct application {
    StdVideoAV1ColorConfig color;
    StdVideoAV1SequenceHeader sequence;
    StdVideoAV1TileInfo tiles;
    StdVideoAV1Quantization quantization;
    StdVideoDecodeAV1PictureInfo picture;
};

/* A key frame in one tile; its width is changed by super-resolution. */
static void
application_init(struct application *app)
{
    *app = (struct application){
        .color = {.BitDepth = 8,
                  .subsampling_x = 1,
                  .subsampling_y = 1,
                  .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_BT_709,
                  .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_BT_709,
                  .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_BT_709},
        .sequence = {.flags = {.enable_superres = 1}, .pColorConfig = &app->color},
        .tiles = {.flags = {.uniform_tile_spacing_flag = 1}, .TileCols = 1, .TileRows = 1},
        .quantization = {.base_q_idx = 90},
        .picture = {.flags = {.use_superres = 1, .frame_size_override_flag = 1},
                    .frame_type = STD_VIDEO_AV1_FRAME_TYPE_KEY,
                    .refresh_frame_flags = 0xff,
                    .pTileInfo = &app->tiles,
                    .pQuantization = &app->quantization},
    };
}

static enum rp_codec_status
begin(const struct application *app, uint32_t width_px, uint32_t height_px)
{
    static struct rp_av1_private_streams streams;
    static struct rp_av1_private_picture picture;
    rp_av1_private_streams_init(&streams);
    return rp_av1_private_begin(&streams,
                                &(struct rp_av1_private_request){.sequence = &app->sequence,
                                                                 .picture = &app->picture,
                                                                 .setup_slot = 0,
                                                                 .width_px = width_px,
                                                                 .height_px = height_px,
                                                                 .tile_count = 1},
                                &picture);
}

static void
a_denominator_of_super_resolution_has_three_bits(void)
{
    struct application app;
    application_init(&app);
    for (uint32_t denom = 0; denom < 256; denom++) {
        app.picture.coded_denom = (uint8_t)denom;
        for (uint32_t width_px = 1; width_px < 40; width_px++)
            REQUIRE_EQ(begin(&app, width_px, 16), denom < 8 ? RP_CODEC_OK : RP_CODEC_FAILED);
    }
}

static void
an_extent_fits_a_header(void)
{
    struct application app;
    application_init(&app);
    REQUIRE_EQ(begin(&app, 0, 16), RP_CODEC_FAILED);
    REQUIRE_EQ(begin(&app, 16, 0), RP_CODEC_FAILED);
    REQUIRE_EQ(begin(&app, 16, UINT32_MAX), RP_CODEC_FAILED);
    REQUIRE_EQ(begin(&app, UINT32_MAX, 16), RP_CODEC_FAILED);
}

int
main(void)
{
    RUN(a_denominator_of_super_resolution_has_three_bits);
    RUN(an_extent_fits_a_header);
    return 0;
}
