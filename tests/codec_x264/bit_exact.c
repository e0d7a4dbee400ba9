/* SPDX-License-Identifier: MIT */
/* Our reconstruction is an independent decoder's output, for every reference structure and
 * feature.
 *
 * usage: bit_exact [SEEDS]
 *   SEEDS   how many random graphs of each kind to add (default 1)
 */
#include "app.h"
#include "decoder.h"
#include "structures.h"

#include "reelpipe/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIGH STD_VIDEO_H264_PROFILE_IDC_HIGH
#define BASELINE STD_VIDEO_H264_PROFILE_IDC_BASELINE

struct test_case {
    const char *structure; /* a name of structures[], or "*" for all */
    struct app_options options;
};

#define SMALL .width = 112, .height = 96, .picture_count = 18, .max_refs = 4
#define TINY .width = 48, .height = 32, .picture_count = 6, .max_refs = 2

static const struct test_case cases[] = {
    /* Every structure, in the two ways DPB memory can be. */
    {"*", {SMALL, .quality = 2, .level = STD_VIDEO_H264_LEVEL_IDC_4_0}},
    {"*",
     {SMALL, .quality = 5, .profile = HIGH, .has_transform_8x8 = true, .has_plain_images = true,
      .is_temporal_direct = true, .weighted_bipred_idc = 2}},
    {"*", {SMALL, .quality = 1, .is_cavlc = true, .foreign_period = 3, .has_no_recon = true}},
    {"*", {SMALL, .quality = 3, .threads = 3, .slice_count = 3, .is_temporal_direct = true}},

    /* References that the encoder has no motion of, but the decoder has. */
    {"*", {SMALL, .quality = 3, .is_temporal_direct = true, .foreign_period = 3}},
    {"*",
     {SMALL, .quality = 5, .is_temporal_direct = true, .has_plain_images = true,
      .foreign_period = 4, .slice_count = 3, .threads = 3, .weighted_bipred_idc = 2}},

    /* Quality levels. */
    {"random", {SMALL, .quality = 0, .seed = 3}},
    {"random", {SMALL, .quality = 4, .seed = 4, .weighted_bipred_idc = 2}},
    {"random", {SMALL, .quality = 6, .seed = 5, .profile = HIGH, .has_transform_8x8 = true}},
    {"random", {SMALL, .quality = 7, .seed = 6, .profile = HIGH, .has_transform_8x8 = true}},
    {"ippp", {SMALL, .quality = 0, .profile = BASELINE, .is_cavlc = true}},
    {"random", {SMALL, .quality_period = 2, .seed = 7}},
    {"random", {SMALL, .quality_period = 1, .seed = 8, .has_plain_images = true}},

    /* Slices. */
    {"ippp", {SMALL, .quality = 2, .slice_count = 6, .has_slice_qp = true}},
    {"ibbp", {SMALL, .quality = 2, .slice_count = 5, .is_unaligned = true, .has_slice_qp = true}},
    {"random", {SMALL, .quality = 2, .slice_count = 42, .is_unaligned = true, .seed = 9}},
    {"ippp",
     {.width = 256,
      .height = 128,
      .picture_count = 4,
      .max_refs = 2,
      .quality = 1,
      .slice_count = 128,
      .is_unaligned = true,
      .is_cavlc = true}},

    {"*", {SMALL, .quality = 2, .threads = 2, .slice_count = 4, .has_slice_types = true}},
    {"*",
     {SMALL, .quality = 4, .profile = HIGH, .has_transform_8x8 = true, .is_cavlc = true,
      .slice_count = 5, .is_unaligned = true, .has_slice_types = true, .has_slice_filters = true,
      .is_temporal_direct = true, .weighted_bipred_idc = 2, .has_map = true, .seed = 30}},
    {"*",
     {SMALL, .quality = 1, .threads = 3, .slice_count = 6, .has_slice_filters = true,
      .has_slice_qp = true, .seed = 31}},
    {"random",
     {SMALL, .quality = 7, .profile = HIGH, .has_transform_8x8 = true, .slice_count = 17,
      .is_unaligned = true, .has_slice_types = true, .has_slice_filters = true,
      .has_constrained_intra = true, .seed = 32}},
    {"low-delay-b",
     {SMALL, .quality = 5, .threads = 8, .slice_count = 6, .has_slice_types = true,
      .has_slice_filters = true, .seed = 33}},
    {"ippp-many-refs",
     {SMALL, .quality = 5, .has_weighted_pred = true, .has_weights = true, .slice_count = 4,
      .is_unaligned = true, .has_slice_types = true, .threads = 2}},

    /* Loop filter, contexts, prediction flags. */
    {"pyramid", {SMALL, .quality = 2, .deblocking_idc = 1}},
    {"pyramid", {SMALL, .quality = 2, .deblocking_idc = 2, .slice_count = 4, .alpha_div2 = 3}},
    {"random", {SMALL, .quality = 2, .alpha_div2 = -6, .beta_div2 = 6, .cabac_init_idc = 1}},
    {"random", {SMALL, .quality = 3, .alpha_div2 = 6, .beta_div2 = -6, .cabac_init_idc = 2}},
    {"random", {SMALL, .quality = 5, .has_constrained_intra = true}},
    {"random", {SMALL, .quality = 2, .has_weighted_pred = true, .weighted_bipred_idc = 1}},
    {"random", {SMALL, .quality = 5, .weighted_bipred_idc = 2, .poc_step = 40, .seed = 11}},
    {"random", {SMALL, .quality = 5, .weighted_bipred_idc = 2, .poc_step = 1, .seed = 12}},
    {"low-delay-b", {SMALL, .quality = 5, .weighted_bipred_idc = 2, .qp = 36}},
    {"ippp", {SMALL, .quality = 2, .has_weighted_pred = true, .has_weights = true}},
    {"ippp", {SMALL, .quality = 0, .has_weighted_pred = true, .has_weights = true, .seed = 2}},
    {"ippp-many-refs",
     {SMALL, .quality = 7, .has_weighted_pred = true, .has_weights = true, .threads = 3}},
    {"repeated",
     {SMALL, .quality = 4, .has_weighted_pred = true, .has_weights = true, .slice_count = 3}},
    {"random",
     {SMALL, .quality = 5, .has_weighted_pred = true, .has_weights = true, .is_cavlc = true}},
    {"ippp", {SMALL, .quality = 2, .chroma_qp_offset = -12}},
    {"ippp", {SMALL, .quality = 2, .chroma_qp_offset = 12}},
    {"random", {SMALL, .quality = 2, .has_map = true}},
    {"random", {SMALL, .quality = 5, .has_map = true, .is_cavlc = true, .slice_count = 3}},

    /* QP 0 to 51. */
    {"random", {TINY, .quality = 2, .qp = -1}},
    {"random", {TINY, .quality = 2, .qp = -1, .is_cavlc = true}},
    {"random", {TINY, .quality = 5, .qp = 1, .profile = HIGH, .has_transform_8x8 = true}},
    {"random", {TINY, .quality = 2, .qp = 10}},
    {"random", {TINY, .quality = 2, .qp = 40}},
    {"random", {TINY, .quality = 2, .qp = 51}},
    {"random", {TINY, .quality = 7, .qp = 51, .is_cavlc = true}},

    /* Headers. */
    {"ippp", {SMALL, .quality = 1, .poc_type = 2, .is_i420 = true}},
    {"random-p", {SMALL, .quality = 1, .log2_max_frame_num = 4, .has_aud = true}},
    {"random", {SMALL, .quality = 1, .log2_max_frame_num = 16, .default_refs = {3, 2}}},
    {"any-order", {SMALL, .quality = 1, .has_explicit_lists = true}},
    {"ippp-many-refs",
     {.width = 64,
      .height = 64,
      .picture_count = 22,
      .max_refs = 16,
      .quality = 5,
      .has_explicit_lists = true}},

    /* Sizes. */
    {"random", {.width = 16, .height = 16, .picture_count = 10, .max_refs = 3, .quality = 2}},
    {"random",
     {.width = 18,
      .height = 34,
      .picture_count = 10,
      .max_refs = 3,
      .quality = 5,
      .is_i420 = true}},
    {"random", {.width = 2, .height = 2, .picture_count = 6, .max_refs = 3, .quality = 2}},
    {"random-p", {.width = 1024, .height = 16, .picture_count = 6, .max_refs = 3, .quality = 2}},
    {"random-p",
     {.width = 16, .height = 1024, .picture_count = 6, .max_refs = 3, .quality = 2, .threads = 4}},
    {"random",
     {.width = 998,
      .height = 62,
      .picture_count = 6,
      .max_refs = 3,
      .quality = 2,
      .has_plain_images = true}},
    {"random",
     {.width = 640,
      .height = 360,
      .picture_count = 12,
      .max_refs = 4,
      .quality = 2,
      .threads = 4,
      .seed = 21}},
};

