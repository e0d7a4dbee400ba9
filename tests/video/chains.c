/* SPDX-License-Identifier: MIT */
/* IDR and P pictures: every decoded picture equals our reconstruction.
 *
 * usage: chains [brief]
 *   brief   smaller pictures, and fewer where the next one says the same
 */
#include "pictures.h"
#include "test.h"

#include <string.h>

static bool is_brief;

/* IDR, then P pictures that each refer to the one before. */
static int32_t
run_chain(struct vk *vk, const struct stream_options *options, uint32_t count, int32_t qp)
{
    struct stream *s = stream_open(vk, options);
    for (uint32_t i = 0; i < count; i++) {
        const struct stream_picture pic = picture_of_chain(s, i, qp);
        (void)stream_encode(s, &pic);
    }
    return stream_finish(s);
}

static void
a_chain_of_p_pictures_decodes_to_the_reconstruction(struct vk *vk)
{
    const int32_t psnr =
        run_chain(vk, &(struct stream_options){.width_px = 176, .height_px = 144}, 20, 26);
    REQUIRE(psnr > 3300);
}

static void
sizes_need_not_be_multiples_of_16(struct vk *vk)
{
    static const uint32_t sizes[][2] = {{16, 16},   {18, 34},  {322, 182}, {30, 16},
                                        {1366, 98}, {64, 258}, {640, 360}};
    const uint32_t count = sizeof(sizes) / sizeof(sizes[0]);
    for (uint32_t i = 0; i < (is_brief ? count - 1 : count); i++) {
        (void)run_chain(vk,
                        &(struct stream_options){
                            .width_px = sizes[i][0], .height_px = sizes[i][1], .content = i},
                        4, 30);
    }
}

static void
every_qp_works(struct vk *vk)
{
    int32_t last = 10000;
    for (int32_t qp = 0; qp <= 51; qp += 3) {
        const int32_t psnr =
            run_chain(vk, &(struct stream_options){.width_px = 96, .height_px = 80}, 3, qp);
        REQUIRE(psnr < last + 50);
        last = psnr;
    }
}

static void
profiles_and_entropy_coders(struct vk *vk)
{
    static const struct stream_options options[] = {
        {.profile_idc = STD_VIDEO_H264_PROFILE_IDC_BASELINE, .is_cavlc = true},
        {.profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN, .is_cavlc = true},
        {.profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN},
        {.profile_idc = STD_VIDEO_H264_PROFILE_IDC_HIGH, .has_transform8x8 = true},
        {.profile_idc = STD_VIDEO_H264_PROFILE_IDC_HIGH,
         .has_transform8x8 = true,
         .is_cavlc = true},
        {.has_constrained_intra = true},
        {.profile_idc = STD_VIDEO_H264_PROFILE_IDC_MAIN, .has_weighted_pred = true},
        {.chroma_qp_offset = -7},
        {.chroma_qp_offset = 5, .init_qp_minus26 = -14},
        {.poc_type = 2},
        {.poc_type = 1},
        {.log2_max_frame_num_minus4 = 12},
    };
    for (uint32_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        struct stream_options o = options[i];
        o.width_px = 208;
        o.height_px = 114;
        (void)run_chain(vk, &o, is_brief ? 3 : 6, 27);
    }
}

static void
frame_num_wraps(struct vk *vk)
{
    (void)run_chain(vk, &(struct stream_options){.width_px = 48, .height_px = 48}, 40, 32);
}

static void
images_of_every_kind(struct vk *vk)
{
    for (uint32_t i = 0; i < 8; i++) {
        (void)run_chain(vk,
                        &(struct stream_options){.width_px = 162,
                                                 .height_px = 98,
                                                 .slot_count = 3,
                                                 .is_layered = i & 1,
                                                 .is_i420 = i >> 1 & 1,
                                                 .is_linear = i >> 2 & 1},
                        5, 28);
    }
}

static void
every_quality_level_works(struct vk *vk)
{
    for (uint32_t level = 0; level < 8; level++) {
        (void)run_chain(vk,
                        &(struct stream_options){.width_px = is_brief ? 176 : 352,
                                                 .height_px = is_brief ? 144 : 288,
                                                 .has_transform8x8 = level & 1,
                                                 .quality_level = level},
                        4, 28);
    }
}

