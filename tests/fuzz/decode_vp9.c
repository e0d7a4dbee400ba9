/* SPDX-License-Identifier: MIT */
/* Fuzz target: hostile pictures for VP9 in the decode engine. Inputs are what they change in the
 * structures and the data of a key frame, which is right.
 */
#include "target.h"

#include "reelpipe/decode_vp9.h"
#include "tests/test.h"
#include "video/decode/engine.h"
#include "video/vp9/standard.h"

#include <vk_video/vulkan_video_codec_vp9std_decode.h>
#include <vulkan/vulkan_core.h>

#define MAX_PICTURES 12u
#define MAX_CHANGES 12u
#define IMAGES 12u
#define WIDTH_PX 96u
#define HEIGHT_PX 80u
#define GREY_WIDTH_PX 32u
#define GREY_HEIGHT_PX 16u
#define MAX_DATA_B 256u

/* One picture's structures, pointers to which are set last. */
struct structures {
    StdVideoVP9ColorConfig color;
    StdVideoVP9LoopFilter loop_filter;
    StdVideoVP9Segmentation segmentation;
    StdVideoDecodeVP9PictureInfo picture;
};

/* What libvpx makes of grey. */
static const uint8_t compressed_header[] = {0x60, 0x00, 0x00};
static const uint8_t tiles[] = {0x3d, 0x27, 0x35, 0x00};
static const struct structures grey = {
    .color = {.BitDepth = 8, .subsampling_x = 1, .subsampling_y = 1},
    .loop_filter = {.flags = {.loop_filter_delta_enabled = 1, .loop_filter_delta_update = 1},
                    .loop_filter_ref_deltas = {1, 0, -1, -1}},
    .picture = {.flags = {.show_frame = 1,
                          .refresh_frame_context = 1,
                          .frame_parallel_decoding_mode = 1},
                .refresh_frame_flags = 0xff,
                .base_q_idx = 70},
};

static void
structures_read(struct input *in, struct structures *out)
{
    *out = grey;
    out->picture.frame_type = (StdVideoVP9FrameType)input_below(in, 2);
    for (uint32_t i = input_below(in, MAX_CHANGES); i > 0; i--) {
        const uint32_t at = input_below(in, (uint32_t)sizeof(*out));
        ((uint8_t *)out)[at] ^= input_u8(in);
    }
    const uint32_t missing = input_below(in, 8) ? 0 : input_u8(in);
    out->picture.pColorConfig = missing & 1 ? NULL : &out->color;
    out->picture.pLoopFilter = missing & 2 ? NULL : &out->loop_filter;
    out->picture.pSegmentation = missing & 4 ? NULL : &out->segmentation;
}

/* Returns their size. */
static size_t
data_read(struct input *in, uint8_t out[MAX_DATA_B])
{
    size_t size_B = 0;
    memcpy(out, compressed_header, sizeof(compressed_header));
    size_B += sizeof(compressed_header);
    memcpy(out + size_B, tiles, sizeof(tiles));
    size_B += sizeof(tiles);
    if (input_below(in, 2)) {
        size_B = input_below(in, MAX_DATA_B);
        input_read(in, out, size_B);
    }
    return size_B;
}

static struct rp_picture_key
key_of(uint32_t image)
{
    return (struct rp_picture_key){.image_id = image < IMAGES ? image + 1 : 0};
}

static void
picture_run(struct rp_video_decode *dec, struct input *in, uint64_t sequence)
{
    static uint8_t luma[WIDTH_PX * HEIGHT_PX];
    static uint8_t chroma[WIDTH_PX * HEIGHT_PX / 2];
    struct structures std;
    uint8_t data[MAX_DATA_B];
    structures_read(in, &std);
    const size_t data_B = data_read(in, data);
    VkVideoDecodeVP9PictureInfoKHR vp9 = {
        .pStdPictureInfo = input_below(in, 32) == 1 ? NULL : &std.picture,
        .compressedHeaderOffset = input_below(in, 16) == 1 ? input_u32(in) : 0,
        .tilesOffset = input_below(in, 8) == 1 ? input_u32(in) : sizeof(compressed_header),
    };
    struct rp_decode_reference refs[IMAGES];
    const uint32_t ref_count = input_below(in, IMAGES + 1);
    for (uint32_t i = 0; i < ref_count; i++)
        refs[i] = (struct rp_decode_reference){.key = key_of(input_below(in, IMAGES + 1)),
                                               .slot_index = (int32_t)i};
    for (uint32_t i = 0; i < STD_VIDEO_VP9_REFS_PER_FRAME; i++)
        vp9.referenceNameSlotIndices[i] = (int8_t)input_u8(in) % 16;
    const bool has_other_size = input_below(in, 4) == 1;
    const struct rp_decode_request request = {
        .picture = &vp9,
        .src = data,
        .src_B = data_B,
        .refs = refs,
        .ref_count = ref_count,
        .setup = key_of(input_below(in, IMAGES + 1)),
        .coded_width_px = has_other_size ? input_below(in, 200) : GREY_WIDTH_PX,
        .coded_height_px = has_other_size ? input_below(in, 200) : GREY_HEIGHT_PX,
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
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    struct input in = {data, size_B};
    enum rp_codec_status status;
    const struct rp_decode_codec *codec = rp_codec_vp9_decode();
    if (!codec)
        return 0;
    struct rp_video_decode *dec = rp_video_decode_create(&rp_vp9_decode, codec, 1, &status);
    REQUIRE(dec);
    for (uint32_t i = 0; i < MAX_PICTURES && in.size_B; i++) {
        if (input_below(&in, 16) == 1)
            rp_video_decode_reset(dec, i);
        picture_run(dec, &in, i);
    }
    rp_video_decode_destroy(dec);
    return 0;
}
