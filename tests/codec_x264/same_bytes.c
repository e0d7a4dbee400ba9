/* SPDX-License-Identifier: MIT */
/* The coded bytes depend on the pictures alone: not on how many of them overlap, nor on which
 * context codes them, nor on how the DPB's memory looks, nor on whether a picture is kept.
 *
 * usage: same_bytes [STEP [PICTURES]]
 *   STEP       every which reference structure is tried (default 1: all)
 *   PICTURES   of each (default 12)
 */
#include "app.h"
#include "structures.h"

#include <stdio.h>
#include <stdlib.h>

static struct app_options base = {
    .width = 96,
    .height = 240, /* more rows than motion reaches: pictures do overlap */
    .picture_count = 12,
    .max_refs = 4,
    .quality = 2,
    .slice_count = 2,
};

/* Whether a structure has expected's bytes with other options. */
static uint32_t
compare(const struct structure *s, const char *what, const struct app *expected,
        const struct app_options *options)
{
    struct app *found = structure_code(s, options);
    const bool same = app_is_same(expected, found);

    if (!same)
        fprintf(stderr, "FAILED: %s: other bytes with %s\n", s->name, what);
    app_destroy(found);
    return !same;
}

static const struct rp_rate_settings cbr = {
    .mode = RP_RATE_CBR,
    .layer_count = 1,
    .layer[0] = {.average_bps = 500000,
                 .max_bps = 500000,
                 .frame_rate_numerator = 30,
                 .frame_rate_denominator = 1},
    .virtual_buffer_ms = 500,
    .initial_virtual_buffer_ms = 400,
};

/* Whoever codes which slice. */
static uint32_t
compare_slices(const struct structure *s)
{
    static const uint32_t thread_counts[] = {2, 8};
    uint32_t failed_count = 0;

    for (uint32_t is_unaligned = 0; is_unaligned < 2; is_unaligned++) {
        struct app_options one = base;
        one.height = 112;
        one.slice_count = 5;
        one.is_unaligned = is_unaligned;
        one.has_slice_types = one.has_slice_qp = one.has_slice_filters = true;
        struct app *expected = structure_code(s, &one);
        for (size_t i = 0; i < sizeof(thread_counts) / sizeof(thread_counts[0]); i++) {
            struct app_options many = one;
            many.slice_threads = thread_counts[i];
            failed_count += compare(s, "slices side by side", expected, &many);
            many.threads = thread_counts[i];
            failed_count += compare(s, "slices and pictures side by side", expected, &many);
        }
        app_destroy(expected);
    }
    return failed_count;
}

/* Whoever codes which picture, from where, and whether it is kept. */
static uint32_t
compare_pictures(const struct structure *s)
{
    struct app_options threads[3] = {base, base, base};
    struct app_options plain = base;
    struct app_options no_recon = base;
    uint32_t failed_count = 0;

    threads[0].threads = 1;
    threads[1].threads = 3;
    threads[2].threads = 8;
    plain.has_plain_images = true;
    no_recon.has_no_recon = true;
    struct app *expected = structure_code(s, &base);
    failed_count += compare(s, "1 thread", expected, &threads[0]);
    failed_count += compare(s, "3 threads", expected, &threads[1]);
    failed_count += compare(s, "8 threads", expected, &threads[2]);
    failed_count += compare(s, "plain images", expected, &plain);
    failed_count += compare(s, "pictures that are not kept", expected, &no_recon);
    app_destroy(expected);
    return failed_count;
}

static uint32_t
compare_rated(const struct structure *s)
{
    struct app_options rated[2] = {base, base};

    rated[0].rate = rated[1].rate = &cbr;
    rated[1].threads = 4;
    struct app *expected = structure_code(s, &rated[0]);
    const uint32_t failed_count = compare(s, "4 threads at a constant rate", expected, &rated[1]);
    app_destroy(expected);
    return failed_count;
}

int
main(int argc, char **argv)
{
    const uint32_t step = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
    uint32_t failed_count = 0;

    if (argc > 2)
        base.picture_count = (uint32_t)strtoul(argv[2], NULL, 10);
    for (uint32_t i = 0; i < structure_count; i += step)
        failed_count += compare_pictures(&structures[i]) + compare_rated(&structures[i]) +
                        compare_slices(&structures[i]);
    return failed_count != 0;
}
