/* SPDX-License-Identifier: MIT */
/* What is wrong with an AV1 picture is said by its query; the session decodes on.
 */
#include "av1_decoder.h"

#include "test.h"
#include "tests/codec_dav1d/std_structures.h"

#include <string.h>

#define WIDTH_PX 32
#define HEIGHT_PX 16
#define GREY 126
#define STRIDE_B 64
#define RANDOM_PICTURES 3000

/* A key frame of grey, made by libaom: the tile is the end of its frame OBU. */
static const uint8_t sequence_header[] = {0x00, 0x00, 0x00, 0x02, 0x1f,
                                          0xfc, 0xff, 0xf9, 0x80, 0x40};
static const uint8_t frame_header[] = {0x10, 0x00, 0xe4, 0x00, 0x00, 0x02, 0xc0, 0x00, 0x00};
static const uint8_t tile[] = {0x01, 0x40};
static const uint32_t zero = 0;
static const uint32_t tile_B = sizeof(tile);

static struct {
    struct vk vk;
    struct av1_decoder *dec;
    struct rp_av1_state state;
    struct rp_av1_frame frame;
    struct std_structures std;
    uint8_t luma[STRIDE_B * HEIGHT_PX];
    uint8_t chroma[STRIDE_B * HEIGHT_PX];
} app;

static void
headers_read(void)
{
    struct rp_av1_syntax syntax;
    REQUIRE_EQ(rp_av1_sequence_read(sequence_header, sizeof(sequence_header), &app.state.sequence),
               RP_AV1_OK);
    rp_av1_syntax_init_read(&syntax, frame_header, sizeof(frame_header));
    rp_av1_code_frame(&syntax, &app.state, &app.frame);
    REQUIRE_EQ(rp_av1_syntax_status(&syntax), RP_AV1_OK);
}

static struct app_job
grey_job(int32_t slot)
{
    std_structures_init(&app.std, &app.state.sequence, &app.frame);
    return (struct app_job){
        .std = &app.std,
        .frame = &app.frame,
        .name_slots = {-1, -1, -1, -1, -1, -1, -1},
        .setup_slot = slot,
        .width_px = WIDTH_PX,
        .height_px = HEIGHT_PX,
        .data = tile,
        .data_B = sizeof(tile),
        .tile_offsets_B = &zero,
        .tile_sizes_B = &tile_B,
        .tile_count = 1,
        .dst = {.layout = RP_PICTURE_NV12,
                .bit_depth = 8,
                .width_px = WIDTH_PX,
                .height_px = HEIGHT_PX,
                .plane = {{app.luma, STRIDE_B}, {app.chroma, STRIDE_B}}},
    };
}

static void
require_grey(int32_t slot)
{
    const struct app_job job = grey_job(slot);
    av1_decoder_set_change(app.dec, NULL);
    memset(app.luma, 0, sizeof(app.luma));
    REQUIRE_EQ(av1_decoder_decode(app.dec, &job), RP_CODEC_OK);
    for (uint32_t i = 0; i < WIDTH_PX; i++)
        REQUIRE_EQ(app.luma[i], GREY);
}

/* An error, between pictures that are right. */
static void
require_error(const struct app_job *job, av1_change_fn *change)
{
    av1_decoder_set_change(app.dec, change);
    REQUIRE_EQ(av1_decoder_decode(app.dec, job), RP_CODEC_DAMAGED);
    require_grey(0);
}

static void
no_picture(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    av1->pStdPictureInfo = NULL;
}

static void
no_structure(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    info->pNext = NULL;
}

static void
no_tiles(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    av1->tileCount = 0;
}

static void
too_many_tiles(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    static const uint32_t offsets_B[] = {0, 1};
    static const uint32_t sizes_B[] = {1, 1};
    av1->tileCount = 2;
    av1->pTileOffsets = offsets_B;
    av1->pTileSizes = sizes_B;
}

static void
tile_behind_range(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    info->srcBufferRange = sizeof(tile) - 1;
}

static void
tile_far_away(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    static const uint32_t offset_B = UINT32_MAX;
    av1->pTileOffsets = &offset_B;
}

