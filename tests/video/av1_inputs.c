/* SPDX-License-Identifier: MIT */
/* RGB input of AV1 through Vulkan, and what pictures may not be: the specified status, and the
 * session codes on.
 */
#include "av1_application.h"

#include "test.h"

#include <string.h>

#define WIDTH_PX 128u
#define HEIGHT_PX 64u
#define BLOCK_PX 16u

static struct vk vk;

static const StdVideoAV1SequenceHeaderFlags tools = {.enable_order_hint = 1, .enable_cdef = 1};

static struct av1_application *
open_or_skip(const struct av1_application_options *options)
{
    struct av1_application *app = av1_open(&vk, options);
    if (!app) {
        (void)fprintf(stderr, "skipped: the device does not encode AV1\n");
        exit(TEST_SKIPPED);
    }
    return app;
}

/* Red, green and blue of a block of one colour, which are as large as largest: the corners of the
 * cube, and points inside. */
static uint32_t
colour_of(uint32_t block_x, uint32_t block_y, uint32_t component, uint32_t largest)
{
    const uint32_t number = block_y * (WIDTH_PX / BLOCK_PX) + block_x;
    return number < 8 ? (number >> component & 1) * largest
                      : (number * (largest / 7 + 1) + component * (largest / 5 * 2 - 1)) & largest;
}

/* Texels of 32 bits in which the components begin at these bits. */
static void
fill_blocks(uint8_t *texels, uint32_t width_px, uint32_t height_px, uint32_t largest,
            const uint32_t first_bits[3])
{
    for (uint32_t y = 0; y < height_px; y++) {
        for (uint32_t x = 0; x < width_px; x++) {
            uint32_t texel = x << 30; /* some alpha */
            for (uint32_t i = 0; i < 3; i++)
                texel |= colour_of(x / BLOCK_PX, y / BLOCK_PX, i, largest) << first_bits[i];
            memcpy(texels + 4 * (size_t)(y * width_px + x), &texel, 4);
        }
    }
}

static void
fill_r8g8b8a8(uint8_t *texels, uint32_t width_px, uint32_t height_px)
{
    fill_blocks(texels, width_px, height_px, 255, (const uint32_t[]){0, 8, 16});
}

static void
fill_b8g8r8a8(uint8_t *texels, uint32_t width_px, uint32_t height_px)
{
    fill_blocks(texels, width_px, height_px, 255, (const uint32_t[]){16, 8, 0});
}

static void
fill_a2b10g10r10(uint8_t *texels, uint32_t width_px, uint32_t height_px)
{
    fill_blocks(texels, width_px, height_px, 1023, (const uint32_t[]){0, 10, 20});
}

static void
fill_a2r10g10b10(uint8_t *texels, uint32_t width_px, uint32_t height_px)
{
    fill_blocks(texels, width_px, height_px, 1023, (const uint32_t[]){20, 10, 0});
}

/* A source format, and bits of the video. */
struct rgb_kind {
    VkFormat format;
    void (*fill)(uint8_t *texels, uint32_t width_px, uint32_t height_px);
    uint32_t largest; /* component */
    uint32_t bit_depth;
};

static void
require_near(const struct rgb_kind *kind, const uint8_t *planes, size_t sample, double expected)
{
    const double largest = (1u << kind->bit_depth) - 1;
    const uint32_t actual =
        kind->bit_depth > 8 ? ((const uint16_t *)(const void *)planes)[sample] : planes[sample];
    if (expected > largest)
        expected = largest;
    if (actual < expected - 1 || actual > expected + 1)
        (void)fprintf(stderr, "format %d, %u bits: %u, not %f\n", (int)kind->format,
                      kind->bit_depth, actual, expected);
    REQUIRE(actual >= expected - 1 && actual <= expected + 1);
}

