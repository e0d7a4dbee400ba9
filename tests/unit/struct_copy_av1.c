/* SPDX-License-Identifier: MIT */
/* Deep copies of AV1's and VP9's sequence headers and pictures, with all that hangs from their Std
 * structures.
 */
#include "util/struct_copy.h"

#include "struct_copy_fill.h"

#include <vk_video/vulkan_video_codec_av1std_decode.h>
#include <vk_video/vulkan_video_codec_av1std_encode.h>
#include <vk_video/vulkan_video_codec_vp9std_decode.h>

#define TILE_COLS 5
#define TILE_ROWS 3
#define OPERATING_POINTS 2

struct sequence {
    StdVideoAV1ColorConfig color;
    StdVideoAV1TimingInfo timing;
    StdVideoAV1SequenceHeader header;
    StdVideoEncodeAV1DecoderModelInfo model;
    StdVideoEncodeAV1OperatingPointInfo points[OPERATING_POINTS];
};

static void
sequence_fill(struct sequence *s, bool has_timing)
{
    fill_bytes(s, sizeof(*s));
    s->header.flags.timing_info_present_flag = has_timing;
    s->header.pColorConfig = &s->color;
    s->header.pTimingInfo = has_timing ? &s->timing : WILD;
}

static void
require_sequence(const StdVideoAV1SequenceHeader *copy, const struct sequence *expected)
{
    StdVideoAV1SequenceHeader header = expected->header;
    header.pColorConfig = copy->pColorConfig;
    header.pTimingInfo = copy->pTimingInfo;
    REQUIRE_COPY(copy, header);
    REQUIRE_COPY(copy->pColorConfig, expected->color);
    if (header.flags.timing_info_present_flag)
        REQUIRE_COPY(copy->pTimingInfo, expected->timing);
    else
        REQUIRE(!copy->pTimingInfo);
}

static void
sequence_headers_are_copied_whole(void)
{
    static struct sequence s;
    static struct sequence expected;
    for (int has_timing = 0; has_timing < 2; has_timing++) {
        sequence_fill(&s, has_timing);
        expected = s;
        const VkVideoEncodeAV1SessionParametersCreateInfoKHR encode = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
            .pStdSequenceHeader = &s.header,
            .pStdDecoderModelInfo = &s.model,
            .stdOperatingPointCount = OPERATING_POINTS,
            .pStdOperatingPoints = s.points,
        };
        const VkVideoDecodeAV1InlineSessionParametersInfoKHR inline_header = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_INLINE_SESSION_PARAMETERS_INFO_KHR,
            .pNext = &encode,
            .pStdSequenceHeader = &s.header,
        };
        const VkVideoDecodeAV1SessionParametersCreateInfoKHR decode = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
            .pNext = &inline_header,
            .pStdSequenceHeader = &s.header,
        };

        struct rp_arena arena;
        const void *out = copy_of(&arena, &decode);
        memset(&s, 0xcc, sizeof(s));

        const VkVideoDecodeAV1SessionParametersCreateInfoKHR *copy = out;
        const VkVideoDecodeAV1InlineSessionParametersInfoKHR *inline_copy = copy->pNext;
        const VkVideoEncodeAV1SessionParametersCreateInfoKHR *encode_copy = inline_copy->pNext;
        require_sequence(copy->pStdSequenceHeader, &expected);
        require_sequence(inline_copy->pStdSequenceHeader, &expected);
        require_sequence(encode_copy->pStdSequenceHeader, &expected);
        REQUIRE_COPY(encode_copy->pStdDecoderModelInfo, expected.model);
        REQUIRE_COPY(encode_copy->pStdOperatingPoints, expected.points);
        rp_arena_finish(&arena);
    }
}

/* Every structure that pictures are made of. */
struct picture {
    uint16_t widths[TILE_COLS];
    uint16_t heights[TILE_ROWS];
    StdVideoAV1TileInfo tiles;
    StdVideoAV1Quantization quantization;
    StdVideoAV1Segmentation segmentation;
    StdVideoAV1LoopFilter filter;
    StdVideoAV1CDEF cdef;
    StdVideoAV1LoopRestoration restoration;
    StdVideoAV1GlobalMotion motion;
    StdVideoAV1FilmGrain grain;
    StdVideoEncodeAV1ExtensionHeader extension;
    uint32_t removal_times[OPERATING_POINTS];
    StdVideoEncodeAV1PictureInfo encode;
    StdVideoDecodeAV1PictureInfo decode;
    StdVideoEncodeAV1ReferenceInfo encode_reference;
    StdVideoDecodeAV1ReferenceInfo decode_reference;
};

