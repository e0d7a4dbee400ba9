/* SPDX-License-Identifier: MIT */
#include "wave_times.h"

#include "structures.h"

#include <stdbool.h>
#include <stdio.h>

static double
median_ms(const struct app *app)
{
    uint32_t count;
    const struct app_record *records = app_records(app, &count);
    double times[64];
    uint32_t used = 0;

    for (uint32_t i = 1; i < count && used < 64; i++) { /* the first one makes what is needed */
        uint32_t at = used++;
        for (; at > 0 && times[at - 1] > records[i].encode_ms; at--)
            times[at] = times[at - 1];
        times[at] = records[i].encode_ms;
    }
    return times[used / 2];
}

/* Prints a line. Returns the bits of a second of the stream. */
static uint64_t
print_times_of(const struct app_options *options, const char *level, uint64_t fps)
{
    static const uint32_t threads[] = {1, 2, 4, 8, 16};
    uint64_t size_B = 0;
    char name[64];

    snprintf(name, sizeof(name), "%ux%u %s %s%s", options->width, options->height, level,
             options->is_cavlc ? "CAVLC" : "CABAC", options->rate ? " CBR" : "");
    printf("%-44s", name);
    for (size_t t = 0; t < sizeof(threads) / sizeof(threads[0]); t++) {
        struct app_options with = *options;
        with.slice_threads = threads[t];
        struct app *app = structure_code(structure_find("ippp"), &with);
        uint32_t count;
        const struct app_record *records = app_records(app, &count);
        printf("%8.2f", median_ms(app));
        fflush(stdout);
        for (uint32_t i = 0; i < count && t == 0; i++)
            size_B += records[i].size_B;
        app_destroy(app);
    }
    printf("\n");
    return 8 * size_B * fps / options->picture_count;
}

void
wave_print_times(const struct rp_rate_settings *cbr)
{
    static const uint32_t sizes[][2] = {{1280, 720}, {1920, 1080}, {3840, 2160}};
    static const struct {
        const char *name;
        uint32_t quality;
    } levels[] = {{"ultrafast", 0}, {"veryfast", 2}};

    printf("%-44s%8u%8u%8u%8u%8u   (ms a picture, median)\n", "threads", 1, 2, 4, 8, 16);
    for (uint32_t row = 0; row < 12; row++) {
        const uint32_t *size = sizes[row / 4];
        struct app_options o = {
            .width = size[0],
            .height = size[1],
            .picture_count = size[0] > 2000 ? 10 : 24,
            .max_refs = 1,
            .quality = levels[row / 2 % 2].quality,
            .is_cavlc = row % 2 == 0,
            .qp = 26,
        };
        struct rp_rate_settings rate = *cbr;
        const uint64_t bps =
            print_times_of(&o, levels[row / 2 % 2].name, cbr->layer[0].frame_rate_numerator);
        rate.layer[0].average_bps = rate.layer[0].max_bps = bps;
        o.rate = &rate;
        print_times_of(&o, levels[row / 2 % 2].name, cbr->layer[0].frame_rate_numerator);
    }
}

void
wave_print_times_of_slices(const struct rp_rate_settings *cbr)
{
    static const struct {
        const char *name;
        uint32_t count;
        bool is_unaligned;
        bool has_weights;
    } kinds[] = {{"4 slices", 4, false, false},
                 {"4 slices, cut rows", 4, true, false},
                 {"14 slices, cut rows", 14, true, false},
                 {"4 slices, weights", 4, false, true}};

    for (uint32_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct app_options o = {
            .width = 1920,
            .height = 1080,
            .picture_count = 24,
            .max_refs = 1,
            .quality = 2,
            .is_cavlc = true,
            .qp = 26,
            .slice_count = kinds[i].count,
            .is_unaligned = kinds[i].is_unaligned,
            .has_weighted_pred = kinds[i].has_weights,
            .has_weights = kinds[i].has_weights,
        };
        struct rp_rate_settings rate = *cbr;
        const uint64_t bps = print_times_of(&o, kinds[i].name, cbr->layer[0].frame_rate_numerator);
        rate.layer[0].average_bps = rate.layer[0].max_bps = bps;
        o.rate = &rate;
        print_times_of(&o, kinds[i].name, cbr->layer[0].frame_rate_numerator);
    }
}