/* In the middle of each block. */
static void
check_blocks(const struct rgb_kind *kind,
             const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *rgb, const uint8_t *planes)
{
    const bool is_601 = rgb->rgbModel == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_601_BIT_VALVE;
    const bool is_709 = rgb->rgbModel == VK_VIDEO_ENCODE_RGB_MODEL_CONVERSION_YCBCR_709_BIT_VALVE;
    const bool is_narrow =
        rgb->rgbRange == VK_VIDEO_ENCODE_RGB_RANGE_COMPRESSION_NARROW_RANGE_BIT_VALVE;
    const double kr = is_601 ? 0.299 : is_709 ? 0.2126 : 0.2627;
    const double kb = is_601 ? 0.114 : is_709 ? 0.0722 : 0.0593;
    const double unit = 1u << (kind->bit_depth - 8);
    const double all = (1u << kind->bit_depth) - 1;
    const double luma_scale = is_narrow ? 219 * unit : all;
    const double chroma_scale = is_narrow ? 224 * unit : all;
    for (uint32_t i = 0; i < (WIDTH_PX / BLOCK_PX) * (HEIGHT_PX / BLOCK_PX); i++) {
        const uint32_t x = i % (WIDTH_PX / BLOCK_PX), y = i / (WIDTH_PX / BLOCK_PX);
        const double red = colour_of(x, y, 0, kind->largest) / (double)kind->largest;
        const double green = colour_of(x, y, 1, kind->largest) / (double)kind->largest;
        const double blue = colour_of(x, y, 2, kind->largest) / (double)kind->largest;
        const double luma = kr * red + (1 - kr - kb) * green + kb * blue;
        const uint32_t middle_x = x * BLOCK_PX + BLOCK_PX / 2;
        const uint32_t middle_y = y * BLOCK_PX + BLOCK_PX / 2;
        const size_t chroma = WIDTH_PX * HEIGHT_PX + middle_y / 2 * (WIDTH_PX / 2) + middle_x / 2;
        require_near(kind, planes, middle_y * WIDTH_PX + middle_x,
                     (is_narrow ? 16 * unit : 0) + luma * luma_scale);
        require_near(kind, planes, chroma,
                     128 * unit + chroma_scale * (blue - luma) / (2 * (1 - kb)));
        require_near(kind, planes, chroma + WIDTH_PX * HEIGHT_PX / 4,
                     128 * unit + chroma_scale * (red - luma) / (2 * (1 - kr)));
    }
}

/* Three pictures, the first and the last of them without loss. */
static void
encode_colours(struct av1_application *app, const struct rgb_kind *kind,
               const VkVideoEncodeSessionRgbConversionCreateInfoVALVE *rgb)
{
    for (uint32_t k = 0; k < 3; k++) {
        struct av1_picture pic;
        av1_picture_init(&pic, k ? STD_VIDEO_AV1_FRAME_TYPE_INTER : STD_VIDEO_AV1_FRAME_TYPE_KEY, k,
                         true);
        if (k) {
            av1_picture_name(app, &pic, 0, 0);
            pic.std.refresh_frame_flags = 1;
        }
        pic.info.constantQIndex = k == 1 ? 60 : 0;
        const struct av1_result result = av1_encode_picture(app, &pic, av1_free_slot(app, 0), k);
        REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
        if (k != 1)
            check_blocks(kind, rgb, av1_planes(app, 0));
    }
}

/* Without loss, each sample is what the conversion says. */
static void
colours_are_those_of_the_session(const struct rgb_kind *kind)
{
    for (uint32_t i = 0; i < 6; i++) {
        const VkVideoEncodeSessionRgbConversionCreateInfoVALVE rgb = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_SESSION_RGB_CONVERSION_CREATE_INFO_VALVE,
            .rgbModel = (VkVideoEncodeRgbModelConversionFlagBitsVALVE)(4u << i % 3),
            .rgbRange = (VkVideoEncodeRgbRangeCompressionFlagBitsVALVE)(1u << i / 3),
            .xChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_COSITED_EVEN_BIT_VALVE,
            .yChromaOffset = VK_VIDEO_ENCODE_RGB_CHROMA_OFFSET_MIDPOINT_BIT_VALVE,
        };
        struct av1_application *app = open_or_skip(&(struct av1_application_options){
            .width_px = WIDTH_PX,
            .height_px = HEIGHT_PX,
            .bit_depth = kind->bit_depth,
            .quality_level = i % 4,
            .tools = tools,
            .rgb = &rgb,
            .rgb_format = kind->format,
            .fill = kind->fill,
        });
        encode_colours(app, kind, &rgb);
        av1_close(app);
    }
}

