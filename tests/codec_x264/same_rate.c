/* SPDX-License-Identifier: MIT */
/* The bytes of streams with rate control depend on the pictures alone: not on how many are begun
 * before the first one has ended, nor on how many threads code them. Pictures are planned while
 * those before are being coded, and now and then those are coded again.
 *
 * usage: same_rate [COUNT]
 *   COUNT   so many reference structures are tried (default: all)
 */
#include "app.h"
#include "structures.h"

#include "util/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FPS 30

static const struct app_options base = {
    .width = 64,
    .height = 336, /* lower pictures do not overlap */
    .picture_count = 36,
    .max_refs = 5,
    .quality = 2,
};

static struct rp_rate_settings
settings(enum rp_rate_mode mode, uint32_t layer_count, uint64_t bps)
{
    struct rp_rate_settings s = {
        .mode = mode,
        .layer_count = layer_count,
        .virtual_buffer_ms = 1000,
        .initial_virtual_buffer_ms = 750,
    };
    for (uint32_t i = 0; i < layer_count; i++)
        s.layer[i] = (struct rp_rate_layer){
            .average_bps = bps / layer_count,
            .max_bps = bps / layer_count * (mode == RP_RATE_VBR ? 2 : 1),
            .frame_rate_numerator = FPS,
            .frame_rate_denominator = layer_count,
        };
    return s;
}

static uint32_t
compare(const struct structure *structure, const char *what, const struct app_options *options)
{
    static const struct {
        uint32_t threads;
        uint32_t in_flight;
        uint32_t slice_threads;
    } ways[] = {{1, 4, 0}, {2, 2, 0}, {2, 4, 0}, {4, 3, 0}, {8, 8, 0}, {0, 0, 2}, {0, 0, 8}};
    const size_t count = RP_ARRAY_SIZE(ways) - (options->slice_count > 1 ? 0 : 2);
    struct app *expected = structure_code(structure, options);
    uint32_t failed_count = 0;

    for (size_t i = 0; i < count; i++) {
        struct app_options other = *options;
        other.threads = ways[i].threads;
        other.in_flight = ways[i].in_flight;
        other.slice_threads = ways[i].slice_threads;
        other.has_plain_images = i == 1;
        struct app *found = structure_code(structure, &other);
        if (!app_is_same(expected, found)) {
            fprintf(stderr,
                    "FAILED: %s, %s: other bytes with %u threads, %u in flight, %u for slices\n",
                    structure->name, what, other.threads, other.in_flight, other.slice_threads);
            failed_count++;
        }
        app_destroy(found);
    }
    app_destroy(expected);
    return failed_count;
}

/* Each fifth picture has a constant QP: nobody knows its half-size planes before its bytes, and it
 * waits for those with rate control before it. */
static uint32_t
compare_with_constant(const struct structure *structure, const struct app_options *rated,
                      const struct rp_rate_settings *rate)
{
    struct app_options options = *rated;
    struct app_rate_step steps[14];
    uint32_t count = 0;

    for (uint32_t k = 10; k + 1 < base.picture_count; k += 5) {
        steps[count++] = (struct app_rate_step){.picture = k};
        steps[count++] = (struct app_rate_step){.picture = k + 1, .rate = rate};
    }
    options.rate = rate;
    options.later_rates = steps;
    options.later_rate_count = count;
    return compare(structure, "CBR and constant QP", &options);
}

/* Each band of a picture's slices is controlled for itself. */
static uint32_t
compare_slices(const struct structure *structure, const struct rp_rate_settings *rate,
               const struct rp_rate_settings *limited)
{
    struct app_options options = base;
    uint32_t failed_count = 0;

    options.rate = rate;
    options.slice_count = 5;
    options.has_emphasis = true;
    options.is_unaligned = options.has_slice_types = options.has_slice_filters = true;
    failed_count += compare(structure, "slices of all kinds", &options);
    options = base;
    options.rate = limited;
    options.slice_count = 21;
    options.fine_period = 5;
    failed_count += compare(structure, "slices, pictures coded again", &options);
    return failed_count;
}

static uint32_t
compare_all(const struct structure *structure)
{
    struct rp_rate_settings cbr = settings(RP_RATE_CBR, 1, 300000);
    struct rp_rate_settings vbr = settings(RP_RATE_VBR, 1, 300000);
    struct rp_rate_settings later = settings(RP_RATE_CBR, 1, 700000);
    struct rp_rate_settings layers = settings(RP_RATE_CBR, 2, 300000);
    struct rp_rate_settings small = settings(RP_RATE_CBR, 1, 200000);
    struct rp_rate_settings limited = settings(RP_RATE_CBR, 1, 170000);
    const struct app_rate_step step = {.picture = 20, .rate = &later};
    struct app_options options = base;
    uint32_t failed_count = 0;

    small.virtual_buffer_ms = 250;
    small.initial_virtual_buffer_ms = 200;
    options.rate = &cbr;
    failed_count += compare(structure, "CBR", &options);
    options.later_rates = &step;
    options.later_rate_count = 1;
    failed_count += compare(structure, "CBR, another rate", &options);
    options = base;
    options.rate = &vbr;
    options.slice_count = 3;
    failed_count += compare(structure, "VBR, slices", &options);
    /* Vectors that direct prediction has to refuse. */
    options.slice_count = 1;
    options.is_temporal_direct = true;
    options.lines_per_picture = 12;
    failed_count += compare(structure, "VBR, fast", &options);
    options.rate = NULL;
    failed_count += compare(structure, "constant QP, fast", &options);
    options = base;
    options.rate = &layers;
    options.has_temporal_layers = true;
    failed_count += compare(structure, "CBR, two layers", &options);
    options = base;
    options.rate = &small;
    options.cut_period = 7;
    failed_count += compare(structure, "CBR, cuts in a small buffer", &options);
    /* Nobody foresees what the last row takes: such pictures are coded again after others have
     * begun to follow them. */
    limited.wants_filler = true;
    limited.layer[0].max_frame_size_B[RP_RATE_P] = 1450;
    options = base;
    options.rate = &limited;
    options.fine_period = 5;
    failed_count += compare(structure, "CBR, pictures coded again", &options);
    failed_count += compare_with_constant(structure, &options, &limited);
    failed_count += compare_with_constant(structure, &base, &cbr);
    failed_count += compare_slices(structure, &vbr, &limited);
    return failed_count;
}

int
main(int argc, char **argv)
{
    static const char *const names[] = {"ippp",           "ibbp",           "pyramid",
                                        "ippp-many-refs", "long-gops",      "short-gops",
                                        "random-p",       "hierarchical-p", "any-order"};
    const size_t all = sizeof(names) / sizeof(names[0]);
    const size_t wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : all;
    uint32_t failed_count = 0;

    for (size_t k = 0; k < wanted && k < all; k++) {
        for (uint32_t i = 0; i < structure_count; i++) {
            if (strcmp(structures[i].name, names[k]) == 0)
                failed_count += compare_all(&structures[i]);
        }
    }
    return failed_count != 0;
}