static uint32_t failed_count;
static uint32_t passed_count;

static void
run_one(const struct structure *s, const struct app_options *options, size_t case_index)
{
    struct app *app = app_create(options, rp_codec_h264_encode());
    s->run(app);
    app_finish(app);

    const uint32_t wrong_count = app_status(app) == RP_CODEC_OK ? decoder_check(app) : 1;
    if (wrong_count) {
        fprintf(stderr, "FAILED: case %zu, %s, seed %u: status %d, %u wrong\n", case_index, s->name,
                options->seed, app_status(app), wrong_count);
        failed_count++;
    } else {
        passed_count++;
    }
    app_destroy(app);
}

static void
run_case(const struct test_case *c, size_t case_index)
{
    for (uint32_t i = 0; i < structure_count; i++) {
        if (strcmp(c->structure, "*") == 0 || strcmp(c->structure, structures[i].name) == 0)
            run_one(&structures[i], &c->options, case_index);
    }
}

/* Random structures with random features. */
static void
run_seed(uint32_t seed)
{
    static const char *const names[] = {"random", "random-b", "random-p"};
    const struct app_options options = {
        .width = 32 + seed % 9 * 14,
        .height = 32 + seed % 7 * 18,
        .picture_count = 24,
        .max_refs = 2 + seed % 5,
        .seed = seed,
        .quality = seed % 6,
        .profile = seed % 3 ? HIGH : 0,
        .has_transform_8x8 = seed % 3 != 0,
        .is_cavlc = seed % 4 == 1,
        .is_temporal_direct = seed % 2,
        .has_weighted_pred = seed % 4 < 2,
        .has_weights = seed % 4 < 2,
        .weighted_bipred_idc = seed % 3,
        .has_plain_images = seed % 5 == 0,
        .foreign_period = seed % 6 == 5 ? 4 : 0,
        .has_map = seed % 7 == 3,
        .has_constrained_intra = seed % 11 == 4,
        .slice_count = 1 + seed % 13 % 4,
        .is_unaligned = seed % 8 < 3,
        .has_slice_types = seed % 10 < 5,
        .has_slice_filters = seed % 10 > 2,
        .has_slice_qp = true,
        .threads = seed % 2 ? 3 : 0,
        .qp = 20 + (int32_t)(seed % 20),
    };
    for (uint32_t i = 0; i < structure_count; i++) {
        if (strcmp(structures[i].name, names[seed % 3]) == 0)
            run_one(&structures[i], &options, 1000 + seed);
    }
}

int
main(int argc, char **argv)
{
    const uint32_t seed_count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 12;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        run_case(&cases[i], i);
    for (uint32_t seed = 1; seed <= seed_count; seed++)
        run_seed(seed);
    printf("%u streams are exact, %u are not\n", passed_count, failed_count);
    return failed_count != 0;
}
