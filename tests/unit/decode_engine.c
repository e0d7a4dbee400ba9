/* SPDX-License-Identifier: MIT */
/* Which parameter sets the decode engine gives to a codec, and in which order pictures: the codec
 * here only notes them.
 */
#include "video/decode/engine.h"
#include "video/h264/parameters.h"
#include "video/h264/standard.h"

#include "reelpipe/decode_h264.h"

#include "test.h"

#include <pthread.h>
#include <time.h>

#define PATIENCE_MS 2000u /* of the engine */
#define MOST_TRIES 6u
#define MAX_ORDER 4

static struct {
    uint32_t width_mb;
    int32_t chroma_qp_offset;
    uint32_t count;
    uint32_t frame_nums[MAX_ORDER];
} decoded;

static int a_thing; /* stands for what the codec makes */

static struct rp_decoder *
fake_create(uint32_t thread_count, enum rp_codec_status *status_out)
{
    (void)thread_count;
    *status_out = RP_CODEC_OK;
    return (struct rp_decoder *)&a_thing;
}

static void
fake_destroy(struct rp_decoder *dec)
{
    (void)dec;
}

static enum rp_codec_status
fake_decode(struct rp_decoder *dec, const struct rp_decode_job *common)
{
    const struct rp_h264_decode_job *job = rp_h264_decode_job_of(common);
    (void)dec;
    decoded.width_mb = job->sps->pic_width_in_mbs_minus1 + 1;
    decoded.chroma_qp_offset = job->pps->chroma_qp_index_offset;
    decoded.frame_nums[decoded.count++ % MAX_ORDER] = job->frame_num;
    return RP_CODEC_OK;
}

static const struct rp_decode_codec fake_codec = {
    .name = "fake",
    .create = fake_create,
    .destroy = fake_destroy,
    .reset = fake_destroy,
    .decode = fake_decode,
};

static const StdVideoH264SequenceParameterSet stored_sps = {.pic_width_in_mbs_minus1 = 3};
static const StdVideoH264PictureParameterSet stored_pps = {.chroma_qp_index_offset = -2};
static const StdVideoH264SequenceParameterSet inline_sps = {.pic_width_in_mbs_minus1 = 7};
static const StdVideoH264PictureParameterSet inline_pps = {.chroma_qp_index_offset = 5};

static struct rp_h264_parameters *
parameters_create(bool has_sps, bool has_pps)
{
    struct rp_h264_parameters *params;
    REQUIRE_EQ(rp_h264_parameters_create(NULL,
                                         &(struct rp_h264_parameters_info){
                                             .max_sps_count = 1,
                                             .max_pps_count = 1,
                                             .sets = {&stored_sps, has_sps, &stored_pps, has_pps},
                                         },
                                         &params),
               VK_SUCCESS);
    return params;
}

/* Of what is stored, and what is inlined, bit 0 is the SPS and bit 1 the PPS; none stored: without
 * the object. */
static enum rp_codec_status
decode(struct rp_video_decode *dec, uint32_t stored, uint32_t inlined)
{
    struct rp_h264_parameters *params = stored ? parameters_create(stored & 1, stored & 2) : NULL;
    const VkVideoDecodeH264InlineSessionParametersInfoKHR info = {
        .pStdSPS = inlined & 1 ? &inline_sps : NULL,
        .pStdPPS = inlined & 2 ? &inline_pps : NULL,
    };
    const StdVideoDecodeH264PictureInfo std = {0};
    const VkVideoDecodeH264PictureInfoKHR picture = {.pStdPictureInfo = &std};
    const enum rp_codec_status status = rp_video_decode_picture(
        dec, &(struct rp_decode_request){.parameters = rp_h264_parameters_common(params),
                                         .inlined = inlined ? &info : NULL,
                                         .picture = &picture});
    if (params)
        rp_h264_parameters_destroy(params);
    return status;
}

static void
each_set_is_the_inlined_one_or_else_the_stored_one(void)
{
    enum rp_codec_status status;
    struct rp_video_decode *dec = rp_video_decode_create(&rp_h264_decode, &fake_codec, 1, &status);
    REQUIRE(dec);
    for (uint32_t stored = 0; stored < 4; stored++) {
        for (uint32_t inlined = 0; inlined < 4; inlined++) {
            status = decode(dec, stored, inlined);
            REQUIRE_EQ(status, (stored | inlined) == 3 ? RP_CODEC_OK : RP_CODEC_FAILED);
            if (status != RP_CODEC_OK)
                continue;
            REQUIRE_EQ(decoded.width_mb, inlined & 1 ? 8 : 4);
            REQUIRE_EQ(decoded.chroma_qp_offset, inlined & 2 ? 5 : -2);
        }
    }
    rp_video_decode_destroy(dec);
}

