/* SPDX-License-Identifier: MIT */
/* What the encode engine asks of a codec: the codec here only notes it, and may be busy.
 */
#include "video/encode/engine.h"
#include "video/encode/standard.h"
#include "video/h264/parameters.h"
#include "video/h264/slice_header.h"
#include "video/h264/standard.h"

#include "test.h"

#include <pthread.h>
#include <string.h>

#define RACING_PICTURES 200000u
#define MBS 16 /* of a picture with 64 x 64 pixels */

static struct {
    bool is_busy; /* the next begin() is refused */
    uint32_t begin_count;
    struct rp_h264_encode_job job; /* of the last begin() */
    int16_t qp_deltas[MBS];        /* what it pointed to, if there was a map */
} codec;

static int a_thing; /* stands for what the codec makes */

static void
fake_dpb_layout(uint32_t width_px, uint32_t height_px, struct rp_dpb_layout *out)
{
    (void)height_px;
    *out = (struct rp_dpb_layout){.stride_B = width_px};
}

static struct rp_encoder *
fake_create(struct rp_workers *workers)
{
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
    REQUIRE(!may_wait); /* the session waits, without its mutex */
    codec.job = *rp_h264_encode_job_of(job);
    if (job->qp_delta)
        memcpy(codec.qp_deltas, job->qp_delta, sizeof(codec.qp_deltas));
    codec.begin_count++;
    return codec.is_busy ? RP_CODEC_BUSY : RP_CODEC_OK;
}

static void
fake_encode(struct rp_encoder *enc, struct rp_encode_job *job)
{
    (void)enc;
    job->result = (struct rp_encode_result){.status = RP_CODEC_OK, .size_B = 1};
}

static const struct rp_encode_codec fake_codec = {
    .name = "fake",
    .quality_level_count = 1,
    .dpb_layout = fake_dpb_layout,
    .create = fake_create,
    .destroy = fake_destroy,
    .slot_create = fake_slot_create,
    .slot_destroy = fake_slot_destroy,
    .begin = fake_begin,
    .encode = fake_encode,
};

static struct rp_h264_parameters *
parameters_create(uint32_t width_mb, uint32_t height_mb)
{
    const StdVideoH264SequenceParameterSet sps = {
        .flags = {.frame_mbs_only_flag = 1, .direct_8x8_inference_flag = 1},
        .profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN,
        .level_idc = STD_VIDEO_H264_LEVEL_IDC_4_0,
        .chroma_format_idc = STD_VIDEO_H264_CHROMA_FORMAT_IDC_420,
        .max_num_ref_frames = 1,
        .pic_width_in_mbs_minus1 = width_mb - 1,
        .pic_height_in_map_units_minus1 = height_mb - 1,
    };
    const StdVideoH264PictureParameterSet pps = {0};
    struct rp_h264_parameters *params;
    REQUIRE_EQ(rp_h264_parameters_create(NULL,
                                         &(struct rp_h264_parameters_info){
                                             .max_sps_count = 1,
                                             .max_pps_count = 1,
                                             .sets = {&sps, 1, &pps, 1},
                                             .is_encode = true,
                                             .max_level_idc = STD_VIDEO_H264_LEVEL_IDC_6_2,
                                         },
                                         &params),
               VK_SUCCESS);
    return params;
}

static struct rp_encode_resource
resource(uint64_t image_id, uint64_t generation, uint32_t width_px, uint32_t height_px)
{
    static uint8_t texel;
    return (struct rp_encode_resource){
        .key = {.image_id = image_id},
        .generation = generation,
        .pixels = {.width_px = width_px,
                   .height_px = height_px,
                   .plane = {{&texel, width_px}, {&texel, width_px}}},
    };
}

/* A P picture that refers to image 7. */
struct p_picture {
    uint64_t generation; /* of the texels of image 7 */
    bool may_wait;
    struct rp_quantization_map map;
    struct rp_intra_refresh refresh;
};