/* has_all: with every optional part; else the flags say that there is none. */
static void
picture_fill(struct picture *p, bool has_all)
{
    fill_bytes(p, sizeof(*p));
    p->tiles.flags.uniform_tile_spacing_flag = !has_all;
    p->tiles.TileCols = TILE_COLS;
    p->tiles.TileRows = TILE_ROWS;
    p->tiles.pMiColStarts = p->tiles.pMiRowStarts = WILD;
    p->tiles.pWidthInSbsMinus1 = has_all ? p->widths : WILD;
    p->tiles.pHeightInSbsMinus1 = has_all ? p->heights : WILD;

    StdVideoEncodeAV1PictureInfo *encode = &p->encode;
    encode->flags.segmentation_enabled = has_all;
    encode->flags.UsesLr = has_all;
    encode->flags.buffer_removal_time_present_flag = has_all;
    encode->pTileInfo = &p->tiles;
    encode->pQuantization = &p->quantization;
    encode->pSegmentation = has_all ? &p->segmentation : WILD;
    encode->pLoopFilter = &p->filter;
    encode->pCDEF = &p->cdef;
    encode->pLoopRestoration = has_all ? &p->restoration : WILD;
    encode->pGlobalMotion = &p->motion;
    encode->pExtensionHeader = has_all ? &p->extension : NULL;
    encode->pBufferRemovalTimes = has_all ? p->removal_times : WILD;
    p->encode_reference.pExtensionHeader = has_all ? &p->extension : NULL;

    StdVideoDecodeAV1PictureInfo *decode = &p->decode;
    decode->flags.segmentation_enabled = has_all;
    decode->flags.UsesLr = has_all;
    decode->flags.apply_grain = has_all;
    decode->pTileInfo = &p->tiles;
    decode->pQuantization = &p->quantization;
    decode->pSegmentation = has_all ? &p->segmentation : WILD;
    decode->pLoopFilter = &p->filter;
    decode->pCDEF = &p->cdef;
    decode->pLoopRestoration = has_all ? &p->restoration : WILD;
    decode->pGlobalMotion = &p->motion;
    decode->pFilmGrain = has_all ? &p->grain : WILD;
}

static void
require_tiles(const StdVideoAV1TileInfo *copy, const struct picture *expected, bool has_all)
{
    StdVideoAV1TileInfo tiles = expected->tiles;
    tiles.pMiColStarts = tiles.pMiRowStarts = NULL;
    tiles.pWidthInSbsMinus1 = copy->pWidthInSbsMinus1;
    tiles.pHeightInSbsMinus1 = copy->pHeightInSbsMinus1;
    REQUIRE_COPY(copy, tiles);
    if (has_all) {
        REQUIRE_COPY(copy->pWidthInSbsMinus1, expected->widths);
        REQUIRE_COPY(copy->pHeightInSbsMinus1, expected->heights);
    } else {
        REQUIRE(!copy->pWidthInSbsMinus1 && !copy->pHeightInSbsMinus1);
    }
}

/* What pictures of both directions have in common. */
#define REQUIRE_PARTS(copy, expected, has_all) \
    do { \
        require_tiles((copy)->pTileInfo, expected, has_all); \
        REQUIRE_COPY((copy)->pQuantization, (expected)->quantization); \
        REQUIRE_COPY((copy)->pLoopFilter, (expected)->filter); \
        REQUIRE_COPY((copy)->pCDEF, (expected)->cdef); \
        REQUIRE_COPY((copy)->pGlobalMotion, (expected)->motion); \
        if (has_all) { \
            REQUIRE_COPY((copy)->pSegmentation, (expected)->segmentation); \
            REQUIRE_COPY((copy)->pLoopRestoration, (expected)->restoration); \
        } else { \
            REQUIRE(!(copy)->pSegmentation && !(copy)->pLoopRestoration); \
        } \
    } while (0)

/* Sets the pointers that both directions have to those of the copy. */
#define TAKE_POINTERS(std, copy) \
    do { \
        (std)->pTileInfo = (copy)->pTileInfo; \
        (std)->pQuantization = (copy)->pQuantization; \
        (std)->pSegmentation = (copy)->pSegmentation; \
        (std)->pLoopFilter = (copy)->pLoopFilter; \
        (std)->pCDEF = (copy)->pCDEF; \
        (std)->pLoopRestoration = (copy)->pLoopRestoration; \
        (std)->pGlobalMotion = (copy)->pGlobalMotion; \
    } while (0)