static void
tile_endless(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    static const uint32_t size_B = UINT32_MAX;
    av1->pTileSizes = &size_B;
}

static void
tile_empty(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    av1->pTileSizes = &zero;
}

static void
range_empty(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    info->srcBufferOffset = UINT64_C(1) << 40;
}

static void
size_zero(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    info->dstPictureResource.codedExtent.width = 0;
}

static void
size_huge(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    info->dstPictureResource.codedExtent = (VkExtent2D){UINT32_MAX, UINT32_MAX};
}

static void
size_beyond_capabilities(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    info->dstPictureResource.codedExtent = (VkExtent2D){16384, HEIGHT_PX};
}

static void
no_view(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    info->dstPictureResource.imageViewBinding = VK_NULL_HANDLE;
}

static void
commands_are_checked(void)
{
    static av1_change_fn *const changes[] = {
        no_picture,
        no_structure,
        no_tiles,
        too_many_tiles,
        tile_behind_range,
        tile_far_away,
        tile_endless,
        tile_empty,
        range_empty,
        size_zero,
        size_huge,
        no_view,
        size_beyond_capabilities,
    };
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        const struct app_job job = grey_job(0);
        require_error(&job, changes[i]);
    }
}

static void
structures_may_be_missing(void)
{
    struct app_job job = grey_job(0);
    app.std.picture.pTileInfo = NULL;
    require_error(&job, NULL);
    job = grey_job(0);
    app.std.picture.pQuantization = NULL;
    require_error(&job, NULL);
    job = grey_job(0);
    app.std.tiles.TileCols = 0;
    require_error(&job, NULL);
    job = grey_job(0);
    app.std.tiles.TileRows = 255;
    require_error(&job, NULL);
    job = grey_job(0);
    app.std.tiles.flags.uniform_tile_spacing_flag = 0;
    app.std.tiles.pWidthInSbsMinus1 = NULL;
    require_error(&job, NULL);
}

/* Of a picture that refers to others. */
static struct app_job
inter_job(int32_t slot)
{
    struct app_job job = grey_job(slot);
    app.std.picture.frame_type = STD_VIDEO_AV1_FRAME_TYPE_INTER;
    app.std.picture.OrderHint = 1;
    return job;
}

static void
references_may_be_missing(void)
{
    struct app_job job = inter_job(1);
    require_error(&job, NULL); /* all of them */
    job = inter_job(1);
    for (uint32_t i = 1; i < RP_AV1_REFS_PER_FRAME; i++)
        job.name_slots[i] = 0;
    require_error(&job, NULL); /* LAST */
    job = inter_job(1);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        job.name_slots[i] = i == 3 ? 2 : 0;
    require_error(&job, NULL); /* a slot in which there never was a picture */
}

static void
no_such_slot(VkVideoDecodeInfoKHR *info, VkVideoDecodeAV1PictureInfoKHR *av1)
{
    av1->referenceNameSlotIndices[0] = INT32_MAX;
    av1->referenceNameSlotIndices[6] = INT32_MIN;
}

static void
references_may_be_wrong(void)
{
    struct app_job job = inter_job(1);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        job.name_slots[i] = 0;
    av1_decoder_set_change(app.dec, NULL);
    REQUIRE_EQ(av1_decoder_decode(app.dec, &job), RP_CODEC_OK);
    require_error(&job, no_such_slot);
}

/* After a reset nothing is a reference. */
static void
resets_forget_references(void)
{
    struct app_job job = inter_job(1);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        job.name_slots[i] = 0;
    require_grey(0);
    job = inter_job(1);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        job.name_slots[i] = 0;
    av1_decoder_reset(app.dec);
    require_error(&job, NULL);
}

static uint64_t random_state = 1;

static void
damage(void *data, size_t size_B)
{
    ((uint8_t *)data)[test_random(&random_state) % size_B] ^=
        (uint8_t)(1u << test_random(&random_state) % 8);
}

