/* SPDX-License-Identifier: MIT */
/* Fuzz target: hostile pictures for AV1 in the decode engine. Inputs are what they change in the
 * structures of a key frame, which is right.
 */
#include "target.h"

#include "reelpipe/decode_av1.h"
#include "tests/test.h"
#include "video/av1/standard.h"
#include "video/decode/engine.h"

#include <vulkan/vulkan_core.h>

#include <stdlib.h>

#define MAX_PICTURES 12u
#define MAX_CHANGES 16u
#define MAX_TILES 4u
#define IMAGES 12u
#define WIDTH_PX 96u
#define HEIGHT_PX 80u

/* One picture's structures, pointers to which are set last. */
struct structures {
    StdVideoAV1ColorConfig color;
    StdVideoAV1SequenceHeader sequence;
    StdVideoAV1TileInfo tiles;
    StdVideoAV1Quantization quantization;
    StdVideoAV1Segmentation segmentation;
    StdVideoAV1LoopFilter loop_filter;
    StdVideoAV1CDEF cdef;
    StdVideoAV1LoopRestoration restoration;
    StdVideoAV1GlobalMotion motion;
    StdVideoAV1FilmGrain grain;
    StdVideoDecodeAV1PictureInfo picture;
};

static const struct structures grey = {
    .color = {.BitDepth = 8,
              .subsampling_x = 1,
              .subsampling_y = 1,
              .color_primaries = STD_VIDEO_AV1_COLOR_PRIMARIES_UNSPECIFIED,
              .transfer_characteristics = STD_VIDEO_AV1_TRANSFER_CHARACTERISTICS_UNSPECIFIED,
              .matrix_coefficients = STD_VIDEO_AV1_MATRIX_COEFFICIENTS_UNSPECIFIED},
    .sequence = {.flags = {.enable_order_hint = 1, .enable_cdef = 1, .enable_restoration = 1},
                 .order_hint_bits_minus_1 = 6,
                 .max_frame_width_minus_1 = WIDTH_PX - 1,
                 .max_frame_height_minus_1 = HEIGHT_PX - 1},
    .tiles = {.flags = {.uniform_tile_spacing_flag = 1}, .TileCols = 1, .TileRows = 1},
    .quantization = {.base_q_idx = 200},
    .picture = {.primary_ref_frame = STD_VIDEO_AV1_PRIMARY_REF_NONE,
                .refresh_frame_flags = 0xff,
                .TxMode = STD_VIDEO_AV1_TX_MODE_LARGEST},
};

/* which: bits of structures that are not there. */
static void
structures_link(struct structures *s, uint32_t which)
{
    static const uint16_t sizes_sb[64];
    s->sequence.pColorConfig = which & 1 ? NULL : &s->color;
    s->sequence.pTimingInfo = NULL;
    s->tiles.pMiColStarts = s->tiles.pMiRowStarts = NULL;
    s->tiles.pWidthInSbsMinus1 = s->tiles.pHeightInSbsMinus1 = which & 2 ? NULL : sizes_sb;
    s->picture.pTileInfo = which & 4 ? NULL : &s->tiles;
    s->picture.pQuantization = which & 8 ? NULL : &s->quantization;
    s->picture.pSegmentation = which & 16 ? NULL : &s->segmentation;
    s->picture.pLoopFilter = which & 32 ? NULL : &s->loop_filter;
    s->picture.pCDEF = which & 64 ? NULL : &s->cdef;
    s->picture.pLoopRestoration = which & 128 ? NULL : &s->restoration;
    s->picture.pGlobalMotion = which & 256 ? NULL : &s->motion;
    s->picture.pFilmGrain = which & 512 ? &s->grain : NULL;
}

static void
structures_read(struct input *in, struct structures *out)
{
    *out = grey;
    out->picture.frame_type = (StdVideoAV1FrameType)input_below(in, 4);
    out->picture.OrderHint = input_u8(in);
    for (uint32_t i = input_below(in, MAX_CHANGES); i > 0; i--) {
        const uint32_t at = input_below(in, (uint32_t)sizeof(*out));
        ((uint8_t *)out)[at] ^= input_u8(in);
    }
    structures_link(out, input_below(in, 4) ? 0 : input_u16(in));
}