static void
require_encode_picture(const StdVideoEncodeAV1PictureInfo *copy, const struct picture *expected,
                       bool has_all)
{
    StdVideoEncodeAV1PictureInfo std = expected->encode;
    TAKE_POINTERS(&std, copy);
    std.pExtensionHeader = copy->pExtensionHeader;
    std.pBufferRemovalTimes = NULL;
    REQUIRE_COPY(copy, std);
    REQUIRE_PARTS(copy, expected, has_all);
    if (has_all)
        REQUIRE_COPY(copy->pExtensionHeader, expected->extension);
    else
        REQUIRE(!copy->pExtensionHeader);
}

static void
encode_pictures_are_copied_whole(void)
{
    static struct picture p;
    static struct picture expected;
    for (int has_all = 0; has_all < 2; has_all++) {
        picture_fill(&p, has_all);
        expected = p;
        const VkVideoEncodeAV1DpbSlotInfoKHR slot = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_DPB_SLOT_INFO_KHR,
            .pStdReferenceInfo = &p.encode_reference,
        };
        const VkVideoEncodeAV1PictureInfoKHR picture = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PICTURE_INFO_KHR,
            .pNext = &slot,
            .constantQIndex = 77,
            .pStdPictureInfo = &p.encode,
            .referenceNameSlotIndices = {6, 5, 4, 3, 2, 1, -1},
        };

        struct rp_arena arena;
        const void *out = copy_of(&arena, &picture);
        memset(&p, 0xcc, sizeof(p));

        const VkVideoEncodeAV1PictureInfoKHR *copy = out;
        REQUIRE_EQ(copy->constantQIndex, 77);
        REQUIRE_EQ(copy->referenceNameSlotIndices[6], -1);
        require_encode_picture(copy->pStdPictureInfo, &expected, has_all);

        const VkVideoEncodeAV1DpbSlotInfoKHR *slot_copy = copy->pNext;
        const StdVideoEncodeAV1ReferenceInfo *reference = slot_copy->pStdReferenceInfo;
        expected.encode_reference.pExtensionHeader = reference->pExtensionHeader;
        REQUIRE_COPY(reference, expected.encode_reference);
        if (has_all)
            REQUIRE_COPY(reference->pExtensionHeader, expected.extension);
        rp_arena_finish(&arena);
    }
}

static void
removal_times_are_copied_when_their_count_is_known(void)
{
    static struct picture p;
    for (int has_times = 0; has_times < 2; has_times++) {
        picture_fill(&p, has_times);
        const uint32_t second = p.removal_times[1];
        const VkVideoEncodeAV1PictureInfoKHR picture = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_ENCODE_AV1_PICTURE_INFO_KHR,
            .pStdPictureInfo = &p.encode,
        };

        struct rp_arena arena;
        const void *out = copy_of(&arena, &picture);
        StdVideoEncodeAV1PictureInfo *copy =
            (StdVideoEncodeAV1PictureInfo *)((VkVideoEncodeAV1PictureInfoKHR *)out)
                ->pStdPictureInfo;
        REQUIRE(rp_av1_removal_times_copy(&arena, &p.encode, 0, copy));
        REQUIRE(!copy->pBufferRemovalTimes);
        REQUIRE(rp_av1_removal_times_copy(&arena, &p.encode, OPERATING_POINTS, copy));
        memset(&p, 0xcc, sizeof(p));
        if (has_times)
            REQUIRE_EQ(copy->pBufferRemovalTimes[1], second);
        else
            REQUIRE(!copy->pBufferRemovalTimes);
        rp_arena_finish(&arena);
    }
}