static void
three_references_in_any_order(struct vk *vk)
{
    static const uint8_t orders[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}, {1, 0, 0}};
    struct stream *s = stream_open(
        vk, &(struct stream_options){.width_px = 176, .height_px = 144, .slot_count = 4});
    for (uint32_t i = 0; i < 15; i++) {
        struct stream_picture pic =
            i == 0 ? picture_idr(s) : picture_p(s, (int32_t)(2 * i), slot_by_age(s, 0));
        if (i >= 3) {
            pic.list_count[0] = 3;
            for (uint32_t j = 0; j < 3; j++)
                pic.list[0][j] = (uint8_t)slot_by_age(s, orders[i % 5][j]);
        }
        (void)stream_encode(s, &pic);
    }
    (void)stream_finish(s);
}

static void
references_two_to_five_pictures_old(struct vk *vk)
{
    for (uint32_t age = 1; age < 5; age++) {
        struct stream *s = stream_open(
            vk, &(struct stream_options){.width_px = 144, .height_px = 112, .slot_count = 6});
        for (uint32_t i = 0; i < 12; i++) {
            struct stream_picture pic =
                i == 0 ? picture_idr(s)
                       : picture_p(s, (int32_t)(2 * i), slot_by_age(s, i > age ? age : i - 1));
            (void)stream_encode(s, &pic);
        }
        (void)stream_finish(s);
    }
}

/* With a reconstruction in a slot, and without any. */
static void
pictures_that_nothing_refers_to(struct vk *vk)
{
    for (uint32_t has_setup = 0; has_setup < 2; has_setup++) {
        struct stream *s =
            stream_open(vk, &(struct stream_options){
                                .width_px = 176, .height_px = 80, .slot_count = 3, .max_refs = 2});
        for (uint32_t i = 0; i < 12; i++) {
            struct stream_picture pic =
                i == 0 ? picture_idr(s) : picture_p(s, (int32_t)(2 * i), slot_by_age(s, 0));
            pic.is_reference = i % 3 != 2;
            if (!pic.is_reference && !has_setup)
                pic.setup_slot = -1;
            (void)stream_encode(s, &pic);
        }
        (void)stream_finish(s);
    }
}

static void
several_gops_and_i_pictures(struct vk *vk)
{
    struct stream *s = stream_open(vk, &(struct stream_options){.width_px = 176, .height_px = 96});
    for (uint32_t i = 0; i < 18; i++) {
        struct stream_picture pic =
            i % 6 == 0 ? picture_idr(s) : picture_p(s, (int32_t)(2 * (i % 6)), slot_by_age(s, 0));
        if (i % 6 == 0)
            pic.setup_slot = (int32_t)(i / 6 & 1);
        if (i % 6 == 3) {
            pic.slice_type = 2;
            pic.list_count[0] = 0; /* lists of 256 entries, none of them valid */
        }
        (void)stream_encode(s, &pic);
    }
    (void)stream_finish(s);
}

static void
inline_queries_answer_too(struct vk *vk)
{
    (void)run_chain(
        vk, &(struct stream_options){.width_px = 176, .height_px = 144, .has_inline_queries = true},
        5, 30);
}

/* Unless the tests are built without it. */
static void
the_second_decoder_reads_it_all(void)
{
    const struct stream_opinions opinions = stream_second_opinions();
    REQUIRE(opinions.judged == 0 || opinions.judged == opinions.coded);
}

int
main(int argc, char **argv)
{
    struct vk vk;
    is_brief = argc > 1 && strcmp(argv[1], "brief") == 0;
    vk_open(&vk);
    RUN(a_chain_of_p_pictures_decodes_to_the_reconstruction, &vk);
    RUN(sizes_need_not_be_multiples_of_16, &vk);
    RUN(every_qp_works, &vk);
    RUN(profiles_and_entropy_coders, &vk);
    RUN(frame_num_wraps, &vk);
    RUN(images_of_every_kind, &vk);
    RUN(every_quality_level_works, &vk);
    RUN(three_references_in_any_order, &vk);
    RUN(references_two_to_five_pictures_old, &vk);
    RUN(pictures_that_nothing_refers_to, &vk);
    RUN(several_gops_and_i_pictures, &vk);
    RUN(inline_queries_answer_too, &vk);
    RUN(the_second_decoder_reads_it_all);
    vk_close(&vk);
    return 0;
}