/* Any bits of the structures, but for their pointers. */
static void
random_structures_do_no_harm(void)
{
    uint32_t complete = 0;
    av1_decoder_set_change(app.dec, NULL);
    for (uint32_t i = 0; i < RANDOM_PICTURES; i++) {
        struct app_job job = (test_random(&random_state) % 2)
                                 ? grey_job(1)
                                 : inter_job(1 + (int32_t)test_random(&random_state) % 8);
        for (uint32_t k = 0; k < RP_AV1_REFS_PER_FRAME; k++)
            job.name_slots[k] = (int32_t)(test_random(&random_state) % 9);
        for (uint32_t k = (test_random(&random_state) % 6); k > 0; k--) {
            damage(&app.std.picture, offsetof(StdVideoDecodeAV1PictureInfo, pTileInfo));
            damage(&app.std.tiles, offsetof(StdVideoAV1TileInfo, pMiColStarts));
            damage(&app.std.quantization, sizeof(app.std.quantization));
            damage(&app.std.segmentation, sizeof(app.std.segmentation));
            damage(&app.std.loop_filter, sizeof(app.std.loop_filter));
            damage(&app.std.cdef, sizeof(app.std.cdef));
            damage(&app.std.restoration, sizeof(app.std.restoration));
            damage(&app.std.motion, sizeof(app.std.motion));
            damage(&app.std.grain, sizeof(app.std.grain));
        }
        app.std.picture.pFilmGrain = (test_random(&random_state) % 4) ? NULL : &app.std.grain;
        complete += av1_decoder_decode(app.dec, &job) == RP_CODEC_OK;
        if (i % 64 == 0)
            require_grey(0);
    }
    REQUIRE(complete > 0 && complete < RANDOM_PICTURES);
    require_grey(0);
}

static VkResult
parameters_try(const StdVideoAV1SequenceHeader *sequence)
{
    VkVideoSessionParametersKHR params = VK_NULL_HANDLE;
    const VkVideoDecodeAV1SessionParametersCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_VIDEO_DECODE_AV1_SESSION_PARAMETERS_CREATE_INFO_KHR,
        .pStdSequenceHeader = sequence};
    const VkResult result =
        video_parameters_create(&app.vk.video, av1_decoder_session(app.dec), 0, &info, &params);
    vkDestroyVideoSessionParametersKHR(app.vk.dev, params, NULL);
    return result;
}

/* The sequence is outside of the capabilities: as an object, and inlined. */
static void
require_bad_sequence(struct app_job *job, VkResult wanted)
{
    REQUIRE_EQ(parameters_try(&app.std.sequence), wanted);
    av1_decoder_set_inline(app.dec, true);
    require_error(job, NULL);
    av1_decoder_set_inline(app.dec, false);
}

static void
sequences_are_checked(void)
{
    const VkResult invalid = VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
    struct app_job job = grey_job(0);
    REQUIRE_EQ(parameters_try(&app.std.sequence), VK_SUCCESS);
    app.std.sequence.seq_profile = STD_VIDEO_AV1_PROFILE_HIGH;
    require_bad_sequence(&job, invalid);
    job = grey_job(0);
    app.std.color.BitDepth = 12;
    require_bad_sequence(&job, invalid);
    job = grey_job(0);
    app.std.color.subsampling_x = app.std.color.subsampling_y = 0;
    require_bad_sequence(&job, invalid);
    job = grey_job(0);
    app.std.sequence.order_hint_bits_minus_1 = 77;
    require_bad_sequence(&job, invalid);
    /* FFmpeg makes such an object, and does not use it. */
    job = grey_job(0);
    app.std.sequence.pColorConfig = NULL;
    require_bad_sequence(&job, VK_SUCCESS);
}

int
main(void)
{
    const struct av1_decoder_options options = {
        .bit_depth = 8, .is_distinct = true, .has_grain = true};
    vk_open(&app.vk);
    app.dec = av1_decoder_open(&app.vk, &options);
    if (!app.dec) {
        vk_close(&app.vk);
        return TEST_SKIPPED;
    }
    headers_read();
    require_grey(0);
    RUN(commands_are_checked);
    RUN(structures_may_be_missing);
    RUN(references_may_be_missing);
    RUN(references_may_be_wrong);
    RUN(resets_forget_references);
    RUN(sequences_are_checked);
    RUN(random_structures_do_no_harm);
    av1_decoder_close(app.dec);
    vk_close(&app.vk);
    return 0;
}
