/* SPDX-License-Identifier: MIT */
/* What the application says of a picture is what the stream says, explicit weights too; where it
 * is not, feedback tells.
 */
#include "pictures.h"
#include "stream.h"
#include "test.h"

static struct stream *
open_stream(struct vk *vk, uint32_t quality_level, uint32_t bipred_idc)
{
    return stream_open(vk, &(struct stream_options){.width_px = 176,
                                                    .height_px = 144,
                                                    .slot_count = 4,
                                                    .max_refs = 3,
                                                    .has_weighted_pred = true,
                                                    .weighted_bipred_idc = bipred_idc,
                                                    .quality_level = quality_level});
}

/* Encodes; true when feedback says that something was overridden. */
static bool
is_overridden(struct stream *s, const struct stream_picture *pic)
{
    const uint32_t number = stream_prepare(s, pic);
    stream_record(s, number);
    stream_submit(s, number);
    const struct stream_result result = stream_collect(s, number);
    REQUIRE_EQ(result.status, VK_QUERY_RESULT_STATUS_COMPLETE_KHR);
    return result.has_overrides;
}

static StdVideoEncodeH264WeightTable tables[2];

static void
fill_tables(uint32_t step)
{
    for (uint32_t t = 0; t < 2; t++) {
        tables[t] = (StdVideoEncodeH264WeightTable){
            .flags = {.luma_weight_l0_flag = 1 + step % 7, .chroma_weight_l0_flag = 5},
            .luma_log2_weight_denom = (uint8_t)(2 + step % 5),
            .chroma_log2_weight_denom = (uint8_t)(step % 8),
        };
        for (uint32_t i = 0; i < 3; i++) {
            tables[t].luma_weight_l0[i] = (int8_t)((1 << (2 + step % 5)) - (int32_t)i);
            tables[t].luma_offset_l0[i] = (int8_t)(step * 13 % 40) - 20;
            for (uint32_t c = 0; c < 2; c++) {
                tables[t].chroma_weight_l0[i][c] = (int8_t)(17 * (step + i + c));
                tables[t].chroma_offset_l0[i][c] = (int8_t)(step * (c + 3));
            }
        }
    }
}

static void
give_weights(struct stream_call *call)
{
    for (uint32_t i = 0; i < call->h264->naluSliceEntryCount; i++)
        call->headers[i].pWeightTable = &tables[i % 2];
}

static struct stream_picture
picture_with_refs(const struct stream *s, uint32_t number)
{
    struct stream_picture pic = picture_of_chain(s, number, 26);
    const uint32_t count = number < 3 ? number : 3;
    pic.list_count[0] = count;
    for (uint32_t i = 0; i < count; i++)
        pic.list[0][i] = (uint8_t)slot_by_age(s, i);
    pic.slice_count = 2;
    return pic;
}

/* stream_finish() holds every decoded picture against the reconstruction. */
static void
weights_of_p_pictures_are_the_applications(struct vk *vk)
{
    struct stream *s = open_stream(vk, 2, 0);
    for (uint32_t i = 0; i < 12; i++) {
        struct stream_picture pic = picture_with_refs(s, i);
        fill_tables(i);
        pic.tamper = i > 0 ? give_weights : NULL;
        REQUIRE(!is_overridden(s, &pic));
    }
    (void)stream_finish(s);
}

static void
one_table_serves_all_slices(struct vk *vk)
{
    struct stream *s = open_stream(vk, 2, 0);
    for (uint32_t i = 0; i < 6; i++) {
        struct stream_picture pic = picture_with_refs(s, i);
        fill_tables(i);
        tables[1].luma_weight_l0[0]++;
        tables[1].flags.luma_weight_l0_flag = 1;
        pic.tamper = i > 0 ? give_weights : NULL;
        REQUIRE_EQ(is_overridden(s, &pic), i > 0);
    }
    (void)stream_finish(s);
}

/* An IDR picture, a P picture four later, and B pictures between them. */
static uint32_t
count_overrides_of_b(struct stream *s, bool is_temporal, void (*tamper)(struct stream_call *))
{
    struct stream_picture pic = picture_idr(s);
    const int32_t first = pic.setup_slot;
    (void)is_overridden(s, &pic);
    pic = picture_p(s, 8, first);
    const int32_t last = pic.setup_slot;
    (void)is_overridden(s, &pic);
    uint32_t count = 0;
    for (int32_t i = 1; i < 4; i++) {
        const struct stream_picture b = {
            .slice_type = 1,
            .poc = 2 * i,
            .setup_slot = stream_free_slot(s),
            .list_count = {1, 1},
            .list = {{(uint8_t)first}, {(uint8_t)last}},
            .qp = 28,
            .is_temporal_direct = is_temporal,
            .tamper = tamper,
        };
        count += is_overridden(s, &b);
    }
    (void)stream_finish(s);
    return count;
}