static StdVideoAV1TileInfo bad_tiles;
static uint16_t bad_sizes[64];

static void
no_names(void *ctx, struct av1_call *call)
{
    for (uint32_t i = 0; i < 7; i++)
        call->av1->referenceNameSlotIndices[i] = -1;
}

static void
dead_slot(void *ctx, struct av1_call *call)
{
    call->av1->referenceNameSlotIndices[0] = 7;
}

static void
slots_far_away(void *ctx, struct av1_call *call)
{
    for (uint32_t i = 0; i < 7; i++)
        call->av1->referenceNameSlotIndices[i] = i & 1 ? INT32_MAX : INT32_MIN;
}

static void
no_reference_slots(void *ctx, struct av1_call *call)
{
    call->info->referenceSlotCount = 0;
}

static void
no_std_picture(void *ctx, struct av1_call *call)
{
    call->av1->pStdPictureInfo = NULL;
}

static void
no_av1_structure(void *ctx, struct av1_call *call)
{
    call->info->pNext = NULL;
}

static void
reference_index_outside(void *ctx, struct av1_call *call)
{
    call->std->ref_frame_idx[3] = 8;
}

static void
reference_index_negative(void *ctx, struct av1_call *call)
{
    call->std->ref_frame_idx[0] = -1;
}

static void
primary_outside(void *ctx, struct av1_call *call)
{
    call->std->primary_ref_frame = 200;
}

static void
frame_type_outside(void *ctx, struct av1_call *call)
{
    call->std->frame_type = (StdVideoAV1FrameType)77;
}

static void
too_many_tiles(void *ctx, struct av1_call *call)
{
    bad_tiles = (StdVideoAV1TileInfo){.TileCols = 255, .TileRows = 255};
    call->std->pTileInfo = &bad_tiles;
}

static void
no_tile_counts(void *ctx, struct av1_call *call)
{
    bad_tiles =
        (StdVideoAV1TileInfo){.pWidthInSbsMinus1 = bad_sizes, .pHeightInSbsMinus1 = bad_sizes};
    call->std->pTileInfo = &bad_tiles;
}

static void
tiles_too_small(void *ctx, struct av1_call *call)
{
    no_tile_counts(ctx, call);
    bad_tiles.TileCols = bad_tiles.TileRows = 1; /* of one superblock of two */
}

static void
tiles_too_large(void *ctx, struct av1_call *call)
{
    static const uint16_t sizes[] = {65535, 65535};
    tiles_too_small(ctx, call);
    bad_tiles.pWidthInSbsMinus1 = sizes;
}

static void
uniform_tiles_outside(void *ctx, struct av1_call *call)
{
    too_many_tiles(ctx, call);
    bad_tiles.flags.uniform_tile_spacing_flag = 1;
}

static void
source_empty(void *ctx, struct av1_call *call)
{
    call->info->srcPictureResource.codedExtent = (VkExtent2D){0, 0};
}

static void
source_small(void *ctx, struct av1_call *call)
{
    call->info->srcPictureResource.codedExtent.width /= 2;
}

static void
source_huge(void *ctx, struct av1_call *call)
{
    call->info->srcPictureResource.codedExtent = (VkExtent2D){UINT32_MAX, UINT32_MAX};
}

static void
no_source(void *ctx, struct av1_call *call)
{
    call->info->srcPictureResource.imageViewBinding = VK_NULL_HANDLE;
}

