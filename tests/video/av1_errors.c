/* SPDX-License-Identifier: MIT */
/* What is wrong with an AV1 picture is said by its query; the session decodes on.
 */
#include "av1_decoder.h"
#include "av1_grey.h"

#include "test.h"

#include <string.h>

#define RANDOM_PICTURES 3000

static const uint32_t zero = 0;

static struct {
    struct vk vk;
    struct av1_decoder *dec;
    struct av1_grey grey;
} app;

static void
require_job_gives_grey(const struct app_job *job)
{
    av1_decoder_set_change(app.dec, NULL);
    memset(app.grey.luma, 0, sizeof(app.grey.luma));
    REQUIRE_EQ(av1_decoder_decode(app.dec, job), RP_CODEC_OK);
    for (uint32_t i = 0; i < AV1_GREY_WIDTH_PX; i++)
        REQUIRE_EQ(app.grey.luma[i], AV1_GREY_LUMA);
}

static void
require_grey(int32_t slot)
{
    const struct app_job job = av1_grey_job(&app.grey, slot);
    require_job_gives_grey(&job);
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
    info->srcBufferRange = AV1_GREY_TILE_B - 1;
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
    info->dstPictureResource.codedExtent = (VkExtent2D){16384, AV1_GREY_HEIGHT_PX};
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
        const struct app_job job = av1_grey_job(&app.grey, 0);
        require_error(&job, changes[i]);
    }
}

static void
structures_may_be_missing(void)
{
    struct app_job job = av1_grey_job(&app.grey, 0);
    app.grey.std.picture.pTileInfo = NULL;
    require_error(&job, NULL);
    job = av1_grey_job(&app.grey, 0);
    app.grey.std.picture.pQuantization = NULL;
    require_error(&job, NULL);
    job = av1_grey_job(&app.grey, 0);
    app.grey.std.tiles.TileCols = 0;
    require_error(&job, NULL);
    job = av1_grey_job(&app.grey, 0);
    app.grey.std.tiles.TileRows = 255;
    require_error(&job, NULL);
    job = av1_grey_job(&app.grey, 0);
    app.grey.std.tiles.flags.uniform_tile_spacing_flag = 0;
    app.grey.std.tiles.pWidthInSbsMinus1 = NULL;
    require_error(&job, NULL);
}

static void
references_may_be_missing(void)
{
    struct app_job job = av1_grey_inter_job(&app.grey, 1);
    require_error(&job, NULL); /* all of them */
    job = av1_grey_inter_job(&app.grey, 1);
    for (uint32_t i = 1; i < RP_AV1_REFS_PER_FRAME; i++)
        job.name_slots[i] = 0;
    require_error(&job, NULL); /* LAST */
    job = av1_grey_inter_job(&app.grey, 1);
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
    struct app_job job = av1_grey_inter_job(&app.grey, 1);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        job.name_slots[i] = 0;
    require_job_gives_grey(&job);
    require_error(&job, no_such_slot);
}

/* After a reset nothing is a reference. */
static void
resets_forget_references(void)
{
    struct app_job job = av1_grey_inter_job(&app.grey, 1);
    for (uint32_t i = 0; i < RP_AV1_REFS_PER_FRAME; i++)
        job.name_slots[i] = 0;
    require_grey(0);
    job = av1_grey_inter_job(&app.grey, 1);
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
        struct app_job job =
            (test_random(&random_state) % 2)
                ? av1_grey_job(&app.grey, 1)
                : av1_grey_inter_job(&app.grey, 1 + (int32_t)test_random(&random_state) % 8);
        for (uint32_t k = 0; k < RP_AV1_REFS_PER_FRAME; k++)
            job.name_slots[k] = (int32_t)(test_random(&random_state) % 9);
        for (uint32_t k = (test_random(&random_state) % 6); k > 0; k--) {
            damage(&app.grey.std.picture, offsetof(StdVideoDecodeAV1PictureInfo, pTileInfo));
            damage(&app.grey.std.tiles, offsetof(StdVideoAV1TileInfo, pMiColStarts));
            damage(&app.grey.std.quantization, sizeof(app.grey.std.quantization));
            damage(&app.grey.std.segmentation, sizeof(app.grey.std.segmentation));
            damage(&app.grey.std.loop_filter, sizeof(app.grey.std.loop_filter));
            damage(&app.grey.std.cdef, sizeof(app.grey.std.cdef));
            damage(&app.grey.std.restoration, sizeof(app.grey.std.restoration));
            damage(&app.grey.std.motion, sizeof(app.grey.std.motion));
            damage(&app.grey.std.grain, sizeof(app.grey.std.grain));
        }
        app.grey.std.picture.pFilmGrain =
            (test_random(&random_state) % 4) ? NULL : &app.grey.std.grain;
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
    REQUIRE_EQ(parameters_try(&app.grey.std.sequence), wanted);
    av1_decoder_set_inline(app.dec, true);
    require_error(job, NULL);
    av1_decoder_set_inline(app.dec, false);
}

static void
sequences_are_checked(void)
{
    const VkResult invalid = VK_ERROR_INVALID_VIDEO_STD_PARAMETERS_KHR;
    struct app_job job = av1_grey_job(&app.grey, 0);
    REQUIRE_EQ(parameters_try(&app.grey.std.sequence), VK_SUCCESS);
    app.grey.std.sequence.seq_profile = STD_VIDEO_AV1_PROFILE_HIGH;
    require_bad_sequence(&job, invalid);
    job = av1_grey_job(&app.grey, 0);
    app.grey.std.color.BitDepth = 12;
    require_bad_sequence(&job, invalid);
    job = av1_grey_job(&app.grey, 0);
    app.grey.std.color.subsampling_x = app.grey.std.color.subsampling_y = 0;
    require_bad_sequence(&job, invalid);
    job = av1_grey_job(&app.grey, 0);
    app.grey.std.sequence.order_hint_bits_minus_1 = 77;
    require_bad_sequence(&job, invalid);
    /* FFmpeg makes such an object, and does not use it. */
    job = av1_grey_job(&app.grey, 0);
    app.grey.std.sequence.pColorConfig = NULL;
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
    av1_grey_init(&app.grey);
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
