/* SPDX-License-Identifier: MIT */
/* Each allocation, or some, fails once: the picture gets a status, nothing crashes or leaks, and
 * the session goes on.
 *
 * usage: out_of_memory [STEP]
 *   STEP: one of so many allocations fails, 1 (each) without it
 *
 * The linker sends the codec's allocations to tests/failing_alloc.c (--wrap).
 */
#include "app.h"
#include "decoder.h"
#include "structures.h"

#include "reelpipe/codec.h"

#include "tests/failing_alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned step = 1;

static const struct app_options in_place = {
    .width = 64,
    .height = 48,
    .picture_count = 4,
    .max_refs = 3,
    .quality = 2,
    .qp = -1,
};

/* Pictures of 32 pixels in a row, with a rate. */
static struct app_options
rated_options(const struct rp_rate_settings *rate, uint32_t height)
{
    return (struct app_options){
        .width = 32,
        .height = height,
        .picture_count = 4,
        .max_refs = 2,
        .quality = 2,
        .rate = rate,
    };
}

static const struct structure *
find_structure(const char *name)
{
    const struct structure *s = structures;
    while (strcmp(s->name, name) != 0)
        s++;
    return s;
}

/* Codes with allocation n failing; returns how many were asked for. */
static unsigned
code(const struct structure *s, const struct app_options *options, unsigned n,
     enum rp_codec_status *status_out)
{
    atomic_store(&failing_alloc.count, 0);
    atomic_store(&failing_alloc.wanted, n);
    struct app *app = app_create(options, rp_codec_h264_encode());
    *status_out = RP_CODEC_NO_MEMORY;
    if (app) {
        s->run(app);
        app_finish(app);
        *status_out = app_status(app);
        app_destroy(app);
    }
    return atomic_load(&failing_alloc.count);
}

static uint32_t
sweep(const char *name, const struct app_options *options)
{
    const struct structure *s = find_structure(name);
    enum rp_codec_status status;
    const unsigned count = code(s, options, 0, &status);
    uint32_t wrong_count = status != RP_CODEC_OK;

    for (unsigned n = 1; n <= count; n += step) {
        code(s, options, n, &status);
        /* A thread that cannot help leaves the slices to others; a picture without a content of its
         * own waits. */
        const bool has_others = options->slice_threads || options->threads;
        const bool is_survived = has_others && status == RP_CODEC_OK;
        if (status != RP_CODEC_NO_MEMORY && !is_survived) {
            fprintf(stderr, "FAILED: %s: allocation %u failed, status %d\n", name, n, status);
            wrong_count++;
        }
    }
    printf("%s: %u allocations\n", name, count);
    return wrong_count;
}

/* Pictures that overlap: those behind one that fails go on. */
static uint32_t
sweep_overlapping(const struct rp_rate_settings *cbr)
{
    const struct app_options constant = {
        .width = 32,
        .height = 128,
        .picture_count = 6,
        .max_refs = 3,
        .quality = 2,
        .has_map = true,
        .is_i420 = true,
        .has_no_recon = true,
        .threads = 3,
    };
    const struct app_options refreshed = {
        .width = 64,
        .height = 64,
        .picture_count = 6,
        .max_refs = 1,
        .quality = 1,
        .refresh = REFRESH_COLUMNS,
        .refresh_cycle = 4,
        .has_constrained_intra = true,
        .rate = cbr,
        .threads = 2,
    };
    struct app_options rated = constant;
    rated.height = 320; /* rows enough for the next one to follow */
    rated.rate = cbr;
    rated.has_emphasis = true;
    rated.has_map = false;
    struct app_options sliced = rated;
    sliced.slice_count = 4;
    return sweep("ibbp", &constant) + sweep("ippp", &refreshed) + sweep("ippp", &rated) +
           sweep("ippp", &sliced);
}

/* Pictures of one thread, plain and in place, in slices, with a rate. */
static uint32_t
sweep_plain(const struct rp_rate_settings *cbr)
{
    const struct app_options plain = {
        .width = 32,
        .height = 32,
        .picture_count = 5,
        .max_refs = 3,
        .quality = 0,
        .quality_period = 2,
        .has_weighted_pred = true,
        .has_weights = true,
        .has_plain_images = true,
        .foreign_period = 2,
        .has_no_recon = true,
    };
    const struct app_options rated = rated_options(cbr, 32);
    struct app_options sliced = in_place;
    sliced.slice_count = 3;
    return sweep("ippp", &sliced) + sweep("ippp", &in_place) + sweep("long-term-b", &in_place) +
           sweep("random", &plain) + sweep("ibbp", &rated);
}

/* Slices, or the rows of one, by several threads. */
static uint32_t
sweep_side_by_side(const struct rp_rate_settings *cbr)
{
    struct app_options slices = in_place;
    slices.slice_count = 3;
    slices.slice_threads = 3;
    struct app_options rated_slices = rated_options(cbr, 64);
    rated_slices.slice_count = 4;
    rated_slices.slice_threads = 3;
    struct app_options rows = slices;
    rows.width = 128;
    rows.height = 96;
    rows.slice_count = 0;
    rows.slice_threads = 2;
    struct app_options rated_rows = rows;
    rated_rows.height = 320;
    rated_rows.picture_count = 2;
    rated_rows.rate = cbr;
    /* Slices that are waves of their own, with weighted references and CABAC states, by two
     * contexts. */
    struct app_options cut_rows = rows;
    cut_rows.height = 192;
    cut_rows.picture_count = 2;
    cut_rows.quality = 5;
    cut_rows.slice_count = 3;
    cut_rows.is_unaligned = true;
    cut_rows.has_weighted_pred = cut_rows.has_weights = true;
    return sweep("ippp", &rows) + sweep("ippp", &rated_rows) + sweep("ippp", &cut_rows) +
           sweep("long-term-b", &slices) + sweep("ibbp", &rated_slices);
}

int
main(int argc, char **argv)
{
    static const struct rp_rate_settings cbr = {
        .mode = RP_RATE_CBR,
        .layer_count = 1,
        .layer[0] = {.average_bps = 100000,
                     .max_bps = 100000,
                     .frame_rate_numerator = 30,
                     .frame_rate_denominator = 1},
    };
    const unsigned given = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
    step = given > 0 ? given : 1;
    return sweep_side_by_side(&cbr) + sweep_plain(&cbr) + sweep_overlapping(&cbr) > 0;
}
