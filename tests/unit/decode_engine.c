/* SPDX-License-Identifier: MIT */
/* Which parameter sets the decode engine gives to a codec: the codec here only notes them.
 */
#include "video/decode.h"
#include "video/h264_parameters.h"

#include "reelpipe/codec_h264_decode.h"

#include "test.h"

static struct {
    uint32_t width_mb;
    int32_t chroma_qp_offset;
} decoded;

static int a_thing; /* stands for what the codec makes */

static struct rp_h264_decoder *
fake_create(uint32_t thread_count, enum rp_codec_status *status_out)
{
    (void)thread_count;
    *status_out = RP_CODEC_OK;
    return (struct rp_h264_decoder *)&a_thing;
}

static void
fake_destroy(struct rp_h264_decoder *dec)
{
    (void)dec;
}

static enum rp_codec_status
fake_decode(struct rp_h264_decoder *dec, const struct rp_h264_decode_job *job)
{
    (void)dec;
    decoded.width_mb = job->sps->pic_width_in_mbs_minus1 + 1;
    decoded.chroma_qp_offset = job->pps->chroma_qp_index_offset;
    return RP_CODEC_OK;
}

static const struct rp_h264_decode_codec fake_codec = {
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
    const enum rp_codec_status status =
        rp_video_decode_picture(dec, &(struct rp_decode_request){.parameters = params,
                                                                 .inlined = inlined ? &info : NULL,
                                                                 .picture = &picture});
    rp_h264_parameters_unref(params);
    return status;
}

static void
each_set_is_the_inlined_one_or_else_the_stored_one(void)
{
    enum rp_codec_status status;
    struct rp_video_decode *dec = rp_video_decode_create(&fake_codec, 1, &status);
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

int
main(void)
{
    RUN(each_set_is_the_inlined_one_or_else_the_stored_one);
    return 0;
}