/* first_mb_in_slice, slice_type and the first or the second of two PPS; the emulation prevention
 * byte is in the way of the last one. */
#define NAL(type, ...) \
    { \
        0, 0, 0, 1, type, __VA_ARGS__ \
    }
static const uint8_t of_first[16] = NAL(0x61, 0xe0);  /* 1 1 1... */
static const uint8_t of_second[16] = NAL(0x61, 0xd0); /* 1 1 010 */
static const uint8_t of_third[16] = NAL(0x61, 0xd8);  /* 1 1 011; not stored */
static const uint8_t of_second_far[16] = NAL(0x65, 0, 0, 3, 0x82, 0, 0x8, 0x50);
static const uint8_t not_a_slice[16] = NAL(0x09, 0xd0);

static int32_t
offset_decoded(struct rp_video_decode *dec, const uint8_t *src, size_t src_B, uint32_t slice_offset,
               bool is_field)
{
    static const StdVideoH264PictureParameterSet sets[2] = {
        {.chroma_qp_index_offset = -2},
        {.chroma_qp_index_offset = 3, .pic_parameter_set_id = 1},
    };
    struct rp_h264_parameters *params;
    REQUIRE_EQ(rp_h264_parameters_create(NULL,
                                         &(struct rp_h264_parameters_info){
                                             .max_sps_count = 1,
                                             .max_pps_count = 2,
                                             .sets = {&stored_sps, 1, sets, 2},
                                         },
                                         &params),
               VK_SUCCESS);
    const StdVideoDecodeH264PictureInfo std = {.flags = {.field_pic_flag = is_field}};
    const VkVideoDecodeH264PictureInfoKHR picture = {
        .pStdPictureInfo = &std, .sliceCount = 1, .pSliceOffsets = &slice_offset};
    const struct rp_decode_request request = {.parameters = rp_h264_parameters_common(params),
                                              .picture = &picture,
                                              .src = src,
                                              .src_B = src_B};
    REQUIRE_EQ(rp_video_decode_picture(dec, &request), RP_CODEC_OK);
    if (params)
        rp_h264_parameters_destroy(params);
    return decoded.chroma_qp_offset;
}

static void
a_field_has_the_pps_that_its_slice_names(void)
{
    enum rp_codec_status status;
    struct rp_video_decode *dec = rp_video_decode_create(&rp_h264_decode, &fake_codec, 1, &status);
    REQUIRE(dec);
    REQUIRE_EQ(offset_decoded(dec, of_first, 16, 0, true), -2);
    REQUIRE_EQ(offset_decoded(dec, of_second, 16, 0, true), 3);
    REQUIRE_EQ(offset_decoded(dec, of_second, 16, 1, true), 3);
    REQUIRE_EQ(offset_decoded(dec, of_second_far, 16, 0, true), 3);

    /* What cannot be read, or is not there, leaves the picture's. */
    REQUIRE_EQ(offset_decoded(dec, of_second, 16, 0, false), -2);
    REQUIRE_EQ(offset_decoded(dec, of_third, 16, 0, true), -2);
    REQUIRE_EQ(offset_decoded(dec, not_a_slice, 16, 0, true), -2);
    REQUIRE_EQ(offset_decoded(dec, of_second, 16, 2, true), -2);
    REQUIRE_EQ(offset_decoded(dec, of_second, 16, UINT32_MAX, true), -2);
    for (size_t size_B = 0; size_B <= 5; size_B++)
        REQUIRE_EQ(offset_decoded(dec, of_second, size_B, 0, true), -2);
    rp_video_decode_destroy(dec);
}

/* A picture, by its submission; its frame_num tells it apart. */
struct picture {
    struct rp_video_decode *dec;
    uint64_t image_id;
    uint32_t fields;
    uint64_t sequence;
};

static void *
picture_decode(void *arg)
{
    const struct picture *pic = arg;
    const VkVideoDecodeH264InlineSessionParametersInfoKHR info = {.pStdSPS = &inline_sps,
                                                                  .pStdPPS = &inline_pps};
    const StdVideoDecodeH264PictureInfo std = {
        .flags = {.field_pic_flag = pic->fields != (RP_DECODE_TOP | RP_DECODE_BOTTOM),
                  .bottom_field_flag = pic->fields == RP_DECODE_BOTTOM},
        .frame_num = (uint16_t)pic->sequence,
    };
    const VkVideoDecodeH264PictureInfoKHR picture = {.pStdPictureInfo = &std};
    REQUIRE_EQ(rp_video_decode_picture(pic->dec,
                                       &(struct rp_decode_request){
                                           .inlined = &info,
                                           .picture = &picture,
                                           .setup = {.image_id = pic->image_id},
                                           .sequence = pic->sequence,
                                       }),
               RP_CODEC_OK);
    return NULL;
}