static enum rp_codec_status
p_picture_encode(struct rp_video_encode *enc, struct rp_h264_parameters *params,
                 const struct p_picture *p)
{
    const StdVideoEncodeH264SliceHeader header = {.slice_type = STD_VIDEO_H264_SLICE_TYPE_P};
    const VkVideoEncodeH264NaluSliceInfoKHR slice = {.constantQp = 26, .pStdSliceHeader = &header};
    StdVideoEncodeH264ReferenceListsInfo lists = {0};
    memset(lists.RefPicList0, STD_VIDEO_H264_NO_REFERENCE_PICTURE, sizeof(lists.RefPicList0));
    lists.RefPicList0[0] = 3;
    const StdVideoEncodeH264PictureInfo std = {.frame_num = 1, .pRefLists = &lists};
    const VkVideoEncodeH264PictureInfoKHR picture = {
        .naluSliceEntryCount = 1, .pNaluSliceEntries = &slice, .pStdPictureInfo = &std};
    const StdVideoEncodeH264ReferenceInfo ref_std = {0};
    const VkVideoEncodeH264DpbSlotInfoKHR ref_info = {.pStdReferenceInfo = &ref_std};
    const struct rp_encode_reference ref = {
        .slot_index = 3, .resource = resource(7, p->generation, 64, 64), .info = &ref_info};
    struct rp_encode_picture *pic = NULL;
    const enum rp_codec_status status =
        rp_encode_picture_begin(enc,
                                &(struct rp_encode_request){
                                    .parameters = rp_h264_parameters_common(params),
                                    .picture = &picture,
                                    .src = resource(1, 0, 64, 64),
                                    .coded_extent_px = {64, 64},
                                    .has_setup = true,
                                    .setup = resource(8, 0, 64, 64),
                                    .refs = &ref,
                                    .ref_count = 1,
                                    .map = p->map,
                                    .refresh = p->refresh,
                                },
                                p->may_wait, &pic);
    if (status == RP_CODEC_OK) {
        rp_encode_picture_run(pic);
        rp_encode_picture_finish(pic);
    }
    return status;
}

static enum rp_codec_status
encode_p(struct rp_video_encode *enc, struct rp_h264_parameters *params, uint64_t generation,
         bool may_wait)
{
    return p_picture_encode(enc, params,
                            &(struct p_picture){.generation = generation, .may_wait = may_wait});
}

static void
a_reference_stays_foreign_until_the_codec_has_taken_it(void)
{
    struct rp_video_encode *enc = rp_video_encode_create(&(struct rp_video_encode_info){
        .standard = &rp_h264_encode, .codec = &fake_codec, .max_dpb_slots = 2});
    struct rp_h264_parameters *params = parameters_create(4, 4);
    REQUIRE(enc);

    REQUIRE_EQ(encode_p(enc, params, 1, false), RP_CODEC_OK);
    REQUIRE(codec.job.refs[0][0].is_foreign);
    REQUIRE_EQ(encode_p(enc, params, 1, false), RP_CODEC_OK);
    REQUIRE(!codec.job.refs[0][0].is_foreign);

    codec.is_busy = true; /* while the image has been written again */
    REQUIRE_EQ(encode_p(enc, params, 2, false), RP_CODEC_BUSY);
    REQUIRE(codec.job.refs[0][0].is_foreign);
    codec.is_busy = false;
    REQUIRE_EQ(encode_p(enc, params, 2, true), RP_CODEC_OK);
    REQUIRE(codec.job.refs[0][0].is_foreign);
    REQUIRE_EQ(encode_p(enc, params, 2, true), RP_CODEC_OK);
    REQUIRE(!codec.job.refs[0][0].is_foreign);
    REQUIRE_EQ(codec.begin_count, 5);

    rp_video_parameters_unref(rp_h264_parameters_common(params));
    rp_video_encode_destroy(enc);
}

static uint32_t queued_count; /* guarded by the session, which is what is tested */

static void
queue_in_order(void *ctx, struct rp_encode_picture *pic)
{
    (void)ctx;
    (void)pic;
    REQUIRE_EQ(codec.begin_count, ++queued_count);
}

struct racer {
    struct rp_video_encode *enc;
    struct rp_h264_parameters *params;
    pthread_barrier_t start;
};

static void *
begin_pictures(void *arg)
{
    struct racer *racer = arg;
    const StdVideoEncodeH264SliceHeader header = {.slice_type = STD_VIDEO_H264_SLICE_TYPE_I};
    const VkVideoEncodeH264NaluSliceInfoKHR slice = {.constantQp = 26, .pStdSliceHeader = &header};
    const StdVideoEncodeH264PictureInfo std = {.flags = {.IdrPicFlag = 1}};
    const VkVideoEncodeH264PictureInfoKHR picture = {
        .naluSliceEntryCount = 1, .pNaluSliceEntries = &slice, .pStdPictureInfo = &std};
    uint8_t dst;
    const struct rp_encode_request request = {
        .parameters = rp_h264_parameters_common(racer->params),
        .picture = &picture,
        .src = resource(1, 0, 64, 64),
        .coded_extent_px = {64, 64},
        .dst = &dst,
        .queue = queue_in_order,
    };
    (void)pthread_barrier_wait(&racer->start);
    for (uint32_t i = 0; i < RACING_PICTURES; i++) {
        struct rp_encode_picture *pic = NULL;
        REQUIRE_EQ(rp_encode_picture_begin(racer->enc, &request, false, &pic), RP_CODEC_OK);
        rp_encode_picture_run(pic);
        rp_encode_picture_finish(pic);
    }
    return NULL;
}

