/* SPDX-License-Identifier: MIT */
/* Makes a seed of the decode target from the first pictures of a byte stream.
 *
 * usage: record STREAM.264 PICTURES SEED
 */
#include "decode_format.h"

#include "reelpipe/decode_h264.h"
#include "tests/codec_avcodec/app.h"
#include "tests/test.h"

static FILE *out;
static uint32_t left;

static void
put(const void *data, size_t size_B)
{
    REQUIRE(fwrite(data, 1, size_B, out) == size_B);
}

static void
put_reference(const struct rp_h264_decode_reference *ref)
{
    const struct decode_reference bytes = {
        .slot = (int8_t)(ref->slot + 1),
        .flags = (uint8_t)((ref->has_top ? DECODE_TOP_REFERENCE : 0) |
                           (ref->has_bottom ? DECODE_BOTTOM_REFERENCE : 0) |
                           (ref->is_long_term ? DECODE_LONG_TERM : 0) |
                           (ref->is_non_existing ? DECODE_NON_EXISTING : 0)),
        .frame_num = (uint16_t)ref->frame_num,
        .poc = {ref->poc[0], ref->poc[1]},
    };
    put(&bytes, sizeof(bytes));
}

static enum rp_codec_status
record(struct rp_decoder *dec, const struct rp_decode_job *common)
{
    const struct rp_h264_decode_job *job = rp_h264_decode_job_of(common);

    if (left > 0) {
        left--;
        StdVideoH264SequenceParameterSet sps = *job->sps;
        StdVideoH264PictureParameterSet pps = *job->pps;
        sps.pOffsetForRefFrame = NULL;
        sps.pScalingLists = NULL;
        sps.pSequenceParameterSetVui = NULL;
        pps.pScalingLists = NULL;
        const struct decode_head head = {
            .flags = (uint8_t)((job->is_field ? DECODE_FIELD : 0) |
                               (job->is_bottom_field ? DECODE_BOTTOM : 0) |
                               (job->is_idr ? DECODE_IDR : 0) |
                               (job->is_reference ? DECODE_REFERENCE : 0)),
            .setup_slot = (int8_t)(job->common.setup_slot + 1),
            .ref_count = (uint8_t)job->ref_count,
            .slice_count = (uint8_t)job->slice_count,
            .frame_num = job->frame_num,
            .poc = {job->poc[0], job->poc[1]},
            .data_B = (uint32_t)job->common.data_B,
        };
        put(&sps, sizeof(sps));
        put(&pps, sizeof(pps));
        put(&head, sizeof(head));
        for (uint32_t i = 0; i < job->ref_count; i++)
            put_reference(&job->refs[i]);
        put(job->slice_offsets_B, sizeof(uint32_t) * job->slice_count);
        put(job->common.data, job->common.data_B);
    }
    return rp_codec_h264_decode()->decode(dec, common);
}

int
main(int argc, char **argv)
{
    REQUIRE_EQ(argc, 4);
    size_t data_B;
    uint8_t *data = file_read(argv[1], &data_B);
    left = (uint32_t)strtoul(argv[2], NULL, 10);
    out = fopen(argv[3], "wb");
    REQUIRE(out);
    put("\x02", 1);

    struct rp_decode_codec codec = *rp_codec_h264_decode();
    codec.decode = record;
    enum rp_codec_status status;
    struct rp_decoder *dec = codec.create(1, &status);
    REQUIRE(dec);
    const struct app_options options = {0};
    struct app app;
    app_init(&app, &codec, dec, data, data_B, 0, APP_MAX_SLOTS, &options);
    while (left && app_step(&app))
        continue;
    app_finish(&app);
    codec.destroy(dec);
    REQUIRE(fclose(out) == 0);
    return 0;
}