static void
field_expect(const struct picture *pic)
{
    rp_video_decode_expect(
        pic->dec,
        &(struct rp_decode_identity){.key = {.image_id = pic->image_id}, .fields = pic->fields},
        pic->sequence);
}

/* A frame of a later submission comes to the engine before the second field. */
static void
nothing_parts_two_fields(void)
{
    enum rp_codec_status status;
    struct rp_video_decode *dec = rp_video_decode_create(&rp_h264_decode, &fake_codec, 1, &status);
    REQUIRE(dec);
    struct picture first = {dec, 7, RP_DECODE_TOP, 1};
    struct picture second = {dec, 7, RP_DECODE_BOTTOM, 2};
    struct picture later = {dec, 8, RP_DECODE_TOP | RP_DECODE_BOTTOM, 3};
    pthread_t thread;

    decoded.count = 0;
    field_expect(&first);
    field_expect(&second);
    picture_decode(&first);
    REQUIRE_EQ(pthread_create(&thread, NULL, picture_decode, &later), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    picture_decode(&second);
    REQUIRE_EQ(pthread_join(thread, NULL), 0);
    for (uint32_t i = 0; i < 3; i++)
        REQUIRE_EQ(decoded.frame_nums[i], i + 1);
    rp_video_decode_destroy(dec);
}

/* A frame of an earlier submission comes to the engine before the second field, too: its queue is
 * late. */
static void
what_is_late_parts_no_fields(void)
{
    enum rp_codec_status status;
    struct rp_video_decode *dec = rp_video_decode_create(&rp_h264_decode, &fake_codec, 1, &status);
    REQUIRE(dec);
    struct picture late = {dec, 8, RP_DECODE_TOP | RP_DECODE_BOTTOM, 1};
    struct picture first = {dec, 7, RP_DECODE_TOP, 2};
    struct picture second = {dec, 7, RP_DECODE_BOTTOM, 3};
    pthread_t thread;

    decoded.count = 0;
    field_expect(&late);
    field_expect(&first);
    field_expect(&second);
    REQUIRE_EQ(pthread_create(&thread, NULL, picture_decode, &first), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    picture_decode(&late);
    REQUIRE_EQ(pthread_join(thread, NULL), 0);
    picture_decode(&second);
    for (uint32_t i = 0; i < 3; i++)
        REQUIRE_EQ(decoded.frame_nums[i], i + 1);
    rp_video_decode_destroy(dec);
}

static uint64_t
now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* How long the next picture takes when the second field is given up: before it comes, or while it
 * waits. */
static uint64_t
next_picture_ms(struct rp_video_decode *dec, uint64_t sequence, bool is_waiting)
{
    struct picture first = {dec, 7, RP_DECODE_TOP, sequence};
    const struct picture second = {dec, 7, RP_DECODE_BOTTOM, sequence + 1};
    struct picture later = {dec, 8, RP_DECODE_TOP | RP_DECODE_BOTTOM, sequence + 2};
    const struct rp_decode_identity field = {.key = {.image_id = 7}, .fields = RP_DECODE_BOTTOM};
    pthread_t thread;

    field_expect(&first);
    field_expect(&second);
    picture_decode(&first);
    if (!is_waiting)
        rp_video_decode_give_up(dec, &field, second.sequence);
    const uint64_t began_ms = now_ms();
    REQUIRE_EQ(pthread_create(&thread, NULL, picture_decode, &later), 0);
    if (is_waiting) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        rp_video_decode_give_up(dec, &field, second.sequence);
    }
    REQUIRE_EQ(pthread_join(thread, NULL), 0);
    return now_ms() - began_ms;
}

/* A busy machine may take as long as a wait does: once is enough. */
static void
a_second_field_that_is_given_up_is_not_waited_for(void)
{
    enum rp_codec_status status;
    struct rp_video_decode *dec = rp_video_decode_create(&rp_h264_decode, &fake_codec, 1, &status);
    REQUIRE(dec);
    uint64_t sequence = 1;
    for (uint32_t is_waiting = 0; is_waiting < 2; is_waiting++) {
        uint32_t tries = 1;
        for (; next_picture_ms(dec, sequence, is_waiting) >= PATIENCE_MS; tries++) {
            REQUIRE(tries < MOST_TRIES);
            sequence += 10;
        }
        sequence += 10;
    }
    rp_video_decode_destroy(dec);
}

int
main(void)
{
    RUN(a_field_has_the_pps_that_its_slice_names);
    RUN(nothing_parts_two_fields);
    RUN(what_is_late_parts_no_fields);
    RUN(a_second_field_that_is_given_up_is_not_waited_for);
    RUN(each_set_is_the_inlined_one_or_else_the_stored_one);
    return 0;
}