static struct rp_picture_key
key_of(uint32_t image)
{
    return (struct rp_picture_key){.image_id = image < IMAGES ? image + 1 : 0};
}

static void
picture_run(struct rp_video_decode *dec, struct input *in, uint64_t sequence)
{
    struct structures std;
    uint32_t offsets_B[MAX_TILES];
    uint32_t sizes_B[MAX_TILES];
    static uint8_t luma[WIDTH_PX * HEIGHT_PX];
    static uint8_t chroma[WIDTH_PX * HEIGHT_PX / 2];
    structures_read(in, &std);
    VkVideoDecodeAV1PictureInfoKHR av1 = {.pStdPictureInfo = &std.picture,
                                          .tileCount = 1 + input_below(in, MAX_TILES),
                                          .pTileOffsets = offsets_B,
                                          .pTileSizes = sizes_B};
    const VkVideoDecodeAV1InlineSessionParametersInfoKHR inlined = {.pStdSequenceHeader =
                                                                        &std.sequence};
    struct rp_decode_reference refs[IMAGES];
    const uint32_t ref_count = input_below(in, IMAGES + 1);
    for (uint32_t i = 0; i < ref_count; i++)
        refs[i] = (struct rp_decode_reference){.key = key_of(input_below(in, IMAGES + 1)),
                                               .slot_index = (int32_t)i};
    for (uint32_t i = 0; i < 7; i++)
        av1.referenceNameSlotIndices[i] = (int8_t)input_u8(in) % 16;
    const size_t data_B = input_u8(in) < in->size_B ? input_u8(in) : in->size_B;
    for (uint32_t i = 0; i < av1.tileCount; i++) {
        offsets_B[i] = input_below(in, 8) ? i * (uint32_t)data_B / av1.tileCount : input_u32(in);
        sizes_B[i] = input_below(in, 8) ? (uint32_t)data_B / av1.tileCount : input_u32(in);
    }
    uint8_t *data = malloc(data_B ? data_B : 1);
    REQUIRE(data);
    input_read(in, data, data_B);
    const struct rp_decode_request request = {
        .inlined = &inlined,
        .picture = &av1,
        .src = data,
        .src_B = data_B,
        .refs = refs,
        .ref_count = ref_count,
        .setup = key_of(input_below(in, IMAGES + 1)),
        .coded_width_px = input_below(in, 8) ? WIDTH_PX : input_u8(in) * 2u,
        .coded_height_px = input_below(in, 8) ? HEIGHT_PX : input_u8(in) * 2u,
        .image_width_px = WIDTH_PX,
        .image_height_px = HEIGHT_PX,
        .dst = {.layout = RP_PICTURE_NV12,
                .bit_depth = 8,
                .width_px = WIDTH_PX,
                .height_px = HEIGHT_PX,
                .plane = {{luma, WIDTH_PX}, {chroma, WIDTH_PX}}},
        .sequence = sequence,
    };
    const enum rp_codec_status status = rp_video_decode_picture(dec, &request);
    REQUIRE(status != RP_CODEC_NO_SPACE && status != RP_CODEC_BUSY); /* not of decoders */
    free(data);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    struct input in = {data, size_B};
    enum rp_codec_status status;
    const struct rp_decode_codec *codec = rp_codec_av1_decode();
    if (!codec)
        return 0;
    struct rp_video_decode *dec =
        rp_video_decode_create(&rp_av1_decode, codec, 1 + input_below(&in, 2), &status);
    REQUIRE(dec);
    for (uint32_t i = 0; i < MAX_PICTURES && in.size_B; i++) {
        if (input_below(&in, 16) == 1)
            rp_video_decode_reset(dec, i);
        picture_run(dec, &in, i);
    }
    rp_video_decode_destroy(dec);
    return 0;
}
