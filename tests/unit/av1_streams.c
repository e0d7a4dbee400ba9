/* SPDX-License-Identifier: MIT */
/* AV1's headers as encoders write them: what is read is written again bit for bit.
 */
#include "tests/av1/walk.h"

#include "test.h"

#include <dirent.h>

/* All OBUs of a file; every header must be legal. */
static void
walk_file(struct av1_walk *walk, const char *name)
{
    static uint8_t data[1 << 16];
    char path[1024];
    (void)snprintf(path, sizeof(path), "%s/%s", AV1_SEEDS, name);
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    const size_t size_B = fread(data, 1, sizeof(data), file);
    REQUIRE(fclose(file) == 0);
    *walk = (struct av1_walk){0};
    for (size_t at_B = 0; at_B < size_B;) {
        struct av1_obu obu;
        REQUIRE_EQ(av1_walk_next(walk, data + at_B, size_B - at_B, &obu), RP_AV1_OK);
        at_B += obu.size_B;
    }
}

/* libaom, SVT-AV1 and rav1e made them; their tiles were cut off (tests/fuzz/record_av1.c). */
static void
streams_of_three_encoders_are_written_again_bit_for_bit(void)
{
    static struct av1_walk walk;
    uint32_t stream_count = 0;
    uint32_t frame_count = 0;
    DIR *folder = opendir(AV1_SEEDS);
    REQUIRE(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        walk_file(&walk, entry->d_name);
        REQUIRE(walk.frame_count > 0);
        stream_count++;
        frame_count += walk.frame_count;
    }
    REQUIRE(closedir(folder) == 0);
    REQUIRE(stream_count >= 36);
    REQUIRE(frame_count >= 700);
}

/* A stream's state after its frames, for headers that go on from there. */
struct after {
    const char *name;
    bool (*has)(const struct av1_walk *walk);
};

static bool
has_grain(const struct av1_walk *walk)
{
    return walk->state.sequence.film_grain_params_present;
}

static bool
has_superres(const struct av1_walk *walk)
{
    return walk->state.sequence.enable_superres;
}

static bool
has_three_key_frames(const struct av1_walk *walk)
{
    return walk->sequence_count == 3;
}

static bool
has_decoder_model(const struct av1_walk *walk)
{
    return walk->state.sequence.timing.decoder_model_info_present_flag;
}

static bool
has_no_order_hints(const struct av1_walk *walk)
{
    return walk->state.sequence.order_hint_bits == 0;
}

static bool
has_one_plane(const struct av1_walk *walk)
{
    return walk->state.sequence.color.mono_chrome;
}

static bool
is_reduced(const struct av1_walk *walk)
{
    return walk->state.sequence.reduced_still_picture_header;
}

static bool
has_cut_tiles(const struct av1_walk *walk)
{
    return !walk->frame.tiles.uniform_tile_spacing_flag && walk->frame.tiles.tile_cols > 1;
}

static bool
has_shown_existing(const struct av1_walk *walk)
{
    return walk->shown_count > 0;
}

static void
streams_have_what_their_names_say(void)
{
    static const struct after streams[] = {
        {"aom_grain_10bit", has_grain},
        {"svt_grain", has_grain},
        {"aom_superres", has_superres},
        {"aom_forward_key", has_three_key_frames},
        {"aom_decoder_model", has_decoder_model},
        {"aom_no_order_hints", has_no_order_hints},
        {"aom_mono", has_one_plane},
        {"aom_reduced_still", is_reduced},
        {"aom_explicit_tiles", has_cut_tiles},
        {"rav1e", has_shown_existing},
    };
    static struct av1_walk walk;
    for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
        walk_file(&walk, streams[i].name);
        (void)fprintf(stderr, "  %s\n", streams[i].name);
        REQUIRE(streams[i].has(&walk));
    }
}

int
main(void)
{
    RUN(streams_of_three_encoders_are_written_again_bit_for_bit);
    RUN(streams_have_what_their_names_say);
    return 0;
}
