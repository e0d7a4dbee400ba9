/* SPDX-License-Identifier: MIT */
/* Encodes AV1 into a file, of both bit depths, with a quantization map, with intra refresh and
 * without: the bytes, and the feedback of each picture, are the same on every device that our
 * driver encodes for.
 */
#include "av1_application.h"

#include "test.h"

#define PICTURES 5

static struct vk vk;

/* Each picture refers to the one before. */
static struct av1_picture
chained(const struct av1_application *app, uint32_t number)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_INTER, number, true);
    for (uint32_t i = 0; i < 7; i++)
        pic.std.ref_frame_idx[i] = (int8_t)((number - 1) & 1);
    av1_picture_name(app, &pic, 0, (number - 1) & 1);
    pic.std.primary_ref_frame = 0;
    pic.std.refresh_frame_flags = (uint8_t)(1u << (number & 1));
    return pic;
}

static void
write_stream(FILE *out, uint32_t bit_depth, VkFormat map_format,
             VkVideoEncodeIntraRefreshModeFlagBitsKHR refresh_mode)
{
    static int8_t map[64]; /* a texel is 16x16 pixels */
    struct av1_application *app = av1_open(&vk, &(struct av1_application_options){
                                                    .width_px = 130,
                                                    .height_px = 66,
                                                    .bit_depth = bit_depth,
                                                    .content = bit_depth,
                                                    .quality_level = 2,
                                                    .tools = {.enable_order_hint = 1},
                                                    .map_format = map_format,
                                                    .refresh_mode = refresh_mode,
                                                    .has_private_references = true,
                                                });
    size_t size_B;

    REQUIRE(app);
    for (uint32_t i = 0; i < PICTURES; i++) {
        struct av1_picture pic;
        if (i == 0)
            av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
        else
            pic = chained(app, i);
        for (uint32_t k = 0; k < sizeof(map); k++)
            map[k] = (int8_t)((k + i) % 16) - 8;
        pic.map = map_format ? map : NULL;
        pic.refresh_cycle = i > 0 && refresh_mode ? PICTURES - 1 : 0;
        pic.refresh_index = i - 1;
        const int32_t slot = i == 0 ? 0 : av1_free_slot(app, 0);
        const struct av1_result result = av1_encode_picture(app, &pic, slot, i);
        REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        (void)fprintf(out, "%u %u %d %d %d %u %u %u\n", result.offset_B, result.size_B,
                      result.has_overrides, result.min_q, result.max_q, result.intra_px,
                      result.inter_px, result.tile_count);
    }
    const uint8_t *stream = av1_stream(app, &size_B);
    REQUIRE(fwrite(stream, 1, size_B, out) == size_B);
    av1_close(app);
}

int
main(int argc, char **argv)
{
    REQUIRE_EQ(argc, 2);
    FILE *out = fopen(argv[1], "wb");
    REQUIRE(out);
    vk_open_for(&vk, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR, 0);
    write_stream(out, 8, VK_FORMAT_UNDEFINED, 0);
    write_stream(out, 10, VK_FORMAT_UNDEFINED, 0);
    write_stream(out, 8, VK_FORMAT_R8_SINT, 0);
    write_stream(out, 8, VK_FORMAT_UNDEFINED,
                 VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR);
    write_stream(out, 8, VK_FORMAT_UNDEFINED,
                 VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_COLUMN_BASED_BIT_KHR);
    vk_close(&vk);
    REQUIRE_EQ(fclose(out), 0);
    return 0;
}