static void
decode_pictures_are_copied_whole(void)
{
    static struct picture p;
    static struct picture expected;
    for (int has_all = 0; has_all < 2; has_all++) {
        picture_fill(&p, has_all);
        expected = p;
        uint32_t offsets[TILE_COLS * TILE_ROWS];
        uint32_t sizes[TILE_COLS * TILE_ROWS];
        for (uint32_t i = 0; i < TILE_COLS * TILE_ROWS; i++) {
            offsets[i] = 100 * i;
            sizes[i] = 100 - i;
        }
        const VkVideoDecodeAV1DpbSlotInfoKHR slot = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_DPB_SLOT_INFO_KHR,
            .pStdReferenceInfo = &p.decode_reference,
        };
        const VkVideoDecodeAV1PictureInfoKHR picture = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_PICTURE_INFO_KHR,
            .pNext = &slot,
            .pStdPictureInfo = &p.decode,
            .tileCount = TILE_COLS * TILE_ROWS,
            .pTileOffsets = offsets,
            .pTileSizes = sizes,
        };

        struct rp_arena arena;
        const void *out = copy_of(&arena, &picture);
        memset(&p, 0xcc, sizeof(p));
        memset(offsets, 0xcc, sizeof(offsets));
        memset(sizes, 0xcc, sizeof(sizes));

        const VkVideoDecodeAV1PictureInfoKHR *copy = out;
        REQUIRE_EQ(copy->pTileOffsets[14], 1400);
        REQUIRE_EQ(copy->pTileSizes[14], 86);
        const StdVideoDecodeAV1PictureInfo *std = copy->pStdPictureInfo;
        TAKE_POINTERS(&expected.decode, std);
        expected.decode.pFilmGrain = std->pFilmGrain;
        REQUIRE_COPY(std, expected.decode);
        REQUIRE_PARTS(std, &expected, has_all);
        if (has_all)
            REQUIRE_COPY(std->pFilmGrain, expected.grain);
        else
            REQUIRE(!std->pFilmGrain);
        const VkVideoDecodeAV1DpbSlotInfoKHR *slot_copy = copy->pNext;
        REQUIRE_COPY(slot_copy->pStdReferenceInfo, expected.decode_reference);
        rp_arena_finish(&arena);
    }
}

static void
vp9_pictures_are_copied_whole(void)
{
    for (int has_segments = 0; has_segments < 2; has_segments++) {
        StdVideoVP9ColorConfig color;
        StdVideoVP9LoopFilter filter;
        StdVideoVP9Segmentation segmentation;
        StdVideoDecodeVP9PictureInfo std;
        fill_bytes(&color, sizeof(color));
        fill_bytes(&filter, sizeof(filter));
        fill_bytes(&segmentation, sizeof(segmentation));
        fill_bytes(&std, sizeof(std));
        const StdVideoVP9ColorConfig expected_color = color;
        const StdVideoVP9LoopFilter expected_filter = filter;
        const StdVideoVP9Segmentation expected_segmentation = segmentation;
        StdVideoDecodeVP9PictureInfo expected = std;
        std.flags.segmentation_enabled = expected.flags.segmentation_enabled = has_segments != 0;
        std.pColorConfig = &color;
        std.pLoopFilter = &filter;
        std.pSegmentation = has_segments ? &segmentation : WILD;
        const VkVideoDecodeVP9PictureInfoKHR picture = {
            .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_VP9_PICTURE_INFO_KHR,
            .pStdPictureInfo = &std,
            .referenceNameSlotIndices = {2, 1, -1},
            .tilesOffset = 33,
        };

        struct rp_arena arena;
        const void *out = copy_of(&arena, &picture);
        memset(&color, 0xcc, sizeof(color));
        memset(&filter, 0xcc, sizeof(filter));
        memset(&segmentation, 0xcc, sizeof(segmentation));
        memset(&std, 0xcc, sizeof(std));

        const VkVideoDecodeVP9PictureInfoKHR *copy = out;
        REQUIRE_EQ(copy->tilesOffset, 33);
        expected.pColorConfig = copy->pStdPictureInfo->pColorConfig;
        expected.pLoopFilter = copy->pStdPictureInfo->pLoopFilter;
        expected.pSegmentation = copy->pStdPictureInfo->pSegmentation;
        REQUIRE_COPY(copy->pStdPictureInfo, expected);
        REQUIRE_COPY(expected.pColorConfig, expected_color);
        REQUIRE_COPY(expected.pLoopFilter, expected_filter);
        if (has_segments)
            REQUIRE_COPY(expected.pSegmentation, expected_segmentation);
        else
            REQUIRE(!expected.pSegmentation);
        rp_arena_finish(&arena);
    }
}

int
main(void)
{
    RUN(sequence_headers_are_copied_whole);
    RUN(encode_pictures_are_copied_whole);
    RUN(removal_times_are_copied_when_their_count_is_known);
    RUN(decode_pictures_are_copied_whole);
    RUN(vp9_pictures_are_copied_whole);
    return 0;
}