/* Pictures of several queues take their places in the order in which they began. */
static void
pictures_are_queued_in_order(void)
{
    struct rp_h264_parameters *params = parameters_create(4, 4);
    struct racer racer = {.params = params};
    racer.enc = rp_video_encode_create(
        &(struct rp_video_encode_info){.standard = &rp_h264_encode, .codec = &fake_codec});
    REQUIRE(racer.enc);
    REQUIRE_EQ(pthread_barrier_init(&racer.start, NULL, 2), 0);
    codec.begin_count = queued_count = 0;

    pthread_t other;
    REQUIRE_EQ(pthread_create(&other, NULL, begin_pictures, &racer), 0);
    (void)begin_pictures(&racer);
    pthread_join(other, NULL);
    pthread_barrier_destroy(&racer.start);
    REQUIRE_EQ(queued_count, 2 * RACING_PICTURES);

    rp_video_parameters_unref(rp_h264_parameters_common(params));
    rp_video_encode_destroy(racer.enc);
}

/* An IDR picture of that coded extent from an image of that size. */
static enum rp_codec_status
encode_idr(const struct rp_rgb_conversion *rgb, VkExtent2D coded_px, VkExtent2D image_px)
{
    static uint8_t texels[4 * 256 * 256];
    struct rp_video_encode *enc = rp_video_encode_create(&(struct rp_video_encode_info){
        .standard = &rp_h264_encode, .codec = &fake_codec, .rgb = rgb});
    struct rp_h264_parameters *params =
        parameters_create((coded_px.width + 15) / 16, (coded_px.height + 15) / 16);
    const StdVideoEncodeH264SliceHeader header = {.slice_type = STD_VIDEO_H264_SLICE_TYPE_I};
    const VkVideoEncodeH264NaluSliceInfoKHR slice = {.constantQp = 26, .pStdSliceHeader = &header};
    const StdVideoEncodeH264PictureInfo std = {.flags = {.IdrPicFlag = 1}};
    const VkVideoEncodeH264PictureInfoKHR picture = {
        .naluSliceEntryCount = 1, .pNaluSliceEntries = &slice, .pStdPictureInfo = &std};
    struct rp_encode_request request = {
        .parameters = rp_h264_parameters_common(params),
        .picture = &picture,
        .src = resource(1, 0, image_px.width, image_px.height),
        .coded_extent_px = coded_px,
    };
    if (rgb)
        request.rgb = (struct rp_rgb_source){.texels = texels,
                                             .stride_B = 4 * (size_t)image_px.width,
                                             .width_px = image_px.width,
                                             .height_px = image_px.height};
    struct rp_encode_picture *pic = NULL;
    const enum rp_codec_status status = rp_encode_picture_begin(enc, &request, true, &pic);
    if (status == RP_CODEC_OK) {
        rp_encode_picture_run(pic);
        rp_encode_picture_finish(pic);
    }
    rp_video_parameters_unref(rp_h264_parameters_common(params));
    rp_video_encode_destroy(enc);
    return status;
}

static void
an_odd_extent_is_coded_with_its_last_column_and_row(void)
{
    struct rp_rgb_conversion rgb;
    REQUIRE(rp_rgb_conversion_init(&rgb, NULL, 8));
    for (uint32_t i = 0; i < 3; i++) {
        const bool is_rgb = i == 2;
        const uint32_t more_px = i == 0; /* 4:2:0 images are even, but FFmpeg's */
        for (uint32_t width_px = 33; width_px < 49; width_px++) {
            const uint32_t height_px = 97 - width_px;
            const VkExtent2D coded_px = {width_px, height_px};
            const VkExtent2D image_px = {(width_px + more_px) & ~more_px,
                                         (height_px + more_px) & ~more_px};
            REQUIRE_EQ(encode_idr(is_rgb ? &rgb : NULL, coded_px, image_px), RP_CODEC_OK);
            REQUIRE_EQ(codec.job.common.width_px, (width_px + 1) & ~1u);
            REQUIRE_EQ(codec.job.common.height_px, (height_px + 1) & ~1u);
        }
    }
    /* Rounded up to macroblocks by a client, beyond its image. */
    REQUIRE_EQ(encode_idr(NULL, (VkExtent2D){48, 64}, (VkExtent2D){34, 50}), RP_CODEC_OK);
    REQUIRE_EQ(codec.job.common.width_px, 34);
    REQUIRE_EQ(codec.job.common.height_px, 50);
}

