/* SPDX-License-Identifier: MIT */
/* Fuzz target: hostile parameter sets, pictures, references and slices for the H.264 decoder, in
 * buffers of exactly the size that it is told.
 */
#include "decode_format.h"
#include "target.h"

#include "codecs/avcodec/h264/decoder.h"
#include "reelpipe/codec.h"
#include "reelpipe/decode_h264.h"
#include "tests/test.h"

#include <stdlib.h>

#define MAX_MACROBLOCKS 200u /* larger pictures only cost time */
#define MAX_JOBS 12u
#define WIDTH_PX 72u
#define HEIGHT_PX 50u

struct picture_memory {
    struct rp_picture picture;
    uint8_t *plane[3];
};

static struct picture_memory
picture_memory_create(bool is_i420)
{
    struct picture_memory memory = {
        .picture = {.bit_depth = 8,
                    .layout = is_i420 ? RP_PICTURE_I420 : RP_PICTURE_NV12,
                    .width_px = WIDTH_PX,
                    .height_px = HEIGHT_PX},
    };
    for (uint32_t i = 0; i < (is_i420 ? 3u : 2u); i++) {
        const size_t stride_B = i == 0 || !is_i420 ? WIDTH_PX : WIDTH_PX / 2;
        memory.plane[i] = malloc(stride_B * (i ? HEIGHT_PX / 2 : HEIGHT_PX));
        REQUIRE(memory.plane[i]);
        memory.picture.plane[i] = (struct rp_plane){memory.plane[i], stride_B};
    }
    return memory;
}

static void
picture_memory_destroy(struct picture_memory *memory)
{
    for (uint32_t i = 0; i < 3; i++)
        free(memory->plane[i]);
}

/* In range, as the engine gives them; -1 is none. */
static int32_t
slot_of(int8_t value)
{
    return (value & 127) % (RP_H264_DECODE_KEPT + 1) - 1;
}

static void
references_read(struct input *in, struct rp_h264_decode_reference *refs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct decode_reference ref;
        input_read(in, &ref, sizeof(ref));
        refs[i] = (struct rp_h264_decode_reference){
            .slot = slot_of(ref.slot),
            .frame_num = ref.frame_num,
            .poc = {ref.poc[0], ref.poc[1]},
            .has_top = ref.flags & DECODE_TOP_REFERENCE,
            .has_bottom = ref.flags & DECODE_BOTTOM_REFERENCE,
            .is_long_term = ref.flags & DECODE_LONG_TERM,
            .is_non_existing = ref.flags & DECODE_NON_EXISTING,
        };
    }
}

static bool
is_small(const StdVideoH264SequenceParameterSet *sps)
{
    return sps->pic_width_in_mbs_minus1 < MAX_MACROBLOCKS &&
           sps->pic_height_in_map_units_minus1 < MAX_MACROBLOCKS &&
           (sps->pic_width_in_mbs_minus1 + 1) * (sps->pic_height_in_map_units_minus1 + 1) <=
               MAX_MACROBLOCKS;
}

static void
job_run(struct rp_decoder *dec, struct input *in)
{
    StdVideoH264SequenceParameterSet sps;
    StdVideoH264PictureParameterSet pps;
    struct decode_head head;
    struct rp_h264_decode_reference refs[32];
    uint32_t offsets_B[8];

    input_read(in, &sps, sizeof(sps));
    input_read(in, &pps, sizeof(pps));
    sps.pOffsetForRefFrame = NULL;
    sps.pScalingLists = NULL;
    sps.pSequenceParameterSetVui = NULL;
    pps.pScalingLists = NULL;
    input_read(in, &head, sizeof(head));
    references_read(in, refs, head.ref_count % 33);
    input_read(in, offsets_B, sizeof(uint32_t) * (head.slice_count % 9));
    if (!is_small(&sps))
        return;

    const size_t data_B = head.data_B < in->size_B ? head.data_B : in->size_B;
    uint8_t *data = malloc(data_B ? data_B : 1);
    REQUIRE(data);
    input_read(in, data, data_B);
    struct picture_memory dst = picture_memory_create(head.flags & DECODE_I420);
    struct picture_memory setup = picture_memory_create(false);
    struct rp_h264_decode_job job = {
        .sps = &sps,
        .pps = &pps,
        .is_field = head.flags & DECODE_FIELD,
        .is_bottom_field = head.flags & DECODE_BOTTOM,
        .is_idr = head.flags & DECODE_IDR,
        .is_reference = head.flags & DECODE_REFERENCE,
        .frame_num = head.frame_num,
        .poc = {head.poc[0], head.poc[1]},
        .common.data = data,
        .common.data_B = data_B,
        .slice_offsets_B = offsets_B,
        .slice_count = head.slice_count % 9,
        .refs = refs,
        .ref_count = head.ref_count % 33,
        .common.setup_slot = slot_of(head.setup_slot),
        .common.dst = dst.picture,
    };
    if (head.flags & DECODE_TWO_OUTPUTS)
        job.common.dst_setup = setup.picture;
    if (head.flags & DECODE_RESET)
        rp_h264_decoder_reset(dec);
    (void)rp_codec_h264_decode()->decode(dec, &job.common);
    picture_memory_destroy(&dst);
    picture_memory_destroy(&setup);
    free(data);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    struct input in = {data, size_B};
    enum rp_codec_status status;
    if (!rp_codec_h264_decode())
        return 0;

    /* Short numbers wrap soon. */
    const uint8_t kind = input_u8(&in);
    struct rp_decoder *dec = rp_h264_decoder_create(1 + kind % 2, kind & 2 ? 16 : 5, &status);
    REQUIRE(dec);
    for (uint32_t i = 0; i < MAX_JOBS && in.size_B; i++)
        job_run(dec, &in);
    rp_h264_decoder_destroy(dec);
    return 0;
}