static void
no_room(void *ctx, struct av1_call *call)
{
    call->info->dstBufferRange = 3;
}

static void
filter_outside(void *ctx, struct av1_call *call)
{
    static const StdVideoAV1LoopFilter filter = {.loop_filter_level = {64, 255, 0, 0}};
    call->std->pLoopFilter = &filter;
}

static void
cdef_outside(void *ctx, struct av1_call *call)
{
    static const StdVideoAV1CDEF cdef = {.cdef_bits = 200, .cdef_damping_minus_3 = 99};
    call->std->pCDEF = &cdef;
}

static void
delta_outside(void *ctx, struct av1_call *call)
{
    static const StdVideoAV1Quantization quantization = {.DeltaQYDc = 127, .DeltaQUAc = -128};
    call->std->pQuantization = &quantization;
}

static struct av1_picture
chained(const struct av1_application *app, uint32_t number)
{
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_INTER, number, true);
    av1_picture_name(app, &pic, 0, 0);
    pic.std.primary_ref_frame = 0;
    pic.std.refresh_frame_flags = 1;
    return pic;
}

static void
bad_pictures_leave_the_session_usable(void)
{
    static const struct {
        const char *name;
        void (*change)(void *ctx, struct av1_call *call);
        int32_t status;
    } cases[] = {
#define FAILS(change) {#change, change, VK_QUERY_RESULT_STATUS_ERROR_KHR}
        FAILS(no_names),
        FAILS(dead_slot),
        FAILS(slots_far_away),
        FAILS(no_reference_slots),
        FAILS(no_std_picture),
        FAILS(no_av1_structure),
        FAILS(reference_index_outside),
        FAILS(reference_index_negative),
        FAILS(primary_outside),
        FAILS(frame_type_outside),
        FAILS(too_many_tiles),
        FAILS(no_tile_counts),
        FAILS(tiles_too_small),
        FAILS(tiles_too_large),
        FAILS(uniform_tiles_outside),
        FAILS(source_empty),
        FAILS(source_small),
        FAILS(source_huge),
        FAILS(no_source),
        FAILS(filter_outside),
        FAILS(cdef_outside),
        FAILS(delta_outside),
#undef FAILS
        {"no_room", no_room, VK_QUERY_RESULT_STATUS_INSUFFICIENT_BITSTREAM_BUFFER_RANGE_KHR},
    };
    struct av1_application *app = open_or_skip(&(struct av1_application_options){
        .width_px = WIDTH_PX, .height_px = HEIGHT_PX, .bit_depth = 8, .tools = tools});
    struct av1_picture pic;
    av1_picture_init(&pic, STD_VIDEO_AV1_FRAME_TYPE_KEY, 0, true);
    REQUIRE_EQ(av1_encode_picture(app, &pic, 0, 0).status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        (void)fprintf(stderr, "  %s\n", cases[i].name);
        const int32_t slot = av1_free_slot(app, 0);
        pic = chained(app, i + 1);
        pic.change = cases[i].change;
        REQUIRE_EQ(av1_try(app, &pic, slot), cases[i].status);
        pic.change = NULL;
        REQUIRE_EQ(av1_encode_picture(app, &pic, slot, i + 1).status,
                   VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    }
    av1_close(app);
}

int
main(void)
{
    static const struct rgb_kind kinds[] = {
        {VK_FORMAT_R8G8B8A8_UNORM, fill_r8g8b8a8, 255, 8},
        {VK_FORMAT_B8G8R8A8_UNORM, fill_b8g8r8a8, 255, 10},
        {VK_FORMAT_A2B10G10R10_UNORM_PACK32, fill_a2b10g10r10, 1023, 10},
        {VK_FORMAT_A2R10G10B10_UNORM_PACK32, fill_a2r10g10b10, 1023, 10},
    };

    vk_open(&vk);
    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        RUN(colours_are_those_of_the_session, &kinds[i]);
    RUN(bad_pictures_leave_the_session_usable);
    vk_close(&vk);
    return 0;
}
