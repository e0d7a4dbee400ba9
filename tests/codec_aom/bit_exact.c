/* SPDX-License-Identifier: MIT */
/* Random structures of pictures: what is reconstructed is what libdav1d decodes, picture by
 * picture.
 *
 * usage: codec_aom_bit_exact [FIRST_SEED COUNT [PICTURES]]
 */
#include "random_structure.h"

#include "tests/test.h"

static uint64_t first_seed = 1;
static uint32_t run_count = 12;
static uint32_t picture_count = 20;

static void
reconstruction_is_what_dav1d_decodes(void)
{
    for (uint32_t i = 0; i < run_count; i++) {
        (void)fprintf(stderr, "seed %" PRIu64 "\n", first_seed + i);
        random_structure_run(first_seed + i, picture_count, NULL);
    }
}

static void
bytes_are_the_same_each_time(void)
{
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE(random_structure_run(first_seed + i, picture_count, NULL) ==
                random_structure_run(first_seed + i, picture_count, NULL));
}

/* What rows begin with is made for the first picture, which updates contexts, and freed after the
 * last, which does not: the leak checker looks. */
static void
updates_of_contexts_go_on_and_off(void)
{
    struct app *app = calloc(1, sizeof(*app));
    REQUIRE(app);
    app->seq.flags.enable_order_hint = 1;
    app->seq.order_hint_bits_minus_1 = 6;
    app->color.BitDepth = 8;
    app_init(app, 264, 200, 1);
    for (uint32_t i = 0; i < 4; i++) {
        const bool is_key = i == 0;
        app_picture_init(
            app, is_key ? STD_VIDEO_AV1_FRAME_TYPE_KEY : STD_VIDEO_AV1_FRAME_TYPE_INTER, i, true);
        app->std.flags.disable_cdf_update = i % 2 == 1;
        app->std.flags.disable_frame_end_update_cdf = i % 2 == 1;
        app->std.refresh_frame_flags = 0xff;
        for (uint32_t name = 0; name < RP_AV1_NAMES && !is_key; name++)
            app->std.ref_frame_idx[name] = 0;
        if (!is_key)
            app_name(app, 0, 0);
        app_draw(app, i);
        app_encode(app, app_free_slot(app, 0));
    }
    app_finish(app);
    free(app);
}

int
main(int argc, char **argv)
{
    if (argc > 2) {
        first_seed = strtoull(argv[1], NULL, 10);
        run_count = (uint32_t)strtoul(argv[2], NULL, 10);
    }
    if (argc > 3)
        picture_count = (uint32_t)strtoul(argv[3], NULL, 10);
    RUN(reconstruction_is_what_dav1d_decodes);
    RUN(bytes_are_the_same_each_time);
    RUN(updates_of_contexts_go_on_and_off);
    return 0;
}