static void
b_pictures_get_default_weights(struct vk *vk)
{
    fill_tables(3);
    REQUIRE_EQ(count_overrides_of_b(open_stream(vk, 2, 1), false, give_weights), 3);
    REQUIRE_EQ(count_overrides_of_b(open_stream(vk, 2, 1), false, NULL), 0);
    /* Implicit weights are computed, whatever the table says. */
    REQUIRE_EQ(count_overrides_of_b(open_stream(vk, 2, 2), false, give_weights), 0);
}

static void
temporal_direct_mode_is_there_but_for_the_fastest(struct vk *vk)
{
    REQUIRE_EQ(count_overrides_of_b(open_stream(vk, 2, 0), true, NULL), 0);
    REQUIRE_EQ(count_overrides_of_b(open_stream(vk, 0, 0), true, NULL), 3);
    REQUIRE_EQ(count_overrides_of_b(open_stream(vk, 0, 0), false, NULL), 0);
}

static void
say_p(struct stream_call *call)
{
    for (uint32_t i = 0; i < call->h264->naluSliceEntryCount; i++)
        call->headers[i].slice_type = STD_VIDEO_H264_SLICE_TYPE_P;
}

static void
spoil_cabac_init(struct stream_call *call)
{
    for (uint32_t i = 0; i < call->h264->naluSliceEntryCount; i++)
        call->headers[i].cabac_init_idc = (StdVideoH264CabacInitIdc)77;
}

/* I slices have no cabac_init_idc. */
static void
a_slice_that_is_written_otherwise_is_told_of(struct vk *vk)
{
    struct stream *s = open_stream(vk, 2, 0);
    struct stream_picture pic = picture_with_refs(s, 0);
    pic.tamper = say_p;
    REQUIRE(is_overridden(s, &pic));
    pic = picture_with_refs(s, 1);
    pic.tamper = spoil_cabac_init;
    REQUIRE(is_overridden(s, &pic));
    pic = picture_idr(s);
    pic.tamper = spoil_cabac_init;
    REQUIRE(!is_overridden(s, &pic));
    (void)stream_finish(s);
}

/* As many as there may be, from any macroblock on, each with its own QP and filter. */
static void
many_slices_are_each_as_they_say(struct vk *vk)
{
    static uint32_t first_mbs[STREAM_MAX_SLICES];
    static int32_t qps[STREAM_MAX_SLICES];
    static struct stream_slice slices[STREAM_MAX_SLICES];
    const uint32_t mb_count = 9 * 200;
    for (uint32_t k = 0; k < 4; k++) {
        struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 144,
                                                                    .height_px = 3200,
                                                                    .is_cavlc = k & 1,
                                                                    .quality_level = k,
                                                                    .is_judged_once = true});
        for (uint32_t i = 0; i < 4; i++) {
            struct stream_picture pic = picture_of_chain(s, i, 30);
            pic.slice_count = i == 3 ? 129 : STREAM_MAX_SLICES;
            for (uint32_t j = 0; j < pic.slice_count; j++) {
                first_mbs[j] = mb_count * j / pic.slice_count;
                qps[j] = (int32_t)(j * 7 % 52);
                slices[j] = (struct stream_slice){.type = j % 5 == 1 ? 2 : pic.slice_type,
                                                  .cabac_init_idc = j % 3,
                                                  .deblocking_idc = j / 2 % 3,
                                                  .alpha_div2 = (int32_t)(j % 13) - 6,
                                                  .beta_div2 = 6 - (int32_t)(j / 3 % 13)};
            }
            pic.first_mbs = first_mbs;
            pic.slice_qps = qps;
            pic.slices = slices;
            REQUIRE(!is_overridden(s, &pic));
        }
        (void)stream_finish(s);
    }
}

int
main(void)
{
    struct vk vk;
    vk_open(&vk);
    RUN(weights_of_p_pictures_are_the_applications, &vk);
    RUN(one_table_serves_all_slices, &vk);
    RUN(b_pictures_get_default_weights, &vk);
    RUN(a_slice_that_is_written_otherwise_is_told_of, &vk);
    RUN(temporal_direct_mode_is_there_but_for_the_fastest, &vk);
    RUN(many_slices_are_each_as_they_say, &vk);
    vk_close(&vk);
    return 0;
}