/* What reaches the codec. */
static void
a_source_of_10_bits_is_p010(void)
{
    struct rp_rgb_conversion rgb;
    for (uint32_t bit_depth = 8; bit_depth <= 10; bit_depth += 2) {
        REQUIRE(rp_rgb_conversion_init(&rgb, NULL, bit_depth));
        REQUIRE_EQ(encode_idr(&rgb, (VkExtent2D){48, 32}, (VkExtent2D){48, 32}), RP_CODEC_OK);
        const struct rp_picture *src = &codec.job.common.src;
        REQUIRE_EQ(rp_picture_is_p010(src), bit_depth == 10);
        REQUIRE_EQ(rp_picture_is_8_bit_420(src), bit_depth == 8);
        const uint32_t sample_B = bit_depth > 8 ? 2 : 1;
        REQUIRE_EQ(src->plane[0].stride_B, bit_depth > 8 ? 128 : 64);
        REQUIRE_EQ(src->plane[1].stride_B, src->plane[0].stride_B);
        REQUIRE(src->plane[0].stride_B >= 48 * sample_B);
        REQUIRE(src->plane[1].data == src->plane[0].data + 32 * src->plane[0].stride_B);
    }
}

static uint32_t
begin_idr(struct rp_video_encode *enc, struct rp_h264_parameters *params, uint64_t sequence)
{
    const StdVideoEncodeH264SliceHeader header = {.slice_type = STD_VIDEO_H264_SLICE_TYPE_I};
    const VkVideoEncodeH264NaluSliceInfoKHR slice = {.constantQp = 26, .pStdSliceHeader = &header};
    const StdVideoEncodeH264PictureInfo std = {.flags = {.IdrPicFlag = 1}};
    const VkVideoEncodeH264PictureInfoKHR picture = {
        .naluSliceEntryCount = 1, .pNaluSliceEntries = &slice, .pStdPictureInfo = &std};
    const struct rp_encode_request request = {
        .sequence = sequence,
        .parameters = rp_h264_parameters_common(params),
        .picture = &picture,
        .src = resource(1, 0, 64, 64),
        .coded_extent_px = {64, 64},
    };
    struct rp_encode_picture *pic = NULL;
    REQUIRE_EQ(rp_encode_picture_begin(enc, &request, false, &pic), RP_CODEC_OK);
    const struct rp_h264_slice_header *written = codec.job.slice_header_ctx;
    const uint32_t id = written->idr_pic_id;
    rp_encode_picture_run(pic);
    REQUIRE_EQ(rp_encode_picture_feedback(pic)->has_overrides, id != 0);
    rp_encode_picture_finish(pic);
    return id;
}

static void
idr_pictures_that_begin_late_have_an_id_of_their_own(void)
{
    struct rp_video_encode *enc = rp_video_encode_create(
        &(struct rp_video_encode_info){.standard = &rp_h264_encode, .codec = &fake_codec});
    struct rp_h264_parameters *params = parameters_create(4, 4);
    REQUIRE(enc);
    const uint32_t first = begin_idr(enc, params, 1);
    const uint32_t third = begin_idr(enc, params, 3);
    const uint32_t second = begin_idr(enc, params, 2);
    REQUIRE(first != second && second != third);
    rp_video_parameters_unref(rp_h264_parameters_common(params));
    rp_video_encode_destroy(enc);
}

/* Of a standard whose intra refresh goes by smaller blocks than its maps do. */
static void
a_map_stays_where_it_is_while_intra_refresh_is_filled(void)
{
    struct rp_encode_standard standard = rp_h264_encode;
    standard.refresh_block_px = 8;
    struct rp_video_encode *enc = rp_video_encode_create(&(struct rp_video_encode_info){
        .standard = &standard, .codec = &fake_codec, .max_dpb_slots = 2});
    struct rp_h264_parameters *params = parameters_create(4, 4);
    int8_t texels[MBS];
    REQUIRE(enc);
    for (int8_t i = 0; i < MBS; i++)
        texels[i] = (int8_t)(i - MBS / 2);
    const struct p_picture p = {
        .map = {(const uint8_t *)texels, 4, VK_FORMAT_R8_SINT, 4, 4},
        .refresh = {VK_VIDEO_ENCODE_INTRA_REFRESH_MODE_BLOCK_ROW_BASED_BIT_KHR, 8, 0},
    };
    REQUIRE_EQ(p_picture_encode(enc, params, &p), RP_CODEC_OK);
    REQUIRE(codec.job.common.force_intra);
    for (uint32_t i = 0; i < MBS; i++)
        REQUIRE_EQ(codec.qp_deltas[i], texels[i]);
    rp_video_parameters_unref(rp_h264_parameters_common(params));
    rp_video_encode_destroy(enc);
}

int
main(void)
{
    RUN(a_reference_stays_foreign_until_the_codec_has_taken_it);
    RUN(pictures_are_queued_in_order);
    RUN(a_source_of_10_bits_is_p010);
    RUN(idr_pictures_that_begin_late_have_an_id_of_their_own);
    RUN(an_odd_extent_is_coded_with_its_last_column_and_row);
    RUN(a_map_stays_where_it_is_while_intra_refresh_is_filled);
    return 0;
}
